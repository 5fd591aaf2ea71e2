"""Versions and rounds put together because somebody asks for it: the number that ``accord agree --pool`` gives."""

from collections.abc import Sequence
from typing import Any

from accord.errors import AccordError
from accord.ratings.apart import ROUNDS, pooled
from accord.records import dataclass
from accord.reliability.run import agreement
from accord.server.organiser.analysis import MAIN, rows_of
from accord.server.organiser.changing import told_number, too_many
from accord.server.organiser.ratings import collect
from accord.server.organiser.titles import shown_title
from accord.server.study import current

__all__ = ["Together", "put_together", "what_can_be_put_together"]


@dataclass(frozen=True, slots=True)
class Together:
    """Each criterion with its number over all versions, and in words what was paired."""

    columns: str
    rows: tuple[tuple[str, str, str, int, int], ...]
    """Criterion, coefficient, value with its interval, items and raters."""
    told: str
    too_many: bool = False


def what_can_be_put_together(groups: Sequence[dict[str, Any]]) -> str:
    """The columns in which answers stand apart, as the address of the page has them; '' where none do."""
    found = [name for name in ROUNDS if len({one["by"][name] for one in groups if one["by"].get(name)}) > 1]
    return ",".join(found)


def put_together(columns: str, groups: Sequence[dict[str, Any]]) -> Together | None:
    """The numbers over all parts of these columns; None where nothing stands apart in them."""
    if not columns or columns != what_can_be_put_together(groups):
        return None
    if too_many():
        return Together(columns, (), "", too_many=True)
    ratings, names = collect().analysed(), columns.split(",")
    if ratings is None:
        return None
    keys = {one["criterion"]: one["main"]["coefficient"] for one in groups if one["main"]}
    try:
        whole = pooled(ratings, names)
        found = agreement(whole, coefficients=sorted({MAIN, *keys.values()}), seed=current().settings.seed).groups
    except AccordError:
        return None
    rows = []
    for row in rows_of(whole, found):
        key = keys.get(row["criterion"], MAIN)
        if key in row["group"]:
            one = row["group"][key]
            rows.append((shown_title(row), one.title, told_number(one), one.items, one.raters))
    return Together(columns, tuple(rows), whole.notes[-1] if whole.notes else "")
