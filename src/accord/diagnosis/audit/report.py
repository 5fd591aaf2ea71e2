"""The audit of a sheet of published numbers: what cannot be, what is suspect, and what chance it implies."""

from pathlib import Path

from accord.diagnosis.audit.checks import ImpliedChance, check_row, implied_chance
from accord.diagnosis.audit.columns import check_columns
from accord.diagnosis.audit.reported import ReportedRow, read_reported
from accord.diagnosis.finding import Finding, Severity
from accord.records import dataclass

__all__ = ["Audit", "audit_rows", "audit_table"]

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Audit:
    """All findings, errors first, and the chance agreement implied by each row that has the numbers for it."""

    source: str
    rows: tuple[ReportedRow, ...]
    findings: tuple[Finding, ...]
    chances: tuple[tuple[str, ImpliedChance], ...]

    def count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)

    def __str__(self) -> str:
        found = "\n".join(str(finding) for finding in self.findings) or "no contradiction found"
        return f"Audit of {len(self.rows)} rows of {self.source}\n{found}"

    def to_dict(self) -> dict[str, object]:
        return {
            "source": self.source,
            "rows": len(self.rows),
            "findings": [finding.to_dict() for finding in self.findings],
            "implied_chance": [
                {"place": place, "value": c.value, "low": c.low, "high": c.high} for place, c in self.chances
            ],
        }


def audit_table(path: str | Path) -> Audit:
    """Audit a CSV, TSV, xlsx or TOML sheet of printed numbers."""
    return audit_rows(read_reported(path), str(path))


def audit_rows(rows: tuple[ReportedRow, ...], source: str = "") -> Audit:
    """Audit rows already read."""
    findings = [finding for row in rows for finding in check_row(row)]
    findings += check_columns(rows)
    findings.sort(key=lambda finding: _ORDER[finding.severity])
    chances = []
    for row in rows:
        agreement, kappa = row.printed.get("agreement"), row.printed.get("fleiss_kappa")
        if agreement is not None and kappa is not None and (chance := implied_chance(agreement, kappa)):
            chances.append((row.title, chance))
    return Audit(source, rows, tuple(findings), tuple(chances))
