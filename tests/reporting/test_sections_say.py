"""A section's sentence follows the sign, the name, the order and the threshold of its numbers, exchanged or not."""

import importlib
import pkgutil
from types import SimpleNamespace as Made

import numpy as np
import pytest

from accord import reporting
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.ratings.build import build_ratings
from accord.ratings.codebook import StudyFacts
from accord.reporting import ranked, scarce_scores, verdicts, wording
from accord.reporting.analysis import part_name
from accord.reporting.declared import _difference_by_declared_unit
from accord.reporting.figures import FIGURES, draw
from accord.reporting.first_screen import _means, extremes, first_answer
from accord.reporting.heds import _option, _outputs
from accord.reporting.sections import comparisons, correlation, effort, findings, glance, plan, raters, reliability
from accord.reporting.sections.reference_bias import settings_title
from accord.tables.table import Column

LOW, HIGH = Direction.LOW, Direction.HIGH


def ends(low, high, level=0.95):
    return Interval(low=low, high=high, level=level, method="a method")


@pytest.mark.parametrize(
    ("low", "high", "words"), [(0.1, 0.3, "0.10–0.30"), (0, 0.3, "0.00–0.30"), (-0.1, 0.3, "\u22120.10 to 0.30")]
)
def test_an_interval_is_written_low_end_first_with_a_dash_that_is_no_minus(low, high, words):
    assert wording.ends_text(ends(low, high)) == words
    assert wording.ends_text(None) == "no interval"


def test_one_part_has_items_and_several_have_cases():
    assert wording.cases(12, 1) == "12 items"
    assert wording.cases(12, 2) == "12 cases (an item counts once in each part)"


def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_name():
    assert wording.capital("raters agree.") == "Raters agree."
    assert wording.capital("ana: agrees.", {"ana"}) == "ana: agrees."
    assert wording.sentence("ana agrees", {"ana"}) == "ana agrees."


def test_a_part_is_named_by_its_criterion_and_by_what_else_it_was_split_by():
    assert part_name({"criterion": "fluency", "scenario": "RS"}, "all") == "fluency, scenario RS"
    assert part_name({"scenario": "RS"}, "all") == "scenario RS"
    assert part_name({}, "all") == "all"


def test_thirty_scores_are_a_handful_and_thirty_one_are_not():
    def scarce(scores, ordered=True):
        return scarce_scores.is_scarce(Made(score=[1] * scores, ordered=ordered))

    assert scarce(1) and scarce(30) and not scarce(31) and not scarce(30, ordered=False)


def test_a_score_without_an_interval_is_told_as_the_mean_of_its_scores():
    one, same = (Made(item="job", values=values, score=None, note="") for values in ([85.5], [80, 80]))
    assert scarce_scores._score_of_item(one, with_level=True) == "job scores 85.5 (1 score, too few for an interval)"
    assert scarce_scores._score_of_item(same, with_level=True).startswith("job scores 80 (2 scores, all the same")


@pytest.mark.parametrize("verdict", ["chance", "tentative", "reliable"])
def test_judgements_are_spoken_of_alike_alone_and_among_others(verdict):
    said = verdicts.JUDGEMENTS[verdict]
    assert said.alone == f"These judgements {said.several}."
    assert ("not" in said.several) is (verdict == "chance")
    assert "worse" not in said.alone


def test_effort_names_the_statement_with_the_widest_gap_and_its_higher_mean_first():
    def statement(name, **means):
        return Made(statement=name, means=means, answers=dict.fromkeys(means, 7))

    narrow, wide = statement("tiring", RS=3.0, SC=3.5), statement("hard", RS=2.0, SC=4.0)
    told = "Mean answers lie furthest apart on hard: 4.00 in SC (7 answers), 2.00 in RS (7 answers)."
    assert effort._finding([narrow, wide]) == effort._finding([wide, narrow]) == told
    assert effort._finding([statement("hard", RS=2.0)]) == "What raters said about the work."


