"""Sentences and forms of a report just below, at and just above each mark, and of one thing, two and many."""

import json
from dataclasses import replace
from types import SimpleNamespace as Made

import numpy as np
import pytest

from accord.diagnosis.part import parts_of
from accord.errors import OperationError, OptionError
from accord.inference.interval import Interval
from accord.ratings.build import build_ratings
from accord.ratings.codebook import StudyFacts
from accord.reporting import analysis, declared, first_screen, heds, pdf, ranked, writing
from accord.reporting.document import Document, FirstScreen
from accord.reporting.sections import (
    comparisons,
    correlation,
    criteria,
    findings,
    glance,
    methods,
    plan,
    raters,
    reference_bias,
    reliability,
)
from accord.reporting.verdicts import JUDGEMENTS


def ends(low, high, level=0.95):
    return Interval(low=low, high=high, level=level, method="a method, together")


NAMES = tuple("ABCDEFGHIJKLMN")


def ranking(systems, leaders, known=True):
    shown = [Made(name=name, segments=9) for name in NAMES[:systems]]
    return Made(systems=shown, leaders=NAMES[:leaders], direction=Made(is_known=known), pairs=(), method="t")


@pytest.mark.parametrize(
    ("systems", "leaders", "words"),
    [
        (2, 1, "A is best."),
        (2, 2, "No winner: A and B cannot be told apart."),
        (3, 2, "A and B may each be best; C is not."),
        (4, 2, "A and B may each be best; the other 2 are not."),
        (5, 4, "A, B, C and D may each be best; E is not."),
        (5, 5, "No winner: A, B, C, D and E cannot be told apart."),
        (6, 6, "No winner: A, B, C, D and 2 more cannot be told apart."),
        (14, 12, "A, B, C, D and 8 more may each be best; the other 2 are not."),
    ],
)
def test_systems_that_may_be_best_are_named_up_to_five_and_then_counted(systems, leaders, words):
    assert ranked.ranked_answer([("", ranking(systems, leaders))]) == words


def test_criteria_with_one_outcome_share_a_sentence():
    told = ranked.ranked_answer(
        [("tone", ranking(3, 1)), ("flow", ranking(3, 1)), ("ease", ranking(3, 1, known=False))]
    )
    assert told == (
        "A is best by tone and flow. Nobody said which end of the scale is good, so no system is called best by ease."
    )


def head(name, key, value=0.5):
    return Made(about=name, name=name, judgements=JUDGEMENTS[key], verdict=key, estimate=Made(value=value))


@pytest.mark.parametrize(
    ("raters", "heads", "words"),
    [
        (1, [], "One rater gave 8 ratings, which nobody else confirms or contradicts."),
        (2, [], "No two raters judged the same item: nothing can be compared."),
        (2, [head("", "reliable")], "These judgements can be relied on."),
        (2, [head("tone", "reliable"), head("flow", "reliable")], "These judgements can be relied on."),
        (
            2,
            [head("tone", "unreliable", 0.2), head("flow", "reliable", 0.9), head("ease", "unreliable", 0.4)],
            "Judgements of flow can be relied on; those of ease and tone cannot be relied on one by one.",
        ),
        (
            2,
            [head("tone", "undefined", float("nan")), head("flow", "tentative", -1.5)],
            "Judgements of flow allow tentative conclusions; those of tone cannot be said to agree or to disagree.",
        ),
    ],
)
def test_the_first_sentence_says_what_each_criterion_allows_the_best_first(raters, heads, words):
    assert first_screen.first_answer(first_screen.Judged(raters, 8, heads), ()) == (
        "How far can these judgements be trusted?",
        words,
    )


def test_up_to_three_raters_are_named_and_more_are_counted():
    told = [first_screen._slightly(NAMES[:number]) for number in (1, 2, 3, 4)]
    assert [words.partition(" slightly")[0] for words in told] == [
        "A rates", "A and B rate", "A, B and C rate", "4 raters rate",
    ]  # fmt: skip


