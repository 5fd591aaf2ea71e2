"""Reliability per criterion: every coefficient that fits with its interval, and what stands behind each."""

import shlex
from collections.abc import Iterable
from math import isnan

from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.plots.raters import pair_matrix
from accord.plots.reliability import agreement_parts, intervals
from accord.ratings.apart import words_of
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import INTERPRETATION_SCALES
from accord.reliability.matrix import PairMatrix
from accord.reporting.analysis import Analysis, CriterionAnalysis, part_name
from accord.reporting.document import Block, Evidence, Figure, Listing, Paragraph, Quoted, Rows, Section
from accord.reporting.sections.answer import primary
from accord.reporting.wording import on
from accord.tables.table import Cell, Column, Table
from accord.words import counted

__all__ = ["command_for", "evidence_key", "matrix_title", "reliability", "scale_bands"]

_COLUMNS = (
    Column("coefficient", "coefficient"), Column("value", "value"), Column("low", "low"), Column("high", "high"),
    Column("items", "items"), Column("raters", "raters"), Column("reading", "interpretation"),
)  # fmt: skip


def reliability(analysis: Analysis) -> Section:
    blocks = _combined(analysis)
    for place, criterion in enumerate(analysis.criteria):
        blocks += _criterion(place, criterion, analysis)
    return Section("reliability", "Reliability", blocks)


def _combined(analysis: Analysis) -> list[Block]:
    """One row for each criterion whose ratings are kept apart: alpha with its disagreement summed within the parts."""
    groups = [group for group in analysis.reliability.groups if group.combined]
    if not groups:
        return []
    within = words_of(groups[0].combined)
    rows: list[dict[str, Cell]] = [
        {
            "criterion": part_name(group.by, "all ratings"), "value": one.value,
            "low": one.interval.low if one.interval else None, "high": one.interval.high if one.interval else None,
            "items": one.items, "raters": one.raters, "reading": _reading(one),
        }
        for group in groups for one in group.estimates
    ]  # fmt: skip
    columns = (Column("criterion", "criterion"), *_COLUMNS[1:])
    methods = dict.fromkeys(one.interval.method for group in groups for one in group.estimates if one.interval)
    words = (
        f"Ratings are compared within each {within} only. This is Krippendorff's α over all of them: observed and "
        "expected disagreement are summed within the parts, and no two ratings of different parts are paired."
    )
    notes = [f"Intervals: {'; '.join(methods)}."] if methods else []
    return [Paragraph(words), Rows(Table(f"Krippendorff's α combined within {within}", columns, rows, notes))]


def evidence_key(place: int, estimate: Estimate) -> str:
    return f"estimate-{place}-{estimate.coefficient}"


def _criterion(place: int, criterion: CriterionAnalysis, analysis: Analysis) -> list[Block]:
    group = criterion.reliability
    defined = [estimate for estimate in group.estimates if not isnan(estimate.value)]
    blocks: list[Block] = []
    if defined:
        blocks.append(Figure(_interval_chart(criterion, defined)))
    if group.estimates:
        blocks.append(Rows(_table(criterion), [evidence_key(place, estimate) for estimate in group.estimates]))
        behind = [_evidence(place, estimate, criterion, analysis) for estimate in group.estimates]
        blocks.append(Evidence(f"behind-{place}", f"Behind each number{on(criterion.title)} ({len(behind)})", behind))
    if group.unsuitable:
        lines = [f"{key}: {'; '.join(reasons)}" for key, reasons in group.unsuitable.items()]
        title = f"Coefficients that do not fit{_named(criterion)}, and why ({len(lines)})"
        blocks.append(Evidence(f"unsuitable-{place}", title, [Listing(lines)]))
    blocks += _pairs(place, criterion)
    return blocks


def scale_bands(key: str) -> list[tuple[float, float, str]]:
    """The bands of an interpretation scale as (low, high, word)."""
    scale = INTERPRETATION_SCALES[key]
    lows = [-1.0, *scale.bounds]
    return [(low, band.upper, band.name) for low, band in zip(lows, scale.bands, strict=True)]


def _interval_chart(criterion: CriterionAnalysis, estimates: list[Estimate]):  # type: ignore[no-untyped-def]
    main = primary(criterion.reliability) or estimates[0]
    scale = "krippendorff" if main.coefficient == KRIPPENDORFF_ALPHA else "landis_koch"
    ends = [estimate.interval for estimate in estimates]
    title = f"{_about(criterion)}{main.title} is {main.value:.2f}"
    if main.interpretations:
        title += f", {main.interpretations[0].words}"
    return intervals(
        [estimate.title for estimate in estimates], [estimate.value for estimate in estimates],
        [end.low if end else estimate.value for end, estimate in zip(ends, estimates, strict=True)],
        [end.high if end else estimate.value for end, estimate in zip(ends, estimates, strict=True)],
        title=title, bands=scale_bands(scale),
        subtitle=f"{counted(main.items, 'item')}, {counted(main.raters, 'rater')}; shaded: the bands of "
                 f"{INTERPRETATION_SCALES[scale].name} for {main.title}",
    )  # fmt: skip


