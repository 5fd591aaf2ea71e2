"""Findings by severity, each with who is behind it, how sure we are and what to do."""

from accord.diagnosis.finding import Finding
from accord.report.analysis import Analysis
from accord.report.document import Block, Evidence, Listing, Paragraph, Rows, Section
from accord.report.tables import Cell, Column, Table

__all__ = ["findings"]

_WHO = 40


def findings(analysis: Analysis) -> Section:
    found = analysis.diagnosis.findings
    blocks: list[Block] = []
    if not found:
        blocks.append(Paragraph(f"Nothing was found in {analysis.diagnosis.checks} checks."))
    for place, finding in enumerate(found):
        blocks.append(Paragraph(finding.message, str(finding.severity)))
        blocks.append(_evidence(place, finding))
    blocks += [Paragraph(remark) for remark in analysis.diagnosis.remarks]
    return Section("findings", "Findings", blocks)


def _evidence(place: int, finding: Finding) -> Evidence:
    lines = [f"What to do: {finding.advice}"] if finding.advice else []
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
        blocks.append(Rows(Table("Evidence", (Column("what", ""), Column("value", "")), rows)))
    return Evidence(f"finding-{place}", f"Evidence: {finding.code.replace('_', ' ')}", blocks)
