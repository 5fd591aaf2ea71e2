"""Known answers of gold items: each must be one that raters can give."""

from collections.abc import Collection

from accord.design.items import ItemsFile
from accord.design.nearest import did_you_mean
from accord.design.study import CriterionSettings
from accord.errors import Problem

__all__ = ["known_answers"]


def known_answers(criteria: Collection[CriterionSettings], items: ItemsFile) -> list[Problem]:
    """Columns of gold that name no criterion, and answers that are none of its own."""
    by_key = {criterion.key: criterion for criterion in criteria}
    problems = [
        Problem(f"the column 'gold:{name}' names no criterion{did_you_mean(name, by_key)}", 1, items.name)
        for name in dict.fromkeys(name for item in items.items for name in item.gold)
        if by_key and name not in by_key
    ]
    for item in items.items:
        for name, answer in item.gold.items():
            if name in by_key and (why := _why_no_answer(by_key[name], answer)):
                problems.append(Problem(f"the known answer {answer!r} to {name!r} {why}", item.line, items.name))
    return problems


def _why_no_answer(criterion: CriterionSettings, answer: str) -> str:
    if criterion.kind in ("slider", "number"):
        if criterion.low is None or criterion.high is None:
            return ""
        try:
            inside = criterion.low <= float(answer) <= criterion.high
        except ValueError:
            inside = False
        return "" if inside else f"is not a number from {criterion.low:g} to {criterion.high:g}"
    if criterion.kind != "scale" or answer in map(str, criterion.values):
        return ""
    return f"is not among its values: {', '.join(map(str, criterion.values))}"
