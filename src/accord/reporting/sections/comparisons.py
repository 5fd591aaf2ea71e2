"""Comparisons where the data have conditions, phases, groups or scenarios."""

from collections.abc import Mapping, Sequence

from accord.comparisons.answers import scenario_answer, scenario_remarks, scores_said
from accord.comparisons.conditions import ROUNDS, ConditionComparison
from accord.comparisons.context_span import span_table
from accord.comparisons.difference import Difference
from accord.comparisons.misevaluation import Misevaluation, context_roles
from accord.comparisons.own_interval import coefficient_columns, values_with_ends
from accord.comparisons.scenarios import ScenarioAgreement
from accord.comparisons.stop_rule import stop_rule
from accord.noise import first_of
from accord.plots.context import context_view, misevaluation_view
from accord.plots.reliability import intervals
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Figure, Listing, Paragraph, Rows, Section
from accord.tables.table import Cell, Column, Table
from accord.words import counted, steady

__all__ = ["comparisons"]

_CHANGE = (
    Column("criterion", "criterion"), Column("conditions", "compared"), Column("before", "first"),
    Column("after", "second"), Column("value", "difference"), Column("low", "low"), Column("high", "high"),
    Column("p", "p"), Column("adjusted", "p, Holm"), Column("method", "judged by"),
)  # fmt: skip
_MOST_MISEVALUATED = 20
_MOST_PASSAGES = 6
_KEPT = 6
_FEW = 6


def comparisons(analysis: Analysis) -> Section | None:
    blocks: list[Block] = []
    findings: list[str] = []
    for column in analysis.comparisons:
        agreement = _changed(analysis, column)
        # Groups that agree alike, each for itself, may score apart.
        findings.append(" ".join((agreement, *scores_said(analysis.comparisons[column].comparisons))))
        blocks += [Paragraph(findings[-1]), *_conditions(analysis, column, agreement)]
    blocks += _scenarios(analysis)
    blocks += _shifts(analysis)
    blocks += _misevaluations(analysis)
    blocks += _spans(analysis)
    if analysis.misevaluations:
        findings.insert(0, f"{_misevaluated(analysis)}.")
    if not blocks:
        return None
    return Section("comparisons", "Comparisons", " ".join(findings[:2]) or _compared(analysis), blocks)


def _compared(analysis: Analysis) -> str:
    told = scenario_answer(analysis.scenarios, None, ())
    return " ".join(told[:2]) or "How far away the sentence stands that resolves an ambiguous one."


def _misevaluated(analysis: Analysis) -> str:
    number = len({one.item for one in analysis.misevaluations})
    return f"{counted(number, 'item is', 'items are')} fine without context and faulty with it"


def _changed(analysis: Analysis, column: str) -> str:
    """How many of the compared parts differ clearly, and where there is one, which way it went."""
    several = analysis.comparisons[column]
    found, pairs = several.comparisons, several.pairs
    clear = [one for one in found if one.differences[0].is_clear]
    corrected = ", after Holm's correction" if any(d.adjusted is not None for o in found for d in o.differences) else ""
    if len(pairs) == 1:
        first, second = (_condition(column, name) for name in pairs[0])
        parts = "criteria" if len(found) <= len(analysis.ratings.codebook.criteria) else "comparisons"
        words = (
            f"{len(clear)} of {len(found)} {parts} differ clearly in agreement between {first} and {second}{corrected}"
        )
        if len(found) == 1:
            differs = "differs" if clear else "does not differ"
            words = f"Agreement {differs} clearly between {first} and {second}{corrected}"
    else:
        words = f"{len(clear)} of {len(found)} comparisons between {column}s differ clearly in agreement{corrected}"
    if not clear:
        return f"{words}."
    largest = first_of(clear, lambda one: abs(one.differences[0].value), highest=True)
    return f"{words}; {change_words(largest, column)}."


def _condition(column: str, name: str) -> str:
    """What a condition is called in a sentence: a bare number says of what it is."""
    return f"{column.replace('_', ' ')} {name}" if name.isdecimal() else name


def change_words(one: ConditionComparison, column: str = "") -> str:
    """``α of fluency rose by 0.21 from first to second``: which way by the sign of the difference."""
    difference = one.differences[0]
    way = "rose" if difference.value > 0 else "fell"
    about = f" of {one.criterion}" if one.criterion else ""
    first, second = (_condition(column, each.name) if column else each.name for each in (one.first, one.second))
    return f"α{about} {way} by {steady(abs(difference.value)):.2f} from {first} to {second}"


