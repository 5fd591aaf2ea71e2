"""The texts of items: columns of the ratings named in the codebook, and by item for formats that hold them once."""

from collections.abc import Mapping, Sequence

from accord.ratings.table import Factor, Ratings
from accord.records import dataclass

__all__ = ["TEXT_COLUMNS", "Texts", "text_factors", "text_sides", "texts_of"]

TEXT_COLUMNS = ("source", "target")
"""What readers of other tools' files call the columns of texts."""
_SOURCES = frozenset({"source", "src", "source_text", "source_segment", "prompt", "article"})
_TARGETS = frozenset({
    "target", "tgt", "target_text", "target_segment", "text", "hypothesis", "hyp", "translation", "output", "mt",
    "summary",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one item, as the file holds them."""

    source: str = ""
    target: str = ""


def text_factors(items: Sequence[str], texts: Mapping[str, Texts]) -> dict[str, Factor]:
    """A column for each side that any item has, row by row of these items; every character is kept."""
    empty = Texts()
    found = [texts.get(item, empty) for item in items]
    sides = {side: [getattr(one, side) for one in found] for side in TEXT_COLUMNS}
    return {side: Factor.of(cells) for side, cells in sides.items() if any(cells)}


def text_sides(ratings: Ratings) -> tuple[str | None, str | None]:
    """The columns that hold source and target, among those that the codebook calls texts."""
    named = [name for name in ratings.codebook.item.texts if name in ratings.columns]
    source, target = (
        next((name for name in named if name.casefold() in known), None) for known in (_SOURCES, _TARGETS)
    )
    return source, target


def texts_of(ratings: Ratings) -> dict[str, Texts]:
    """Source and target of each item, from the columns that the codebook calls texts."""
    sides = text_sides(ratings)
    if sides == (None, None):
        return {}
    cells = [[""] * len(ratings) if name is None else ratings.columns[name].labels() for name in sides]
    texts: dict[str, Texts] = {}
    for item, source, target in zip(ratings.item.labels(), *cells, strict=True):
        if item not in texts and (source or target):
            texts[item] = Texts(source, target)
    return texts
