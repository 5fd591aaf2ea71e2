"""Whether a value is an answer to its criterion; nothing else reaches the database."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.answer_values import TIE

__all__ = ["RefusedValueError", "Shown", "as_asked", "check_value"]

_LONGEST_TEXT = 50_000
_MOST_MARKS = 1_000
_HIGHEST_NUMBER = 1e9

Shown = Mapping[str, str]
"""The texts a rater saw, by side: ``source`` and ``target``."""


class RefusedValueError(InputError):
    """A value that is no answer to the criterion."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key!r} was not saved: {why}.")
        self.why = why


def check_value(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    """Raise in words if the value is not one the rater could have given on this screen."""
    _CHECKS[criterion.kind](criterion, value, shown, systems)


def as_asked(criterion: CriterionSettings, value: Any) -> Any:
    """A value that was checked, spelled as the study spells it: 1.0 on a scale of 1, 2, 3 is 1, and -0.0 is 0.0."""
    if criterion.kind == "scale":
        return next(known for known in criterion.values if known == value)
    return 0.0 if isinstance(value, float) and value == 0 else value


def _refuse(criterion: CriterionSettings, why: str) -> RefusedValueError:
    return RefusedValueError(criterion.key, why)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _scale(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    known = any(
        type(value) is not bool and isinstance(value, str) == isinstance(v, str) and value == v
        for v in criterion.values
    )
    if not known:
        raise _refuse(criterion, f"{value!r} is not on its scale")


def _slider(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    low, high = criterion.low or 0.0, 100.0 if criterion.high is None else criterion.high
    if not _is_number(value) or not low <= value <= high:
        raise _refuse(criterion, f"{value!r} is not a number from {low:g} to {high:g}")


def _number(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    low, high = criterion.low or 0.0, _HIGHEST_NUMBER if criterion.high is None else criterion.high
    if not _is_number(value) or not low <= value <= high:
        end = f" to {high:g}" if criterion.high is not None else ""
        raise _refuse(criterion, f"{value!r} is not a number from {low:g}{end}")


def _categories(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    if not isinstance(value, list) or len(value) > _MOST_MARKS:
        raise _refuse(criterion, "it takes a list of categories")
    if unknown := [part for part in value if part not in criterion.values or isinstance(part, bool)]:
        raise _refuse(criterion, f"{unknown[0]!r} is not one of its categories")
    if not criterion.several and len(set(value)) > 1:
        raise _refuse(criterion, "it takes one category")
    if not criterion.repeated and len(set(value)) < len(value):
        raise _refuse(criterion, "a category counts once")


def _spans(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    if not isinstance(value, list) or len(value) > min(_MOST_MARKS, criterion.max_spans or _MOST_MARKS):
        raise _refuse(criterion, f"it takes a list of at most {criterion.max_spans or _MOST_MARKS} marks")
    for mark in value:
        if why := _why_no_span(criterion, mark, shown):
            raise _refuse(criterion, why)


_MARK_KEYS = {"side", "start", "end", "severity", "category", "omission", "prefilled"}


def _why_no_span(criterion: CriterionSettings, mark: Any, shown: Shown) -> str:
    if not isinstance(mark, dict) or not {"side", "start", "end"} <= mark.keys() <= _MARK_KEYS:
        return "a mark needs a side, a start and an end"
    if not isinstance(mark.get("omission", False), bool) or (mark.get("omission") and not criterion.omissions):
        return "it takes no omissions"
    number = mark.get("prefilled", 0)
    if type(number) is not int or not 0 <= number < _MOST_MARKS or ("prefilled" in mark and not criterion.prefilled):
        return "`prefilled` is the number of a mark that stood there beforehand"
    sides = {*criterion.sides, *(("source",) if criterion.omissions else ())}
    if not isinstance(mark["side"], str) or mark["side"] not in sides or mark["side"] not in shown:
        return f"{mark['side']!r} is not a text that can be marked"
    start, end = mark["start"], mark["end"]
    shortest = 0 if mark.get("omission") else 1
    whole = all(isinstance(place, int) and not isinstance(place, bool) for place in (start, end))
    if not whole or not 0 <= start <= end - shortest or end > len(shown[mark["side"]]):
        return f"a mark from {start!r} to {end!r} is not inside the text"
    return _why_no_kind(criterion, mark)


def _why_no_kind(criterion: CriterionSettings, mark: Mapping[str, Any]) -> str:
    severities = [severity.key for severity in criterion.severities]
    if severities and mark.get("severity") not in severities:
        return f"severity {mark.get('severity')!r} is not one of {', '.join(severities)}"
    if not severities and mark.get("severity"):
        return "it has no severities"
    category = mark.get("category")
    if category is not None and category not in criterion.values:
        return f"{category!r} is not one of its categories"
    if criterion.values and category is None and not mark.get("omission"):
        return "each mark needs a category"
    return ""


def _pairwise(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    if value == TIE and criterion.ties:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < systems:
        raise _refuse(criterion, f"{value!r} is none of the texts that were shown")


def _ranking(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    whole = isinstance(value, list) and all(isinstance(rank, int) and not isinstance(rank, bool) for rank in value)
    if not whole or len(value) != systems or not set(value) <= set(range(1, systems + 1)):
        raise _refuse(criterion, f"it takes a rank from 1 to {systems} for each text")
    if not criterion.ties and max(Counter(value).values()) > 1:
        raise _refuse(criterion, "two texts cannot have the same rank")


def _post_edit(criterion: CriterionSettings, value: Any, shown: Shown, systems: int) -> None:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise _refuse(criterion, f"it takes a text of at most {_LONGEST_TEXT:,} characters")


_CHECKS: dict[str, Callable[[CriterionSettings, Any, Shown, int], None]] = {
    "scale": _scale,
    "slider": _slider,
    "number": _number,
    "categories": _categories,
    "spans": _spans,
    "pairwise": _pairwise,
    "ranking": _ranking,
    "post_edit": _post_edit,
}
