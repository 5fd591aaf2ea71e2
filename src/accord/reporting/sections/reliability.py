"""Reliability per criterion: a forest plot each, every coefficient that fits, and what stands behind each."""

import shlex
from collections.abc import Iterable, Mapping
from math import isnan

import numpy as np

from accord.noise import first_of, ranked
from accord.plots.raters import pair_matrix
from accord.ratings.apart import words_of
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import scales_for
from accord.reliability.matrix import PairMatrix
from accord.reporting.analysis import Analysis, CriterionAnalysis, part_name
from accord.reporting.document import Block, Evidence, Figure, Listing, Paragraph, Quoted, Rows, Section
from accord.reporting.forest import bars_of
from accord.reporting.headline import Headline, headlines, leading
from accord.reporting.verdicts import REACHED, THIN
from accord.reporting.wording import on, told
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed, steady

__all__ = ["command_for", "evidence_key", "matrix_title", "reliability"]

_COLUMNS = (
    Column("coefficient", "coefficient"), Column("value", "value"), Column("low", "low"), Column("high", "high"),
    Column("items", "items"), Column("raters", "raters"), Column("reading", "interpretation"),
)  # fmt: skip
_FEWEST = 3
_FEW_PARTS = 4
"""With more parts paper has their forest plots, and the page every coefficient."""
_NOTICEABLE = 0.25
"""Leaving out an item or a rater changes something if it moves the value by this share of its interval's width."""


def reliability(analysis: Analysis) -> Section | None:
    """Nothing where one rater judged alone: there is nobody to agree with."""
    if not any(criterion.reliability.estimates for criterion in analysis.criteria):
        return None
    shared = max(one.items for criterion in analysis.criteria for one in criterion.reliability.estimates)
    if shared < _FEWEST:
        known = counted(shared, "item", "items")
        words = f"{known} with two or more ratings: no coefficient says anything about so few."
        return Section("reliability", "Reliability", words)
    blocks = [*_combined(analysis), *_forests(analysis)]
    several = len(analysis.criteria) > 1
    for place, criterion in enumerate(analysis.criteria):
        inside = _criterion(place, criterion, analysis)
        if several and inside:
            title = f"{_about(criterion)}{counted(len(criterion.reliability.estimates), 'coefficient')}"
            few = len(analysis.criteria) <= _FEW_PARTS
            inside = [Evidence(f"criterion-{place}", title, inside, kept=True, paper=few)]
        blocks += inside
    return Section("reliability", "Reliability by criterion" if several else "Reliability", _finding(analysis), blocks)


def _finding(analysis: Analysis) -> str:
    """Which criteria are shown to reach .667, by their intervals; with one criterion the number and what it shows."""
    heads = [head for head in headlines(analysis) if not isnan(head.estimate.value)]
    if not heads:
        return "No coefficient has a value."
    if len(heads) == 1:
        words = heads[0].words()
        return f"{told(heads[0].estimate)}{f': {words}' if words else ''}."
    reached = [head.name for head in heads if head.verdict in REACHED]
    if len(reached) == len(heads):
        return f"{'Both' if len(heads) == 2 else f'All {len(heads)}'} are shown to reach .667."
    if not reached:
        thin = sum(head.verdict in THIN for head in heads)
        if thin == len(heads):
            return f"Too little to judge by whether any of {thin} reaches .667; {_nearest(heads)}."
        some = f" ({counted(thin, 'has', 'have')} too little to judge by)" if thin else ""
        return f"None of {len(heads)} is shown to reach .667{some}; {_nearest(heads)}."
    return f"{listed(reached)} {'is' if len(reached) == 1 else 'are'} shown to reach .667; the others are not."


def _nearest(heads: list[Headline]) -> str:
    # What stands in for a coefficient without a value is on another scale.
    comparable = [head for head in heads if not head.absent] or heads
    best = first_of(comparable, lambda head: head.estimate.value, highest=True)
    return f"the highest is {best.name}, {told(best.estimate)}"


def _combined(analysis: Analysis) -> list[Block]:
    """One row for each criterion whose ratings are kept apart: alpha with its disagreement summed within the parts."""
    groups = [group for group in analysis.reliability.groups if group.combined]
    if not groups:
        return []
    within = words_of(groups[0].combined)
    found = [(group, one) for group in groups for one in group.estimates]
    rows: list[dict[str, Cell]] = [
        {"criterion": part_name(group.by, "all ratings"), **_numbers(one)} for group, one in found
    ]
    columns = (Column("criterion", "criterion"), *_COLUMNS[1:])
    methods = dict.fromkeys(one.interval.method for _, one in found if one.interval)
    words = (
        f"Ratings are compared within each {within} only. This is Krippendorff's α over all of them: observed and "
        "expected disagreement are summed within the parts, and no two ratings of different parts are paired."
    )
    notes = [f"Intervals: {'; '.join(methods)}."] if methods else []
    table = Table(f"Krippendorff's α combined within {within}", columns, rows, notes)
    return [Paragraph(words), Rows(table, bars=bars_of([one for _, one in found]))]


