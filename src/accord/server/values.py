"""What a judgement is worth in the ratings table: one value a row, whatever was asked."""

from collections.abc import Sequence
from typing import Any

from accord.design.study import Criterion
from accord.server.validation import TIE

__all__ = ["NO_ERROR", "edit_rate", "penalty", "rated_value"]

NO_ERROR = "no-error"


def rated_value(criterion: Criterion, value: Any, names: Sequence[str], original: str) -> str | float | int:
    """The cell of the column ``value``; ``names`` are the systems shown, ``original`` the text that was edited."""
    if criterion.kind == "categories":
        return "|".join(sorted({str(part) for part in value})) or NO_ERROR
    if criterion.kind == "spans":
        return penalty(criterion, value)
    if criterion.kind == "pairwise":
        return TIE if value == TIE else names[value]
    if criterion.kind == "post_edit":
        return edit_rate(original, value)
    cell: str | float | int = value
    return cell


def penalty(criterion: Criterion, marks: Sequence[dict[str, Any]]) -> float:
    """The points of all marks; 0 is a text without errors."""
    severities = {severity.key: severity.weight for severity in criterion.severities}
    return float(sum(_weight(criterion, severities, mark) for mark in marks))


def _weight(criterion: Criterion, severities: dict[str, float], mark: dict[str, Any]) -> float:
    severity, category = mark.get("severity") or "", mark.get("category") or ""
    own = severities.get(severity, 1.0)
    return criterion.weights.get(f"{severity}/{category}", criterion.weights.get(severity, own))


def edit_rate(original: str, edited: str) -> float:
    """Edits for each word of the edited text (HTER); characters where a script has no spaces."""
    before, after = _units(original, edited)
    row = list(range(len(after) + 1))
    for place, unit in enumerate(before, start=1):
        diagonal, row[0] = row[0], place
        for column, other in enumerate(after, start=1):
            kept = diagonal + (unit != other)
            diagonal = row[column]
            row[column] = min(kept, row[column] + 1, row[column - 1] + 1)
    return row[-1] / max(1, len(after))


def _units(original: str, edited: str) -> tuple[list[str], list[str]]:
    if " " in original.strip() or " " in edited.strip():
        return original.split(), edited.split()
    return list(original), list(edited)