def _conditions(analysis: Analysis, column: str, words: str) -> list[Block]:
    several = analysis.comparisons[column]
    found, pairs = several.comparisons, several.pairs
    decides = [_difference(one, one.differences[0]) for one in found]
    others = [_difference(one, difference) for one in found for difference in one.differences[1:]]
    corrected = any(row["adjusted"] is not None for row in decides)
    columns = [c for c in _CHANGE if c.key != "adjusted" or corrected]
    table = Rows(Table(f"Krippendorff's α by {column}", columns, decides))
    clear = any(one.differences[0].is_clear for one in found)
    blocks: list[Block] = []
    blocks += [table] if clear or len(found) <= _FEW else [Evidence(f"by-{column}", f"α by {column}", [table])]
    if others:
        units = Table(f"Krippendorff's α by {column}, other units resampled", columns, others)
        blocks.append(Evidence(f"units-{column}", f"The same by {column} with other units resampled", [Rows(units)]))
    if several.left_out:
        blocks.append(Listing([f"Left out. {line}" for line in several.left_out]))
    if column in ROUNDS:
        last = [one for one in found if (one.first.name, one.second.name) == pairs[-1]]
        rules = [stop_rule(one) for one in last]
        blocks.append(Paragraph("Is another round of refinement worth it?"))
        blocks.append(Listing([f"{r.criterion or 'All ratings'}: {r.verdict}; {r.words}." for r in rules]))
    return [*blocks, *_drawn(analysis, column, words)]


def _difference(one: ConditionComparison, difference: Difference) -> dict[str, Cell]:
    interval = difference.interval
    return {
        "criterion": one.criterion or "all", "conditions": f"{one.second.name} minus {one.first.name}",
        "before": next(iter(one.first.values.values())), "after": next(iter(one.second.values.values())),
        "value": difference.value, "low": interval.low if interval else None,
        "high": interval.high if interval else None, "p": difference.p, "adjusted": difference.adjusted,
        "method": difference.method,
    }  # fmt: skip


def _drawn(analysis: Analysis, column: str, words: str) -> list[Block]:
    with_ends = [one for one in analysis.comparisons[column].comparisons if one.differences[0].interval]
    if not with_ends:
        return []
    changes = [one.differences[0] for one in with_ends]
    (level,) = {f"{change.interval.level:.0%}" for change in changes if change.interval}
    chart = intervals(
        [f"{one.criterion or 'all ratings'}: {one.second.name} - {one.first.name}" for one in with_ends],
        [change.value for change in changes],
        [change.interval.low for change in changes if change.interval],
        [change.interval.high for change in changes if change.interval],
        title=words,
        subtitle=f"{changes[0].unit} as the unit; {level} intervals, not corrected for several comparisons",
        axis="change of α",
        domain=None,
    )
    return [Evidence(f"change-{column}", f"The change by {column}, drawn", [Figure(chart)])]


def _scenarios(analysis: Analysis) -> list[Block]:
    if not analysis.scenarios:
        return []
    blocks: list[Block] = []
    for place, criterion in enumerate(dict.fromkeys(cell.criterion for cell in analysis.scenarios)):
        cells = [cell for cell in analysis.scenarios if cell.criterion == criterion]
        title = f"Agreement by scenario: {criterion or 'all ratings'}"
        whole = [cell for cell in cells if not cell.test_set and not cell.group]
        blocks.append(Rows(_cells(title, whole or cells, split=not whole)))
        if whole and len(whole) < len(cells):
            rest = [cell for cell in cells if cell not in whole]
            table = _cells(f"{title}, by test set and group", rest, split=True)
            blocks.append(Evidence(f"scenario-{place}", table.title, [Rows(table)]))
    names = list(dict.fromkeys(cell.scenario for cell in analysis.scenarios))
    roles = context_roles(names, analysis.ratings.codebook.study.scenarios)
    return [*blocks, Listing(scenario_remarks(analysis.scenarios, roles, analysis.misevaluations))]


def _cells(title: str, cells: Sequence[ScenarioAgreement], *, split: bool) -> Table:
    keys = list(dict.fromkeys(key for cell in cells for key in cell.values))
    rows: list[dict[str, Cell]] = [
        {
            "scenario": cell.scenario, "test_set": cell.test_set or "all", "group": cell.group or "all",
            "items": cell.items, "raters": cell.raters, **values_with_ends(cell.values, cell.ends),
        }
        for cell in cells
    ]  # fmt: skip
    columns = [
        Column("scenario", "scenario"),
        *((Column("test_set", "test set"), Column("group", "group")) if split else ()),
        Column("items", "items"),
        Column("raters", "raters"),
        *coefficient_columns(keys, ends=any(cell.ends for cell in cells)),
    ]
    return Table(title, columns, rows)


def _misevaluations(analysis: Analysis) -> list[Block]:
    if not analysis.misevaluations:
        return []
    found = analysis.misevaluations[:_MOST_MISEVALUATED]
    rows: list[dict[str, Cell]] = [
        {
            "item": one.item,
            "issue": one.issue,
            "criterion": one.criterion,
            "without": one.without,
            "with": one.with_context,
        }
        for one in found
    ]
    columns = (
        Column("item", "item"),
        *([Column("issue", "ambiguity")] if any(one.issue for one in found) else []),
        Column("criterion", "criterion"),
        Column("without", "mean alone", 2),
        Column("with", "mean in context", 2),
    )
    table = Table(_misevaluated(analysis), columns, rows)
    # An item that is faulty by several criteria has all its verdicts in one place.
    items = list({one.item: one for one in found}.values())
    place_of = {one.item: place for place, one in enumerate(items)}
    links = [f"item-{place_of[one.item]}" for one in found]
    return [Rows(table, links, kept=_KEPT), *_verdicts(items)]


