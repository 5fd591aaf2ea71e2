"""Ratings that stay where they lie (files, a cluster): only counts come to us."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from accord import sizes
from accord.arrays import Integers, every_pair
from accord.design.criterion import Criterion
from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError
from accord.ratings.asked import Asked
from accord.ratings.codebook import Codebook
from accord.ratings.coding import MISSING_TOKENS, spelled_cell
from accord.ratings.counting import distinct, moments_once, value_counts
from accord.ratings.counts import (
    CountSource,
    DocumentCounts,
    Facts,
    ItemMoments,
    ItemValueCounts,
    PairTables,
    Patterns,
    RaterMarginals,
    RaterParts,
)
from accord.ratings.engine import ONLY_IN_MEMORY, Engine, Progress, RowsElsewhereError
from accord.ratings.fetched import (
    cells,
    floats_of,
    integers,
    integers_of,
    is_own_number,
    moments_of,
    moments_of_patterns,
    stacked,
)
from accord.ratings.fingerprint import hashed_counts
from accord.ratings.mapping import ColumnMap
from accord.ratings.names import in_order
from accord.ratings.overview import MOST_LISTED, Overview, distinct_values
from accord.ratings.packing import MOST_PACKED, unpacked, word_names
from accord.ratings.pair_counting import pair_tables
from accord.ratings.poisson_weights import factors
from accord.ratings.repeats import sign_between
from accord.ratings.selection import Selection
from accord.ratings.sql import Cells, Statements, identifier, literal
from accord.ratings.stored_repeats import refuse_repeats
from accord.ratings.table import Group
from accord.records import dataclass

__all__ = ["LOOKED_AT", "StoredGroup", "StoredRatings"]

LOOKED_AT = 400_000
"""In the items of about this many ratings the same rater twice on one item is looked for."""
_PIVOTED = 64
_GLANCE = 200_000
_MARGINALS = 5_000_000
"""Rows looked at before values are listed, and the most counts of a rater and a value that are fetched."""
_DRAWN_TOGETHER = 100
_DRAWN_CELLS = 20_000_000
"""Replicates that are drawn in one statement, and the cells of its answer."""


@dataclass(frozen=True)
class StoredRatings(CountSource):
    """Ratings on disk or on a cluster as a source of counts.

    Everything is counted when first asked for. Value counts, moments and marginals are always to be had; who-said-what
    patterns only for pools of up to 32 raters, tables of pairs up to 200, as those of larger pools hardly compress.
    """

    engine: Engine
    columns: ColumnMap
    asked: Asked = field(default_factory=Asked)
    source: str = ""
    notes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    progress: Progress | None = None
    part_of: str | None = None
    """The criterion that these ratings are the part of; None where they were not split."""

    def __getattr__(self, name: str) -> Any:
        if name in ONLY_IN_MEMORY:
            raise RowsElsewhereError(self.source, self.engine.name)
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
        return f"CONCAT_WS('{sign_between(role)}', {', '.join(f'CAST({part} AS VARCHAR)' for part in parts)})"

    def _row(self, statement: str) -> Mapping[str, Any]:
        return next(iter(self.engine.run([statement], self.progress)))

    @cached_property
    def overview(self) -> Overview:
        """Raters, values and marginals of all ratings: one pass over the two columns."""
        if int(integers(self._row(self.statements.glance(_GLANCE))["n"])[0]) <= MOST_LISTED:
            fetched = self._row(self.statements.overview(_MARGINALS))
            if len(fetched["n"]) < _MARGINALS and distinct_values(fetched) <= MOST_LISTED:
                return Overview.of(fetched, *self._declared, self.asked.separator(self.part_of or ""), self.source)
        fetched = self._row(self.statements.ends(self.statements.score, sorted(MISSING_TOKENS)))
        return Overview.of_ends(fetched, *self._declared, self.source)

    @property
    def _declared(self) -> tuple[Scale | None, Level | None]:
        return self.asked.scale_of(self.part_of or "")

    @cached_property
    def codebook(self) -> Codebook:
        """What the ratings mean: each criterion with its scale, which has to be counted to be known."""
        if self._has_parts:
            scales = {name: found.scale for name, found in self._of_parts.items()}
            return self._of_criteria(tuple(scales)).meaning(scales)
        return self.asked.meaning({self.part_of or "": self.overview.scale})

    @cached_property
    def _of_parts(self) -> Mapping[str, Overview]:
        """Of each criterion, as their scales differ."""
        return {group.by["criterion"]: group.ratings.overview for group in self.split(["criterion"])}

    @property
    def counted_notes(self) -> tuple[str, ...]:
        """What is told of values, of which nobody knows before they are counted: guesses, and how many are missing."""
        found = self._of_parts.items() if self._has_parts else ()
        told = tuple(f"{name or 'no criterion'}: {words}" for name, part in found for words in part.notes)
        return told if self._has_parts else self.overview.notes

    @property
    def criterion(self) -> Criterion:
        """What was judged, where these are the ratings of one criterion."""
        return self.codebook.criterion()

    @property
    def _has_parts(self) -> bool:
        return self.part_of is None and "criterion" in self.columns.columns

    def _of_criteria(self, names: Sequence[str]) -> Asked:
        return self.asked.for_criteria([name for name in names if name])

    @property
    def _rows(self) -> int:
        """All rows, those without a value too."""
        return self.overview.ratings + self.overview.missing

    @cached_property
    def counted(self) -> Overview:
        """The same of the ratings that count between raters: no practice, no controls, first occasions only."""
        if not self._selection:
            return self.overview
        if self.overview.raws:
            return self.overview.recounted(self._row(self._rated.overview(_MARGINALS)))
        return self.overview.recounted_ends(self._row(self._rated.ends(self._rated.score, sorted(MISSING_TOKENS))))

    @cached_property
    def _selection(self) -> Selection:
        names = [role for role in ("role", "occasion") if role in self.columns.columns]
        found = {role: cells(self._row(self.statements.names(self._expression(role)))["name"]) for role in names}
        return Selection.of(found, self._expression)

    def of_ordinary(self, write: Callable[[Statements], str]) -> Mapping[str, Any]:
        return self._row(write(self._selection.without_controls(self.statements)))

    @property
    def scale(self) -> Scale:
        return self.overview.scale if self._has_parts else self.criterion.scale

    @property
    def level(self) -> Level:
        return self.scale.level

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
        buckets = self._buckets(columns)
        parts = [rated.narrowed(self.engine.in_bucket(rated.item, bucket, buckets)) for bucket in range(buckets)]
        yield from self.engine.run([write(part) for part in (parts if buckets > 1 else [rated])], self.progress)

    def _buckets(self, columns: int) -> int:
        """There are no more items than rows; their number is only looked for where that would be too many."""
        if self.engine.buckets(self._rows, columns) == 1:
            return 1
        return self.engine.buckets(self._about_items, columns)

    @property
    def _about_items(self) -> int:
        return int(self._looked_at["items"][0]) * self._parts

    def item_values(self) -> ItemValueCounts:
        return self._item_values

    @cached_property
    def _in_one_pass(self) -> bool:
        """Whether patterns are so few that they are fetched whatever is asked, and all other counts follow."""
        if not self.scale.values or int(integers(self._looked_at["n"])[0]):
            return False  # with several criteria or phases a rater has several ratings of an item
        return sizes.patterns_give_all(len(self.rater_names()), len(self.scale))

    @cached_property
    def _item_values(self) -> ItemValueCounts:
        if self._in_one_pass:
            rows = value_counts(self.patterns().codes, len(self.scale))
            return ItemValueCounts(*distinct(rows, self.patterns().multiplicity))
        raws = self._listed_raws("Counts of each value per item")
        return ItemValueCounts(*distinct(*self._value_counts(self._rated, raws)[:2]))

    def _value_counts(self, rated: Statements, raws: list[list[Any]]) -> tuple[Integers, Integers, list[Any]]:
        """Value counts and multiplicities, with what the parts hold besides; packed unless a count is too large."""
        parts = list(self._in_buckets(lambda some: some.counted_once(some.packed_cells(raws)), 2, rated))
        counts = unpacked([floats_of(parts, name) for name in word_names(len(raws))], len(raws))
        multiplicity = stacked(parts, ["multiplicity"])[1]
        if counts is None or int(counts.sum(axis=1) @ multiplicity) != self.counted.ratings:
            parts = list(self._in_buckets(lambda some: some.counted_once(some.value_cells(raws)), len(raws), rated))
            counts, multiplicity = stacked(parts, [f"v{code}" for code in range(len(raws))])
        return counts, multiplicity, parts

    def draws(self, *, named: bool = True, seed: int, replicates: int) -> Iterator[Integers]:
        """How often each pattern occurs in each replicate under Poisson weights, some replicates at a time.

        In the order of the patterns if ``named``, else of the value counts: (patterns, some replicates).
        """
        raws, raters = self._listed_raws("Poisson weights"), self.counted.rater_raws
        known = self.patterns().codes + 1 if named else self.item_values().counts
        places = [f"r{place}" for place in range(len(raters))]
        step = min(_DRAWN_TOGETHER, max(1, _DRAWN_CELLS // len(known)))
        for start in range(0, replicates, step):
            drawn = factors(seed, range(start, min(start + step, replicates))).tolist()

            def write(some: Statements, drawn: list[list[int]] = drawn) -> str:
                cells = some.pattern_cells(raters, raws) if named else self._value_cells(some)
                return some.drawn(cells, [self.engine.item_key(some.item, place) for place in (0, 1)], drawn)

            parts = list(self._in_buckets(write, len(raters) if named else len(raws)))
            rows = stacked(parts, places, "s0")[0] + 1 if named else self._rows_of(parts)
            sums = np.stack([integers_of(parts, f"s{place}") for place in range(len(drawn))], axis=1)
            rows, sums = distinct(rows, sums)
            assert np.array_equal(rows, known), "the engine counted other patterns than before"  # noqa: S101
            yield sums

    def by_rater(self) -> RaterParts:
        """What each rater gave to items of each kind: a join of the ratings with the counts of their items."""
        raws = self._listed_raws("Counts by rater")
        parts = list(self._in_buckets(lambda some: some.by_rater(self._value_cells(some), raws), 8 + len(raws)))
        place = {raw: code for code, same in enumerate(self.counted.rater_raws) for raw in same}
        rater = np.array([place[raw] for part in parts for raw in cells(part["rater"])], dtype=np.int64)
        return RaterParts(self._rows_of(parts), rater, integers_of(parts, "own"), integers_of(parts, "multiplicity"))

    def _value_cells(self, some: Statements) -> Cells:
        raws = self.overview.raws
        return some.packed_cells(raws) if self._packs else some.value_cells(raws)

    @cached_property
    def _packs(self) -> bool:
        return int(self.item_values().counts.max(initial=0)) <= MOST_PACKED

    def _rows_of(self, parts: list[Any]) -> Integers:
        """The value counts that parts hold."""
        values = len(self.overview.raws)
        if not self._packs:
            return np.stack([integers_of(parts, f"v{code}") for code in range(values)], axis=1)
        counts = unpacked([floats_of(parts, name) for name in word_names(values)], values)
        assert counts is not None  # noqa: S101
        return counts

    @property
    def has_patterns(self) -> bool:
        """Whether the pool is small enough for patterns of who said what."""
        return len(self.rater_names()) <= sizes.MOST_PATTERN_RATERS

    def patterns(self) -> Patterns:
        return self._patterns

    @cached_property
    def _patterns(self) -> Patterns:
        raters = self.counted.rater_raws
        if len(raters) > sizes.MOST_PATTERN_RATERS:
            raise NotEnoughDataError(
                f"{len(raters):,} raters share too few items for patterns of who said what "
                f"(at most {sizes.MOST_PATTERN_RATERS} raters). Choose coefficients that do not tell raters apart, "
                "such as krippendorff_alpha."
            )
        raws = self._listed_raws("Patterns of who said what")
        codes, multiplicity, _ = self._pattern_counts(self._rated, raws)
        if int((codes >= 0).sum(axis=1) @ multiplicity) < self.counted.ratings:
            self.require_no_repeats()
        rows, multiplicity = distinct(codes + 1, multiplicity)
        return Patterns((rows - 1).astype(np.int32), multiplicity)

    def _pattern_counts(self, rated: Statements, raws: list[list[Any]]) -> tuple[Integers, Integers, list[Any]]:
        """Who said what and how often, with what the parts hold besides."""
        raters = self.counted.rater_raws
        width = len(raters) + (4 if rated.cluster else 0)
        parts = list(self._in_buckets(lambda some: some.counted_once(some.pattern_cells(raters, raws)), width, rated))
        return (*stacked(parts, [f"r{place}" for place in range(len(raters))]), parts)

    def by_document(self, *, named: bool = True) -> DocumentCounts | None:
        """The counts of each document; None where no column names documents."""
        if "document" not in self.columns.columns:
            return None
        raws = self._listed_raws("Counts by document")
        rated = self._selection.selected(replace(self._valued, cluster=self._expression("document")))
        count = self._pattern_counts if named else self._value_counts
        rows, multiplicity, parts = count(rated, raws)
        names = ["" if raw is None else spelled_cell(raw) for part in parts for raw in cells(part["cluster"])]
        known = {name: number for number, name in enumerate(in_order(list(set(names) - {""})))}
        documents = np.array([known.get(name, -1) for name in names], dtype=np.int64)
        # In order, so that the same seed draws the same documents whoever counted.
        keyed, multiplicity = distinct(np.column_stack((documents, rows)) + 1, multiplicity)
        return DocumentCounts(keyed[:, 1:] - 1, multiplicity, keyed[:, 0] - 1, named)

    def moments(self) -> ItemMoments:
        return self._moments

    @cached_property
    def _moments(self) -> ItemMoments:
        if self._in_one_pass:
            return moments_of_patterns(self.patterns(), self.scale.array)
        if self._is_pivoted:
            return moments_of(self.item_values(), self.scale.array)
        parts = list(self._in_buckets(lambda statements: statements.moments(self._score_of_listed), 3))
        columns = [floats_of(parts, name) for name in ("ratings", "total", "squares")]
        return moments_once(columns, integers_of(parts, "multiplicity"))

    @property
    def _score_of_listed(self) -> str:
        """The score of a row; looked up where a listed raw value is not simply its own number."""
        raws, numbers = self.overview.raws, self.scale.numbers
        if all(len(same) == 1 and is_own_number(same[0], number) for same, number in zip(raws, numbers, strict=True)):
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
        if self._in_one_pass:
            return pair_tables(self.patterns(), len(self.scale))
        names = self.rater_names()
        if len(names) > sizes.MOST_PAIR_RATERS:
            raise NotEnoughDataError(
                f"{len(names):,} raters make {len(names) * (len(names) - 1) // 2:,} tables of pairs, most of them "
                f"nearly empty (at most {sizes.MOST_PAIR_RATERS} raters). Choose coefficients for many raters, "
                "such as conger_kappa, fleiss_kappa or krippendorff_alpha."
            )
        raws = self._listed_raws("Tables of pairs")
        values = len(raws)
        tables = np.zeros((len(names), len(names), values, values), dtype=np.int64)
        for part in self._in_buckets(lambda statements: statements.pairs(raws), 4 * len(names)):
            self.counted.add_pairs(part, tables)
        first, second = every_pair(len(names))
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
        buckets = self.engine.buckets(self._rows, 8)
        parts = [rated.narrowed(self.engine.in_bucket(rated.item, place, buckets)) for place in range(buckets)]
        found = list(self.engine.run([part.repeats(*keys) for part in parts], self.progress))
        refuse_repeats(found, self.columns.columns, self.source)

    def look_for_repeats(self) -> None:
        """The same in a part of the items: what repeats by mistake repeats everywhere."""
        refuse_repeats([self._looked_at], self.columns.columns, self.source)

    @property
    def _parts(self) -> int:
        """One item in so many is looked at."""
        return self._rows // LOOKED_AT + 1

    @cached_property
    def _looked_at(self) -> Mapping[str, Any]:
        rated = self._selection.without_controls(self._valued).sampled(self._parts)
        return self._row(rated.looked_at(*self._selection.ranks))

    @property
    def missing(self) -> int:
        return self.overview.missing

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the counts: the same for the same ratings on any engine, in any order of rows."""
        moments, counted = self.moments(), [self.item_values().counts] if self._is_pivoted else []
        arrays = (moments.ratings, moments.total, moments.squares, moments.multiplicity, self.marginals().counts)
        return hashed_counts((self.rater_names(), list(map(spelled_cell, self.scale.values))), *arrays, *counted)

    def without_raters(self, names: Sequence[str]) -> "StoredRatings":
        """The same without the ratings of these raters."""
        listed, rater = ", ".join(map(literal, names)), self._expression("rater")
        condition = f"NOT (COALESCE(TRIM(CAST({rater} AS VARCHAR)), '') IN ({listed}))"
        return replace(self, conditions=(*self.conditions, condition)) if names else self

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
        fetched = self._row(self.statements.names(expression))["name"]
        raws = sorted(cells(fetched), key=lambda cell: (cell is None, str(cell)))
        names_of, of_criteria = ["" if raw is None else spelled_cell(raw) for raw in raws], role == "criterion"
        asked = self._of_criteria(names_of) if of_criteria else self.asked
        for raw, name in zip(raws, names_of, strict=True):
            condition = f"{expression} IS NULL" if raw is None else f"{expression} = {literal(raw)}"
            part = replace(self, conditions=(*self.conditions, condition), asked=asked)
            if of_criteria:
                only = replace(asked.codebook, criteria={k: c for k, c in asked.codebook.criteria.items() if k == name})
                part = replace(part, asked=replace(asked, codebook=only), part_of=name)
            yield from part._split(others, {**names, role: name})


@dataclass(frozen=True, slots=True)
class StoredGroup(Group):
    """A part of stored ratings, and the names it was split by."""

    ratings: StoredRatings  # type: ignore[assignment]
