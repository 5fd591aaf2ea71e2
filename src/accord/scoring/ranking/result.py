"""A ranking: each system with its score, interval, ranks and cluster, and every pair with its test."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from math import isnan

from accord.design.scale import ASK_DIRECTION, Direction
from accord.inference.interval import Interval
from accord.noise import ordered
from accord.plots.chart import Chart
from accord.plots.of_table import chart_of_tables
from accord.records import dataclass
from accord.scoring.ranking.more_units import what_would_tell
from accord.scoring.standing import standing_of_ranks, told_apart
from accord.tables.result import Result
from accord.tables.table import Column, Table
from accord.words import counted, listed, p_text, steady

__all__ = ["PairTest", "RankedSystem", "Ranking"]

_NAMED_HIGHER = 3
"""So many systems are said to score higher than others."""


def _scores_higher(higher: str, below: Sequence[tuple[str, float]]) -> str:
    """``A scores 15.2 to 18.1 higher than B, C and D``."""
    least, most = (f"{steady(end([gap for _, gap in below])):.3g}" for end in (min, max))
    by = least if least == most else f"{least} to {most}"
    return f"{higher} scores {by} higher than {listed([lower for lower, _ in below])}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSystem:
    """A system in a ranking; ``rank_low`` to ``rank_high`` are the ranks it may have, 1 the best.

    Ranks, cluster, wins and losses are None where nobody said which end of the scale is good.
    """

    name: str
    score: float
    interval: Interval | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None
    wins: int | None
    losses: int | None
    segments: int
    documents: int
    ratings: int

    @property
    def ranks(self) -> str:
        if self.rank_low is None:
            return "–"
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
    """The better system where the difference is significant; None where no end of the scale is known to be good."""
    segments: int
    documents: int
    differs: bool = False
    """Whether the difference is significant, whichever end of the scale is good."""
    interval: Interval | None = None
    """Of the difference; the intervals of all pairs hold together. None where the spread is not known, and where the
    test is one of order: nothing then says how large the difference is."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Ranking(Result):
    """Systems from best to worst. ``test`` names test, resampling unit and adjustment, ``score_is`` what a score is.

    Where ``direction`` is not known the systems stand in the order of their scores, the highest first, and no
    winner and no rank is named.
    """

    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairTest, ...]
    preset: str
    test: str
    level: float
    segments: int
    documents: int
    cautions: tuple[str, ...]
    signature: str
    direction: Direction
    score_is: str = ""
    notes: tuple[str, ...] = ()
    """What was guessed, repaired or left out when the ratings were read."""

    @property
    def method(self) -> str:
        """Test and scores in one line."""
        return f"{self.test}; score: {self.score_is}" if self.score_is else self.test

    @property
    def leaders(self) -> tuple[str, ...]:
        """Systems that may be the best; none where nobody said which end of the scale is good."""
        return tuple(system.name for system in self.systems if system.rank_low == 1)

    def headline(self, name: str = "") -> str:
        """What the ranking says first: which system is best, or which may be; the question where nobody can say."""
        if not self.direction.is_known:
            return f"{len(self.systems)} systems{name} in the order of their scores"
        first = self.leaders
        if len(first) == 1:
            return f"{first[0]} is best{name}"
        few = ", ".join(first[:4]) + (" ..." if len(first) > 4 else "")
        return f"{len(first)} systems may be the best{name}: {few}"

    def sentence(self) -> str:
        """The whole order as a person would say it; the question where nobody said which end is good."""
        if not self.direction.is_known:
            order = ordered(self.systems, lambda one: one.score, lambda one: one.name, highest=True)
            ends = f"{order[0].name} has the highest score ({steady(order[0].score):.4g}), {order[-1].name} the lowest"
            return f"{ends} ({steady(order[-1].score):.4g}). {self._higher()} {ASK_DIRECTION}"
        return standing_of_ranks([(one.name, one.rank_low or 1, one.rank_high or 1) for one in self.systems])

    def _higher(self) -> str:
        """Which systems score higher than which and by how much, where nothing may be called better."""
        gaps: dict[str, list[tuple[str, float]]] = {}
        for pair in self.pairs:
            if pair.differs:
                higher, lower = (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
                gaps.setdefault(higher, []).append((lower, abs(pair.difference)))
        shown = sum(map(len, gaps.values()))
        if not shown:
            return "No two systems are shown to differ."
        told = [_scores_higher(higher, below) for higher, below in list(gaps.items())[:_NAMED_HIGHER]]
        others = len(self.pairs) - shown
        rest = f" ({counted(others, 'other pair')} not shown to differ)" if others and len(gaps) <= len(told) else ""
        more = f"; {counted(len(gaps) - len(told), 'more system')} with --pairs" if len(gaps) > len(told) else ""
        return f"{'; '.join(told)}{more}{rest}."

    def closing(self) -> str:
        """How many pairs differ (of two systems by how much), and what would tell the leaders apart.

        Empty where nobody said which end is good.
        """
        if not self.direction.is_known or len(self.systems) < 2:
            return ""
        better = {
            (pair.winner, pair.second if pair.winner == pair.first else pair.first)
            for pair in self.pairs
            if pair.winner
        }
        apart = told_apart([one.name for one in self.systems], better)
        leading = [pair for pair in self.pairs if {pair.first, pair.second} <= set(self.leaders)]
        gap = f"{self.ahead(self.pairs[0])}." if len(self.pairs) == 1 else ""
        return " ".join(filter(None, (gap, apart, self.would_tell(leading[0]) if leading else "")))

    def ahead(self, pair: PairTest) -> str:
        """``A is 1.20 ahead of B (95% interval 0.40 to 2.00, p = .003)``, whichever of them is the better."""
        good = self.direction.sign or 1
        first, second, sign = (
            (pair.first, pair.second, good) if good * pair.difference >= 0 else (pair.second, pair.first, -good)
        )
        ends = ""
        if pair.interval:
            low, high = sorted((sign * pair.interval.low, sign * pair.interval.high))
            ends = f"{100 * self.level:.4g}% interval {steady(low):z.2f} to {steady(high):z.2f}, "
        tested = "not tested" if isnan(pair.adjusted) else p_text(pair.adjusted)
        return f"{first} is {steady(abs(pair.difference)):.2f} ahead of {second} ({ends}{tested})"

    def would_tell(self, pair: PairTest) -> str:
        """How many more documents would tell two systems apart; empty where raters, or an order, are what is tested."""
        if pair.winner or pair.interval is None or "rater" in pair.interval.method:
            return ""
        called = "document" if self.documents else "segment"
        return what_would_tell(
            pair.first, pair.second, pair.p, pair.documents, called=called, level=self.level, pairs=len(self.pairs),
            ends=(pair.interval.low, pair.interval.high),
        )  # fmt: skip

    def without_winner(self) -> "Ranking":
        """The same scores and tests with nothing called better, because nobody said which end is good."""
        systems = [
            replace(one, rank_low=None, rank_high=None, cluster=None, wins=None, losses=None) for one in self.systems
        ]
        return replace(
            self,
            systems=tuple(systems),
            pairs=tuple(replace(pair, winner=None) for pair in self.pairs),
            cautions=(ASK_DIRECTION, *self.cautions),
        )

    def __str__(self) -> str:
        width = max(len(system.name) for system in self.systems)
        lines = [f"Ranking of {len(self.systems)} systems, {self.method}"]
        cluster = self.systems[0].cluster
        for system in self.systems:
            if system.cluster != cluster:
                lines.append("-" * (width + 24))
                cluster = system.cluster
            interval = f" {system.interval}" if system.interval else ""
            lines.append(f"{system.ranks:>7}  {system.name:<{width}}  {steady(system.score):9.3f}{interval}")
        return "\n".join([*lines, *self.lines()])

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.systems)} systems: {self.headline()}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre><code>{escape(self.signature)}</code>"

    def tables(self) -> tuple[Table, ...]:
        made = []
        for title, rows in (("Ranking", self.rows()), ("Pairs of systems", self.pair_rows())):
            made.append(Table(title, [Column(key, key) for key in (rows or [{}])[0]], rows))
        return tuple(made)

    def lines(self) -> tuple[str, ...]:
        return (*self.cautions, *(f"Note: {note}" for note in self.notes))

    def plot(self) -> Chart:
        """Scores of the systems with their intervals."""
        return chart_of_tables(self.tables())

    def rows(self) -> list[dict[str, str | float | int | None]]:
        """One plain row a system, best first; by score where nobody said which end is good."""
        return [
            {
                "rank": system.ranks if self.direction.is_known else None, "system": system.name, "score": system.score,
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
                "first": pair.first, "second": pair.second, "difference": pair.difference,
                "low": pair.interval.low if pair.interval else None,
                "high": pair.interval.high if pair.interval else None, "p": pair.p,
                "adjusted": pair.adjusted, "winner": pair.winner, "segments": pair.segments,
                "documents": pair.documents,
            }
            for pair in self.pairs
        ]  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        return {
            "preset": self.preset, "method": self.method, "score_is": self.score_is, "level": self.level,
            "segments": self.segments, "documents": self.documents, "direction": str(self.direction),
            "systems": [row | {"rank_low": s.rank_low, "rank_high": s.rank_high}
                        for row, s in zip(self.rows(), self.systems, strict=True)],
            "pairs": [{k: None if isinstance(v, float) and isnan(v) else v for k, v in row.items()}
                      for row in self.pair_rows()],
            "cautions": list(self.cautions), "notes": list(self.notes), "signature": self.signature,
        }  # fmt: skip
