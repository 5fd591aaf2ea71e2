"""Words fit numbers: every sentence of the report with data that make it true, and data that must not trigger it."""

import re
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.design.scale import Direction
from accord.inference.interval import Interval
from accord.reliability.estimate import Estimate
from accord.reliability.result import GroupReliability
from accord.reliability.sentences import VERDICTS
from accord.reliability.units import too_few
from accord.reporting.analysis import analyse
from accord.reporting.compose import compose, compose_analysis
from accord.reporting.first_screen import first_screen
from accord.reporting.headline import Headline
from accord.reporting.ranked import RANKED, ranked_answer
from accord.reporting.sections.comparisons import change_words
from accord.reporting.sections.raters import compared
from accord.reporting.verdicts import JUDGEMENTS, REACHED
from accord.scoring.ranking import rank

NAN = float("nan")


def estimate(value, low=NAN, high=NAN, items=100, coefficient="krippendorff_alpha"):
    interval = None if low != low else Interval(low=low, high=high, method="bootstrap over items")
    return Estimate(
        coefficient=coefficient, title="Krippendorff's α", value=value, interval=interval, items=items, raters=4,
        signature="", question="other items, these 4 raters",
    )  # fmt: skip


def headline(one):
    group = GroupReliability(
        by={}, items=one.items, raters=4, ratings=4 * one.items, level="ordinal", values=5, estimates=(one,)
    )
    return Headline("", group, one)


TRUE = {
    "undefined": estimate(NAN), "few_documents": replace(estimate(0.7), cautions=(too_few(63, 3),)),
    "no_interval": estimate(0.7), "worse_than_chance": estimate(-0.3, -0.5, -0.1),
    "few_items": estimate(0.9, 0.85, 0.95, items=12), "chance": estimate(0.1, -0.1, 0.3),
    "unreliable": estimate(0.5, 0.4, 0.6), "not_shown": estimate(0.7, 0.6, 0.8), "tentative": estimate(0.75, 0.7, 0.82),
    "reliable": estimate(0.9, 0.85, 0.95), "band": estimate(0.5, 0.45, 0.55, coefficient="fleiss_kappa"),
    "": estimate(0.5, 0.45, 0.55, coefficient="percent_agreement"),
}  # fmt: skip


def test_the_first_screen_has_words_for_every_verdict_of_agree():
    assert set(JUDGEMENTS) == {sentence.key for sentence in VERDICTS} | {""}
    assert set(JUDGEMENTS) == set(TRUE)


@pytest.mark.parametrize("key", TRUE)
def test_a_verdict_is_said_of_data_that_make_it_true_and_of_no_other(key):
    assert headline(TRUE[key]).verdict == key
    words = headline(TRUE[key]).judgements.alone
    assert all(headline(one).judgements.alone != words for other, one in TRUE.items() if other != key)


@settings(max_examples=200, deadline=None)
@given(low=st.floats(-1, 1), high=st.floats(-1, 1), items=st.integers(2, 400))
def test_no_answer_claims_more_than_the_interval_shows(low, high, items):
    low, high = sorted((low, high))
    head = headline(estimate((low + high) / 2, low, high, items=items))
    for words in (head.judgements.alone, head.judgements.several):
        if "can be relied on" in words:
            assert low >= 0.8 and items >= 30
        if "allow tentative conclusions" in words:
            assert 2 / 3 <= low < 0.8
        if "cannot be relied on" in words:
            assert high < 2 / 3
        if "not shown to be reliable" in words:
            assert low < 2 / 3 <= high
        if "less than by chance" in words:
            assert high < 0
    assert (head.verdict in REACHED) == (low >= 2 / 3 and items >= 30)


def systems(scores, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        {"item": f"{system}-{d}-{k}", "segment": f"{d}-{k}", "document": f"d{d}", "rater": rater, "system": system,
         "value": round(60 + score + rng.normal(0, noise), 2)}
        for system, score in scores.items() for d in range(10) for k in range(2) for rater in ("R1", "R2")
    ]  # fmt: skip
    return pd.DataFrame(rows)


OUTCOMES = {
    "one": ({"A": 0, "B": 9, "C": 0}, "high", 0.3, "B is best."),
    "all": ({"A": 0, "B": 0, "C": 0}, "high", 5.0, "No winner: "),
    "several": ({"A": 9, "B": 9, "C": 0}, "high", 0.8, " may each be best; C is not."),
    "no direction": ({"A": 0, "B": 9, "C": 0}, None, 0.3, "Nobody said which end of the scale is good"),
}


@pytest.mark.parametrize("key", OUTCOMES)
def test_a_ranking_is_told_by_the_sentence_that_its_tests_allow(key):
    scores, direction, noise, words = OUTCOMES[key]
    ranking = rank(accord.read(systems(scores, noise), level="interval", direction=direction))
    assert next(row.key for row in RANKED if row.holds(ranking)) == key
    assert words in ranked_answer((("", ranking),))


