"""The counting of ratings in SQL, written once: DuckDB runs it as it is, Spark after translation."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

from accord.ratings.packing import packed_sums, word_names
from accord.ratings.poisson_weights import hashed_sql, weight_sql
from accord.records import dataclass

_WHOLE = re.compile(r"0|-?[1-9]\d{0,8}")

__all__ = ["Cells", "Statements", "identifier", "literal"]


def identifier(name: str) -> str:
    """A quoted name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A value as SQL spells it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, float):
        return f"CAST({value!r} AS DOUBLE)"
    return "'" + str(value).replace("'", "''") + "'"


def _ladder(raws: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
    """The lowest of whole numbers of equal steps, and the step; None if these values are something else."""
    numbers = []
    for same in raws:
        spelled = str(same[0]).removesuffix(".0") if len(same) == 1 and not isinstance(same[0], bool) else ""
        if not _WHOLE.fullmatch(spelled):
            return None
        numbers.append(int(spelled))
    steps = {high - low for low, high in pairwise(numbers)}
    return (numbers[0], steps.pop()) if len(steps) == 1 and min(steps) > 0 else None


Cells = Sequence[tuple[str, str]]
"""Names and SQL expressions of what is counted of each item."""


def _names(cells: Cells) -> str:
    return ", ".join(name for name, _ in cells)


@dataclass(frozen=True, slots=True)
class Statements:
    """The few GROUP BYs over one table of ratings.

    ``item``, ``rater`` and ``value`` are SQL expressions; ``where`` holds conditions every statement
    obeys; ``cluster`` is what items are grouped by, such as their document. A value code stands for
    one or more raw values: ``raws[code]``.
    """

    table: str
    item: str
    rater: str
    value: str
    where: tuple[str, ...] = ()
    cluster: str = ""

    def narrowed(self, *conditions: str) -> "Statements":
        """The same statements over fewer rows."""
        return replace(self, where=(*self.where, *conditions))

    @property
    def score(self) -> str:
        """The score of a row, where values are too many to list."""
        score = f"TRY_CAST({self.value} AS DOUBLE)"
        return f"CASE WHEN NOT ISNAN({score}) THEN {score} END"

    def earliest(self, rank: str) -> "Statements":
        """The same over the first rating of each rater of an item: the one of the lowest rank."""
        together = f", MIN({self.cluster}) AS cluster" if self.cluster else ""
        rows = (
            f"(SELECT {self.item} AS item, {self.rater} AS rater, ARG_MIN({self.value}, {rank}) AS value{together} "  # noqa: S608
            f"FROM {self.table}{self._where()} GROUP BY {self.item}, {self.rater}) AS earliest"
        )
        cluster = identifier("cluster") if self.cluster else ""
        return Statements(rows, identifier("item"), identifier("rater"), identifier("value"), cluster=cluster)

    def glance(self, rows: int) -> str:
        """How many different values some rows hold: what the way of counting depends on."""
        some = f"SELECT {self.value} AS value FROM {self.table}{self._where()} LIMIT {rows}"  # noqa: S608
        return f"SELECT COUNT(DISTINCT value) AS n FROM ({some}) AS looked_at"  # noqa: S608

    def overview(self, most: int) -> str:
        """How often each rater gave each raw value: marginals, rater names and the values that occur."""
        return (
            f"SELECT {self.rater} AS rater, {self.value} AS value, COUNT(*) AS n, "  # noqa: S608
            f"COUNT(*) - COUNT({self.item}) AS unnamed "
            f"FROM {self.table}{self._where()} GROUP BY {self.rater}, {self.value} LIMIT {most}"
        )

    def ends(self, score: str, missing: Sequence[str]) -> str:
        """Number, lowest and highest score of each rater, where the values are too many to list."""
        known = f"LOWER(TRIM(CAST({self.value} AS VARCHAR))) IN ({', '.join(map(literal, missing))})"
        return (
            f"SELECT {self.rater} AS rater, COUNT({score}) AS n, COUNT(*) AS seen, "  # noqa: S608
            f"MIN({score}) AS low, MAX({score}) AS high, "
            f"COUNT(*) FILTER (WHERE {self.item} IS NULL AND {score} IS NOT NULL) AS unnamed, "
            f"COUNT(*) FILTER (WHERE {self.value} IS NOT NULL AND {score} IS NULL AND NOT {known}) AS odd "
            f"FROM {self.table}{self._where()} GROUP BY {self.rater}"
        )

    def value_cells(self, raws: Sequence[Sequence[Any]]) -> Cells:
        """How often each value was given to an item."""
        return [(f"v{code}", f"COUNT(*) FILTER (WHERE {self._is(self.value, raw)})") for code, raw in enumerate(raws)]

    def packed_cells(self, raws: Sequence[Sequence[Any]]) -> Cells:
        """The same with the counts of five values in one number: faster, for up to 1,023 ratings of a value an item."""
        sums = packed_sums([self._is(self.value, raw) for raw in raws])
        return list(zip(word_names(len(raws)), sums, strict=True))

    def pattern_cells(self, raters: Sequence[Sequence[Any]], raws: Sequence[Sequence[Any]]) -> Cells:
        """Who said what of an item; -1 where there is no rating."""
        code = self.code(raws)
        return [
            (f"r{place}", f"COALESCE(MAX(CASE WHEN {self._is(self.rater, raw)} THEN {code} END), -1)")
            for place, raw in enumerate(raters)
        ]

    def counted_once(self, cells: Cells) -> str:
        """The cells of each item, equal items counted once."""
        if self.cluster:
            cells = [("cluster", f"MIN({self.cluster})"), *cells]
        names = _names(cells)
        return f"SELECT {names}, COUNT(*) AS multiplicity FROM ({self._of_items(cells)}) AS items GROUP BY {names}"  # noqa: S608

    def drawn(self, cells: Cells, keys: Sequence[str], factors: Sequence[Sequence[int]]) -> str:
        """The same with the sum of the Poisson weights of the items in each replicate, instead of their number."""
        names, columns = _names(cells), [("k0", keys[0]), ("k1", keys[1])]
        places = [f"{hashed_sql(('k0', 'k1'), drawn)} AS h{place}" for place, drawn in enumerate(factors)]
        sums = [f"CAST(SUM({weight_sql(f'h{place}')}) AS BIGINT) AS s{place}" for place in range(len(factors))]
        return (
            f"SELECT {names}, {', '.join(sums)} FROM (SELECT {names}, {', '.join(places)} "  # noqa: S608
            f"FROM ({self._of_items([*cells, *columns])}) AS items) AS hashed GROUP BY {names}"
        )

    def by_rater(self, cells: Cells, raws: Sequence[Sequence[Any]]) -> str:
        """How often each rater gave each value to items with these cells."""
        rows = f"SELECT {self.item} AS item, {self.rater} AS rater, {self.code(raws)} AS own FROM {self.table}{self._where()}"  # noqa: S608, E501
        names = _names(cells)
        return (
            f"SELECT rater, own, {names}, COUNT(*) AS multiplicity FROM ({rows}) AS ratings "  # noqa: S608
            f"JOIN ({self._of_items([('item', self.item), *cells])}) AS items ON ratings.item = items.item "
            f"GROUP BY rater, own, {names}"
        )

    def moments(self, score: str) -> str:
        """Number, sum and sum of squares of the scores of each item, equal items counted once."""
        sums = [("ratings", f"COUNT({score})"), ("total", f"SUM({score})"), ("squares", f"SUM({score} * {score})")]
        return self.counted_once(sums)

    def pairs(self, raws: Sequence[Sequence[Any]]) -> str:
        """How often two raters gave two values to the same item."""
        rows = f"SELECT {self.item} AS item, {self.rater} AS rater, {self.code(raws)} AS code FROM {self.table}{self._where()}"  # noqa: S608, E501
        return (
            "SELECT a.rater AS first, b.rater AS second, a.code AS one, b.code AS other, COUNT(*) AS n "  # noqa: S608
            f"FROM ({rows}) AS a JOIN ({rows}) AS b ON a.item = b.item AND a.rater < b.rater "
            "GROUP BY a.rater, b.rater, a.code, b.code"
        )

    def repeats(self, *told_apart: str) -> str:
        """Items that one rater rated more than once with all else equal, and how often that happened."""
        return (
            "SELECT COUNT(*) AS n, MIN(item) AS item, ARG_MIN(rater, item) AS rater FROM ("  # noqa: S608
            f"{self._of_raters(told_apart)} HAVING COUNT(*) > 1) AS twice"
        )

    def looked_at(self, *told_apart: str) -> str:
        """The same with the number of items, for a part of them."""
        twice = "CASE WHEN times > 1 THEN item END"
        return (
            f"SELECT COUNT(DISTINCT item) AS items, COUNT({twice}) AS n, MIN({twice}) AS item, "  # noqa: S608
            f"ARG_MIN(rater, {twice}) AS rater FROM ({self._of_raters(told_apart)}) AS each"
        )

    def _of_raters(self, told_apart: Sequence[str]) -> str:
        keys = ", ".join((self.item, self.rater, *told_apart))
        return (
            f"SELECT {self.item} AS item, {self.rater} AS rater, COUNT(*) AS times "  # noqa: S608
            f"FROM {self.table}{self._where()} GROUP BY {keys}"
        )

    def sampled(self, parts: int) -> "Statements":
        """The same over about one of this many items, all ratings of each."""
        return self.narrowed(f"HASH({self.item}) % {parts} = 0") if parts > 1 else self

    def names(self, column: str) -> str:
        """The different names in a column."""
        return f"SELECT DISTINCT {column} AS name FROM {self.table}{self._where()}"  # noqa: S608

    def code(self, raws: Sequence[Sequence[Any]]) -> str:
        """The value code of a row: numbers of equal steps are counted off, which takes a third of comparing them."""
        if (ladder := _ladder(raws)) is not None:
            low, step = ladder
            above = f"TRY_CAST({self.value} AS INTEGER) - {low}"
            return f"({above})" if step == 1 else f"CAST(({above}) / {step} AS INTEGER)"
        cases = " ".join(f"WHEN {self._is(self.value, raw)} THEN {code}" for code, raw in enumerate(raws) if raw)
        return f"CASE {cases} END"

    def _of_items(self, cells: Cells) -> str:
        columns = ", ".join(f"{expression} AS {name}" for name, expression in cells)
        return f"SELECT {columns} FROM {self.table}{self._where()} GROUP BY {self.item}"  # noqa: S608

    def _where(self) -> str:
        return " WHERE " + " AND ".join(self.where) if self.where else ""

    @staticmethod
    def _is(expression: str, raw: Sequence[Any]) -> str:
        if not raw:
            return "FALSE"
        if len(raw) == 1:
            return f"{expression} = {literal(raw[0])}"
        return f"{expression} IN ({', '.join(map(literal, raw))})"
