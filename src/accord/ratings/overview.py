"""What one pass over raters and values tells of stored ratings: names, scale and marginals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.arrays import Integers
from accord.design.scale import Level, Scale
from accord.errors import OptionError, Problem, RatingsError
from accord.ratings.coding import spelled_cell
from accord.ratings.guessing import level_of_many
from accord.ratings.names import in_order
from accord.ratings.resolve import Resolved, missing_in_words, resolve_values
from accord.records import dataclass
from accord.words import counted

__all__ = ["MOST_LISTED", "Overview", "distinct_values"]

MOST_LISTED = 10_000
"""Scales of up to this many different values are listed; beyond it only their ends are kept."""


@dataclass(frozen=True)
class Overview:
    """Rater names, the scale, and how often each rater gave each value.

    ``rater_raws[r]`` and ``raws[v]`` are the raw cells that stand for a rater and for a value.
    ``only_values`` says that every cell that is not null is a value.
    """

    rater_names: tuple[str, ...]
    rater_raws: list[list[Any]]
    scale: Scale
    raws: list[list[Any]]
    marginals: Integers
    ratings: int
    missing: int
    only_values: bool
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls, fetched: Mapping[str, Any], declared: Scale | None, level: Level | None, separator: str | None, source: str
    ) -> "Overview":
        """From a row for each rater and raw value, where the values can be listed."""
        raters, values = cells(fetched["rater"]), cells(fetched["value"])
        counts = np.asarray(fetched["n"], dtype=np.int64)
        distinct = list(dict.fromkeys(value for value in values if value is not None))
        resolved = resolve_values(distinct, declared=declared, level=level, separator=separator)
        meaning = dict(zip(distinct, resolved.values, strict=True))
        _raise_problems(resolved, distinct, values, counts, source)
        rated = np.array([value is not None and meaning[value] is not None for value in values], dtype=bool)
        _raise_unnamed(raters, np.where(rated, counts, 0), np.where(rated, fetched["unnamed"], 0), source)
        names, rater_raws = _named([raters[row] for row in np.flatnonzero(rated)])
        code = {value: number for number, value in enumerate(resolved.scale.values)}
        place = {raw: rater for rater, raws in enumerate(rater_raws) for raw in raws}
        marginals = np.zeros((len(names), len(code)), dtype=np.int64)
        rows = np.flatnonzero(rated).tolist()
        where = [place[raters[row]] for row in rows], [code[meaning[values[row]]] for row in rows]
        np.add.at(marginals, where, counts[rated])
        null_only = all(
            cell is None for cell, value in zip(_list(fetched["value"]), values, strict=True) if value is None
        )
        missing = int(counts[~rated].sum())
        empty = (spelled_cell(value) for value in distinct if meaning[value] is None)
        told = (missing_in_words(missing, empty),) if missing else ()
        return cls(
            rater_names=names, rater_raws=rater_raws, scale=resolved.scale, raws=_value_raws(distinct, meaning, code),
            marginals=marginals, ratings=int(counts[rated].sum()), missing=missing,
            only_values=null_only and all(meaning[value] is not None for value in distinct),
            notes=(*resolved.scale.guesses, *resolved.notes, *told),
        )  # fmt: skip

    @classmethod
    def of_ends(
        cls, fetched: Mapping[str, Any], declared: Scale | None, level: Level | None, source: str
    ) -> "Overview":
        """From a row for each rater with its lowest and highest score, where the values are too many to list."""
        raters = cells(fetched["rater"])
        counts, seen = (np.asarray(fetched[name], dtype=np.int64) for name in ("n", "seen"))
        if odd := int(np.asarray(fetched["odd"], dtype=np.int64).sum()):
            raise RatingsError(f"{source}: {odd:,} values are neither numbers nor missing, and too different to list.")
        _raise_unnamed(raters, counts, np.asarray(fetched["unnamed"], dtype=np.int64), source)
        rows = np.flatnonzero(counts).tolist()
        names, rater_raws = _named([raters[row] for row in rows])
        low = min(float(fetched["low"][row]) for row in rows)
        high = max(float(fetched["high"][row]) for row in rows)
        missing = int((seen - counts).sum())
        return cls(
            rater_names=names, rater_raws=rater_raws, scale=_ends_only(low, high, declared, level), raws=[],
            marginals=np.zeros((len(names), 0), dtype=np.int64), ratings=int(counts.sum()),
            missing=missing, only_values=False, notes=(missing_in_words(missing, ()),) if missing else (),
        )  # fmt: skip

    def recounted(self, fetched: Mapping[str, Any]) -> "Overview":
        """The same scale with the raters, marginals and ratings of fewer rows, all of which have a value."""
        raters, values = cells(fetched["rater"]), cells(fetched["value"])
        counts = np.asarray(fetched["n"], dtype=np.int64)
        names, rater_raws = _named(raters)
        code = {raw: number for number, same in enumerate(self.raws) for raw in same}
        place = {raw: rater for rater, same in enumerate(rater_raws) for raw in same}
        marginals = np.zeros((len(names), len(self.raws)), dtype=np.int64)
        np.add.at(marginals, ([place[raw] for raw in raters], [code[raw] for raw in values]), counts)
        return replace(self, rater_names=names, rater_raws=rater_raws, marginals=marginals, ratings=int(counts.sum()))

    def recounted_ends(self, fetched: Mapping[str, Any]) -> "Overview":
        """The same where the values are too many to list."""
        counts = np.asarray(fetched["n"], dtype=np.int64)
        names, rater_raws = _named(cells(fetched["rater"]))
        marginals = np.zeros((len(names), 0), dtype=np.int64)
        return replace(self, rater_names=names, rater_raws=rater_raws, marginals=marginals, ratings=int(counts.sum()))

    def add_pairs(self, part: Mapping[str, Any], tables: Integers) -> None:
        """Add counts of pairs of raters to (raters, raters, values, values), the lower rater first."""
        place = {raw: code for code, raws in enumerate(self.rater_raws) for raw in raws}
        first = np.array([place[raw] for raw in cells(part["first"])], dtype=np.int64)
        second = np.array([place[raw] for raw in cells(part["second"])], dtype=np.int64)
        one, other, n = (np.asarray(part[name], dtype=np.int64) for name in ("one", "other", "n"))
        swap = first > second
        first, second = np.where(swap, second, first), np.where(swap, first, second)
        one, other = np.where(swap, other, one), np.where(swap, one, other)
        np.add.at(tables, (first, second, one, other), n)


def distinct_values(fetched: Mapping[str, Any]) -> int:
    """How many different raw values the rows of an overview hold."""
    return len({value for value in cells(fetched["value"]) if value is not None})


def cells(column: Any) -> list[Any]:
    """A fetched column as a list, None where empty."""
    return [None if cell is None or cell != cell else cell for cell in _list(column)]


def _list(column: Any) -> list[Any]:
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def _raise_problems(
    resolved: Resolved, distinct: Sequence[Any], values: Sequence[Any], counts: Integers, source: str
) -> None:
    if not resolved.bad:
        return
    often: dict[Any, int] = {}
    for value, number in zip(values, counts.tolist(), strict=True):
        often[value] = often.get(value, 0) + number
    problems = [
        Problem(f"{why} ({counted(often[distinct[place]], 'rating')})", file=source)
        # An engine gives the values in any order: their own is the same each time.
        for place, why in sorted(resolved.bad.items(), key=lambda one: one[1])
    ]
    raise RatingsError("Some values cannot be read as ratings:", problems)


def _raise_unnamed(raters: Sequence[Any], counts: Any, unnamed: Any, source: str) -> None:
    """``counts`` and ``unnamed``: ratings, and ratings without an item, of each row of the overview."""
    nameless = sum(int(n) for raw, n in zip(raters, counts, strict=True) if raw is None or not spelled_cell(raw))
    problems = []
    if nameless:
        problems.append(Problem(f"the rater is empty in {counted(nameless, 'row')}", file=source))
    if without := int(np.sum(unnamed)):
        problems.append(Problem(f"the item is empty in {counted(without, 'row')}", file=source))
    if problems:
        raise RatingsError("Some rows cannot be read as ratings:", problems)
    if not np.any(counts):
        raise RatingsError("There are no ratings: every value is missing.")


def _named(raws: Sequence[Any]) -> tuple[tuple[str, ...], list[list[Any]]]:
    """Names of raters, in the order that draws follow, and the raw cells that spell each."""
    by_name: dict[str, list[Any]] = {}
    for raw in set(raws):
        by_name.setdefault(spelled_cell(raw), []).append(raw)
    names = in_order(list(by_name))
    return tuple(names), [by_name[name] for name in names]


def _value_raws(distinct: Sequence[Any], meaning: Mapping[Any, Any], code: Mapping[Any, int]) -> list[list[Any]]:
    raws: list[list[Any]] = [[] for _ in code]
    for raw in distinct:
        if meaning[raw] is not None:
            raws[code[meaning[raw]]].append(raw)
    return raws


def _ends_only(low: float, high: float, declared: Scale | None, level: Level | None) -> Scale:
    if declared is not None and declared.values:
        raise RatingsError(f"The declared scale has {len(declared)} values, but more than {MOST_LISTED:,} occur.")
    if declared is not None and not (_or(declared.low, low) <= low <= high <= _or(declared.high, high)):
        raise RatingsError(f"Scores go from {low} to {high}, outside the declared scale.")
    guesses: tuple[str, ...] = declared.guesses if declared is not None else ()
    chosen = declared.level if declared is not None else level
    if chosen is None:
        chosen, words = level_of_many(MOST_LISTED)
        guesses = (words,)
    if not chosen.has_distance:
        raise OptionError(f"The level {chosen} needs a list of values, but more than {MOST_LISTED:,} occur.")
    if declared is not None:
        return replace(declared, any_between=True)
    return Scale(chosen, (), low=low, high=high, guesses=guesses)


def _or(end: float | None, other: float) -> float:
    return other if end is None else end
