"""Ratings that stay where they lie (files, a cluster): only counts come to us."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from typing import Any, Protocol

import numpy as np

from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError, OptionError, Problem, RatingsError
from accord.ratings.coding import MISSING_TOKENS, spelled_cell
from accord.ratings.counting import distinct
from accord.ratings.counts import (
    DocumentCounts,
    Facts,
    Integers,
    ItemMoments,
    ItemValueCounts,
    PairTables,
    Patterns,
    RaterMarginals,
)
from accord.ratings.mapping import ColumnMap
from accord.ratings.overview import MOST_LISTED, Overview
from accord.ratings.selection import Selection
from accord.ratings.sql import Statements, identifier, literal

__all__ = ["Engine", "Progress", "RowsElsewhereError", "StoredGroup", "StoredRatings"]

Progress = Callable[[int, int], None]
MOST_CELLS = 200_000_000
"""Counts are fetched while patterns x values stay below this; beyond it items hardly repeat."""
LOOKED_AT = 100_000
"""In about this many items the same rater twice on one item is looked for."""
MOST_PATTERN_RATERS = 32
MOST_PAIR_RATERS = 200
_PIVOTED = 64
_SPLITTING = ("phase", "scenario", "condition", "role")
_NAMING = ("system", "document", "segment")
_ROWS = frozenset({"item", "rater", "value", "scores", "labels", "numbers", "factor", "only", "where", "with_scale"})


class RowsElsewhereError(OptionError, AttributeError):
    """Asked of stored ratings: something that only ratings in memory have."""


class Engine(Protocol):
    """What runs the statements: DuckDB in this process, or a Spark cluster."""

    name: str
    table: str

    def run(self, statements: Sequence[str], progress: Progress | None = None) -> Iterator[Mapping[str, Any]]: ...
    def buckets(self, items: int, columns: int) -> int: ...
    def in_bucket(self, item: str, bucket: int, buckets: int) -> str: ...


@dataclass(frozen=True)
class StoredRatings:
    """Ratings on disk or on a cluster as a source of counts.

    Everything is counted when first asked for. Value counts, moments and marginals are always to be
    had; who-said-what patterns only for pools of up to 32 raters, tables of pairs up to 200, as those
    of larger pools hardly compress.
    """

    engine: Engine
    columns: ColumnMap
    level: Level | None = None
    declared: Scale | None = None
    scales: Mapping[str, Scale] = field(default_factory=dict)
    separator: str | None = None
    source: str = ""
    notes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    progress: Progress | None = None

    def __getattr__(self, name: str) -> Any:
        if name in _ROWS:
            raise RowsElsewhereError(
                f"{self.source or 'These ratings'} are counted where they lie, by {self.engine.name}; this needs "
                "their rows. Read them into memory with engine='memory', or a part of them from a smaller file."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __len__(self) -> int:
        return self.overview.ratings

    @cached_property
    def statements(self) -> Statements:
        item, rater, value = (self._expression(role) for role in ("item", "rater", "value"))
        return Statements(self.engine.table, item, rater, value, self.conditions)

    def _expression(self, role: str) -> str:
        parts = [identifier(name) for name in self.columns.columns[role]]
        if len(parts) == 1:
            return parts[0]
        return f"CONCAT_WS('|', {', '.join(f'CAST({part} AS VARCHAR)' for part in parts)})"

    def _one(self, statement: str) -> Mapping[str, Any]:
        return next(iter(self.engine.run([statement], self.progress)))

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {name: int(column[0]) for name, column in self._one(self.statements.sizes()).items()}

    @cached_property
    def overview(self) -> Overview:
        """Raters, values and marginals of all ratings: one pass over the two columns."""
        if self._sizes["distinct_values"] <= MOST_LISTED:
            fetched = self._one(self.statements.overview())
            return Overview.of(fetched, self.declared, self.level, self.separator, self.source)
        fetched = self._one(self.statements.ends(self.statements.score, sorted(MISSING_TOKENS)))
        return Overview.of_ends(fetched, self.declared, self.level, self.source)

    @cached_property
    def counted(self) -> Overview:
        """The same of the ratings that count between raters: no practice, no controls, first occasions only."""
        if not self._selection:
            return self.overview
        if self.overview.raws:
            return self.overview.recounted(self._one(self._rated.overview()))
        return self.overview.recounted_ends(self._one(self._rated.ends(self._rated.score, sorted(MISSING_TOKENS))))

    @cached_property
    def _selection(self) -> Selection:
        found = {
            role: _cells(self._one(self.statements.names(self._expression(role)))["name"])
            for role in ("role", "occasion") if role in self.columns.columns
        }  # fmt: skip
        return Selection.of(found, self._expression)

    @property
    def scale(self) -> Scale:
        return self.overview.scale

    def rater_names(self) -> tuple[str, ...]:
        return self.counted.rater_names

    def marginals(self) -> RaterMarginals:
        return RaterMarginals(self.counted.marginals)

    def facts(self) -> Facts:
        return self._facts

    @cached_property
    def _facts(self) -> Facts:
        if self._is_pivoted:
            counts = self.item_values()
            per_item, multiplicity = counts.counts.sum(axis=1), counts.multiplicity
        else:
            moments = self.moments()
            per_item, multiplicity = moments.ratings, moments.multiplicity
        items, raters = int(multiplicity.sum()), len(self.rater_names())
        ratings = int(per_item @ multiplicity)
        return Facts(
            scale=self.scale,
            items=items,
            raters=raters,
            ratings=ratings,
            complete=ratings == items * raters,
            pairable=int(multiplicity[per_item >= 2].sum()),
        )

    @property
    def _is_pivoted(self) -> bool:
        return bool(self.scale.values) and (len(self.scale) <= _PIVOTED or not self.scale.is_numeric)

    @cached_property
    def _rated(self) -> Statements:
        """Only rows that count between raters."""
        return self._selection.selected(self._valued)

    @cached_property
    def _valued(self) -> Statements:
        """Only rows with a value."""
        value = self.statements.value
        if not self.overview.raws:
            return self.statements.narrowed(f"{self.statements.score} IS NOT NULL")
        if self.overview.only_values:
            return self.statements.narrowed(f"{value} IS NOT NULL")
        raws = [raw for same in self.overview.raws for raw in same]
        return self.statements.narrowed(f"{value} IN ({', '.join(map(literal, raws))})")

    def _in_buckets(
        self, write: Callable[[Statements], str], columns: int, rated: Statements | None = None
    ) -> Iterator[Mapping[str, Any]]:
        """Run a statement over all items, in as many buckets of items as memory asks for."""
        rated = rated or self._rated
        buckets = self.engine.buckets(self._sizes["items"], columns)
        if buckets == 1:
            yield from self.engine.run([write(rated)], self.progress)
            return
        parts = [rated.narrowed(self.engine.in_bucket(rated.item, bucket, buckets)) for bucket in range(buckets)]
        yield from self.engine.run([write(part) for part in parts], self.progress)

    def item_values(self) -> ItemValueCounts:
        return self._item_values

    @cached_property
    def _item_values(self) -> ItemValueCounts:
        raws = self._listed_raws("Counts of each value an item")
        parts = list(self._in_buckets(lambda statements: statements.item_values(raws), len(raws)))
        names = [f"v{code}" for code in range(len(raws))]
        return ItemValueCounts(*distinct(*_stacked(parts, names)))

    @property
    def has_patterns(self) -> bool:
        """Whether the pool is small enough for patterns of who said what."""
        return len(self.rater_names()) <= MOST_PATTERN_RATERS

    def patterns(self) -> Patterns:
        return self._patterns

    @cached_property
    def _patterns(self) -> Patterns:
        raters = self.counted.rater_raws
        if len(raters) > MOST_PATTERN_RATERS:
            raise NotEnoughDataError(
                f"{len(raters):,} raters share too few items for patterns of who said what "
                f"(at most {MOST_PATTERN_RATERS} raters). Choose coefficients that do not tell raters apart, "
                "such as krippendorff_alpha."
            )
        raws = self._listed_raws("Patterns of who said what")
        parts = list(self._in_buckets(lambda statements: statements.patterns(raters, raws), len(raters)))
        codes, multiplicity = _stacked(parts, [f"r{place}" for place in range(len(raters))])
        if int((codes >= 0).sum(axis=1) @ multiplicity) < self.counted.ratings:
            self.require_no_repeats()
        rows, multiplicity = distinct(codes + 1, multiplicity)
        return Patterns((rows - 1).astype(np.int32), multiplicity)

    def by_document(self, *, named: bool = True) -> DocumentCounts | None:
        """The counts of each document; None where no column names documents."""
        if "document" not in self.columns.columns:
            return None
        raws, raters = self._listed_raws("Counts by document"), self.counted.rater_raws
        rated = self._selection.selected(replace(self._valued, cluster=self._expression("document")))
        columns = [f"r{place}" for place in range(len(raters))] if named else [f"v{code}" for code in range(len(raws))]

        def write(statements: Statements) -> str:
            return statements.patterns(raters, raws) if named else statements.item_values(raws)

        parts = list(self._in_buckets(write, len(columns) + 4, rated))
        rows, multiplicity = _stacked(parts, columns)
        names = ["" if raw is None else spelled_cell(raw) for part in parts for raw in _cells(part["cluster"])]
        known = {name: number for number, name in enumerate(sorted(set(names) - {""}))}
        documents = np.array([known.get(name, -1) for name in names], dtype=np.int64)
        # In order, so that the same seed draws the same documents whoever counted.
        keyed, multiplicity = distinct(np.column_stack((documents, rows)) + 1, multiplicity)
        return DocumentCounts(keyed[:, 1:] - 1, multiplicity, keyed[:, 0] - 1, named)

    def moments(self) -> ItemMoments:
        return self._moments

    @cached_property
    def _moments(self) -> ItemMoments:
        if self._is_pivoted:
            return _moments_of(self.item_values(), np.array(self.scale.numbers))
        parts = list(self._in_buckets(lambda statements: statements.moments(self._score_of_listed), 3))
        columns = [np.concatenate([_floats(part[name]) for part in parts]) for name in ("ratings", "total", "squares")]
        multiplicity = np.concatenate([_integers(part["multiplicity"]) for part in parts])
        return _moments_once(columns, multiplicity)

    @property
    def _score_of_listed(self) -> str:
        """The score of a row; looked up where a listed raw value is not simply its own number."""
        raws, numbers = self.overview.raws, self.scale.numbers
        if all(len(same) == 1 and _is_own_number(same[0], number) for same, number in zip(raws, numbers, strict=True)):
            return self._rated.score
        cases = " ".join(
            f"WHEN {self._rated.value} IN ({', '.join(map(literal, same))}) THEN {literal(number)}"
            for same, number in zip(raws, numbers, strict=True) if same
        )  # fmt: skip
        return f"CASE {cases} END"

    def pairs(self) -> PairTables:
        return self._pairs

    @cached_property
    def _pairs(self) -> PairTables:
        names = self.rater_names()
        if len(names) > MOST_PAIR_RATERS:
            raise NotEnoughDataError(
                f"{len(names):,} raters make {len(names) * (len(names) - 1) // 2:,} tables of pairs, most of them "
                f"nearly empty (at most {MOST_PAIR_RATERS} raters). Choose coefficients for many raters, "
                "such as conger_kappa, fleiss_kappa or krippendorff_alpha."
            )
        raws = self._listed_raws("Tables of pairs")
        values = len(raws)
        tables = np.zeros((len(names), len(names), values, values), dtype=np.int64)
        for part in self._in_buckets(lambda statements: statements.pairs(raws), 4 * len(names)):
            self.counted.add_pairs(part, tables)
        first, second = np.triu_indices(len(names), 1)
        upper = tables[first, second]
        shared = upper.any(axis=(1, 2))
        return PairTables(np.stack((first, second), axis=1)[shared].astype(np.int64), upper[shared])

    def _listed_raws(self, what: str) -> list[list[Any]]:
        if not self.scale.values:
            raise NotEnoughDataError(
                f"{what} need a scale of up to {MOST_LISTED:,} different values; here are more. "
                "Choose coefficients for interval data, such as icc_1 or krippendorff_alpha."
            )
        return self.overview.raws

    def require_no_repeats(self) -> None:
        """Refuse ratings in which one rater rated one item more than once; a pass over all items and raters."""
        rated, keys = self._selection.without_controls(self._valued), self._selection.ranks
        buckets = self.engine.buckets(self._sizes["items"], 8)
        parts = [rated.narrowed(self.engine.in_bucket(rated.item, place, buckets)) for place in range(buckets)]
        self._refuse_repeats(list(self.engine.run([part.repeats(*keys) for part in parts], self.progress)))

    def look_for_repeats(self) -> None:
        """The same in a part of the items: what repeats by mistake repeats everywhere."""
        rated = self._selection.without_controls(self._valued).sampled(self._sizes["items"] // LOOKED_AT + 1)
        self._refuse_repeats([self._one(rated.repeats(*self._selection.ranks))])

    def _refuse_repeats(self, parts: Sequence[Mapping[str, Any]]) -> None:
        found = [part for part in parts if int(_integers(part["n"])[0])]
        if not found:
            return
        number = sum(int(_integers(part["n"])[0]) for part in found)
        rater, item = (spelled_cell(_cells(found[0][name])[0]) for name in ("rater", "item"))
        used = self.columns.columns["item"]
        columns = [name for name in _SPLITTING if name in self.columns.columns]
        parts_of_item = [self.columns.columns[name][0] for name in _NAMING if name in self.columns.columns]
        advice = f"Look at each {columns[0]} by itself (--by {columns[0]})" if columns else "Keep one rating of each"
        extra = [name for name in parts_of_item if name not in used]
        joined = f", or name the item by more columns: item={[*used, *extra[:1]]}" if extra else ""
        raise RatingsError(
            f"{number:,} times the same rater rated an item more than once. {advice}{joined}.",
            [Problem(f"{rater} rated {item} more than once", file=self.source or None)],
        )

    @property
    def missing(self) -> int:
        return self.overview.missing

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the counts: the same for the same ratings on any engine, in any order of rows."""
        moments, marginals = self.moments(), self.marginals().counts
        digest = hashlib.sha256(repr((self.rater_names(), list(map(spelled_cell, self.scale.values)))).encode())
        for array in (moments.ratings, moments.total, moments.squares, moments.multiplicity, marginals):
            digest.update(np.ascontiguousarray(array).tobytes())
        if self._is_pivoted:
            digest.update(np.ascontiguousarray(self.item_values().counts).tobytes())
        return "counts-" + digest.hexdigest()[:16]

    def split(self, by: Sequence[str] = ()) -> Iterator["StoredGroup"]:
        """One group for each combination of names; criteria are always split, as their scales differ."""
        columns = [name for name in by if name != "criterion"]
        if "criterion" in self.columns.columns:
            columns = ["criterion", *columns]
        yield from self._split(columns, {})

    def _split(self, columns: Sequence[str], names: dict[str, str]) -> Iterator["StoredGroup"]:
        if not columns:
            yield StoredGroup(names, self)
            return
        role, *others = columns
        expression = self._expression(role) if role in self.columns.columns else identifier(role)
        fetched = self._one(self.statements.names(expression))["name"]
        for raw in sorted(_cells(fetched), key=lambda cell: (cell is None, str(cell))):
            condition = f"{expression} IS NULL" if raw is None else f"{expression} = {literal(raw)}"
            name = "" if raw is None else spelled_cell(raw)
            declared = self.scales.get(name, self.declared) if role == "criterion" else self.declared
            part = replace(self, conditions=(*self.conditions, condition), declared=declared)
            yield from part._split(others, {**names, role: name})


