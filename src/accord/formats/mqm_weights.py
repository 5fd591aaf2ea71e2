"""The weights of MQM errors as Google's scorer has them, and the score of one rater for one segment."""

from collections.abc import Iterable
from functools import lru_cache

__all__ = ["MQM_WEIGHTS", "UnknownSeverityError", "error_weight", "mqm_score", "severity_name"]

MQM_WEIGHTS: dict[str, float] = {
    "critical": 25.0,
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation": 25.0,
    "minor/fluency/punctuation": 0.1,
    "minor/linguistic conventions/punctuation": 0.1,
}
"""Severity, or severity/category, or severity/category/subcategory -> weight; the most specific wins.

Google's scorer has no Critical; its weight is that of MQM 2.0, which calls Fluency Linguistic conventions."""

_SPELLINGS = {"no error": "no-error", "noerror": "no-error", "none": "no-error", "non-translation": "major"}


class UnknownSeverityError(ValueError):
    """A severity without a weight; it must never count as 0."""


@lru_cache(maxsize=1024)
def severity_name(severity: str) -> str:
    """One spelling for each severity: tools drift in case, spaces and underscores."""
    name = severity.strip().lower().replace("_", "-").rstrip("!")
    return _SPELLINGS.get(name, name)


@lru_cache(maxsize=4096)
def error_weight(category: str, severity: str) -> float:
    """The weight of one error.

    >>> error_weight("Fluency/Punctuation", "Minor")
    0.1
    """
    parts = [part.strip().lower().replace("_", "-").rstrip("!") for part in category.split("/")]
    if parts[0] == "no-error" and not severity.strip():
        return 0.0
    key = [severity_name(severity), *parts]
    while key:
        if "/".join(key) in MQM_WEIGHTS:
            return MQM_WEIGHTS["/".join(key)]
        key.pop()
    raise UnknownSeverityError(f"severity {severity!r} has no weight; known: Critical, Major, Minor, Neutral, No-error")


def mqm_score(errors: Iterable[tuple[str, str]]) -> float:
    """Minus the summed weights of (category, severity) pairs: 0 is a segment without errors.

    Raters are told to stop at five errors a segment; the sum itself has no limit, as in Google's scorer.
    """
    return 0.0 - round(sum(error_weight(category, severity) for category, severity in errors), 10)
