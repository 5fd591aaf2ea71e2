"""A finding: what is wrong, with whom, how sure we are, what it spoils and what to do."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from accord.records import dataclass

__all__ = ["Finding", "Severity"]


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a reader of these ratings must know.

    ``code`` is its key in the table of findings, ``who`` the raters, items or criteria it is about,
    ``evidence`` the numbers behind it by name, ``sure`` how sure we are in words,
    ``invalidates`` the coefficient keys that cannot be trusted, ``advice`` what to do now,
    ``by`` the criterion, and what else it was split by, of the ratings it was found in.
    """

    code: str
    severity: Severity
    message: str
    who: tuple[str, ...] = ()
    evidence: Mapping[str, float | str] = field(default_factory=dict)
    sure: str = ""
    invalidates: tuple[str, ...] = ()
    advice: str = ""
    by: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"

    def to_dict(self) -> dict[str, object]:
        return {
            "code": self.code, "severity": str(self.severity), "message": self.message, "who": list(self.who),
            "evidence": dict(self.evidence), "sure": self.sure, "invalidates": list(self.invalidates),
            "advice": self.advice,
        }  # fmt: skip
