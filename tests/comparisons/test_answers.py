"""The sentences of a comparison fit its numbers: each with values that make it true, and values that must not."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import accord
from accord.comparisons.answers import RECOMMENDED, changed, changes, scenario_answer, scenario_remarks
from accord.comparisons.difference import Difference
from accord.comparisons.score_shift import ItemShift, ScoreShift
from accord.comparisons.stop_rule import Verdict, stop_rule
from accord.inference.interval import Interval


def shift(change, low, high, *, rose=5, fell=5, p=0.01, adjusted=None):
    interval = None if low is None else Interval(low=low, high=high, method="t")
    items = tuple(ItemShift(str(place), 0, 1) for place in range(12))
    return ScoreShift("", "RS", "SC", (), {}, change, interval, p, rose, fell, 0.4, items, adjusted=adjusted)


@pytest.mark.parametrize(
    ("made", "start"),
    [
        (shift(0.0, -0.1, 0.1), "no shift of the mean is shown; 83% of 12 items move"),
        (shift(0.5, 0.2, 0.8), "scores rise by 0.50 in SC; 83%"),
        (shift(-0.5, -0.8, -0.2), "scores fall by 0.50 in SC; 83%"),
        (shift(0.5, 0.2, 0.8, adjusted=0.2), "no shift of the mean is shown"),
        (shift(0.5, 0.2, 0.8, p=0.141), "no shift of the mean is shown"),
        (shift(0.5, None, None), "not tested; 83%"),
    ],
)
def test_a_shift_is_said_only_where_the_interval_shows_one(made, start):
    assert made.words.startswith(start)
    assert "divergent" not in made.words


def comparison(value, low, high, after=0.7, what="Krippendorff's α", p=None, adjusted=None, own=None):
    """A change, and α after it, whose ``own`` interval has these ends."""
    interval = None if low is None else Interval(low=low, high=high, method="bootstrap")
    ends = None if own is None else Interval(low=own[0], high=own[1], method="bootstrap")
    sides = [SimpleNamespace(name=name, values={"krippendorff_alpha": number}, ends=ends, items=40) for name, number in
             (("1", after - value), ("2", after))]  # fmt: skip
    change = Difference(
        what=what,
        first="2",
        second="1",
        value=value,
        unit="items",
        method="",
        interval=interval,
        p=p,
        adjusted=adjusted,
    )
    return SimpleNamespace(criterion="clarity", first=sides[0], second=sides[1], differences=[change], scores=None)


def test_too_few_raters_are_said_before_a_missing_interval():
    made = comparison(0.65, None, None)
    made.differences[0] = replace(made.differences[0], too_few="2 against 3 raters cannot show any difference")
    said = "clarity: 2 against 3 raters cannot show any difference, so nothing is said of agreement in 1 and 2"
    assert changed(made) == f"{said} (Krippendorff's α +0.65, no interval)."


@pytest.mark.parametrize("ends", [(-0.1, 0.5), (None, None)])
def test_many_comparisons_of_too_few_raters_say_so_once(ends):
    few = "3 against 3 raters cannot show any difference (the smallest possible p is 0.10)"
    made = [comparison(value, *ends) for value in (0.1, 0.2, -0.3, 0.1, 0.2)]
    for one in made:
        one.differences[0] = replace(one.differences[0], too_few=few)
    (said,) = changes(made)
    assert said.startswith(f"{few}, so nothing is said of 5 comparisons; the largest: clarity, 2 and 1 (")


@pytest.mark.parametrize(
    ("made", "verdict"),
    [
        (comparison(0.3, 0.1, 0.5), Verdict.GO_ON),
        (comparison(0.3, 0.1, 0.5, after=0.89, own=(0.81, 0.93)), Verdict.ENOUGH),
        (comparison(0.3, 0.1, 0.5, after=0.89, own=(0.76, 0.93)), Verdict.UNDECIDED),
        (comparison(0.3, 0.1, 0.5, after=0.89), Verdict.GO_ON),
        (comparison(0.3, 0.1, 0.5, after=0.89, own=(0.81, 0.93), what="Fleiss' κ"), Verdict.GO_ON),
        (comparison(0.3, -0.1, 0.5, after=0.89), Verdict.UNDECIDED),
        (comparison(0.3, 0.1, 0.5, p=0.01, adjusted=0.06), Verdict.UNDECIDED),
        (comparison(-0.3, -0.5, -0.1), Verdict.STOP),
    ],
)
def test_another_round_is_asked_for_only_while_there_is_something_to_gain(made, verdict):
    assert stop_rule(made).verdict is verdict


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (comparison(0.3, 0.1, 0.5), "clarity: raters agree more in 2 than in 1 ("),
        (comparison(-0.3, -0.5, -0.1), "clarity: raters agree more in 1 than in 2 ("),
        (comparison(0.3, -0.1, 0.5), "clarity: no difference in agreement between 1 and 2 is shown ("),
        (comparison(0.3, 0.1, 0.5, p=0.1), "clarity: no difference in agreement between 1 and 2 is shown ("),
        (
            comparison(0.3, 0.1, 0.5, p=0.01, adjusted=0.06),
            "clarity: no difference in agreement between 1 and 2 is shown (",
        ),
        (comparison(float("nan"), None, None), "clarity: Krippendorff's α of 1 and 2 cannot be compared."),
        (comparison(0.3, None, None), "clarity: Krippendorff's α differs by +0.30 from 1 to 2; no interval"),
    ],
)
def test_a_difference_is_said_only_where_interval_and_test_show_it(made, words):
    assert changed(made).startswith(words)


def test_an_interval_without_zero_says_the_p_that_shows_no_difference():
    assert changed(comparison(0.3, 0.1, 0.5, p=0.1)).endswith("+0.50; p = 0.10).")
    assert "; p = 0.06 after Holm's correction" in changed(comparison(0.3, 0.1, 0.5, p=0.01, adjusted=0.06))


def test_a_sentence_without_a_criterion_begins_with_a_capital():
    made = comparison(0.3, -0.1, 0.5)
    made.criterion = ""
    assert changed(made).startswith("No difference in agreement between 1 and 2")


def cell(scenario, alpha, criterion="adequacy", half=0.05):
    ends = Interval(low=alpha - half, high=alpha + half, method="bootstrap")
    return SimpleNamespace(
        criterion=criterion, scenario=scenario, is_aggregated=True, values={"krippendorff_alpha": alpha}, ends=ends
    )


ROLES = ("RS", "SC")
MORE = "More agreement is not better evaluation"


def test_the_warning_about_agreement_without_context_needs_agreement_without_context():
    misled = scenario_remarks([cell("RS", 0.76), cell("SC", 0.2)], ROLES, ())
    assert any(line.startswith(MORE) for line in misled)
    # The numbers of the paper where the warning was printed although it makes no sense: RS -.06, SC .76.
    fine = scenario_remarks([cell("RS", -0.06), cell("SC", 0.76)], ROLES, ())
    assert not any(line.startswith(MORE) for line in fine)
    assert fine[0] == "α is shown to be below 0 for adequacy in RS: raters agree less there than by chance."


def test_misjudged_items_bring_the_warning_only_where_raters_agreed_without_context():
    misjudged = [SimpleNamespace(item="s1", criterion="adequacy")]
    agreed = scenario_remarks([cell("RS", 0.7), cell("SC", 0.75)], ROLES, misjudged)
    assert any(line.startswith(MORE) for line in agreed)
    divided = scenario_remarks([cell("RS", -0.13, half=0.2), cell("SC", 0.75)], ROLES, misjudged)
    assert divided == [RECOMMENDED]


def test_another_round_names_the_target_that_is_still_open():
    rule = stop_rule(comparison(0.3, 0.1, 0.5, after=0.79, own=(0.66, 0.83)))
    assert rule.sentence.endswith("and α of 0.79 (95% interval 0.66 to 0.83) is not shown to reach .8.")
    assert "not shown to reach" not in stop_rule(comparison(0.3, 0.1, 0.5)).sentence


def test_a_high_alpha_of_few_items_asks_for_items_and_not_for_another_round():
    said = stop_rule(comparison(0.3, 0.1, 0.5, after=0.89, own=(0.76, 0.93))).sentence
    assert "α of 2 is 0.89 (95% interval 0.76 to 0.93), and 40 items do not show yet that it reaches .8" in said
    assert said.endswith("more items could, not another round.")


@pytest.mark.parametrize(("high", "verdict"), [(0.0496, Verdict.UNDECIDED), (0.04, Verdict.NO_GAIN)])
def test_an_end_that_another_seed_could_move_over_the_mark_rules_no_gain_out(high, verdict):
    made = comparison(-0.05, -0.16, high)
    made.differences[0] = replace(made.differences[0], replicates=10_000)
    rule = stop_rule(made)
    assert rule.verdict is verdict
    assert "not worth" not in rule.sentence and rule.sentence.startswith("Whether another")


def test_the_group_that_agrees_more_has_the_sign_of_more():
    made = comparison(-0.66, -0.80, -0.53)
    made.differences[0] = replace(made.differences[0], unit="raters")
    said = "clarity: Krippendorff's α is 0.66 higher among 1 raters than among 2 raters (95% interval 0.53 to 0.80)."
    assert changed(made) == said
    assert "(Krippendorff's α +0.66, 95% interval +0.53 to +0.80)" in changed(comparison(-0.66, -0.80, -0.53))


def test_less_than_by_chance_is_said_only_where_the_whole_interval_lies_below_0():
    said = scenario_remarks([cell("RS", -0.06, half=0.1), cell("SC", 0.76)], ROLES, ())
    assert said == [RECOMMENDED]


def test_what_the_literature_recommends_is_said_wherever_there_are_scenarios():
    assert scenario_remarks([cell("RS", 0.5), cell("SC", 0.5)], ROLES, ()) == [RECOMMENDED]
    for words in ("sentences in their context", "single random sentences", "one score for a whole document"):
        assert words in RECOMMENDED


def test_scenarios_are_compared_criterion_by_criterion_and_not_by_a_mean():
    cells = [cell("RS", 0.2), cell("SC", 0.6), cell("RS", 0.9, "fluency"), cell("SC", 0.1, "fluency")]
    assert scenario_answer(cells, ROLES, ()) == [
        "adequacy: α is 0.60 (95% interval 0.55 to 0.65) in SC and 0.20 (0.15 to 0.25) in RS.",
        "fluency: α is 0.90 (95% interval 0.85 to 0.95) in RS and 0.10 (0.05 to 0.15) in SC.",
    ]  # fmt: skip


def test_systems_are_compared_criterion_by_criterion_and_what_it_is_about_is_said():
    rng = np.random.default_rng(4)
    rows = [
        (f"i{item}", rater, system, criterion, int(rng.integers(1, 6)))
        for item in range(20) for rater in "RS" for system in "ABC" for criterion in ("fluency", "adequacy")
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "rater", "system", "criterion", "value"])
    answer = accord.compare(accord.read(frame, level="ordinal"), "system", bootstrap=200)
    sides, changes = answer.tables()[:2]
    assert [row["criterion"] for row in sides.rows] == ["fluency"] * 3 + ["adequacy"] * 3
    assert [row["conditions"] for row in changes.rows] == ["B - A", "C - A"] * 2
    assert changes.notes[0].startswith("Each row is a comparison of its own.")
    assert any("Each system is compared with A, the first" in line for line in answer.lines())
    assert "not about which system is better: for that, accord rank" in answer.opening[-1]
