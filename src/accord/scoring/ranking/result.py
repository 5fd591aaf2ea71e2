"""A ranking: each system with its score, interval, ranks and cluster, and every pair with its test."""

from dataclasses import dataclass
from html import escape
from math import isnan

from accord.inference.interval import Interval
from accord.plots.chart import Chart
from accord.plots.of_table import chart_of_tables
from accord.tables.result import Result
from accord.tables.table import Column, Table

__all__ = ["PairTest", "RankedSystem", "Ranking"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSystem:
    """A system in a ranking; ``rank_low`` to ``rank_high`` are the ranks it may have."""

    name: str
    score: float
    interval: Interval | None
    rank_low: int
    rank_high: int
    cluster: int
    wins: int
    losses: int
    segments: int
    documents: int
    ratings: int

    @property
    def ranks(self) -> str:
        return str(self.rank_low) if self.rank_low == self.rank_high else f"{self.rank_low}-{self.rank_high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """Two systems on the segments they share: first minus second, and its p-value before and after adjustment."""

    first: str
    second: str
    difference: float
    p: float
    adjusted: float
    winner: str | None
    """The better system where the difference is significant."""
    segments: int
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Ranking(Result):
    """Systems from best to worst. ``method`` names test, resampling unit and adjustment."""

    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairTest, ...]
    preset: str
    method: str
    level: float
    segments: int
    documents: int
    cautions: tuple[str, ...]
    signature: str

    def __str__(self) -> str:
        width = max(len(system.name) for system in self.systems)
        lines = [f"Ranking of {len(self.systems)} systems, {self.method}"]
        cluster = self.systems[0].cluster
        for system in self.systems:
            if system.cluster != cluster:
                lines.append("-" * (width + 24))
                cluster = system.cluster
            interval = f" {system.interval}" if system.interval else ""
            lines.append(f"{system.ranks:>7}  {system.name:<{width}}  {system.score:9.3f}{interval}")
        return "\n".join([*lines, *self.cautions])

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.systems)} systems, best {self.systems[0].name}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre><code>{escape(self.signature)}</code>"

    def tables(self) -> tuple[Table, ...]:
        made = []
        for title, rows in (("Ranking", self.rows()), ("Pairs of systems", self.pair_rows())):
            made.append(Table(title, [Column(key, key) for key in (rows or [{}])[0]], rows))
        return tuple(made)

    def lines(self) -> tuple[str, ...]:
        return self.cautions

    def plot(self) -> Chart:
        """Scores of the systems with their intervals."""
        return chart_of_tables(self.tables())

    def rows(self) -> list[dict[str, str | float | int | None]]:
        """One plain row a system, best first."""
        return [
            {
                "rank": system.ranks, "system": system.name, "score": system.score,
                "low": system.interval.low if system.interval else None,
                "high": system.interval.high if system.interval else None, "cluster": system.cluster,
                "wins": system.wins, "losses": system.losses, "segments": system.segments,
                "documents": system.documents, "ratings": system.ratings,
            }
            for system in self.systems
        ]  # fmt: skip

    def pair_rows(self) -> list[dict[str, str | float | int | bool | None]]:
        """One plain row a pair."""
        return [
            {
                "first": pair.first, "second": pair.second, "difference": pair.difference, "p": pair.p,
                "adjusted": pair.adjusted, "winner": pair.winner, "segments": pair.segments,
                "documents": pair.documents,
            }
            for pair in self.pairs
        ]  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        return {
            "preset": self.preset, "method": self.method, "level": self.level, "segments": self.segments,
            "documents": self.documents,
            "systems": [row | {"rank_low": s.rank_low, "rank_high": s.rank_high}
                        for row, s in zip(self.rows(), self.systems, strict=True)],
            "pairs": [{k: None if isinstance(v, float) and isnan(v) else v for k, v in row.items()}
                      for row in self.pair_rows()],
            "cautions": list(self.cautions), "signature": self.signature,
        }  # fmt: skip