_VERDICT = (
    Column("scenario", "scenario"),
    Column("rater", "rater"),
    Column("criterion", "criterion"),
    Column("value", "verdict"),
    Column("comment", "comment"),
)


def _verdicts(items: Sequence[Misevaluation]) -> list[Block]:
    """What each rater said of each item, the first of them drawn."""
    chart = misevaluation_view(
        [(one.item, [(v.rater, v.scenario, v.criterion, v.value) for v in one.verdicts]) for one in items[:4]],
        title="What each rater said of items that context shows to be faulty",
    )
    blocks: list[Block] = [Evidence("verdicts", "What each rater said of the first of them", [Figure(chart)])]
    for place, one in enumerate(items):
        said: list[dict[str, Cell]] = [
            {"scenario": v.scenario, "rater": v.rater, "criterion": v.criterion, "value": v.value, "comment": v.comment}
            for v in one.verdicts
        ]
        table = Table(one.item, _columns_with_comments(_VERDICT, said), said)
        blocks.append(Evidence(f"item-{place}", f"All verdicts on {one.item}", [Rows(table)]))
    return blocks


def _columns_with_comments(heads: Sequence[Column], rows: Sequence[Mapping[str, Cell]]) -> list[Column]:
    """Comments have a column where somebody made one."""
    return [head for head in heads if head.key != "comment" or any(row["comment"] for row in rows)]


def _shifts(analysis: Analysis) -> list[Block]:
    """Score distributions in both scenarios, and how items move between them (paper 004)."""
    if not analysis.shifts:
        return []
    rows: list[dict[str, Cell]] = [
        {
            "criterion": one.criterion or "all", "items": len(one.items), "change": one.change,
            "low": one.interval.low if one.interval else None, "high": one.interval.high if one.interval else None,
            "p": one.p, "adjusted": one.adjusted, "rose": one.rose, "fell": one.fell, "words": one.words,
        }
        for one in analysis.shifts
    ]  # fmt: skip
    first, second = analysis.shifts[0].first, analysis.shifts[0].second
    columns = (
        Column("criterion", "criterion"), Column("items", "items"), Column("change", "mean change", 2),
        Column("low", "low", 2), Column("high", "high", 2), Column("p", "p"),
        *([Column("adjusted", "p, Holm")] if len(rows) > 1 else []), Column("rose", "rose"),
        Column("fell", "fell"), Column("words", "in words"),
    )  # fmt: skip
    note = analysis.shifts[0].method
    blocks: list[Block] = [Rows(Table(f"Scores of the same items: {second} minus {first}", columns, rows, (note,)))]
    for place, one in enumerate(analysis.shifts):
        shares: list[dict[str, Cell]] = [
            {"value": value, first: one.shares[first][at], second: one.shares[second][at]}
            for at, value in enumerate(one.values)
        ]
        heads = (Column("value", "value"), Column(first, first), Column(second, second))
        table = Table(f"Share of each value: {one.criterion or 'all ratings'}", heads, shares)
        moved: list[dict[str, Cell]] = [
            {"item": item.item, first: item.first, second: item.second, "change": item.change}
            for item in one.items[:_MOST_MISEVALUATED]
        ]
        items = Table(
            "Items that move most",
            (Column("item", "item"), Column(first, first, 2), Column(second, second, 2), Column("change", "change", 2)),
            moved,
        )
        title = f"Distribution and items: {one.criterion or 'all ratings'}"
        blocks.append(Evidence(f"shift-{place}", title, [Rows(table), Rows(items)]))
    return blocks


_SPAN = (
    Column("spans", "spans"), Column("before", "resolved before"),
    Column("median", "median distance", 1), Column("mean", "mean", 2), Column("largest", "largest"),
    Column("within_1", "within 1", 2), Column("within_2", "within 2", 2), Column("within_5", "within 5 sentences", 2),
)  # fmt: skip


def _spans(analysis: Analysis) -> list[Block]:
    """How far the sentence stands that resolves an ambiguous one, and the documents with both marked."""
    if not analysis.spans:
        return []
    heads = {"issue": "ambiguity", "domain": "domain"}
    blocks: list[Block] = []
    for by in [by for by in heads if any(getattr(span, by) for span in analysis.spans)] or [""]:
        rows: list[dict[str, Cell]] = span_table(analysis.spans, by)  # type: ignore[assignment]
        title = "How far away the resolving sentence stands" + (f", by {heads[by]}" if by else "")
        blocks.append(Rows(Table(title, (Column("group", heads.get(by, "")), *_SPAN), rows)))
    for place, passage in enumerate(analysis.passages[:_MOST_PASSAGES]):
        chart = context_view(
            [(s.item, s.text, s.role, s.note) for s in passage.sentences],
            title=f"{passage.document or 'The text'}: what each ambiguous sentence needs",
        )
        title = f"Context of {passage.document or 'the text'}"
        blocks.append(Evidence(f"context-{place}", title, [Figure(chart)]))
    return blocks