def side(criterion="criterion fluency", scope="all raters", pairs=3, kappa=0.2, gamma=0.5, words="so it is", **more):
    return Made(criterion=criterion, scope=scope, pairs=pairs, kappa=kappa, gamma=gamma, words=words, **more)


def test_correlation_names_the_criterion_where_the_coefficients_lie_furthest_apart():
    near = side("criterion adequacy", gamma=0.3)
    for known in ([near, side()], [side(), near]):
        weights = dict.fromkeys(("criterion adequacy", "criterion fluency"), "quadratic")
        assert correlation._finding(known, weights) == "Mean κ 0.20, mean γ 0.50 on fluency: so it is."


def test_a_pair_orders_items_the_other_way_only_where_all_raters_together_do_not():
    against, along = (side(scope="A and B", pairs=1, gamma=gamma) for gamma in (-0.4, 0.4))
    assert correlation._contrary([side(), against, along]) == [against]
    assert correlation._contrary([side(gamma=-0.1), against]) == []
    assert correlation._contrary([side(criterion="other"), against]) == []


@pytest.mark.parametrize(("p", "one_way"), [(0.049, True), (0.05, False), (0.051, False)])
def test_one_of_two_raters_is_lower_throughout_from_five_percent_on(p, one_way):
    pair = side(scope="A and B", pairs=1, sign_p=p)
    assert correlation._is_one_way(pair) is one_way


def test_pairs_of_one_group_agree_more_or_less_by_the_means_of_the_settings():
    assert settings_title({"SAME": 0.5, "DIFF": 0.3}).startswith("Pairs of one group agree more than pairs of two")
    assert settings_title({"SAME": 0.3, "DIFF": 0.5}).startswith("Pairs of one group agree less than pairs of two")


def head(name, value):
    return Made(name=name, estimate=Made(value=value))


def test_the_declared_criterion_stands_first_and_else_the_lowest():
    low, middle, high = head("a", 0.1), head("b", 0.4), head("c", 0.7)
    assert extremes([high, low, middle]) == [low, high]
    assert extremes([high, low, middle], "b") == [middle, high]
    assert extremes([high, low, middle], "c") == [high, middle]
    assert extremes([high, low], "unknown") == [low, high]
    assert extremes([]) == []


def test_means_are_advised_only_where_their_whole_interval_reaches_two_thirds():
    class Group(dict):
        raters = 4

    def advised(low):
        value = Made(title="ICC(A,k)", value=0.8, interval=ends(low, 0.9), interpretations=(), coefficient="icc_ak")
        return _means(Made(group=Group(icc_ak=value)))

    assert advised(0.66) == ""
    assert advised(0.67).startswith("Rest conclusions on means over the 4 raters, which are more reliable (ICC(A,k) =")


def test_one_pair_is_adjusted_only_where_criteria_are_tested_together():
    def adjusted(pairs, method):
        return ranked._adjusted(Made(pairs=[None] * pairs, method=method))

    assert adjusted(1, "t test, Holm") == ""
    assert adjusted(2, "t test, Holm") == " after Holm"
    assert adjusted(1, "t test, Holm over all criteria together") == " after Holm"
    assert adjusted(2, "t test") == ""


@pytest.mark.parametrize("difference", [0.4, -0.4])
def test_the_axis_of_a_difference_reaches_nought_and_both_ends(difference):
    low, high = difference - 0.1, difference + 0.1
    pair = Made(first="A", second="B", difference=difference, adjusted=0.01, interval=ends(low, high))
    told = ranked._difference(pair, "", "", "")
    least, most = told.bar.ends
    assert told.label == "A against B"
    assert told.value == f"{difference:+.2f}".replace("-", "\u2212")
    assert least <= min(0, low) and most >= max(0, high)
    assert most - least < 1


def test_forty_names_are_all_told_and_more_are_counted():
    def told(number):
        finding = Made(sure="", invalidates=(), who=tuple(f"i{n}" for n in range(number)), evidence={}, code="x", by={})
        return findings._evidence("0", finding, Made(criteria=())).blocks[0].lines[-1]

    assert told(40).endswith("i38, i39")
    assert told(41).endswith("i39 and 1 more")