def _table(criterion: CriterionAnalysis) -> Table:
    group = criterion.reliability
    rows: list[dict[str, Cell]] = [
        {
            "coefficient": estimate.title, "value": estimate.value,
            "low": estimate.interval.low if estimate.interval else None,
            "high": estimate.interval.high if estimate.interval else None,
            "items": estimate.items, "raters": estimate.raters,
            "reading": _reading(estimate),
        }
        for estimate in group.estimates
    ]  # fmt: skip
    methods = dict.fromkeys(e.interval.method for e in group.estimates if e.interval)
    notes = [f"Intervals: {'; '.join(methods)}."] if methods else []
    return Table(f"Coefficients that fit{_named(criterion)} ({group.level} scale)", _COLUMNS, rows, notes)


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
    return str(estimate.interpretations[0]) if estimate.interpretations else ""


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
    blocks += _pair_link(estimate, criterion)
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


_PAIR = (Column("pair", "pair of raters"), Column("value", "value"), Column("items", "shared items"))
_MOST_PAIRS = 300


def _pair_link(estimate: Estimate, criterion: CriterionAnalysis) -> list[Block]:
    """The pairs of raters that a mean over pairs is made of, the lowest first."""
    matrix = next((m for m in criterion.reliability.matrices if m.coefficient == estimate.coefficient), None)
    if matrix is None or len(matrix.raters) < 3:
        return []
    known = sorted((row for row in matrix.rows() if row["value"] == row["value"]), key=lambda row: row["value"])
    rows: list[dict[str, Cell]] = [
        {"pair": f"{row['rater']} and {row['other']}", "value": row["value"], "items": row["items"]}
        for row in known[:_MOST_PAIRS]
    ]
    note = [f"The {_MOST_PAIRS} lowest of {len(known):,} pairs."] if len(known) > _MOST_PAIRS else []
    return [Rows(Table(f"Pairs of raters: {estimate.title}", _PAIR, rows, note))] if rows else []


_WITHOUT = (
    Column("item", "item left out"), Column("without", "value without it", 4), Column("change", "change", 4),
)  # fmt: skip


def _influence(estimate: Estimate, criterion: CriterionAnalysis) -> list[Block]:
    """The items that move the value most when they are left out."""
    found = criterion.influence.get(estimate.coefficient, ())
    if not found:
        return []
    rows: list[dict[str, Cell]] = [{"item": one.item, "without": one.without, "change": one.change} for one in found]
    note = "Every item was left out once; these move the value most."
    return [Rows(Table(f"Influential items: {estimate.title}", _WITHOUT, rows, (note,)))]


def matrix_title(matrix: PairMatrix) -> str:
    """The mean over pairs, and the pairs that agree least and most."""
    known = [row for row in matrix.rows() if row["value"] == row["value"]]
    if len(known) < 2:
        return f"{matrix.title} of every pair: mean {matrix.mean:.2f}"
    least, most = (ends(known, key=lambda row: row["value"]) for ends in (min, max))
    return (
        f"{matrix.title} of every pair: mean {matrix.mean:.2f}, from {least['value']:.2f} "
        f"({least['rater']} and {least['other']}) to {most['value']:.2f} ({most['rater']} and {most['other']})"
    )


def _pairs(place: int, criterion: CriterionAnalysis) -> list[Block]:
    blocks: list[Block] = []
    if criterion.parts is not None and len(criterion.parts.pairs) >= 2:
        joint, independent, kappa = criterion.parts.means
        title = (
            f"Of {joint:.2f} joint agreement, {independent:.2f} is what independent raters would reach: κ {kappa:.2f}"
        )
        weights = f"{_about(criterion)}{criterion.parts.weights} weights; one dot a pair of raters"
        chart = agreement_parts(
            criterion.parts.joint.tolist(), criterion.parts.independent.tolist(), criterion.parts.kappa.tolist(),
            title=title, subtitle=weights,
        )  # fmt: skip
        blocks.append(
            Evidence(
                f"parts-{place}", f"{_about(criterion)}joint agreement, chance and κ of the pairs", [Figure(chart)]
            )
        )
    for matrix in criterion.reliability.matrices[:3]:
        if len(matrix.raters) < 3:
            continue
        chart = pair_matrix(
            matrix.raters, matrix.values, matrix.items, axis=matrix.title, subtitle=criterion.title,
            title=matrix_title(matrix),
        )  # fmt: skip
        key = f"pairs-{place}-{matrix.coefficient}"
        blocks.append(Evidence(key, f"{_about(criterion)}{matrix.title} of every pair", [Figure(chart)]))
    return blocks