@pytest.mark.parametrize(("direction", "best"), [("high", "B"), ("low", "A")])
def test_the_answer_calls_the_better_system_best_and_never_the_loser(direction, best):
    first = first_screen(analyse(accord.read(systems({"A": 0, "B": 9}), level="interval", direction=direction)))
    assert first.answer.startswith(f"{best} is best.")
    difference = next(number for number in first.numbers if " against " in number.label)
    leader, other = difference.label.split(" against ")
    means = {"A": 0, "B": 9}
    assert (difference.value[0] == "+") == (means[leader] > means[other])


def test_a_difference_that_is_not_that_of_the_means_says_on_what_it_rests():
    frame = systems({"A": 0, "B": 9})
    whole = first_screen(analyse(accord.read(frame, level="interval", direction="high")))
    assert not any("that both have" in number.note for number in whole.numbers)
    gone = frame[~((frame["system"] == "A") & (frame["segment"] == frame["segment"].iloc[0]))]
    made = analyse(accord.read(gone, level="interval", direction="high"))
    ((_, ranking),) = made.rankings
    difference = next(number for number in first_screen(made).numbers if " against " in number.label)
    assert f"difference of mean scores on {ranking.pairs[0].segments} segments that both have, p" in difference.note
    notes = [note for section in compose_analysis(made).sections for note in noted(section)]
    assert any(note.startswith("A difference is of the segments that both systems have") for note in notes)


def noted(section):
    """The notes below every table of a section, folded ones too."""
    waiting = list(section.blocks)
    while waiting:
        block = waiting.pop()
        waiting += getattr(block, "blocks", [])
        yield from getattr(getattr(block, "table", None), "notes", ())


@dataclass
class Effect:
    rater: str
    severity: float
    interval: Interval | None


@pytest.mark.parametrize(
    ("severity", "direction", "words"),
    [
        (0.5, Direction.HIGH, "higher.*more leniently$"), (-0.5, Direction.HIGH, "lower.*more strictly$"),
        (0.5, Direction.LOW, "higher.*more strictly$"), (-0.5, Direction.LOW, "lower.*more leniently$"),
        (0.5, Direction.UNKNOWN, r"higher than the average rater \(0.40 to 0.60\)$"),
    ],
)  # fmt: skip
def test_higher_lower_strict_and_lenient_follow_sign_and_good_end(severity, direction, words):
    low, high = sorted((severity - 0.1, severity + 0.1))
    told = compared(Effect("R1", severity, Interval(low=low, high=high, method="")), direction)
    assert re.search(words, told), told


@pytest.mark.parametrize(("value", "way"), [(0.21, "rose"), (-0.21, "fell")])
def test_rose_and_fell_follow_the_sign_of_second_minus_first(value, way):
    one = SimpleNamespace(
        criterion="fluency", first=SimpleNamespace(name="one"), second=SimpleNamespace(name="two"),
        differences=[SimpleNamespace(value=value)],
    )  # fmt: skip
    assert change_words(one) == f"α of fluency {way} by 0.21 from one to two"


def rounds(first_noise, second_noise):
    rng = np.random.default_rng(2)
    rows = [
        {"item": f"i{item:02}", "rater": rater, "phase": phase,
         "value": int(np.clip(round(1 + item % 5 + rng.normal(0, noise)), 1, 5))}
        for phase, noise in (("1", first_noise), ("2", second_noise)) for item in range(60) for rater in "ABCDEF"
    ]  # fmt: skip
    return accord.read(pd.DataFrame(rows), level="ordinal", direction="high")


def test_a_round_that_agrees_more_is_said_to_have_risen():
    better = next(one for one in compose(rounds(1.6, 0.3)).sections if one.key == "comparisons").finding
    assert re.search(r"α rose by 0\.\d\d from phase 1 to phase 2", better)
    worse = next(one for one in compose(rounds(0.3, 1.6)).sections if one.key == "comparisons").finding
    assert re.search(r"α fell by 0\.\d\d from phase 1 to phase 2", worse)


def _finding(document, key):
    return next(section.finding for section in document.sections if section.key == key)


def crowd(strict):
    rng = np.random.default_rng(4)
    rows = [
        {"item": f"i{item}", "rater": rater,
         "value": int(np.clip(round(50 + 5 * (item % 5) + rng.normal(0, 4) - (20 if rater == strict else 0)), 0, 100))}
        for item in range(40) for rater in ("Ana", "Ben", "Cleo", "Dev")
    ]  # fmt: skip
    return accord.read(pd.DataFrame(rows), level="interval", direction="high")


