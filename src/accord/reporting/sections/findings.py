"""Findings by severity, each with the ratings behind it and what to do."""

from collections.abc import Sequence

import numpy as np

from accord.diagnosis.causes import Cause
from accord.diagnosis.finding import Finding, Severity
from accord.diagnosis.part import Indices, Part
from accord.diagnosis.registry import FINDINGS
from accord.reporting.analysis import Analysis, part_name
from accord.reporting.document import Block, Evidence, Listing, Paragraph, Rows, Section
from accord.reporting.wording import sentence
from accord.tables.table import Cell, Column, Table
from accord.words import counted, spelled

__all__ = ["findings"]

_WHO = 40
_NAMED = 3
_MOST_ROWS = 60
_RATING = (
    Column("item", "item"), Column("rater", "rater"), Column("value", "value"), Column("others", "the others gave"),
    Column("seconds", "seconds", 1), Column("comment", "comment"),
)  # fmt: skip


def findings(analysis: Analysis) -> Section:
    """Causes as ``accord diagnose`` names them, the gravest first; what is only a remark is one line."""
    causes = analysis.causes
    if not causes:
        return Section("findings", "What is wrong", f"Nothing was found in {analysis.diagnosis.checks} checks.")
    names = {*analysis.ratings.rater.names, *analysis.ratings.item.names}
    grave = [cause for cause in causes if cause.severity is not Severity.NOTE]
    blocks: list[Block] = []
    for number, cause in enumerate(grave):
        blocks += _grave(number, cause, analysis, names)
    blocks += [Paragraph(sentence(remark, names)) for remark in analysis.diagnosis.remarks]
    remarks = [cause.findings for cause in causes if cause.severity is Severity.NOTE]
    if remarks:
        blocks += _remarks(remarks, names)
    return Section("findings", "What is wrong", sentence(_counted(grave, len(remarks)), names), blocks)


def _counted(grave: Sequence[Cause], remarks: int) -> str:
    """How many causes there are, the gravest by name."""
    small = counted(remarks, "small remark")
    if not grave:
        return f"nothing grave; {small}"
    titles = [cause.title for cause in grave]
    rest = f"; {small}" if remarks else ""
    # Titles have an "and" of their own.
    return f"{'; '.join(titles[:_NAMED])}{f'; {len(titles) - _NAMED} more' if len(titles) > _NAMED else ''}{rest}"


def _grave(number: int, cause: Cause, analysis: Analysis, names: set[str]) -> list[Block]:
    first, rest = cause.findings[0], cause.findings[1:]
    blocks: list[Block] = [Paragraph(sentence(first.message, names), str(cause.severity))]
    blocks += [Listing([sentence(one.message, names) for one in rest])] if rest else []
    blocks.append(Paragraph(f"Effect: {sentence(cause.effect_words)}"))
    blocks += [Paragraph(f"What to do: {sentence(first.advice)}")] if first.advice else []
    return [
        *blocks,
        *(_evidence(f"{number}-{place}", finding, analysis) for place, finding in enumerate(cause.findings)),
    ]


def _remarks(groups: Sequence[Sequence[Finding]], names: set[str]) -> list[Block]:
    """One line for each kind; all of them behind it where a kind was found more than once."""
    lines = [
        sentence(group[0].message, names) + (f" ({len(group) - 1} more like it.)" if len(group) > 1 else "")
        for group in groups
    ]
    every = [sentence(finding.message, names) for group in groups for finding in group]
    blocks: list[Block] = [Paragraph("Small remarks:"), Listing(lines)]
    return [*blocks, Evidence("remarks", f"All remarks ({len(every)})", [Listing(every)])]


def _evidence(place: str, finding: Finding, analysis: Analysis) -> Evidence:
    lines = []
    if finding.sure:
        lines.append(f"How sure: {finding.sure}")
    if finding.invalidates:
        lines.append(f"Not to be trusted because of it: {', '.join(finding.invalidates)}")
    if finding.who:
        more = f" and {len(finding.who) - _WHO:,} more" if len(finding.who) > _WHO else ""
        lines.append(f"Who or what: {', '.join(finding.who[:_WHO])}{more}")
    blocks: list[Block] = [Listing(lines)]
    if finding.evidence:
        rows: list[dict[str, Cell]] = [
            {"what": name.replace("_", " "), "value": value} for name, value in finding.evidence.items()
        ]
        blocks.append(Rows(Table("Its numbers", (Column("what", ""), Column("value", "")), rows)))
    blocks += _ratings(finding, analysis)
    title = FINDINGS[finding.code].title if finding.code in FINDINGS else finding.code.replace("_", " ")
    about = f", {', '.join(finding.who[:_NAMED])}" if finding.who else ""
    part = f" on {part_name(finding.by, '')}" if finding.by else ""
    return Evidence(f"finding-{place}", f"Evidence: {title.lower()}{about}{part}", blocks)


def _ratings(finding: Finding, analysis: Analysis) -> list[Block]:
    """The ratings that the finding is about: of the raters or of the items it names."""
    part = next((one.part for one in analysis.criteria if dict(one.part.by) == dict(finding.by)), None)
    if part is None or not finding.who:
        return []
    rows = _rows_of(part, set(finding.who))
    if not len(rows):
        return []
    shown: list[dict[str, Cell]] = [_rating_and_others(part, int(row)) for row in rows[:_MOST_ROWS]]
    columns = [column for column in _RATING if any(row[column.key] not in (None, "") for row in shown)]
    note = [f"The first {_MOST_ROWS} of {counted(len(rows), 'rating')}."] if len(rows) > _MOST_ROWS else []
    return [Rows(Table("Ratings behind it", columns, shown, note))]


def _rows_of(part: Part, names: set[str]) -> Indices:
    """Places of ratings by these raters, else of these items; those that several raters share stand together."""
    raters = [rater for rater in part.raters if part.name(int(rater)) in names]
    if raters:
        rows = np.flatnonzero(np.isin(part.rater, raters))
        if len(raters) == 1:
            return rows
        shared = np.bincount(part.item[rows], minlength=len(part.item_names))[part.item[rows]] > 1
        rows = rows[shared] if shared.any() else rows
        return rows[np.argsort(part.item[rows], kind="stable")]
    items = [code for code, name in enumerate(part.item_names) if name in names]
    rows = np.flatnonzero(np.isin(part.item, items)) if items else np.empty(0, dtype=np.int64)
    return rows[np.argsort(part.item[rows], kind="stable")]


def _rating_and_others(part: Part, row: int) -> dict[str, Cell]:
    values, ratings = part.ratings.scale.values, part.ratings
    others = part.code[(part.item == part.item[row]) & (part.rater != part.rater[row])]
    seconds = ratings.numbers.get("time_s")
    comment = ratings.columns.get("comment")
    code = int(comment.codes[part.rows[row]]) if comment is not None else -1
    return {
        "item": part.item_names[int(part.item[row])],
        "rater": part.name(int(part.rater[row])),
        "value": spelled(values[int(part.code[row])]),
        "others": ", ".join(spelled(values[int(one)]) for one in np.sort(others)[:12]) + (", …" * (len(others) > 12)),
        "seconds": _seconds(seconds[part.rows[row]]) if seconds is not None else None,
        "comment": comment.names[code] if comment is not None and code >= 0 else "",
    }


def _seconds(value: float) -> float | None:
    return None if value != value else float(value)
