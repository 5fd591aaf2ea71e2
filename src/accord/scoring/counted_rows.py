"""Which rows of a list say something of systems, by the rule of every table of ratings.

What checks a rater and what was given again is left out, and rounds are told apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from accord.design.scale import Level, Scale
from accord.ratings.apart import pooled
from accord.ratings.codebook import KEPT_APART, Codebook
from accord.ratings.data_package import read_codebook
from accord.ratings.factor import Factor
from accord.ratings.kinds import KIND
from accord.ratings.roles import role_named
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.ranking.segments import averaged_over, without_controls
from accord.scoring.sheet import Row, Sheet

__all__ = ["TELLING", "CountedRows", "codebook_beside", "counted_rows", "telling_role"]

_APART = tuple(name for name in KEPT_APART if name != KIND)
TELLING = ("role", "occasion", *_APART)
"""Columns that tell judgements of one item by one rater apart: a reader of lists asks for them."""
_CONTROL_MARKS = {"#bad": "degraded", "#ref": "reference", "#attention": "attention"}
"""How the items of control copies end in exported and simulated ratings, and their role."""
_NAMING = ("item", "rater", "system", "document")


@dataclass(frozen=True, slots=True)
class CountedRows:
    """The rows that count, one rating for each judgement that they tell of, and what was left out, in words."""

    rows: tuple[Row, ...]
    ratings: Ratings
    told: tuple[str, ...]
    apart: tuple[str, ...] = ()
    """The columns that keep these judgements apart, unless somebody asked to put their parts together."""

    def averaged_over(self) -> tuple[str, ...]:
        """What scores are means over though it keeps agreement apart."""
        return averaged_over(self.ratings, ("system",), "scores")


def _item_of(row: Row) -> str:
    return row.text("item")


def counted_rows(
    sheet: Sheet,
    *,
    book: Codebook,
    pool: Sequence[str] = (),
    item: Callable[[Row], str] = _item_of,
    is_merged: bool = False,
) -> CountedRows:
    """The rows of a sheet that count; where ``is_merged`` several are one judgement, as the errors of a segment are.

    ``book`` says what is kept apart, ``pool`` the columns whose parts are one judgement because somebody asked for it,
    and ``item`` what a row judges. Where no column names items or raters, only roles tell what was given again.
    """
    known = dict.fromkeys((*_NAMING, "occasion", *_APART, *book.kept_apart))
    columns = [name for name in known if name in sheet.columns and name not in ("role", KIND)]
    if not {"item", "rater"} <= set(columns) and "occasion" in columns:
        columns.remove("occasion")
    cells = [_cell(row, columns, item) for row in sheet.rows]
    place = {cell: number for number, cell in enumerate(dict.fromkeys(cells))}
    of_row = [place[cell] for cell in cells] if is_merged else range(len(cells))
    cells = list(place) if is_merged else cells
    judged = pooled(_as_ratings(cells, (*columns, "role"), book), pool)
    kept, told = without_controls(judged)
    counts = np.zeros(len(cells), dtype=bool)
    counts[kept.numbers["judgement"].astype(np.intp)] = True
    rows = tuple(row for row, cell in zip(sheet.rows, of_row, strict=True) if counts[cell])
    parting = [name for name in judged.codebook.kept_apart if name in columns]
    apart = tuple(name for name in parting if len({row.text(name) for row in rows}) > 1)
    return CountedRows(rows, kept, told, apart)


def codebook_beside(path: str | Path) -> Codebook:
    """What the Data Package beside a list says; the usual where there is none."""
    found = read_codebook(path)
    return Codebook() if found is None else found.codebook


def telling_role(row: Row) -> str:
    """The role of a row as every table of ratings has it; '' is an ordinary one."""
    return role_named(row.text("role") or _role_of_copy(row.text("item")))


def _cell(row: Row, columns: Sequence[str], item: Callable[[Row], str]) -> tuple[str, ...]:
    cells = (item(row) if name == "item" else row.text(name) for name in columns)
    return *cells, row.text("role") or _role_of_copy(row.text("item"))


def _role_of_copy(item: str) -> str:
    return next((role for mark, role in _CONTROL_MARKS.items() if item.endswith(mark)), "")


def _as_ratings(cells: Sequence[tuple[str, ...]], columns: Sequence[str], book: Codebook) -> Ratings:
    """The judgements as ratings, whose values nobody looks at."""
    factors = {name: Factor.of([cell[place] for cell in cells]) for place, name in enumerate(columns)}
    nameless = Factor(np.full(len(cells), -1, dtype=np.int32), ())
    item, rater = (factors.pop(name, nameless) for name in ("item", "rater"))
    return Ratings(
        item=item,
        rater=rater,
        value=np.zeros(len(cells), dtype=np.int32),
        scale=Scale(Level.INTERVAL, (0.0,)),
        columns=factors,
        numbers={"judgement": np.arange(len(cells), dtype=np.float64)},
        codebook=replace(book, criteria={}),
    )
