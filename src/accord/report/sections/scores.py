"""Scores and ranking where systems are rated, and what a handful of scores can decide."""

import numpy as np

from accord.plots.scores import rank_intervals
from accord.report.analysis import Analysis
from accord.report.document import Block, Evidence, Figure, Listing, Paragraph, Quoted, Rows, Section
from accord.report.tables import Cell, Column, Table
from accord.scoring.ranking.result import Ranking
from accord.scoring.scarce import score

__all__ = ["scarce", "scores"]

_SYSTEMS = (
    Column("rank", "rank"), Column("system", "system"), Column("score", "mean score", 2), Column("low", "low", 2),
    Column("high", "high", 2), Column("cluster", "cluster"), Column("segments", "segments"),
    Column("documents", "documents"),
)  # fmt: skip
_PAIRS = (
    Column("first", "system"), Column("second", "against"), Column("difference", "difference"), Column("p", "p"),
    Column("adjusted", "adjusted p"), Column("winner", "better"),
)  # fmt: skip
_SCARCE = 30


def scores(analysis: Analysis) -> Section | None:
    if not analysis.rankings:
        return None
    blocks: list[Block] = []
    for place, (criterion, ranking) in enumerate(analysis.rankings):
        blocks += _ranking(place, criterion, ranking)
    return Section("ranking", "Ranking of systems", blocks)


def _ranking(place: int, criterion: str, ranking: Ranking) -> list[Block]:
    name = f" by {criterion}" if criterion else ""
    first = [system.name for system in ranking.systems if system.rank_low == 1]
    title = (
        f"{first[0]} is best{name}" if len(first) == 1 else f"{len(first)} systems may be the best{name}: {_few(first)}"
    )
    rows: list[dict[str, Cell]] = [
        {
            "rank": system.ranks, "system": system.name, "score": system.score,
            "low": system.interval.low if system.interval else None,
            "high": system.interval.high if system.interval else None,
            "cluster": system.cluster, "segments": system.segments, "documents": system.documents,
        }
        for system in ranking.systems
    ]  # fmt: skip
    pairs: list[dict[str, Cell]] = [
        {"first": p.first, "second": p.second, "difference": p.difference, "p": p.p, "adjusted": p.adjusted,
         "winner": p.winner or "–"}
        for p in ranking.pairs
    ]  # fmt: skip
    chart = rank_intervals(
        [s.name for s in ranking.systems], [s.score for s in ranking.systems], [s.rank_low for s in ranking.systems],
        [s.rank_high for s in ranking.systems], [s.cluster for s in ranking.systems], title=title,
        subtitle=f"{ranking.method}; {ranking.segments:,} segments in {ranking.documents:,} documents",
    )  # fmt: skip
    return [
        Figure(chart),
        Rows(Table(f"Systems{name}", _SYSTEMS, rows, (f"{ranking.method}.",))),
        *([Listing(ranking.cautions)] if ranking.cautions else []),
        Evidence(f"rank-pairs-{place}", f"Every pair of systems{name} ({len(pairs):,})", [
            Rows(Table("Pairs of systems", _PAIRS, pairs)), Quoted(ranking.signature, "Signature"),
        ]),
    ]  # fmt: skip


def _few(names: list[str]) -> str:
    return ", ".join(names[:4]) + (" ..." if len(names) > 4 else "")


def scarce(analysis: Analysis) -> Section | None:
    """Where a criterion has a handful of scores, the t interval and a plain warning stand for coefficients."""
    rows: list[dict[str, Cell]] = []
    for criterion in analysis.criteria:
        values = criterion.part.score
        if not 2 <= len(values) <= _SCARCE or not criterion.part.ordered:
            continue
        if float(np.ptp(values)) == 0:
            continue
        numbers = criterion.part.ratings.scale.numbers
        found = score(values.tolist(), confidence=0.8, scale=(min(numbers), max(numbers)))
        rows.append({
            "criterion": criterion.title, "scores": found.n, "mean": found.centre,
            "low": found.intervals[0].clipped.low, "high": found.intervals[0].clipped.high,
        })  # fmt: skip
    if not rows:
        return None
    columns = (
        Column("criterion", "criterion"), Column("scores", "scores"), Column("mean", "mean", 2),
        Column("low", "low", 2), Column("high", "high", 2),
    )  # fmt: skip
    note = "80% intervals after Student; `accord score` decides PASS or FAIL against a threshold."
    words = "These are too few ratings for kappa or α to mean much: read the interval of the mean instead."
    return Section(
        "scarce", "Few scores", [Paragraph(words), Rows(Table("Means of few scores", columns, rows, (note,)))]
    )
