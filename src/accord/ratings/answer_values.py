"""What an answer is worth in the column ``value``: one cell a rating, whatever was asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from accord.design.study import NO_ERROR, CriterionSettings
from accord.records import dataclass

__all__ = ["NO_ERROR", "TIE", "MarkedError", "edit_rate", "penalty", "penalty_of_marks", "value_of"]

TIE = "tie"
"""The cell of a comparison in which neither text is better."""


@dataclass(frozen=True, slots=True)
class MarkedError:
    """An error as a rater marked it; offsets are half-open, in code points."""

    side: str
    start: int
    end: int
    category: str
    severity: str


def value_of(criterion: CriterionSettings, answer: Any, shown: Sequence[str], original: str) -> str | float | int:
    """The cell of an answer; ``shown`` are the systems on the screen, ``original`` the text that was judged."""
    if criterion.kind == "categories":
        return "|".join(sorted({str(part) for part in answer})) or NO_ERROR
    if criterion.kind == "spans":
        return penalty_of_marks(criterion, answer)
    if criterion.kind == "pairwise":
        return TIE if answer == TIE else shown[answer]
    if criterion.kind == "post_edit":
        return edit_rate(original, answer)
    if criterion.kind == "number" and criterion.per == "word":
        return float(answer) / max(1, len(_units(original, "")[0]))
    cell: str | float | int = answer
    return cell


def penalty_of_marks(criterion: CriterionSettings, marks: Sequence[Mapping[str, Any]]) -> float:
    """The points of marks as the rating page sends them; 0 is a text without errors."""
    errors = [
        MarkedError(mark["side"], mark["start"], mark["end"], mark.get("category") or "", mark.get("severity") or "")
        for mark in marks
    ]
    return penalty(criterion, errors)


def penalty(criterion: CriterionSettings, errors: Sequence[MarkedError]) -> float:
    """Points of all errors: the weight of severity and category together wins over the severity's own."""
    own = {severity.key: severity.weight for severity in criterion.severities}
    weights = criterion.weights
    points = (
        weights.get(f"{error.severity}/{error.category}", weights.get(error.severity, own.get(error.severity, 1.0)))
        for error in errors
    )
    return float(sum(points))


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