def ratings(values, **columns):
    """``values`` by (item, rater)."""
    table = {"item": [i for i, _ in values], "rater": [r for _, r in values], "value": list(values.values()), **columns}
    return build_ratings(table)


def test_one_empty_cell_is_missing_from_a_full_design():
    full = {(i, r): n % 3 for n, (i, r) in enumerate((i, r) for i in "abc" for r in "XY")}
    assert glance._missing(ratings(full), 1) == "none"
    one_less = {cell: value for cell, value in full.items() if cell != ("c", "Y")}
    assert glance._missing(ratings(one_less), 1) == "1 of 6 (17%) of a full design"


def test_overlap_is_counted_over_all_items_and_raters():
    full = {(i, r): n % 3 for n, (i, r) in enumerate((i, r) for i in "abcd" for r in "XYZ")}
    assert glance._overlap(ratings(full)) == "every two raters share 4 items (3 pairs)"
    partly = {cell: value for cell, value in full.items() if cell not in {("a", "X"), ("b", "X"), ("c", "Y")}}
    assert glance._overlap(ratings(partly)) == "3 of 3 pairs of raters share items: 1 to 3, median 2"
    alone = {cell: value for cell, value in full.items() if cell[1] == "X"}
    assert glance._overlap(ratings(alone)) == "one rater only"


def test_outputs_are_counted_for_each_system():
    def counted(values):
        table = ratings(values, system=["S" if item in "ab" else "T" for item, _ in values])
        return _outputs(Made(ratings=table))

    even = {(i, r): n % 3 for n, (i, r) in enumerate((i, r) for i in "abcd" for r in "XY")}
    assert counted(even) == "2"
    assert counted({cell: value for cell, value in even.items() if cell[0] != "d"}) == "1 to 2, by system"


def test_an_option_of_the_form_is_ticked_for_every_name():
    assert _option("3.1", "a word", ["x", "y"])["data"] == {"x": True, "y": True}


def effect(severity, low, high, rater="A"):
    return Made(rater=rater, severity=severity, interval=ends(low, high))


@pytest.mark.parametrize(
    ("severity", "direction", "words"),
    [
        (0.5, HIGH, "rates 0.50 higher than the average rater (0.30 to 0.70), more leniently"),
        (0.5, LOW, "rates 0.50 higher than the average rater (0.30 to 0.70), more strictly"),
        (-0.5, HIGH, "rates 0.50 lower than the average rater (\u22120.70 to \u22120.30), more strictly"),
        (-0.5, LOW, "rates 0.50 lower than the average rater (\u22120.70 to \u22120.30), more leniently"),
    ],
)
def test_a_rater_is_higher_or_lower_strict_or_lenient_by_sign_and_good_end(severity, direction, words):
    one = effect(severity, severity - 0.2, severity + 0.2)
    assert raters.compared(one, direction) == words
    part = Made(direction=direction, ordered=True)
    analysis = Made(criteria=[Made(title="fluency", part=part, effects=[one, effect(0.1, -0.1, 0.3, "B")])])
    assert raters._severity(analysis) == f"A {words} on fluency."


def test_no_rater_is_called_strict_where_values_have_no_order_or_no_interval_leaves_nought():
    unordered = Made(criteria=[Made(title="", part=Made(ordered=False), effects=[])])
    said = "The values have no order, so no rater is called strict or lenient: compare how often each gives them."
    assert raters._severity(unordered) == said
    touching = Made(criteria=[Made(title="", part=Made(ordered=True), effects=[effect(0.2, 0.0, 0.4)])])
    assert raters._severity(touching) == "No rater is shown to rate higher or lower than the others."
    unknown = Made(criteria=[Made(title="", part=Made(ordered=True), effects=[])])
    assert raters._severity(unknown) == "Raters share too few items to be compared."


