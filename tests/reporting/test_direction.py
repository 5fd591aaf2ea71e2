"""A ranking and a report never name a winner against the declared direction, and none where nobody declared it."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import accord
from accord.design.scale import NO_DIRECTION, SAY_DIRECTION, Direction
from accord.diagnosis.part import parts_of
from accord.diagnosis.severity import rater_effects
from accord.reporting.analysis import analyse
from accord.reporting.sections.raters import raters
from accord.reporting.sections.scores import scores
from accord.scoring.ranking import Preset, rank


def table(seed, systems, gap, documents=6, segments=2):
    """Systems whose true scores lie ``gap`` apart, in an order that their names do not tell."""
    rng = np.random.default_rng(seed)
    level = dict(zip(rng.permutation([f"S{n}" for n in range(systems)]), gap * np.arange(systems), strict=True))
    strict = {"A": -2.0, "B": 0.0, "C": 2.0}
    rows = [
        {
            "item": f"{system}:{d}-{k}", "rater": rater, "system": system, "document": f"d{d}", "segment": f"{d}-{k}",
            "value": round(20 + true + strict[rater] + rng.normal(0, 1), 1),
        }
        for system, true in level.items() for d in range(documents) for k in range(segments) for rater in strict
    ]  # fmt: skip
    return pd.DataFrame(rows)


def told(blocks):
    """All that the blocks say, in one text."""
    return repr(blocks)


@settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    seed=st.integers(0, 10_000), systems=st.integers(2, 4), gap=st.sampled_from([0.0, 0.5, 4.0]),
    direction=st.sampled_from(["high", "low", None]), preset=st.sampled_from(list(Preset)),
)  # fmt: skip
def test_a_ranking_never_names_a_winner_against_the_direction(seed, systems, gap, direction, preset):
    frame = table(seed, systems, gap)
    found = rank(accord.read(frame, level="interval", direction=direction), preset=preset)
    mean = {system.name: system.score for system in found.systems}
    if direction is None:
        assert [s.name for s in found.systems] == sorted(mean, key=mean.get, reverse=True)
        assert not found.leaders
        assert all(pair.winner is None for pair in found.pairs)
        assert all(s.rank_low is s.rank_high is s.wins is s.losses is None for s in found.systems)
        assert SAY_DIRECTION in str(found)
        assert "best" not in found.headline()
        return
    sign = Direction(direction).sign
    assert [s.name for s in found.systems] == sorted(mean, key=lambda name: -sign * mean[name])
    assert found.systems[0].rank_low == 1
    for pair in found.pairs:
        if pair.winner is not None:
            loser = pair.second if pair.winner == pair.first else pair.first
            assert sign * (mean[pair.winner] - mean[loser]) > 0


def strictness(direction):
    """A rates lowest and C highest: who is strict follows from the good end."""
    low, high = ("strictly", "leniently") if direction == "high" else ("leniently", "strictly")
    return rf"A rates [\d.]+ lower than [^,]*, more {low}|C rates [\d.]+ higher than [^,]*, more {high}"


@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 10_000), gap=st.sampled_from([0.5, 4.0]))
def test_a_report_never_names_a_winner_against_the_direction(seed, gap):
    frame = table(seed, 3, gap)
    mean = frame.groupby("system").value.mean()
    for direction in ("high", "low", None):
        analysis = analyse(accord.read(frame, level="interval", direction=direction))
        words = told(scores(analysis)) + told(raters(analysis))
        named = set(re.findall(r"(S\d) is best", words))
        if direction is None:
            assert not named and "may each be best" not in words
            assert "strict" not in words and "lenient" not in words
            assert NO_DIRECTION in words and SAY_DIRECTION not in words
        else:
            assert named <= {mean.idxmax() if direction == "high" else mean.idxmin()}
            assert re.search(strictness(direction), words)


@pytest.mark.parametrize(("direction", "order"), [("high", "ABC"), ("low", "CBA"), (None, "ABC")])
def test_strict_is_to_give_worse_scores(direction, order):
    (part,) = parts_of(accord.read(table(1, 2, 0.0), level="interval", direction=direction))
    effects = rater_effects(part)
    assert "".join(effect.rater for effect in effects) == order
    words = [effect.strictness for effect in effects]
    assert (words[0], words[-1]) == (("strict", "lenient") if direction else ("", ""))
