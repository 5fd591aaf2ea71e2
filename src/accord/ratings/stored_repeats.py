"""The same rater twice on one item, found by an engine that counts rows where they lie: refused."""

from collections.abc import Mapping, Sequence
from typing import Any

from accord.errors import Problem, RatingsError
from accord.ratings.codebook import KEPT_APART
from accord.ratings.coding import spelled_cell
from accord.ratings.fetched import cells, integers
from accord.words import counted

__all__ = ["refuse_repeats"]

_SPLITTING = (*KEPT_APART, "role")
_NAMING = ("system", "document", "segment")


def refuse_repeats(parts: Sequence[Mapping[str, Any]], columns: Mapping[str, Sequence[str]], source: str) -> None:
    """An error where there are any: how often, which rater and item first, and what may tell them apart."""
    found = [part for part in parts if int(integers(part["n"])[0])]
    if not found:
        return
    number = sum(int(integers(part["n"])[0]) for part in found)
    rater, first = (spelled_cell(cells(found[0][name])[0]) for name in ("rater", "item"))
    item = columns["item"]
    splitting = [name for name in _SPLITTING if name in columns]
    extra = [columns[name][0] for name in _NAMING if name in columns and columns[name][0] not in item]
    advice = f"Look at each {splitting[0]} by itself (--by {splitting[0]})" if splitting else "Keep one rating of each"
    more = f", or name the item by more columns: item={[*item, *extra[:1]]}" if extra else ""
    raise RatingsError(
        f"{counted(number, 'time')} the same rater rated an item more than once. {advice}{more}.",
        [Problem(f"{rater} rated {first} more than once", file=source or None)],
    )