def test_who_gives_a_value_least_is_named_before_who_gives_it_most():
    told = "Raters differ most in giving bad: A gives it to 10% of items, B to 60%"
    assert raters.use_title(["bad", "good"], {"A": [1, 9], "B": [6, 4]}) == told
    assert raters.use_title(["bad", "good"], {"B": [6, 4], "A": [1, 9]}) == told


def test_a_plan_that_was_kept_came_before_the_first_judgement():
    facts = StudyFacts(title="study", plan={"criterion": "fluency"}, plan_hash="abc", plan_date="2026-01-02")
    assert plan._when(facts) == "This plan of analysis was kept on 2026-01-02, before the first judgement (hash abc)."
    codebook = Made(study=facts, criteria={"fluency": None, "adequacy": None, "": None})
    analysis = Made(ratings=Made(codebook=codebook), comparisons={}, scenarios=(), rankings=())
    assert plan._afterwards(analysis, facts) == (
        "Looked at afterwards: every coefficient, the criterion adequacy and the findings, and all the rest of this "
        "report. Read it as exploration."
    )


def test_a_study_without_a_plan_says_that_nothing_was_declared_before_collection():
    section = plan.plan(Made(ratings=Made(codebook=Made(study=StudyFacts(title="study")))))
    assert section.title == "Declared before collection"
    assert section.finding.startswith("No plan of analysis was declared before collection, so everything in")
    ruled = StudyFacts(title="study", exclusions=("degraded_not_lower",))
    section = plan.plan(Made(ratings=Made(codebook=Made(study=ruled))))
    assert section.finding.startswith("No plan of analysis was declared before collection, only who is left out, so")


def test_the_declared_unit_decides_and_else_the_first_with_its_reason():
    class Change(Made):
        def __str__(self):
            return self.said

    items = Change(unit="items", p=0.02, interval=None, said="by items", method="bootstrap", value=0.1)
    persons = Change(unit="raters", p=None, interval=None, said="by raters", method="two raters are too few", value=0.1)
    compared = Made(differences=[items, persons])
    assert _difference_by_declared_unit(compared, "item") == "by items"
    assert _difference_by_declared_unit(compared, "") == "by items"
    assert _difference_by_declared_unit(compared, "rater") == (
        "by items; the plan declares raters as the unit, and two raters are too few, so items decide"
    )
    nothing = Change(unit="items", p=None, interval=None, said="cannot be compared", method="", value=np.nan)
    assert _difference_by_declared_unit(Made(differences=[nothing, persons]), "rater") == "cannot be compared"


def changed(value, first="before", second="after"):
    named = (Made(name=name, values={"alpha": 0.5}) for name in (first, second))
    one, other = named
    return Made(criterion="fluency", first=one, second=other, differences=[Made(value=value, is_clear=True)])


def test_agreement_rose_or_fell_by_the_sign_and_from_the_first_to_the_second():
    assert comparisons.change_words(changed(0.21)) == "α of fluency rose by 0.21 from before to after"
    turned = changed(-0.21, "after", "before")
    assert comparisons.change_words(turned) == "α of fluency fell by 0.21 from after to before"


def test_scores_of_the_same_items_are_second_minus_first():
    moved = Made(item="i1", first=2.0, second=3.0, change=1.0)
    one = Made(
        criterion="", items=[moved], change=1.0, interval=ends(0.5, 1.5), p=0.01, adjusted=None, rose=1, fell=0,
        words="rose", first="RS", second="SC", method="by items", values=(2, 3), shares={"RS": [1, 0], "SC": [0, 1]},
    )  # fmt: skip
    table, evidence = comparisons._shifts(Made(shifts=[one]))
    assert table.table.title == "Scores of the same items: SC minus RS"
    assert table.table.notes == ("by items",)
    row = table.table.rows[0]
    assert row["low"] < row["change"] < row["high"]
    assert evidence.blocks[1].table.rows == [{"item": "i1", "RS": 2.0, "SC": 3.0, "change": 1.0}]


