"""The counting of ratings in SQL, written once: DuckDB runs it as it is, Spark after translation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

__all__ = ["Statements", "identifier", "literal"]


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

    def sizes(self) -> str:
        """Rows, and about how many items and different values: what the way of counting depends on."""
        return (
            f"SELECT COUNT(*) AS n, APPROX_COUNT_DISTINCT({self.item}) AS items, "  # noqa: S608
            f"APPROX_COUNT_DISTINCT({self.value}) AS distinct_values FROM {self.table}{self._where()}"
        )

    def overview(self) -> str:
        """How often each rater gave each raw value: marginals, rater names and the values that occur."""
        return (
            f"SELECT {self.rater} AS rater, {self.value} AS value, COUNT(*) AS n, "  # noqa: S608
            f"COUNT(*) - COUNT({self.item}) AS unnamed "
            f"FROM {self.table}{self._where()} GROUP BY {self.rater}, {self.value}"
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

    def item_values(self, raws: Sequence[Sequence[Any]]) -> str:
        """How often each value was given to an item, equal items counted once."""
        columns = [f"v{code}" for code in range(len(raws))]
        counts = [f"COUNT(*) FILTER (WHERE {self._is(self.value, raw)}) AS v{code}" for code, raw in enumerate(raws)]
        return self._counted_once(columns, counts)

    def patterns(self, raters: Sequence[Sequence[Any]], raws: Sequence[Sequence[Any]]) -> str:
        """Who said what, item by item, equal items counted once; -1 where there is no rating."""
        code = self.code(raws)
        columns = [f"r{place}" for place in range(len(raters))]
        cells = [
            f"COALESCE(MAX(CASE WHEN {self._is(self.rater, raw)} THEN {code} END), -1) AS r{place}"
            for place, raw in enumerate(raters)
        ]
        return self._counted_once(columns, cells)

    def moments(self, score: str) -> str:
        """Number, sum and sum of squares of the scores of each item, equal items counted once."""
        sums = [f"COUNT({score}) AS ratings", f"SUM({score}) AS total", f"SUM({score} * {score}) AS squares"]
        return self._counted_once(["ratings", "total", "squares"], sums)

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
        keys = ", ".join((self.item, self.rater, *told_apart))
        return (
            "SELECT COUNT(*) AS n, MIN(item) AS item, MIN(rater) AS rater FROM ("  # noqa: S608
            f"SELECT {self.item} AS item, {self.rater} AS rater FROM {self.table}{self._where()} "
            f"GROUP BY {keys} HAVING COUNT(*) > 1) AS twice"
        )

    def sampled(self, parts: int) -> "Statements":
        """The same over about one of this many items, all ratings of each."""
        return self.narrowed(f"HASH({self.item}) % {parts} = 0") if parts > 1 else self

    def names(self, column: str) -> str:
        """The different names in a column."""
        return f"SELECT DISTINCT {column} AS name FROM {self.table}{self._where()}"  # noqa: S608

    def code(self, raws: Sequence[Sequence[Any]]) -> str:
        """The value code of a row."""
        cases = " ".join(f"WHEN {self._is(self.value, raw)} THEN {code}" for code, raw in enumerate(raws) if raw)
        return f"CASE {cases} END"

    def _counted_once(self, columns: Sequence[str], expressions: Sequence[str]) -> str:
        if self.cluster:
            columns, expressions = ["cluster", *columns], [f"MIN({self.cluster}) AS cluster", *expressions]
        names = ", ".join(columns)
        return (
            f"SELECT {names}, COUNT(*) AS multiplicity FROM ("  # noqa: S608
            f"SELECT {', '.join(expressions)} FROM {self.table}{self._where()} GROUP BY {self.item}"
            f") AS items GROUP BY {names}"
        )

    def _where(self) -> str:
        return " WHERE " + " AND ".join(self.where) if self.where else ""

    @staticmethod
    def _is(expression: str, raw: Sequence[Any]) -> str:
        if not raw:
            return "FALSE"
        if len(raw) == 1:
            return f"{expression} = {literal(raw[0])}"
        return f"{expression} IN ({', '.join(map(literal, raw))})"
