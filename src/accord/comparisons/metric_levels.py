"""Human and metric scores of segments, documents and systems, condition by condition."""

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.errors import ColumnError
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = ["FEWEST", "Level", "MetricRows", "metric_rows"]

FEWEST = 3
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Level:
    """One score a unit from people and from the metric. ``key`` tells the same unit in another condition.

    ``cluster`` is what is drawn together when two correlations are compared, and ``unit`` its name.
    """

    key: Codes
    human: Floats
    metric: Floats
    cluster: Codes
    unit: str

    def shared(self, other: "Level") -> tuple["Level", "Level"]:
        """The units that both have, in the same order."""
        _, mine, theirs = np.intersect1d(self.key, other.key, return_indices=True)
        return self._at_rows(mine), other._at_rows(theirs)

    def _at_rows(self, rows: NDArray[np.intp]) -> "Level":
        return Level(self.key[rows], self.human[rows], self.metric[rows], self.cluster[rows], self.unit)


@dataclass(frozen=True, slots=True)
class MetricRows:
    """The segments of one condition: an item of a system each, -1 where no document is named."""

    condition: str
    item: Codes
    system: Codes
    document: Codes
    human: Floats
    metric: Floats
    systems: int

    def levels(self) -> list[tuple[str, Level]]:
        """Every level there is; documents that are scored as one segment each are documents only."""
        made = {level: self.level(level) for level in ("segment", "document", "system")}
        if len(made["segment"].human) == len(made["document"].human):
            del made["segment"]
        return [(name, units) for name, units in made.items() if len(units.human)]

    def level(self, level: str) -> Level:
        """Means over documents or systems, or the segments as they are; empty where there is no such level."""
        named = bool((self.document >= 0).all())
        if level == "segment":
            key = self.item * self.systems + self.system
            return Level(
                key, self.human, self.metric, self.document if named else key, "documents" if named else "segments"
            )
        if level == "system" and self.systems < 2:
            return self._means(np.full(len(self.item), -1), "systems")
        if level == "system":
            return self._means(self.system, "systems")
        of = np.where(self.document >= 0, self.document * self.systems + self.system, -1)
        return self._means(of, "documents")

    def _means(self, owner: Codes, unit: str) -> Level:
        kept = owner >= 0
        key, code, size = np.unique(owner[kept], return_inverse=True, return_counts=True)
        human, metric = (np.bincount(code, side[kept], len(key)) / size for side in (self.human, self.metric))
        cluster = key // self.systems if unit == "documents" else key
        return Level(key.astype(np.int64), human, metric, cluster.astype(np.int64), unit)


def metric_rows(ratings: Ratings, metric: Floats, condition: str = "") -> list[MetricRows]:
    """The mean scores of every segment that has both, for each condition of a column, or for all ratings."""
    if condition and condition not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
        raise ColumnError(f"There is no column {condition!r} to tell conditions apart. Columns: {known}.")
    system, document = (_codes(ratings, name) for name in ("system", "document"))
    system = np.maximum(system, 0)
    names = ratings.columns[condition].names if condition else ("",)
    found = []
    for code, name in enumerate(names):
        rows = (_codes(ratings, condition) == code) if condition else np.ones(len(ratings), dtype=bool)
        part = _segments(name, ratings.item.codes[rows], system[rows], document[rows], ratings.scores[rows],
                         metric[rows], int(system.max()) + 1)  # fmt: skip
        if len(part.item):
            found.append(part)
    return found


def _codes(ratings: Ratings, column: str) -> Codes:
    factor = ratings.columns.get(column)
    return np.full(len(ratings), -1, dtype=np.int64) if factor is None else factor.codes.astype(np.int64)


def _segments(
    condition: str, item: NDArray[np.int32], system: Codes, document: Codes, human: Floats, metric: Floats, systems: int
) -> MetricRows:
    known = ~np.isnan(metric) & ~np.isnan(human)
    key = item[known].astype(np.int64) * systems + system[known]
    _, first, code, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return MetricRows(
        condition=condition, item=item[known][first].astype(np.int64), system=system[known][first],
        document=document[known][first], human=np.bincount(code, human[known], len(size)) / size,
        metric=np.bincount(code, metric[known], len(size)) / size, systems=systems,
    )  # fmt: skip
