"""The interval of a difference between systems: Student's t of two, all together of more, never against its test."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import accord
from accord.scoring.ranking.rank import PairTestKind, rank


def systems(shifts, *, documents=9, segments=3, seed=0, noise=6.0):
    """Scores from 0 to 100 of systems that lie so far from each other."""
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        for segment in range(segments):
            base = rng.normal(55, 8)
            rows += [
                (f"{document}-{segment}", rater, f"S{place}", f"d{document}",
                 float(np.clip(base + shift + rng.normal(0, noise), 0, 100)))
                for place, shift in enumerate(shifts) for rater in "AB"
            ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "rater", "system", "document", "value"])
    return accord.read(frame, level="interval", scale="0..100", direction="high"), frame


def test_of_two_systems_it_is_the_paired_t_interval_over_documents():
    ratings, frame = systems([4, 0])
    (pair,) = rank(ratings).pairs
    means = frame.groupby(["document", "item", "system"]).value.mean().groupby(["document", "system"]).mean().unstack()
    gaps = means[pair.first] - means[pair.second]
    low, high = stats.t.interval(0.95, len(gaps) - 1, gaps.mean(), stats.sem(gaps))
    assert (pair.difference, pair.interval.low, pair.interval.high) == pytest.approx((gaps.mean(), low, high))
    assert pair.interval.level == 0.95


@pytest.mark.parametrize("direction", ["high", "low"])
@pytest.mark.parametrize("seed", range(12))
def test_no_interval_contradicts_its_test(seed, direction):
    ratings, _ = systems([5, 3.5, 2, 0][: 2 + seed % 3], seed=seed)
    for pair in rank(ratings, direction=direction).pairs:
        low, high = pair.interval.low, pair.interval.high
        assert low <= pair.difference <= high
        assert (low >= 0 or high <= 0) == (pair.adjusted < 0.05)
        if pair.winner:
            better = pair.first if (pair.difference > 0) == (direction == "high") else pair.second
            assert pair.winner == better


def test_intervals_of_many_pairs_hold_together():
    shifts = [6, 4, 2, 0]
    held = 0
    for seed in range(60):
        ratings, _ = systems(shifts, seed=seed, documents=12)
        true = {f"S{place}": shift for place, shift in enumerate(shifts)}
        pairs = rank(ratings).pairs
        held += all(true[p.first] - true[p.second] in p.interval for p in pairs)
    assert held >= 54, "60 studies at 95% hold 57 on average; fewer than 54 has a probability of .03 at most"


def test_more_comparisons_make_an_interval_wider():
    ratings, _ = systems([4, 0])
    (alone,) = rank(ratings).pairs
    more, _ = systems([4, 0, 0])
    first = next(p for p in rank(more).pairs if {p.first, p.second} == {"S0", "S1"})
    assert "Bonferroni" in first.interval.method and "Bonferroni" not in alone.interval.method


def test_there_is_none_where_the_test_says_nothing_of_the_size():
    ratings, _ = systems([4, 0])
    assert [pair.interval for pair in rank(ratings, test=PairTestKind.PERMUTATION).pairs] == [None]
    assert [pair.interval for pair in rank(ratings, preset="wmt23").pairs] == [None]
    few, _ = systems([30, 0], documents=2)
    assert [(pair.winner, pair.interval) for pair in rank(few).pairs] == [(None, None)]
