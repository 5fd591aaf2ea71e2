"""Whether what a practice item expects is an answer that raters can give."""

from collections.abc import Iterator
from math import inf

from accord.design.study import NO_ERROR, CriterionSettings, ExpectedMark, Practice

__all__ = ["practice_problems"]

Found = Iterator[tuple[str, str]]


def practice_problems(practice: Practice, criterion: CriterionSettings) -> Found:
    """What is wrong, with the key it is wrong in."""
    if criterion.once_per_task:
        yield (
            "criterion",
            f"{criterion.key!r} compares texts, and a practice item has one. Practise another criterion, or show an "
            "example of this one in the guidelines",
        )
        return
    if criterion.kind in ("scale", "categories"):
        known = (*criterion.values, *((NO_ERROR,) if criterion.kind == "categories" else ()))
        for answer in practice.expected:
            if answer not in known:
                words = f"the expected answer {answer!r} is not among the values of {criterion.key!r}"
                yield "expected", f"{words}: {', '.join(map(str, criterion.values))}"
    elif criterion.kind in ("slider", "number"):
        low, high = criterion.low or 0.0, inf if criterion.high is None else criterion.high
        for answer in practice.expected:
            if isinstance(answer, str):
                yield (
                    "expected",
                    f"{answer!r} is no number. Expect one of {criterion.key!r}, or two for all between them",
                )
            elif answer < low or answer > high:
                ends = f"between {low:g} and {high:g}" if high < inf else f"{low:g} or more"
                yield "expected", f"the expected number {answer:g} is not {ends}, as answers to {criterion.key!r} are"
    if practice.marks is not None and criterion.kind != "spans":
        yield "marks", f"{criterion.key!r} is no question of marks. Say `expected` instead"
    elif practice.marks is not None:
        for mark in practice.marks:
            yield from (("marks", words) for words in _mark_problems(practice, criterion, mark))


def _mark_problems(practice: Practice, criterion: CriterionSettings, mark: ExpectedMark) -> Iterator[str]:
    if mark.side not in criterion.sides:
        yield f"{criterion.key!r} marks no {mark.side} text"
    if mark.text not in practice.text_of(mark.side):
        yield f"{mark.text!r} does not stand in the {mark.side}"
    if mark.severity is not None and mark.severity not in {severity.key for severity in criterion.severities}:
        yield f"{mark.severity!r} is not one of the severities of {criterion.key!r}"
    if mark.category is not None and mark.category not in criterion.values:
        yield f"{mark.category!r} is not one of the categories of {criterion.key!r}"