def test_an_item_changes_a_value_from_a_quarter_of_its_interval_on():
    estimate = Made(coefficient="krippendorff_alpha", value=0.5, interval=ends(0.3, 0.7))
    assert reliability._changes(estimate, 0.39) and reliability._changes(estimate, 0.61)
    assert not reliability._changes(estimate, 0.41) and not reliability._changes(estimate, 0.59)
    assert reliability._changes(estimate, np.nan)


def test_an_unknown_chart_is_refused_by_name():
    with pytest.raises(OptionError, match=r"^There is no chart 'severty'"):
        draw("severty", None)
    assert "severity" in FIGURES


def test_every_column_has_whole_decimals():
    modules = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(reporting.__path__, "accord.reporting.")
    ]
    columns = [
        column for module in modules for held in vars(module).values() if isinstance(held, tuple)
        for column in held if isinstance(column, Column)
    ]  # fmt: skip
    assert len(columns) > 40
    assert all(isinstance(column.digits, int | None) for column in columns)


def test_two_raters_can_be_drawn_and_one_cannot():
    both = {(i, r): n % 3 for n, (i, r) in enumerate((i, r) for i in "abcd" for r in "XY")}
    assert draw("category-use", ratings(both))
    with pytest.raises(NotEnoughDataError, match="one rater only"):
        draw("category-use", ratings({cell: value for cell, value in both.items() if cell[1] == "X"}))


def test_scenarios_are_split_by_test_set_only_where_there_is_no_whole(monkeypatch):
    monkeypatch.setitem(comparisons._scenarios.__globals__, "scenario_remarks", lambda *_: [])

    def cell(test_set):
        return Made(criterion="", scenario="RS", test_set=test_set, group="", items=9, raters=3, values={}, ends={})

    def heads(*cells):
        study = Made(scenarios={})
        codebook = Made(codebook=Made(study=study))
        shown, *_ = comparisons._scenarios(Made(scenarios=cells, ratings=codebook, misevaluations=()))
        return [column.key for column in shown.table.columns]

    assert "test_set" not in heads(cell(""), cell("TS1"))
    assert "test_set" in heads(cell("TS1"), cell("TS2"))


def test_the_question_of_a_ranking_is_which_system_is_better(monkeypatch):
    monkeypatch.setitem(first_answer.__globals__, "said_of", lambda *_: "So far.")
    monkeypatch.setitem(first_answer.__globals__, "ranked_answer", lambda rankings: rankings)
    question, answer = first_answer(None, "A is best.")
    assert question == "Which system is better, and can these judgements decide it?"
    assert answer == "A is best. So far."
    assert first_answer(None, "")[1] == "So far."


def test_the_table_of_agreement_says_which_kappa_each_criterion_has():
    def table(*kinds):
        sides = [side(f"criterion {kind}", to_dict=lambda: {"kappa": 0.2}) for kind in kinds]
        return correlation._table("Sides", sides, {f"criterion {kind}": kind for kind in kinds})

    def titles(*kinds):
        return [column.title for column in table(*kinds).columns]

    assert "mean κ, unweighted" in titles("unweighted") and "mean κ, quadratic" in titles("quadratic")
    assert {"mean κ", "weights of κ"} <= set(titles("unweighted", "quadratic"))
    assert [row["weights"] for row in table("unweighted", "quadratic").rows] == ["unweighted", "quadratic"]


def test_an_unweighted_kappa_on_an_ordered_scale_is_not_read_as_low_agreement():
    """On five points κ without weights was 0.23 and with them 0.71: «low agreement» was the choice of κ."""
    low = side(words="low agreement, high consistency: neither is lower throughout")
    said = correlation._finding([low], {"criterion fluency": "unweighted"})
    assert "unweighted κ, to which a neighbouring answer is as wrong as any" in said
    assert "few equal answers, high consistency" in said and "low agreement" not in said
    assert "low agreement" in correlation._finding([low], {"criterion fluency": "quadratic"})