def test_a_strict_rater_is_named_and_nobody_where_all_are_alike():
    assert re.match(
        r"Ben rates 1\d\.\d\d lower than the average rater .*, more strictly", _finding(compose(crowd("Ben")), "raters")
    )
    alike = crowd("")
    document = compose(alike)
    effects = [one for criterion in analyse(alike).criteria for one in criterion.effects]
    shown = any(not one.interval.low <= 0 <= one.interval.high for one in effects)
    assert ("No rater is shown" in _finding(document, "raters")) is not shown


def test_all_raters_alike_leaves_no_disputed_text_and_no_advice_to_read_any():
    rows = [{"item": f"i{item}", "rater": rater, "value": item % 5} for item in range(40) for rater in "ABC"]
    document = compose(accord.read(pd.DataFrame(rows), level="ordinal"))
    assert _finding(document, "items").startswith("None: all raters gave the same value to each of 40 items")
    assert "disputed" not in " ".join([*document.first.wrong, *document.first.todo])
    assert document.first.answer == "These judgements can be relied on."


def test_more_items_are_asked_for_only_where_the_interval_leaves_the_verdict_open():
    base = first_screen(analyse(accord.read(_noisy(40, 1.2), level="ordinal")))
    assert any(re.match(r"About [\d,]+ more items", line) for line in base.todo), (base.why, base.todo)
    sure = first_screen(analyse(accord.read(_noisy(40, 0.0), level="ordinal")))
    assert not any("more items" in line for line in sure.todo)


def _noisy(items, noise):
    rng = np.random.default_rng(1)
    return pd.DataFrame([
        {"item": f"i{item}", "rater": rater, "value": int(np.clip(round(1 + item % 5 + rng.normal(0, noise)), 1, 5))}
        for item in range(items) for rater in "ABC"
    ])  # fmt: skip


def test_notices_on_the_data_stand_before_the_answer():
    ratings = accord.read(_noisy(40, 0.5), level="ordinal")
    document = replace(compose(ratings, sanity=["Rater A gave 5 to every item."]))
    assert list(document.first.notices) == ["Rater A gave 5 to every item."]


def test_too_few_items_are_no_verdict_against_the_interval_that_is_printed():
    """Two criteria of 15 items with α above .8: that none is shown to reach .667 would contradict their intervals."""
    parts = [_noisy(15, 0.2).assign(criterion=name) for name in ("score", "spans")]
    finding = _finding(compose(accord.read(pd.concat(parts), level="ordinal")), "reliability")
    assert finding.startswith("Too little to judge by whether any of 2 reaches .667; the highest is ")


def test_every_criterion_is_told_how_its_own_interval_was_made():
    from accord.reporting.first_screen import methods_named

    assert methods_named([("score", "jackknife"), ("spans", "jackknife")]) == "jackknife"
    told = methods_named([("score", "jackknife"), ("spans", "bootstrap"), ("style", "jackknife")])
    assert told == "jackknife (score and style); bootstrap (spans)"


def test_a_part_in_which_nothing_is_compared_takes_nothing_from_the_others():
    """One rater corrected a text under a new version, and all judgements could not be relied on any more."""
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 10, 160)
    rows = [
        {"item": f"s{place}", "rater": rater, "guideline": 1 + place // 80, "value": int(value)}
        for rater in ("Ann", "Ben", "Cem")
        for place, value in enumerate(truth + rng.integers(0, 2, 160))
    ]
    before = first_screen(analyse(accord.read(pd.DataFrame(rows), level="ordinal"))).answer
    rows.append({"item": "s3", "rater": "Cem", "guideline": 3, "value": 4})
    analysis = analyse(accord.read(pd.DataFrame(rows), level="ordinal"))
    assert {"one_value", "no_shared_items"} & {one.code for one in analysis.diagnosis.findings}
    assert first_screen(analysis).answer == before and "can be relied on" in before


def test_judgements_are_not_relied_on_where_a_finding_says_that_no_coefficient_can_be_trusted():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 10, 80)
    ann, ben, cem = (truth + rng.integers(0, 2, 80) for _ in range(3))
    columns_of = {"copied": {"Ann": ann, "Ben": ann, "Cem": cem}, "own": {"Ann": ann, "Ben": ben, "Cem": cem}}
    rows = [
        {"item": f"s{place}", "rater": rater, "criterion": criterion, "value": int(value)}
        for criterion, columns in columns_of.items()
        for rater, values in columns.items()
        for place, value in enumerate(values)
    ]
    analysis = analyse(accord.read(pd.DataFrame(rows), level="ordinal"))
    assert "duplicated_raters" in {one.code for one in analysis.diagnosis.findings}
    assert first_screen(analysis).answer == (
        "Judgements of copied cannot be relied on until what was found in them is clear; those of own can be relied on."
    )