@dataclass(frozen=True, slots=True)
class StoredGroup:
    """A part of stored ratings, and the names it was split by."""

    by: Mapping[str, str]
    ratings: StoredRatings

    @property
    def title(self) -> str:
        return ", ".join(f"{column} {name}" for column, name in self.by.items()) or "all ratings"


def _is_own_number(raw: Any, number: float) -> bool:
    try:
        return float(raw) == number
    except (TypeError, ValueError):
        return False


def _integers(column: Any) -> Integers:
    return np.asarray(column, dtype=np.int64)


def _floats(column: Any) -> Any:
    return np.ma.filled(np.ma.asarray(column, dtype=np.float64), nan)


def _cells(column: Any) -> list[Any]:
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def _stacked(parts: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[Integers, Integers]:
    """The counts of all buckets under each other, refused where they would not fit."""
    rows = sum(len(part["multiplicity"]) for part in parts)
    if rows * len(names) > MOST_CELLS:
        raise NotEnoughDataError(
            f"The items fall into {rows:,} patterns of {len(names)} counts: they hardly repeat, so counting saves "
            "nothing. Choose coefficients for interval data, which need three sums an item only."
        )
    stacked = [np.stack([_integers(part[name]) for name in names], axis=1) for part in parts]
    return np.concatenate(stacked), np.concatenate([_integers(part["multiplicity"]) for part in parts])


def _moments_of(table: ItemValueCounts, numbers: Any) -> ItemMoments:
    """Moments follow from the value counts: no second pass over the data."""
    columns = [table.counts.sum(axis=1), table.counts @ numbers, table.counts @ (numbers * numbers)]
    return _moments_once([np.asarray(column, dtype=np.float64) for column in columns], table.multiplicity)


def _moments_once(columns: Sequence[Any], multiplicity: Integers) -> ItemMoments:
    order = np.lexsort(columns[::-1])
    sorted_columns = [column[order] for column in columns]
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in sorted_columns], axis=0)
    starts = np.flatnonzero(new)
    ratings, total, squares = (column[starts] for column in sorted_columns)
    return ItemMoments(ratings.astype(np.int64), total, squares, np.add.reduceat(multiplicity[order], starts))
