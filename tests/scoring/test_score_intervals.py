"""The interval of a system's score: on its scale, never of no width, and it holds near an end of the scale."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.scoring.ranking import rank


def ranking(of_system, documents=6, segments=4, **said):
    rows = [
        (f"d{d}s{s}", "r", name, f"d{d}", float(score(d, s)))
        for name, score in of_system.items() for d in range(documents) for s in range(segments)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "rater", "system", "document", "value"])
    found = rank(accord.read(frame, level="interval", direction="high", **said))
    return {system.name: system.interval for system in found.systems}, found.cautions


MIDDLE = {"A": lambda d, s: 50 + d + s, "B": lambda d, s: 40 + 2 * d + s}


def test_scores_that_never_vary_have_no_interval_of_no_width():
    intervals, cautions = ranking({**MIDDLE, "C": lambda *_: 70}, scale="0..100")
    assert intervals["C"] is None
    assert any("C has one and the same score throughout" in caution for caution in cautions)
    assert intervals["A"].low < intervals["A"].high


@pytest.mark.parametrize(("scale", "low"), [("0..100", 100 * 0.05 ** (1 / 6)), (None, None)])
def test_a_system_at_the_end_of_a_declared_scale_may_have_unseen_faults(scale, low):
    intervals, _ = ranking({**MIDDLE, "C": lambda *_: 100}, **({"scale": scale} if scale else {}))
    if low is None:
        assert intervals["C"] is None
    else:
        assert (intervals["C"].low, intervals["C"].high) == (pytest.approx(low), 100)


def test_no_interval_leaves_the_declared_scale_and_it_is_said_where_nobody_declared_it():
    wide = {"A": lambda d, _: 5 + 60 * (d % 2), "B": lambda d, _: 95 - 60 * (d % 2)}
    intervals, cautions = ranking(wide, documents=4, scale="0..100")
    assert min(one.low for one in intervals.values()) == 0
    assert max(one.high for one in intervals.values()) == 100
    assert not any("nobody said where the scale ends" in caution for caution in cautions)
    free, said = ranking(wide, documents=4)
    assert min(one.low for one in free.values()) < 0
    assert any("Some intervals reach beyond 5 to 95" in caution for caution in said)


def test_few_segments_near_an_end_allow_for_rare_scores_and_many_do_not():
    rng = np.random.default_rng(2)
    near = {"A": lambda *_: rng.integers(95, 100), "B": lambda *_: rng.integers(40, 60)}
    few, said = ranking(near, documents=12, segments=1, scale="0..100")
    assert few["A"].low < 88
    assert any("A stands near an end of the scale" in caution for caution in said)
    many, said = ranking(near, documents=12, segments=6, scale="0..100")
    assert many["A"].low > 95
    assert not any("near an end" in caution for caution in said)
