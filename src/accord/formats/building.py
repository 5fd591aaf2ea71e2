"""From collected rows to ratings: the columns put side by side and handed to the ratings room."""

from collections.abc import Mapping, Sequence
from typing import Any

from accord.design.scale import Value
from accord.formats.options import ReadOptions
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook
from accord.ratings.table import Factor, Ratings

__all__ = ["ratings_of"]


def ratings_of(
    rows: Sequence[Mapping[str, Value | None]],
    source: str,
    options: ReadOptions,
    *,
    lines: Sequence[int] | None = None,
    notes: Sequence[str] = (),
    texts: Mapping[str, Factor] | None = None,
    codebook: Codebook | None = None,
) -> Ratings:
    """Ratings of rows that share no fixed set of columns; a column that is empty throughout is left out.

    Tools say explicitly where an answer is missing, so a label «none» is a label here.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    columns: dict[str, list[Any]] = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        if name in ("item", "rater", "value") or any(cell not in (None, "") for cell in cells):
            columns[name] = cells if name == "value" else ["" if cell is None else cell for cell in cells]
    for quantity in ("time_s", "order"):
        if quantity in columns:
            columns[quantity] = [row.get(quantity) for row in rows]
    return build_ratings(
        {**columns, **(texts or {})},
        **(options.building | {"codebook": codebook, "missing": ("", *(options.missing or ()))}),
        source=source,
        row_numbers=lines,
        notes=notes,
    )