@pytest.mark.parametrize(("missing", "words"), [(0, "none"), (1, "less than 1%"), (2, "1%"), (3, "2%")])
def test_a_share_that_would_be_printed_as_nought_is_less_than_one_percent(missing, words):
    cells = [(f"i{item}", f"R{rater}") for item in range(100) for rater in range(2)]
    rows = [cell for at, cell in enumerate(cells) if at not in (1, 3, 5)[:missing]]
    table = {"item": [i for i, _ in rows], "rater": [r for _, r in rows], "value": [n % 3 for n in range(len(rows))]}
    told = glance._missing(build_ratings(table, scale=[0, 1, 2], level="ordinal"), 1)
    assert told == (f"{missing} of 200 ({words}) of a full design" if missing else words)


def test_meetings_of_raters_are_the_same_in_a_table_and_without_one(monkeypatch):
    item, rater = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 2, 0, 2, 1])
    expected = [[2, 1, 2], [1, 2, 1], [2, 1, 2]]
    assert glance._meetings(item, rater, 3).tolist() == expected
    monkeypatch.setattr(glance, "raters_meet_in_a_table", lambda size: False)
    assert glance._meetings(item, rater, 3).tolist() == expected


def cells(pairs, **more):
    """Ratings of these items by these raters."""
    table = {"item": [item for item, _ in pairs], "rater": [rater for _, rater in pairs], "value": [1] * len(pairs)}
    return build_ratings(table, scale=[1, 2], level="ordinal", **more)


@pytest.mark.parametrize("criteria", [12, 13])
def test_up_to_twelve_criteria_are_named_and_more_are_counted(criteria):
    names = [f"c{n:02}" for n in range(criteria)]
    table = {"item": ["a"] * criteria, "rater": ["X"] * criteria, "value": [1] * criteria, "criterion": names}
    told = glance._facts(build_ratings(table, level="ordinal", scale=[1, 2]))["criteria"]
    assert told == (", ".join(names) if criteria == 12 else 13)


@pytest.mark.parametrize(
    ("pairs", "shown"),
    [
        ([("a", "X"), ("b", "X"), ("a", "Y"), ("c", "Y"), ("a", "Z")], ["a X", "a Y"]),
        ([("b", "X"), ("c", "Y"), ("a", "Z"), ("a", "X")], ["b X", "c Y", "a X"]),
    ],
)
def test_ratings_of_several_raters_stand_together_where_they_share_items(pairs, shown):
    (part,) = parts_of(cells(pairs))
    rows = findings._rows_of(part, {"X", "Y"})
    told = [f"{part.item_names[part.item[row]]} {part.name(int(part.rater[row]))}" for row in rows]
    assert sorted(told) == sorted(shown)
    assert [part.item_names[part.item[row]] for row in findings._rows_of(part, {"a"})] == ["a"] * sum(
        item == "a" for item, _ in pairs
    )
    assert len(findings._rows_of(part, {"nobody"})) == 0


def test_a_matrix_names_the_pairs_at_both_ends_only_where_they_differ():
    def told(*values):
        rows = [{"value": value, "rater": "X", "other": f"Y{at}"} for at, value in enumerate(values)]
        known = [value for value in values if value == value]
        return reliability.matrix_title(Made(title="κ", mean=sum(known) / max(1, len(known)), rows=lambda: rows))

    assert told(0.25, 0.75) == "κ of every pair: mean 0.50, from 0.25 (X and Y0) to 0.75 (X and Y1)"
    assert told(0.25, float("nan"), 0.25) == told(0.25) == "κ of every pair: mean 0.25"


def test_shares_of_values_are_told_of_up_to_twelve_values():
    def told(values):
        scale = Made(values=tuple(range(values)))
        part = Made(ordered=False, raters=np.arange(2), ratings=Made(scale=scale), name="R{}".format,
                    value_counts=np.ones((2, values), dtype=int))  # fmt: skip
        return raters._criterion(0, Made(part=part, title="", effects=()))

    assert len(told(12)) == 2 and told(13) == []


def test_raters_who_differ_are_told_the_furthest_first():
    def effect(name, severity):
        return Made(rater=name, severity=severity, interval=ends(severity - 0.1, severity + 0.1))

    found = raters.differing(Made(effects=[effect("A", 0.2), effect("B", -0.5), effect("C", 0.1), effect("D", 0.3)]))
    assert [one.rater for one in found] == ["B", "D", "A"]
    assert raters.extremes([effect("A", 0.2), effect("B", 0.2)], Made(is_known=True)) == (
        "No rater rates higher or lower than another"
    )


