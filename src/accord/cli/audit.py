"""``accord audit``: whether published reliability numbers, or a reported bootstrap, can be right."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit
from accord.diagnosis.audit import Audit, audit_bootstrap, audit_table
from accord.diagnosis.audit.bootstrap import read_bootstrap
from accord.diagnosis.audit.reported import COLUMNS
from accord.diagnosis.finding import Finding, Severity
from accord.diagnosis.survey import Survey
from accord.errors import OptionError
from accord.tables.table import Cell, Column, Table

__all__ = ["audit", "audit_tables", "closing", "findings_table"]

_Table = Annotated[
    Path | None,
    typer.Argument(
        metavar="[TABLE]",
        help=f"Printed numbers as CSV, TSV, xlsx or TOML ([[row]]), any of the columns {', '.join(COLUMNS)}.",
    ),
]
_Bootstrap = Annotated[
    str | None,
    typer.Option(
        metavar="NAME=VALUE,...",
        help="Audit a reported bootstrap instead: replicates, drawn, units, replacement (yes/no), level, half_width, "
        "deviation (of the replicates), unit; as replicates=100,drawn=20,units=40,replacement=no.",
    ),
]


def audit(
    table: _Table = None,
    bootstrap: _Bootstrap = None,
    survey: Annotated[
        Path | None,
        typer.Option(
            help="Survey papers instead: a table with columns paper, coefficient and value (may be empty); a column "
            "excluded gives the reason why a paper was left out."
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Find what cannot be right in published reliability numbers, from the printed numbers alone."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    if sum(given is not None for given in (table, bootstrap, survey)) != 1:
        raise OptionError(
            "Give a TABLE of printed numbers, or --bootstrap with what a paper reports of one, or --survey with a "
            "table of papers."
        )
    if survey is not None:
        _print_survey(survey, form)
    if bootstrap is not None:
        found = audit_bootstrap(read_bootstrap(bootstrap))
        data = {"findings": [finding.to_dict() for finding in found]}
        emit([findings_table("Audit of a reported bootstrap", found)], data, form, lines=closing(found))
    elif table is not None:
        result = audit_table(table)
        emit(audit_tables(result), result.to_dict(), form, lines=closing(result.findings))


def audit_tables(result: Audit) -> list[Table]:
    """The findings, and the chance agreement that the printed numbers imply."""
    tables = [
        findings_table(
            f"Audit of {len(result.rows)} row{'s' * (len(result.rows) != 1)} of {result.source}", result.findings
        )
    ]
    if result.chances:
        rows: list[dict[str, Cell]] = [
            {"place": place, "value": chance.value, "low": chance.low, "high": chance.high}
            for place, chance in result.chances
        ]
        columns = [
            Column("place", "where"),
            Column("value", "implied chance"),
            Column("low", "low"),
            Column("high", "high"),
        ]
        note = "(agreement - Fleiss) / (1 - Fleiss); the ends allow for rounding and truncation."
        tables.append(Table("Chance agreement implied by agreement and Fleiss' kappa", columns, rows, (note,)))
    return tables


def findings_table(title: str, found: Sequence[Finding]) -> Table:
    rows: list[dict[str, Cell]] = [
        {"severity": str(f.severity), "code": f.code, "message": f.message, "sure": f.sure} for f in found
    ]
    columns = [
        Column(key, head)
        for key, head in (("severity", ""), ("code", "finding"), ("message", "what"), ("sure", "how sure"))
    ]
    return Table(title, columns, rows)


def closing(found: Sequence[Finding]) -> list[str]:
    seen = [(sum(finding.severity is kind for finding in found), kind) for kind in Severity]
    counts = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for count, kind in seen)
    return [f"{counts}. An audit finds contradictions; that there is none does not make numbers right."]


def _print_survey(path: Path, form: Form) -> None:
    """Which coefficients papers used, how often, and their average, smallest and largest value."""
    from accord.diagnosis.survey import read_survey, survey

    papers = read_survey(path)
    rows: list[dict[str, Cell]] = [one.to_dict() for one in survey(papers.uses)]  # type: ignore[misc]
    columns = [
        Column("coefficient", "coefficient"), Column("used", "papers"),
        Column("share_of_papers", "of those that report one", 2),
        Column("average", "average", 2), Column("smallest", "smallest", 2), Column("largest", "largest", 2),
    ]  # fmt: skip
    reporting = len({use.paper for use in papers.uses})
    share = f"{reporting} of {papers.papers} papers report a coefficient ({reporting / papers.papers:.0%})."
    tables = [Table(f"Survey of {papers.papers} papers", columns, rows, (share,))]
    if papers.excluded:
        tables.append(_selection(papers))
    selection = {one.reason: one.papers for one in papers.excluded}
    emit(tables, {"papers": papers.papers, "reporting": reporting, "coefficients": rows,
                  "considered": papers.considered, "excluded": selection}, form)  # fmt: skip


def _selection(papers: Survey) -> Table:
    """How the papers were chosen: those considered, left out by each criterion, and surveyed."""
    rows: list[dict[str, Cell]] = [{"step": "considered", "papers": papers.considered}]
    rows += [{"step": f"left out: {one.reason}", "papers": one.papers} for one in papers.excluded]
    rows.append({"step": "surveyed", "papers": papers.papers})
    return Table("How the papers were chosen", [Column("step", "step"), Column("papers", "papers")], rows)