def _forests(analysis: Analysis) -> list[Block]:
    """A forest plot for each criterion whose parts are kept apart: α of every part on one axis."""
    by_criterion: dict[str, list[tuple[str, Estimate]]] = {}
    for group in analysis.reliability.parts:
        estimate = leading(group)
        if estimate is not None:
            rest = {column: name for column, name in group.by.items() if column != "criterion"}
            by_criterion.setdefault(group.by.get("criterion", ""), []).append((part_name(rest, "all"), estimate))
    if not any(len(named) > 1 for named in by_criterion.values()):
        return []
    columns = (Column("part", "part"), *_COLUMNS[1:6])
    blocks: list[Block] = []
    for criterion, named in by_criterion.items():
        rows: list[dict[str, Cell]] = [{"part": name, **_numbers(one)} for name, one in named]
        table = Table(f"{named[0][1].title} by part{on(criterion)}", columns, rows)
        blocks.append(Rows(table, bars=bars_of([one for _, one in named])))
    return blocks


def evidence_key(place: int, estimate: Estimate) -> str:
    return f"estimate-{place}-{estimate.coefficient}"


def _criterion(place: int, criterion: CriterionAnalysis, analysis: Analysis) -> list[Block]:
    group = criterion.reliability
    blocks: list[Block] = []
    if group.estimates:
        links = [evidence_key(place, estimate) for estimate in group.estimates]
        blocks.append(Rows(_table(criterion), links, bars_of(group.estimates)))
        blocks += _moving_rater(place, criterion)
        behind = [_evidence(place, estimate, criterion, analysis) for estimate in group.estimates]
        blocks.append(Evidence(f"behind-{place}", f"Behind each number{on(criterion.title)} ({len(behind)})", behind))
    if group.unsuitable:
        lines = [f"{key}: {'; '.join(reasons)}" for key, reasons in group.unsuitable.items()]
        title = f"Coefficients that do not fit{_named(criterion)}, and why ({len(lines)})"
        blocks.append(Evidence(f"unsuitable-{place}", title, [Listing(lines)]))
    return blocks


def _numbers(estimate: Estimate) -> dict[str, Cell]:
    ends = estimate.interval
    return {
        "value": estimate.value, "low": ends.low if ends else None, "high": ends.high if ends else None,
        "items": estimate.items, "raters": estimate.raters, "reading": _reading(estimate),
    }  # fmt: skip


def _table(criterion: CriterionAnalysis) -> Table:
    group = criterion.reliability
    rows: list[dict[str, Cell]] = [{"coefficient": one.title, **_numbers(one)} for one in group.estimates]
    methods = dict.fromkeys(e.interval.method for e in group.estimates if e.interval)
    notes = [f"Intervals: {'; '.join(methods)}."] if methods else []
    notes.append("Interpretations are what the interval shows. Hairlines: thresholds of each coefficient's own scale.")
    columns = [column for column in _COLUMNS if column.key != "reading" or any(row["reading"] for row in rows)]
    return Table(f"Coefficients that fit{_named(criterion)} ({group.level} scale)", columns, rows, notes)


def _named(criterion: CriterionAnalysis) -> str:
    return f" {criterion.title}" if criterion.title else ""


def _about(criterion: CriterionAnalysis) -> str:
    return f"{criterion.title}: " if criterion.title else ""


def _reading(estimate: Estimate) -> str:
    """The usual interpretation; of an undefined value, why it has none."""
    if isnan(estimate.value):
        return next(
            (why for why in estimate.cautions if why.startswith("undefined")),
            "undefined: no item has the ratings it needs",
        )
    readings = estimate.interpretations
    return f"{readings[0].words}, {readings[0].scale}" if readings else ""


def command_for(analysis: Analysis, estimate: Estimate, by: Iterable[str] = ()) -> str:
    """The command that computes this number again, split by the columns that tell repeated ratings apart.

    What is kept apart anyway need not be asked for.
    """
    apart = ("criterion", *analysis.ratings.codebook.kept_apart)
    words = [*(analysis.read_as or (analysis.ratings.source or "ratings.csv",))]
    words += [word for column in by if column not in apart for word in ("--by", column)]
    words += ["--coefficient", estimate.coefficient, "--seed", str(analysis.seed)]
    if analysis.confidence != 0.95:
        words += ["--confidence", f"{analysis.confidence:g}"]
    return f"accord agree {shlex.join(words)}"


