"""What a judgement is worth in the ratings table: one value a row, whatever was asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from accord.design.study import CriterionSettings
from accord.planning import answers
from accord.planning.answers import NO_ERROR, TIE, MarkedError

__all__ = ["edit_rate", "penalty", "rated_value"]


def rated_value(criterion: CriterionSettings, value: Any, names: Sequence[str], original: str) -> str | float | int:
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


def penalty(criterion: CriterionSettings, marks: Sequence[Mapping[str, Any]]) -> float:
    """The points of all marks; 0 is a text without errors."""
    errors = [
        MarkedError(mark["side"], mark["start"], mark["end"], mark.get("category") or "", mark.get("severity") or "")
        for mark in marks
    ]
    return answers.penalty(criterion, errors)


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
