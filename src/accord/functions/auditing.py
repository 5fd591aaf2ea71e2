"""Audit published numbers from Python: whether reliability tables, or a reported bootstrap, can be right."""

import os
from collections.abc import Sequence
from pathlib import Path

from accord.diagnosis.audit import Audit, audit_bootstrap, audit_table
from accord.diagnosis.audit.bootstrap import read_bootstrap
from accord.diagnosis.finding import Finding, Severity
from accord.diagnosis.survey import Survey, read_survey
from accord.diagnosis.survey import survey as survey_of
from accord.errors import OptionError
from accord.functions.answer import Answer
from accord.ratings.fingerprint import hashed_cells
from accord.scoring.signature import signature
from accord.tables.table import Cell, Column, Table
from accord.words import counted, set_by, steady

__all__ = ["audit"]


def audit(
    table: str | os.PathLike[str] | None = None,
    *,
    bootstrap: str | None = None,
    survey: str | os.PathLike[str] | None = None,
) -> Answer:
    """Find what cannot be right in published reliability numbers, from the printed numbers alone.

    Parameters
    ----------
    table
        Printed numbers as CSV, TSV, xlsx or TOML.
    bootstrap
        What a paper reports of a bootstrap instead: ``"replicates=100,drawn=20,units=40,replacement=no"``.
    survey
        A table of papers instead (paper, coefficient, value): which coefficients they used, and how high.

    Returns
    -------
    Answer
        The findings, errors first; ``result`` is the :class:`~accord.diagnosis.audit.Audit`.

    Examples
    --------
    >>> import accord
    >>> answer = accord.audit("castilho-tables.csv")
    >>> answer.to_frame("pandas").columns.tolist()
    ['severity', 'code', 'message', 'sure']
    """
    if sum(given is not None for given in (table, bootstrap, survey)) != 1:
        raise OptionError(
            f"Give a TABLE of printed numbers, or {set_by('bootstrap')} with what a paper reports of one, or "
            f"{set_by('survey')} with a table of papers."
        )
    if survey is not None:
        return _surveyed(Path(survey))
    if bootstrap is not None:
        found = audit_bootstrap(read_bootstrap(bootstrap))
        signed = signature("audit", bootstrap="".join(bootstrap.split()))
        data: dict[str, object] = {"findings": [finding.to_dict() for finding in found], "signature": signed}
        table_of = (_findings("Audit of a reported bootstrap", found),)
        return Answer(table_of, _last_lines(signed, _CAVEAT), data, found, opening=(_opening(found),))
    result = audit_table(Path(table or ""))
    signed = signature("audit", table=hashed_cells([row.cells for row in result.rows]))
    data = result.to_dict() | {"signature": signed}
    return Answer(_tables(result), _last_lines(signed, _CAVEAT), data, result, opening=(_opening(result.findings),))


def _last_lines(signed: str, *lines: str) -> tuple[str, ...]:
    """What stands under the tables, the signature last."""
    return (*lines, f"Signature: {signed}")


def _tables(result: Audit) -> tuple[Table, ...]:
    """The findings, and the chance agreement that the printed numbers imply."""
    findings = _findings(f"Audit of {counted(len(result.rows), 'row')} of {result.source}", result.findings)
    if not result.chances:
        return (findings,)
    rows: list[dict[str, Cell]] = [
        {"place": place, "value": chance.value, "low": chance.low, "high": chance.high}
        for place, chance in result.chances
    ]
    heads = {"place": "where", "value": "implied chance", "low": "low", "high": "high"}
    note = "(agreement - Fleiss) / (1 - Fleiss); the ends allow for rounding and truncation."
    title = "Chance agreement implied by agreement and Fleiss' kappa"
    return (findings, Table(title, [Column(key, head) for key, head in heads.items()], rows, (note,)))


def _findings(title: str, found: Sequence[Finding]) -> Table:
    rows: list[dict[str, Cell]] = [
        {"severity": str(f.severity), "code": f.code, "message": f.message, "sure": f.sure} for f in found
    ]
    heads = {"severity": "", "code": "finding", "message": "what", "sure": "how sure"}
    return Table(title, [Column(key, head) for key, head in heads.items()], rows)


_CAVEAT = "An audit finds contradictions; that there is none does not make numbers right."


def _opening(found: Sequence[Finding]) -> str:
    """Whether the printed numbers can all be right."""
    impossible = sum(finding.severity is Severity.ERROR for finding in found)
    doubtful = len(found) - impossible
    if not found:
        return "No contradiction was found in these numbers."
    if not impossible:
        return f"Nothing is impossible; {counted(doubtful, 'thing is', 'things are')} worth a question."
    more = f"; {counted(doubtful, 'more is', 'more are')} worth a question" if doubtful else ""
    return f"{counted(impossible, 'printed number or pair', 'printed numbers or pairs')} cannot be right{more}."


def _surveyed(path: Path) -> Answer:
    """Which coefficients papers used, how often, and their average, smallest and largest value."""
    papers = read_survey(path)
    rows: list[dict[str, Cell]] = [one.to_dict() for one in survey_of(papers.uses)]
    columns = [
        Column("coefficient", "coefficient"),
        Column("used", "papers"),
        Column("share_of_papers", "of those that report one", 2),
        Column("average", "average", 2),
        Column("smallest", "smallest", 2),
        Column("largest", "largest", 2),
    ]
    reporting = len({use.paper for use in papers.uses})
    most = f", most often {rows[0]['coefficient']} ({rows[0]['used']})" if rows else ""
    share = (
        f"{reporting} of {papers.papers} papers report a coefficient ({steady(reporting / papers.papers):.0%}){most}."
    )
    told = f"{papers.percentages} values in percent are shown as shares." if papers.percentages else ""
    tables = (Table(f"Survey of {papers.papers} papers", columns, rows, tuple(filter(None, (told,)))),)
    cells = [(one.paper, one.coefficient, " ".join(f"{value:.12g}" for value in one.values)) for one in papers.uses]
    cells += [("left out", one.reason, f"{one.papers}") for one in papers.excluded]
    signed = signature("audit", papers=papers.papers, survey=hashed_cells(cells))
    data = {
        "papers": papers.papers,
        "reporting": reporting,
        "coefficients": rows,
        "considered": papers.considered,
        "excluded": {one.reason: one.papers for one in papers.excluded},
        "signature": signed,
    }
    parts = (*tables, _selection(papers)) if papers.excluded else tables
    notes = [f"Note: {note}." for note in papers.notes]
    data["notes"] = notes
    return Answer(parts, _last_lines(signed, *notes), data, papers, opening=(share,))


def _selection(papers: Survey) -> Table:
    """How the papers were chosen: those considered, left out by each criterion, and surveyed."""
    rows: list[dict[str, Cell]] = [{"step": "considered", "papers": papers.considered}]
    rows += [{"step": f"left out: {one.reason}", "papers": one.papers} for one in papers.excluded]
    rows.append({"step": "surveyed", "papers": papers.papers})
    return Table("How the papers were chosen", [Column("step", "step"), Column("papers", "papers")], rows)
