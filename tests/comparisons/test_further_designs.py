"""Several conditions, the stop rule, score shifts, context spans, and metrics beside human scores."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import accord
from accord.comparisons.conditions import Condition, ConditionComparison, by_number, condition_names, order_remark
from accord.comparisons.context_span import context_spans, passages, span_table
from accord.comparisons.difference import Difference
from accord.comparisons.metrics import metric_columns, metric_correlations
from accord.comparisons.score_shift import score_shifts
from accord.comparisons.several import compare_several, condition_pairs
from accord.comparisons.stop_rule import Verdict, stop_rule
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.inference.multiple import adjusted
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook, StudyFacts

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def _rounds(spreads, items: int = 60):
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, items)
    rows: dict[str, list[object]] = {"item": [], "rater": [], "value": [], "phase": []}
    for number, spread in enumerate(spreads, start=1):
        for rater in "ABC":
            rows["item"] += [f"i{n}" for n in range(items)]
            rows["rater"] += [rater] * items
            rows["value"] += np.clip(np.rint(truth + rng.normal(0, spread, items)), 1, 5).astype(int).tolist()
            rows["phase"] += [f"round {number}"] * items
    return build_ratings(rows, level="interval")


def _named_phases(names, declared=()):
    columns = {
        "item": ["a", "b"] * 2,
        "rater": ["R"] * 4,
        "value": [1, 2, 2, 1],
        "phase": [n for n in names for _ in "ab"],
    }
    book = Codebook(study=StudyFacts(phases=declared))
    return build_ratings(columns, level="interval", codebook=book)


def test_phases_come_in_the_order_that_the_study_declares_whatever_that_of_the_rows():
    ratings = _named_phases(["revised", "pilot"], ("pilot", "revised", "reserve"))
    assert condition_names(ratings, "phase") == ("pilot", "revised")
    assert order_remark(ratings, "phase") == ""


def test_it_is_said_where_only_the_rows_tell_which_phase_came_first():
    assert "revised and pilot is the order of the rows" in order_remark(_named_phases(["revised", "pilot"]), "phase")
    assert order_remark(_named_phases(["round 2", "round 1"]), "phase") == ""


def test_rounds_are_compared_each_with_the_next_and_conditions_with_the_first():
    assert condition_pairs(by_number(["r2", "r10", "r1"]), consecutive=True) == [("r1", "r2"), ("r2", "r10")]
    assert condition_pairs(["before", "after"], consecutive=True) == [("before", "after")]
    assert condition_pairs(["x", "b", "a"], consecutive=False) == [("x", "b"), ("x", "a")]


def test_several_comparisons_are_corrected_together_by_holm():
    several = compare_several(
        _rounds([1.2, 0.5, 0.45]), "phase", consecutive=True, replicates=400, rng=np.random.default_rng(0)
    )
    assert several.pairs == (("round 1", "round 2"), ("round 2", "round 3"))
    first = [one.differences[0] for one in several.comparisons]
    expected = adjusted(np.array([difference.p for difference in first]))
    assert [difference.adjusted for difference in first] == pytest.approx(expected.tolist())
    assert first[0].is_clear
    assert not first[1].is_clear


@pytest.mark.parametrize(
    ("low", "high", "verdict", "words"),
    [(0.02, 0.2, Verdict.GO_ON, "still rises"), (-0.3, -0.1, Verdict.STOP, "go back to the guideline of round 1"),
     (-0.04, 0.03, Verdict.NO_GAIN, "did not raise agreement by 0.05"),
     (-0.1, 0.2, Verdict.UNDECIDED, "rate more items")],
)  # fmt: skip
def test_the_stop_rule_reads_the_interval_of_the_last_change(low, high, verdict, words):
    interval = Interval(low=low, high=high, level=0.95, method="bootstrap over items, percentile")
    change = Difference(
        what="α", first="round 2", second="round 1", value=(low + high) / 2, unit="items", method="", interval=interval
    )
    sides = [Condition(f"round {number}", 50, 3, {"krippendorff_alpha": 0.5}) for number in (1, 2)]
    rule = stop_rule(ConditionComparison("clarity", *sides, 50, (change,)))
    assert rule.verdict is verdict
    assert words in rule.words


def test_scores_that_fall_in_context_are_told_item_by_item():
    ratings = accord.read(EXAMPLES / "context-spans.csv")
    (shift,) = score_shifts(ratings, first="random-sentence", second="sentence-in-context")
    assert shift.fell == 3
    assert {item.item for item in shift.items[:3]} == {"bridge-2", "bridge-4", "bridge-6"}
    assert sum(shift.shares["random-sentence"]) == pytest.approx(1)
    assert shift.change == pytest.approx(np.mean([item.second - item.first for item in shift.items]))


def _moved_by_document(documents, *left_out):
    """Items that move with their document, and hardly by themselves."""
    rng = np.random.default_rng(4)
    rows = {name: [] for name in ("item", "rater", "value", "scenario", "document")}
    moves = rng.normal(0, 8, documents)
    for document, move in enumerate(moves):
        for item in range(6):
            for scenario, shift in (("alone", 0.0), ("context", move)):
                new = (f"{document}-{item}", "R", round(50 + shift + rng.normal(0, 2), 1), scenario, f"d{document}")
                for name, cell in zip(rows, new, strict=True):
                    rows[name].append(cell)
    return build_ratings({name: column for name, column in rows.items() if name not in left_out}, level="interval")


def test_where_documents_are_named_scores_are_compared_over_documents():
    ratings = _moved_by_document(8)
    (shift,) = score_shifts(ratings, first="alone", second="context")
    changes = {}
    for item in shift.items:
        changes.setdefault(item.item.split("-")[0], []).append(item.change)
    means = [np.mean(own) for own in changes.values()]
    # Documents of one length: leaving each out is the t-test of their means.
    assert shift.p == pytest.approx(ttest_1samp(means, 0).pvalue)
    assert "over 8 documents" in shift.interval.method
    assert "other documents" in shift.method
    (plain,) = score_shifts(_moved_by_document(8, "document"), first="alone", second="context")
    assert plain.interval.width < shift.interval.width / 1.5


def test_three_documents_give_no_test_of_scores():
    (shift,) = score_shifts(_moved_by_document(3), first="alone", second="context")
    assert shift.interval is None
    assert "3 documents are too few" in shift.method


def test_the_distance_to_the_resolving_sentence_is_counted_in_sentences():
    ratings = accord.read(EXAMPLES / "context-spans.csv")
    spans = context_spans(ratings)
    assert {span.item: span.distance for span in spans} == {"bridge-2": -1, "bridge-4": -1, "bridge-6": -5}
    total, *by_issue = span_table(spans, "issue")
    assert (total["median"], total["largest"], total["within_1"]) == (1, 5, pytest.approx(2 / 3))
    assert {row["group"]: row["spans"] for row in by_issue} == {"gender": 2, "reference": 1}


def test_a_passage_marks_what_is_ambiguous_and_what_resolves_it():
    ratings = accord.read(EXAMPLES / "context-spans.csv")
    (passage,) = passages(ratings, context_spans(ratings))
    roles = {sentence.item: sentence.role for sentence in passage.sentences}
    assert roles["bridge-1"] == "resolving"
    assert roles["bridge-2"] == "ambiguous"
    assert roles["bridge-8"] == "plain"
    assert passage.sentences[0].text == "The mayor met the minister on Monday."


def test_a_sentence_counts_once_however_many_systems_and_spoilt_copies_there_are():
    domains = {"d1": "news", "d2": "chat"}
    rows = [
        (f"{d}-{s}:{system}{end}", "R", 1, d, str(s), system, role, domains[d], {2: "1", 4: "1"}.get(s, ""))
        for d in domains for s in range(1, 5) for system in "AB"
        for end, role in (("", "system"), *([("#bad", "degraded")] if system == "B" else []))
        if not (d == "d2" and s == 4)
    ]  # fmt: skip
    names = ("item", "rater", "value", "document", "segment", "system", "role", "domain", "resolved_by")
    ratings = build_ratings(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    spans = context_spans(ratings)
    assert [(span.item, span.resolved_by, span.distance) for span in spans] == [
        ("d1-2:A", "d1-1:A", -1), ("d1-4:A", "d1-1:A", -3), ("d2-2:A", "d2-1:A", -1),
    ]  # fmt: skip
    _, news, chat = span_table(spans, "domain")
    assert (news["spans"], news["mean"], chat["spans"], chat["mean"]) == (2, 2, 1, 1)
    assert [len(passage.sentences) for passage in passages(ratings, spans)] == [4, 3]


def test_a_resolving_sentence_that_is_not_there_is_named():
    columns = {"item": ["a", "b"], "rater": ["R", "R"], "value": [1, 2], "document": ["d", "d"],
               "resolved_by": ["", "z9"]}  # fmt: skip
    with pytest.raises(OptionError, match="'b' is resolved by 'z9'"):
        context_spans(build_ratings(columns))
    with pytest.raises(ColumnError, match="no column 'resolved_by'"):
        context_spans(accord.read(EXAMPLES / "adequacy.csv"))


def test_correlations_of_metrics_are_those_of_a_second_program():
    from scipy.stats import kendalltau, pearsonr, spearmanr

    ratings = accord.read(EXAMPLES / "outputs.csv", level="interval")
    found = metric_correlations(ratings, ["chrf"], replicates=200, rng=np.random.default_rng(0))
    part = ratings.only(criterion="clarity")
    codes = part.item.codes
    human = np.bincount(codes, weights=part.scores) / np.bincount(codes)
    machine = np.zeros(part.items)
    machine[codes] = metric_columns(part, ["chrf"])["chrf"]
    values = {(one.level, one.kind): one for one in found if one.criterion == "clarity"}
    assert values["segment", "pearson"].value == pytest.approx(pearsonr(human, machine).statistic)
    assert values["segment", "spearman"].value == pytest.approx(spearmanr(human, machine).statistic)
    assert values["segment", "kendall"].value == pytest.approx(kendalltau(human, machine).statistic)
    assert values["system", "pearson"].units == 6
    assert all(one.value in one.interval for one in values.values() if one.interval)
    # All six systems in one order, whichever is left out: nothing shows how far that is off.
    without = {place for place, one in values.items() if one.interval is None}
    assert without == {("system", "spearman"), ("system", "kendall")}


def test_a_file_without_metrics_is_refused_in_words():
    with pytest.raises(ColumnError, match="No column holds the scores of a metric"):
        metric_correlations(accord.read(EXAMPLES / "adequacy.csv"), rng=np.random.default_rng(0))
    with pytest.raises(ColumnError, match="no column 'bleu'"):
        metric_correlations(accord.read(EXAMPLES / "outputs.csv"), ["bleu"], rng=np.random.default_rng(0))
    two = {"item": ["a", "b"], "rater": ["R", "R"], "value": [1, 2], "bleu": ["1", "2"]}
    with pytest.raises(NotEnoughDataError, match="at least three items"):
        metric_correlations(build_ratings(two, level="interval"), rng=np.random.default_rng(0))


def test_a_document_judged_as_a_whole_does_not_turn_the_numbers_of_its_sentences_into_an_order():
    sentences = [(f"d-{s}", str(s), "alone", {3: "1"}.get(s, "")) for s in (3, 1, 2)]
    rows = [("d", "", "whole", ""), *sentences]
    columns = {
        "item": [row[0] for row in rows], "rater": ["R"] * 4, "value": [1, 2, 1, 2], "document": ["d"] * 4,
        "segment": [row[1] for row in rows], "scenario": [row[2] for row in rows],
        "resolved_by": [row[3] for row in rows],
    }  # fmt: skip
    ratings = build_ratings(columns)
    (span,) = context_spans(ratings)
    assert (span.item, span.resolved_by, span.distance) == ("d-3", "d-1", -2)
    (passage,) = passages(ratings, (span,))
    assert [sentence.item for sentence in passage.sentences] == ["d-1", "d-2", "d-3"]