def bias(criterion, clear):
    return Made(criterion=criterion, differences=[Made(is_clear=clear)], verdict=lambda: "So it is.")


@pytest.mark.parametrize(
    ("clear", "words"),
    [
        ([True], "So it is."),
        ([False, False], "On none of 2 criteria is a difference distinguished from chance."),
        ([True, False], "On A pairs of one group agree differently from pairs of two; not on the other criteria."),
        ([True, True], "On all 2 criteria pairs of one group agree differently from pairs of two."),
        ([True, False, True], "On A and C pairs of one group agree differently from pairs of two; not on the other "
                              "criteria."),
    ],
)  # fmt: skip
def test_groups_that_agree_differently_are_named_by_criterion(clear, words):
    results = [bias(name, one) for name, one in zip(NAMES, clear, strict=False)]
    assert reference_bias._finding(results) == words
    assert reference_bias._finding([Made(criterion="A", differences=[]), bias("B", True)]).startswith("On B pairs")


@pytest.mark.parametrize(("size", "drawn"), [(1, 0), (2, 1), (12, 1), (13, 0)])
def test_which_ratings_meet_is_drawn_of_two_to_twelve_values(size, drawn):
    counts = np.ones((size, size))
    pattern = Made(setting="SAME", counts=counts, row_shares=counts / size, exact=0.5)
    assert len(reference_bias._patterns(0, "", Made(patterns=[pattern], values=()))) == drawn


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.5, 0.7, "the whole interval reaches it"),
        (0.49, 0.7, "the interval leaves open whether it is reached"),
        (0.3, 0.5, "the interval leaves open whether it is reached"),
        (0.3, 0.49, "the whole interval lies below it"),
    ],
)
def test_what_was_declared_to_be_enough_is_decided_by_the_interval(low, high, words):
    facts = StudyFacts(plan={"reliability": "0.5"})
    assert plan._enough(Made(interval=ends(low, high)), facts) == f"; 0.5 was declared to be enough, and {words}"
    assert plan._enough(Made(interval=None), facts) == "" == plan._enough(Made(interval=ends(0, 1)), StudyFacts())


@pytest.mark.parametrize(
    ("adjusted", "words"),
    [(0.00099, "< 0.001"), (0.001, "= 0.001"), (0.00105, "= 0.001"), (0.0016, "= 0.002")],
)
def test_a_p_below_a_thousandth_is_told_as_below_it(adjusted, words):
    pair = Made(first="A", second="B", difference=-0.5, adjusted=adjusted)
    told = declared._ranked(Made(pairs=[pair], headline=lambda: "A leads", method="t"))
    assert told == ["A leads (t)", f"A - B = -0.50, adjusted p {words}"]