def _evidence(place: int, estimate: Estimate, criterion: CriterionAnalysis, analysis: Analysis) -> Evidence:
    blocks: list[Block] = []
    if estimate.cautions:
        blocks.append(Listing([f"Caution: {caution}" for caution in estimate.cautions]))
    if estimate.parts:
        rows: list[dict[str, Cell]] = [{"part": name, "value": value} for name, value in estimate.parts.items()]
        blocks.append(Rows(Table("What it is made of", (Column("part", "part"), Column("value", "value")), rows)))
    blocks.append(Listing([*map(str, estimate.interpretations), *estimate.conventions]))
    if estimate.interval is not None:
        interval = estimate.interval
        replicates = f", {interval.replicates:,} replicates" if interval.replicates else ""
        undefined = f", {interval.undefined:,} of them undefined" if interval.undefined else ""
        blocks.append(Listing([f"Interval: {interval.method}{replicates}{undefined}."]))
    blocks += _influence(estimate, criterion)
    blocks.append(Quoted(estimate.signature, "Signature"))
    blocks.append(Quoted(command_for(analysis, estimate, criterion.reliability.by), "Compute it again"))
    return Evidence(evidence_key(place, estimate), f"{_about(criterion)}{estimate.title}", blocks)


_WITHOUT = (
    Column("item", "item left out"),
    Column("without", "value without it", 4),
    Column("change", "change", 4),
)


def _influence(estimate: Estimate, criterion: CriterionAnalysis) -> list[Block]:
    """The items whose leaving would change what is said of the value; none where no item does."""
    found = [one for one in criterion.influence.get(estimate.coefficient, ()) if _changes(estimate, one.without)]
    if not found:
        return []
    rows: list[dict[str, Cell]] = [{"item": one.item, "without": one.without, "change": one.change} for one in found]
    note = "Every item was left out once; these change the value noticeably, or the band it lies in."
    return [Rows(Table(f"Influential items: {estimate.title}", _WITHOUT, rows, (note,)))]


def _changes(estimate: Estimate, without: float) -> bool:
    """Whether a value is in another band of its scale, or moved by a quarter of its interval."""
    if isnan(without):
        return True
    scales = scales_for(estimate.coefficient)
    if scales and scales[0].place(without) != scales[0].place(estimate.value):
        return True
    width = estimate.interval.width if estimate.interval else 0.0
    return width > 0 and abs(without - estimate.value) >= _NOTICEABLE * width


def matrix_title(matrix: PairMatrix) -> str:
    """The mean over pairs, and the pairs that agree least and most."""
    known = [row for row in matrix.rows() if row["value"] == row["value"]]
    plain = f"{matrix.title} of every pair: mean {steady(matrix.mean):.2f}"
    if not known:
        return plain
    least, most = (
        first_of(known, lambda row: float(row["value"]), _both_raters, highest=highest) for highest in (False, True)
    )
    low, high = (float(row["value"]) for row in (least, most))
    return (
        plain
        if ranked([low, high])[1] == 0
        else f"{plain}, from {steady(low):.2f} ({_both_raters(least)}) to {steady(high):.2f} ({_both_raters(most)})"
    )


def _both_raters(row: Mapping[str, object]) -> str:
    return f"{row['rater']} and {row['other']}"


def _moving_rater(place: int, criterion: CriterionAnalysis) -> list[Block]:
    """Every pair of raters, where the mean over pairs would be another without one of them; else nothing."""
    group = criterion.reliability
    moved = [
        (abs(without - matrix.mean), matrix, rater, without)
        for matrix in group.matrices
        if len(matrix.raters) > 3 and matrix.coefficient in group
        for rater, without in _without_each(matrix)
        if _changes_mean(group[matrix.coefficient], matrix.mean, without)
    ]
    if not moved:
        return []
    _, matrix, rater, without = first_of(moved, lambda one: one[0], lambda one: one[2], highest=True)
    chart = pair_matrix(
        matrix.raters, matrix.values, matrix.items, axis=matrix.title, subtitle=criterion.title,
        title=matrix_title(matrix),
    )  # fmt: skip
    words = (
        f"Without {rater} the mean {matrix.title} of the pairs is {steady(without):.2f} instead of "
        f"{steady(matrix.mean):.2f}"
    )
    return [Evidence(f"pairs-{place}", f"{_about(criterion)}{words}", [Figure(chart)])]


def _changes_mean(estimate: Estimate, mean: float, without: float) -> bool:
    width = estimate.interval.width if estimate.interval else 0.0
    return not isnan(without) and width > 0 and abs(without - mean) >= _NOTICEABLE * width


def _without_each(matrix: PairMatrix) -> Iterable[tuple[str, float]]:
    """Each rater with the mean over the pairs of all others."""
    upper = np.triu(np.ones_like(matrix.values, dtype=bool), 1) & ~np.isnan(matrix.values)
    for at, rater in enumerate(matrix.raters):
        others = upper.copy()
        others[at, :] = others[:, at] = False
        yield rater, float(matrix.values[others].mean()) if others.any() else float("nan")
