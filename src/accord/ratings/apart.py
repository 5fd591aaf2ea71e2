"""What is kept apart: parts whose ratings are never paired with each other unless somebody asks for it by name."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct, distinct_rows
from accord.design.nearest import did_you_mean
from accord.errors import ColumnError
from accord.ratings.codebook import Codebook
from accord.ratings.fetched import cells
from accord.ratings.kinds import KIND, MODEL, kind_named, tells_kinds
from accord.ratings.pooled_units import items_in_several
from accord.ratings.repeats import row_keys
from accord.ratings.roles import other_rows
from accord.ratings.sql import identifier
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.words import counted, listed

__all__ = [
    "ROUNDS",
    "kept_apart",
    "kept_apart_within",
    "models_left_out",
    "note_of_parts",
    "people_of",
    "pooled",
    "words_of",
]

ROUNDS = ("phase", "round", "guideline")
"""Columns whose conditions follow one another in time."""
_Rated = TypeVar("_Rated", bound=Ratings | StoredRatings)


def kept_apart(ratings: Ratings | StoredRatings, by: Sequence[str] = ()) -> tuple[str, ...]:
    """The columns that the codebook keeps apart and that part the ordinary ratings.

    Columns in ``by`` part them already. A column that adds no part, such as the guideline of each phase, is left out.
    """
    codebook, present = _declared(ratings)
    asked = [name for name in codebook.kept_apart if name in present and name not in by and _parts(ratings, name)]
    if not asked:
        return ()
    # Whoever splits says what column there is not.
    chosen = [name for name in by if name in ("item", "rater") or (name != "criterion" and name in present)]
    known = len(chosen)
    parts = _combinations(ratings, chosen)
    for name in asked:
        more = _combinations(ratings, [*chosen, name])
        if more > parts:
            chosen, parts = [*chosen, name], more
    return tuple(chosen[known:])


def _parts(ratings: Ratings | StoredRatings, name: str) -> bool:
    """Whether a column may keep ratings apart: a column «kind» does only where it tells models from people."""
    if name != KIND:
        return True
    if isinstance(ratings, StoredRatings):
        own = ratings.columns.columns.get(name, (name,))[0]
        found = ratings.of_ordinary(lambda some: some.names(f"CAST({identifier(own)} AS VARCHAR)"))["name"]
        return tells_kinds(map(str, cells(found)))
    names = ratings.columns[name].names
    # A word that was understood and stands there unchanged tells texts apart, not raters.
    return tells_kinds(names) and all(kind_named(word) in ("", word) for word in names)


def people_of(ratings: Ratings) -> tuple[Ratings, tuple[str, ...]]:
    """Where people and models rated, the ratings of people, and a line that says so; else all of them.

    A score is a mean over raters, and a model is never one of them unless somebody pools kinds by name.
    """
    kind = ratings.columns.get(KIND)
    if kind is None or KIND not in ratings.codebook.kept_apart or MODEL not in kind.names:
        return ratings, ()
    own = kind.codes == kind.names.index(MODEL)
    if not own.any() or own.all():
        return ratings, ()
    names = [ratings.rater.names[code] for code in distinct(ratings.rater.codes[own]).tolist() if code >= 0]
    return ratings.where(~own), (models_left_out(int(own.sum()), names),)


def models_left_out(count: int, names: Sequence[str]) -> str:
    """What is said where models rated beside people and a number is that of people."""
    who = listed(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return (
        f"{count:,} ratings of models ({who}) are left out: they are not pooled with people; "
        "accord judge says what they are worth"
    )


def kept_apart_within(ratings: Ratings, column: str) -> tuple[str, ...]:
    """The columns kept apart where the conditions of ``column`` are compared.

    A column whose every name goes with one condition only, such as the guideline of each round, is what is compared
    and not kept apart from it.
    """
    conditions = ratings.columns[column].codes
    found = []
    for name in kept_apart(ratings, (column,)):
        pairs = distinct_rows([ratings.columns[name].codes, conditions])
        pairs = pairs[(pairs >= 0).all(axis=1)]
        if len(pairs) and np.bincount(pairs[:, 0]).max() > 1:
            found.append(name)
    return tuple(found)


def pooled(ratings: _Rated, columns: Iterable[str] | str) -> _Rated:
    """The same ratings with the parts of these columns put together, because somebody asked for it; said in a note."""
    asked = (columns,) if isinstance(columns, str) else tuple(columns)
    if not asked:
        return ratings
    book, present = _declared(ratings)
    for column in asked:
        if column not in present:
            raise ColumnError(f"There is no column {column!r} to pool over{did_you_mean(column, present)}")
    there = [column for column in asked if column in kept_apart(ratings)]
    book = replace(book, kept_apart=tuple(name for name in book.kept_apart if name not in asked))
    if isinstance(ratings, StoredRatings):
        notes = (*ratings.notes, *((f"{_as_asked(there)}: their ratings are paired",) if there else ()))
        return replace(ratings, asked=replace(ratings.asked, codebook=book), notes=notes)
    assert isinstance(ratings, Ratings)  # noqa: S101
    made = replace(ratings, codebook=book, pooled=(*ratings.pooled, *there))
    return replace(made, notes=(*ratings.notes, *((f"{_as_asked(there)}: {_units(made)}",) if there else ())))


def _as_asked(columns: Sequence[str]) -> str:
    return f"pooled over {words_of(columns)}, as asked"


def _units(ratings: Ratings) -> str:
    """What is paired: items that one rater rated in several parts stay apart, as a rater is not paired with himself."""
    several = items_in_several(ratings)
    if not several.any():
        return "their ratings are paired"
    apart = int(several.sum())
    others = len(distinct(_ordinary_items(ratings))) - apart
    told = f"{counted(apart, 'item counts', 'items count')} once in each, rated in several by the same rater"
    rest = f"ratings of the other {counted(others, 'item')} are paired" if others else "chance is that of all together"
    return f"{told}; {rest}"


def _ordinary_items(ratings: Ratings) -> NDArray[np.int32]:
    others = other_rows(ratings)
    return ratings.item.codes if others is None else ratings.item.codes[~others]


def note_of_parts(columns: Sequence[str]) -> tuple[str, ...]:
    """What was kept apart, in words, and how to pool it."""
    options = " ".join(f"--pool {column}" for column in columns)
    return (f"agreement is computed within each {words_of(columns)}; {options} would pool them",)


def _declared(ratings: Ratings | StoredRatings) -> tuple[Codebook, Iterable[str]]:
    """The codebook, of stored ratings without a look at the values, and the columns."""
    if isinstance(ratings, StoredRatings):
        return ratings.asked.codebook, ratings.columns.columns
    return ratings.codebook, ratings.columns


def words_of(columns: Sequence[str]) -> str:
    """Columns as they stand in a sentence: ``scenario and language pair``."""
    return listed([column.replace("_", " ") for column in columns])


def _combinations(ratings: Ratings | StoredRatings, columns: Sequence[str]) -> int:
    """How many combinations of names ordinary ratings have in these columns; an empty cell is a name of its own."""
    if not columns:
        return 1
    if isinstance(ratings, StoredRatings):
        own = [part for name in columns for part in ratings.columns.columns.get(name, (name,))]
        names = [f"COALESCE(CAST({identifier(name)} AS VARCHAR), '')" for name in own]
        together = names[0] if len(names) == 1 else f"CONCAT_WS('|', {', '.join(names)})"
        return len(cells(ratings.of_ordinary(lambda some: some.names(together))["name"]))
    codes = [ratings.factor(name) for name in columns]
    others = other_rows(ratings)
    if others is not None:
        codes = [factor[~others] for factor in codes]
    if len(codes) == 1:
        return len(distinct(codes[0].codes))
    return len(distinct(row_keys(codes)[0]))
