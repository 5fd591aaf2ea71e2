"""A ranking and a report never name a winner against the declared direction, and none where nobody declared it."""

import re
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import accord
from accord.design.criterion import Criterion
from accord.design.scale import NO_DIRECTION, SAY_DIRECTION, Direction, Level, Scale
from accord.diagnosis.part import parts_of
from accord.diagnosis.severity import rater_effects
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook, StudyFacts
from accord.reporting.analysis import analyse
from accord.reporting.compose import compose
from accord.reporting.markdown import to_markdown
from accord.reporting.sections.raters import raters
from accord.reporting.sections.scores import scores
from accord.scoring.ranking import Preset, rank
from accord.scoring.ranking.rank import rank_criteria


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


KINDS = {
    "score": (Level.INTERVAL, "slider", (Direction.HIGH, Direction.LOW, Direction.UNKNOWN)),
    "errors": (Level.INTERVAL, "", (Direction.LOW, Direction.LOW, Direction.UNKNOWN)),
    "ranks": (Level.ORDINAL, "ranking", (Direction.LOW,)),
}
"""Level, kind and the good ends that a criterion may have: the ranks of a ranking have one by what they are."""


def random_study(seed):
    """A study of a few systems by one or two criteria, each of a kind, with a good end and an order of its own."""
    rng = np.random.default_rng(seed)
    systems = [f"S{n}" for n in range(rng.integers(2, 6))]
    gap = rng.choice([0.0, 3.0, 4.0])
    kinds = rng.permutation(list(KINDS))[: rng.integers(1, 3)].tolist()
    ends = {kind: KINDS[kind][2][rng.integers(len(KINDS[kind][2]))] for kind in kinds}
    rows = []
    for kind in kinds:
        level = dict(zip(rng.permutation(systems), gap * np.arange(len(systems)), strict=True))
        for document, rater in product(range(7), "ABC"):
            shown = {name: 20 + true + 2 * "ABC".index(rater) + rng.normal(0, 2) for name, true in level.items()}
            if kind == "ranks":
                shown = {name: 1 + place for place, name in enumerate(sorted(shown, key=shown.get))}
            rows += [
                (f"d{document}:{name}", rater, round(value) if kind == "errors" else round(value, 1), kind, name,
                 f"d{document}")
                for name, value in shown.items()
            ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "rater", "value", "criterion", "system", "document"]).assign(
        segment="1"
    )
    criteria = {
        kind: Criterion(kind, kind=KINDS[kind][1], scale=Scale(KINDS[kind][0], (), direction=ends[kind]))
        for kind in kinds
    }
    columns = {name: frame[name].tolist() for name in frame}
    return build_ratings(columns, codebook=Codebook(criteria=criteria)), frame, ends


_NAMES_A_WINNER = re.compile(r"\b(best|beats?|better|winner|wins|preferred|leads?|ahead|behind|worse|worst)\b")
_BEST = re.compile(r"((?:S\d(?:, | and )?)+) (is|may each be) best(?: by ([a-z, ]+?))?(?=[.;])")


def test_no_word_of_a_report_names_a_winner_against_the_direction():
    """Drawn by a seed and not by hypothesis, which tries small studies first: those in which nobody can win."""
    seen = Counter(kind for seed in range(16) for kind in told_in_its_report(*random_study(seed)))
    assert min(seen[kind] for kind in ("score", "errors", "ranks", "no direction")) > 0, seen


def told_in_its_report(ratings, frame, ends):
    """The kinds of criteria by which the report names a winner, each checked against the means."""
    text = to_markdown(compose(ratings))
    mean = frame.groupby(["criterion", "system"]).value.mean()
    for names, how, listed in _BEST.findall(text):
        for criterion in re.findall(r"[a-z]+", listed.replace(" and ", " ")) or ends:
            yield criterion
            assert ends[criterion].is_known, (names, criterion)
            of_systems = mean[criterion] * ends[criterion].sign
            named = re.findall(r"S\d", names)
            assert of_systems.idxmax() in named, (names, how, criterion)
            assert how != "is" or len(named) == 1
    if not any(end.is_known for end in ends.values()):
        sentences = re.split(r"(?<=[.;:|])\s|\n", text)
        assert not [one for one in sentences if re.search(r"\bS\d\b", one) and _NAMES_A_WINNER.search(one)]
        assert NO_DIRECTION in text
        yield "no direction"


@pytest.mark.parametrize("direction", ["high", "low", None])
def test_a_report_calls_strict_who_gives_worse_scores(direction):
    analysis = analyse(accord.read(table(3, 3, 4.0), level="interval", direction=direction))
    words = told(scores(analysis)) + told(raters(analysis))
    if direction is None:
        assert "strict" not in words and "lenient" not in words
        assert NO_DIRECTION in words and SAY_DIRECTION not in words
    else:
        assert re.search(strictness(direction), words)


@pytest.mark.parametrize(("direction", "order"), [("high", "ABC"), ("low", "CBA"), (None, "ABC")])
def test_strict_is_to_give_worse_scores(direction, order):
    (part,) = parts_of(accord.read(table(1, 2, 0.0), level="interval", direction=direction))
    effects = rater_effects(part)
    assert "".join(effect.rater for effect in effects) == order
    words = [effect.strictness for effect in effects]
    assert (words[0], words[-1]) == (("strict", "lenient") if direction else ("", ""))


def test_a_report_ranks_all_criteria_as_one_family_as_the_command_does():
    frame = pd.concat([table(seed, 3, 0.5).assign(criterion=name) for seed, name in ((1, "good"), (2, "fluent"))])
    ratings = accord.read(frame, level="interval", direction="high")
    parts = [group.ratings for group in ratings.split()]
    made = analyse(ratings)
    assert [one.pairs for _, one in made.rankings] == [one.pairs for one in rank_criteria(parts)]
    assert all("of each of 2 criteria together" in one.method for _, one in made.rankings)


def test_a_criterion_that_cannot_be_ranked_leaves_the_others_ranked():
    same = table(1, 3, 0.5).assign(criterion="equal", value=1.0)
    frame = pd.concat([table(2, 3, 0.5).assign(criterion="fluent"), same])
    made = analyse(accord.read(frame, level="interval", direction="high"))
    assert [name for name, _ in made.rankings] == ["fluent"]
    assert [line for line in made.left_out if line.startswith("Ranking by") and "nothing to rank" in line]


def test_rules_that_the_codebook_declares_are_told_whatever_the_ratings_were_read_from():
    ratings = accord.read(table(1, 2, 0.5), level="interval", direction="high")
    study = StudyFacts(title="A study", exclusions=("raters who did not finish",))
    made = analyse(replace(ratings, codebook=replace(ratings.codebook, study=study)))
    assert made.exclusions == ("declared before collection: raters who did not finish",)