def rated(criteria=("tone",), systems="AB", shared=True, **plan):
    """Six texts, each by two systems, judged by two raters, and a plan."""
    rows = [(name, item, rater) for name in criteria for item in range(12) for rater in "XY"]
    made = build_ratings(
        {
            "item": [f"i{item}" for _, item, _ in rows], "rater": [rater for *_, rater in rows],
            "criterion": [name for name, *_ in rows], "system": [systems[item % len(systems)] for _, item, _ in rows],
            "document": [f"d{item // 2}" for _, item, _ in rows],
            **({"segment": [str(item // 2) for _, item, _ in rows]} if shared else {}),
            "value": [1 + (item * 7 + (rater == "Y") + 2 * (item % 2)) % 5 for _, item, rater in rows],
        },
        level="interval", scale=[1, 2, 3, 4, 5], direction="high",
    )  # fmt: skip
    return replace(made, codebook=replace(made.codebook, study=StudyFacts(plan=plan)))


def carried_out(ratings):
    return declared.declared_comparison(ratings, confidence=0.95, seed=0, replicates=100)


def test_a_declared_comparison_is_made_of_the_declared_criterion_or_of_all_or_says_why_not():
    assert carried_out(rated()) == ()
    (told,) = carried_out(rated(comparison="phase"))
    assert told == "The declared comparison by phase cannot be made: the ratings have 0 of its names."
    (told,) = carried_out(rated(systems="A", comparison="system"))
    assert told == "The declared comparison by system cannot be made: the ratings have 1 of its names."
    one = carried_out(rated(("tone", "flow"), comparison="system", criterion="flow"))
    assert len(one) == 2 and all(line.startswith("flow, by system: ") for line in one)
    (told,) = carried_out(rated(("tone", "flow"), comparison="system", criterion="flow", shared=False))
    assert told.startswith("flow, by system: cannot be made: The systems share no item")
    (told,) = carried_out(rated(("tone", "flow"), comparison="system", shared=False))
    assert told.startswith("The declared comparison by system cannot be made: The systems share no item")
    both = carried_out(rated(("tone", "flow"), comparison="system"))
    assert [line.partition(",")[0] for line in both] == ["tone", "tone", "flow", "flow"]
    assert "2 criteria together" in both[0] and "over documents" in both[0]
    for unit, words in (("rater", "over raters"), ("item", "over segments"), ("document", "over documents")):
        assert words in carried_out(rated(comparison="system", unit=unit))[0]


def test_a_value_range_is_told_of_more_than_twenty_five_values():
    def told(values):
        return heds._values(build_ratings({"item": ["a"], "rater": ["X"], "value": [1]}, scale=[*range(values)]).scale)

    assert told(25).startswith("0, 1, 2, ") and told(26) == "[0, 25]"


def test_the_kappas_of_all_criteria_are_told_once_each():
    assert correlation._weighted({"tone": "unweighted", "flow": "unweighted"}) == (
        "unweighted: only the same rating agrees"
    )
    assert correlation._weighted({"tone": "quadratic", "flow": "unweighted"}) == (
        "unweighted: only the same rating agrees and of scores with many values weighted by the squared distance"
    )


def test_one_question_has_its_good_end_and_several_have_theirs():
    def asked(title, direction):
        return Made(title=title, direction=direction)

    known, unknown = criteria.Direction.LOW, criteria.Direction.UNKNOWN
    assert criteria._finding([asked("tone", known)]) == "1 question; its good end is known."
    assert criteria._finding([asked("tone", known)] * 2) == "2 questions; the good end of each is known."
    assert criteria._finding([asked("tone", known), asked("flow", unknown), asked("ease", unknown)]) == (
        "3 questions; which end is good is not declared for flow and ease."
    )
    assert criteria._GOOD[criteria.Direction.HIGH] == "the high end"
    assert criteria._GOOD[criteria.Direction.LOW] == "the low end"


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("", "3 of 3 points answered."),
        ("a", "2 of 3 points answered; only you know the rest: a."),
        ("abc", "0 of 3 points answered; only you know the rest: a, b and c."),
    ],
)
def test_what_only_the_author_knows_is_named(missing, words, monkeypatch):
    entries = [Made(key=key, answer="" if key in missing else "yes") for key in "abc"]
    monkeypatch.setattr(methods, "checklist", lambda _: entries)
    assert methods._answered(None) == words
    monkeypatch.setattr(methods, "checklist", lambda _: [Made(key=key, answer="") for key in "abcde"])
    assert methods._answered(None).endswith(": a, b, c and 2 more.")


def compared(clear, value=0.2):
    first, second = (Made(name=name, values={"alpha": 0.5}) for name in "12")
    difference = Made(value=value, is_clear=clear, interval=None, p=None, adjusted=None, method="m")
    return Made(criterion="tone", first=first, second=second, differences=[difference])


@pytest.mark.parametrize(
    ("found", "open_"),
    [([False] * 6, True), ([False] * 7, False), ([False] * 6 + [True], True)],
)
def test_more_than_six_comparisons_are_folded_unless_one_is_clear(found, open_):
    several = Made(comparisons=[compared(one) for one in found], pairs=[("1", "2")], left_out=["3: too few"])
    blocks = comparisons._conditions(Made(comparisons={"group": several}), "group", "words")
    assert isinstance(blocks[0], comparisons.Rows) is open_
    assert blocks[1].lines == ["Left out. 3: too few"]


def test_the_largest_clear_change_is_told():
    several = Made(comparisons=[compared(True, 0.2), compared(True, -0.4), compared(False, 0.9)], pairs=[("1", "2")])
    made = Made(comparisons={"phase": several}, ratings=Made(codebook=Made(criteria={"a": 0, "b": 0, "c": 0})))
    assert comparisons._changed(made, "phase") == (
        "2 of 3 criteria differ clearly in agreement between phase 1 and phase 2; "
        "α of tone fell by 0.40 from phase 1 to phase 2."
    )
    several.comparisons = [compared(False, 0.2)]
    assert comparisons._changed(made, "phase") == "Agreement does not differ clearly between phase 1 and phase 2."
    several.comparisons = [compared(True, 0.2), compared(True, -0.4), compared(False, 0.9)]
    several.pairs = [("1", "2"), ("2", "3")]
    assert comparisons._changed(made, "phase").startswith("2 of 3 comparisons between phases differ clearly")


@pytest.mark.parametrize(("conditions", "is_compared"), [(1, False), (2, True), (12, True), (13, False)])
def test_two_to_twelve_conditions_are_compared(conditions, is_compared, monkeypatch):
    monkeypatch.setattr(analysis, "compare_several", lambda *_, **__: "compared")
    names = [f"g{n}" for n in range(conditions)]
    table = {"item": names, "rater": ["X"] * conditions, "value": [1] * conditions, "group": names}
    found = analysis._comparisons(build_ratings(table, level="ordinal", scale=[1, 2]), 0.95, 0, [])
    assert found == ({"group": "compared"} if is_compared else {})


def test_steps_are_counted_to_whoever_asks():
    heard = []
    step = analysis._Steps(lambda *told: heard.append(told), 6)
    step()
    step()
    assert heard == [(1, 6), (2, 6)]


DOCUMENT = Document("T", "s", FirstScreen("q", "a"), (), {"α": 1}, "accord|report")


def browser(folder, lines):
    """A program that is called as a browser."""
    path = folder / "chromium"
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def test_a_page_is_printed_by_a_browser_without_a_network_and_with_a_profile_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    browser(tmp_path, 'for a; do case $a in --print-to-pdf=*) echo "$@" > "${a#*=}";; esac; done')
    told = writing.write_document(DOCUMENT, tmp_path / "made.pdf").read_text()
    for option in ("--headless ", "--disable-background-networking ", "--no-pdf-header-footer ", "--user-data-dir=/"):
        assert option in told
    assert told.strip().endswith("/report.html")
    assert not list(tmp_path.glob(".*"))
    browser(tmp_path, "echo no screen here >&2")
    with pytest.raises(OperationError, match=r"^The browser could not print the report: no screen here$"):
        pdf.to_pdf("page", tmp_path / "other.pdf")
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(OperationError, match="A PDF is printed by a browser, and none was found"):
        pdf.to_pdf("page", tmp_path / "other.pdf")


def test_a_report_is_written_to_a_file_that_can_be_written_or_not_at_all(tmp_path, monkeypatch):
    assert json.loads(writing.write_document(DOCUMENT, tmp_path / "made.json").read_text()) == {"α": 1}
    assert "α" in writing.write_json({"α": 1}, tmp_path / "part.json").read_text()
    for target, words in (
        ("made.txt", "cannot be written as 'made.txt': name a file that ends in .html, .md, .tex, .pdf or .json."),
        ("", "is a folder: name a file to write the report to."),
        ("no/made.md", "does not exist: make it first, or write the report elsewhere."),
    ):
        (tmp_path / "folder.md").mkdir(exist_ok=True)
        with pytest.raises(OptionError) as refused:
            writing.checked_target(tmp_path / (target or "folder.md"))
        assert str(refused.value).endswith(words)
    with pytest.raises(OptionError, match=r"^'made.md' must end in .json.$"):
        writing.write_json({}, tmp_path / "made.md")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.Path, "write_text", full)
    for write in (lambda: writing.write_document(DOCUMENT, tmp_path / "made.md"),
                  lambda: writing.write_json({}, tmp_path / "other.json")):  # fmt: skip
        with pytest.raises(
            OptionError, match=r"cannot be written to '.*': No space left on device. Name another file."
        ):
            write()
    assert not (tmp_path / "made.md").exists() and not list(tmp_path.glob(".*"))
