"""Scores and ranking where systems are rated, and what a handful of scores can decide."""

from collections.abc import Sequence

from accord.design.scale import ASK_DIRECTION, Direction
from accord.plots.chart import Chart
from accord.plots.scores import rank_intervals, score_intervals
from accord.ratings.leaving_out import LEFT_OUT
from accord.reporting.analysis import Analysis, CriterionAnalysis
from accord.reporting.document import Block, Evidence, Figure, Listing, Quoted, Rows, Section
from accord.reporting.ranked import ranked_answer, shared_words, system_bars
from accord.reporting.scarce_scores import CONFIDENCE, is_scarce, scored
from accord.reporting.wording import capital, ends_text, for_readers, on
from accord.scoring.item_scores import METHOD_WORDS, ends_of_scale
from accord.scoring.ranking.result import Ranking
from accord.tables.table import Cell, Column, Table
from accord.words import listed

__all__ = ["ranking_chart", "scarce", "scores"]

_SYSTEMS = (
    Column("system", "system"),
    Column("rank", "rank"),
    Column("score", "mean score", 2),
    Column("low", "low", 2),
    Column("high", "high", 2),
    Column("cluster", "cluster"),
    Column("segments", "segments"),
    Column("documents", "documents"),
)
_PAIRS = (
    Column("first", "system"),
    Column("second", "against"),
    Column("difference", "difference"),
    Column("ends", "interval"),
    Column("p", "p"),
    Column("adjusted", "adjusted p"),
    Column("winner", "better"),
)
_ONE_SCORE = "one score is only indicative: ask for a second one"
_FEW = (
    Column("item", "item"),
    Column("scores", "scores"),
    Column("mean", "mean", 2),
    Column("low", "low", 2),
    Column("high", "high", 2),
    Column("note", "note"),
)


_OF_SHARED = (
    "A difference is of the segments that both systems have, a score of all that one has: where some are missing, the "
    "difference is not that of the scores."
)


def scores(analysis: Analysis) -> Section | None:
    if not analysis.rankings:
        return None
    absent = [line for line in analysis.exclusions if line.startswith(LEFT_OUT)]
    blocks: list[Block] = [Listing(absent)] if absent else []
    for place, (criterion, ranking) in enumerate(analysis.rankings):
        blocks += _ranking(place, criterion, ranking)
    return Section("ranking", "Ranking of systems", ranked_answer(analysis.rankings), blocks)


def _ranking(place: int, criterion: str, ranking: Ranking) -> list[Block]:
    name = f" by {criterion}" if criterion else ""
    rows: list[dict[str, Cell]] = [
        {
            "rank": system.ranks if ranking.direction.is_known else None,
            "system": system.name,
            "score": system.score,
            "low": system.interval.low if system.interval else None,
            "high": system.interval.high if system.interval else None,
            "cluster": system.cluster,
            "segments": system.segments,
            "documents": system.documents,
        }
        for system in ranking.systems
    ]
    pairs: list[dict[str, Cell]] = [
        {
            "first": p.first,
            "second": p.second,
            "difference": p.difference,
            "ends": ends_text(p.interval),
            "p": p.p,
            "adjusted": p.adjusted,
            "winner": p.winner or "–",
        }
        for p in ranking.pairs
    ]
    some = any(shared_words(p, ranking) for p in ranking.pairs)
    shared = (*((_OF_SHARED,) if some else ()), *_of_intervals(ranking))
    cautions = [for_readers(caution) for caution in ranking.cautions if caution != ASK_DIRECTION]
    notes = (*(("Low scores are good.",) if ranking.direction is Direction.LOW else ()), f"{capital(ranking.method)}.")
    return [
        Rows(Table(f"Systems{name}", _columns_for(_SYSTEMS, "rank", ranking), rows, notes), bars=system_bars(ranking)),
        *([Listing(cautions)] if cautions else []),
        *_drawn(place, name, ranking),
        Evidence(
            f"rank-pairs-{place}",
            f"Every pair of systems{name} ({len(pairs):,})",
            [
                Rows(Table("Pairs of systems", _columns_for(_PAIRS, "winner", ranking), pairs, shared)),
                Quoted(ranking.signature, "Signature"),
            ],
        ),
    ]


def _of_intervals(ranking: Ranking) -> tuple[str, ...]:
    """What kind of intervals these are: wider than each by itself, and cut where the test says more."""
    made = next((pair.interval for pair in ranking.pairs if pair.interval), None)
    if made is None or "together" not in made.method:
        return ()
    method = made.method.partition(", cut at 0")[0]
    return (f"Intervals: {made.level:.0%}, {method}; one is cut at 0 where the test tells the two apart.",)


def _drawn(place: int, name: str, ranking: Ranking) -> list[Block]:
    chart = ranking_chart(ranking, name)
    return (
        [] if chart is None else [Evidence(f"ranks-{place}", f"Ranks that each system may have{name}", [Figure(chart)])]
    )


def _columns_for(columns: Sequence[Column], winning: str, ranking: Ranking) -> list[Column]:
    """The columns without the one that names a better one, where nobody can say which is."""
    return [column for column in columns if column.key != winning or ranking.direction.is_known]


def ranking_chart(ranking: Ranking, name: str = "") -> Chart | None:
    """The ranks each system may have; the scores alone where nobody said which end of the scale is good."""
    systems, title = ranking.systems, ranking.headline(name)
    subtitle = f"{ranking.method}; {ranking.segments:,} segments in {ranking.documents:,} documents"
    ranks = [(s.rank_low, s.rank_high) for s in systems if s.rank_low is not None and s.rank_high is not None]
    if ranks:
        low, high = zip(*ranks, strict=True)
        return rank_intervals(
            [s.name for s in systems],
            [s.score for s in systems],
            low,
            high,
            [s.cluster for s in systems],
            title=title,
            subtitle=subtitle,
        )
    known = [(s, s.interval) for s in systems if s.interval is not None]
    if not known:
        return None
    return score_intervals(
        [s.name for s, _ in known],
        [s.score for s, _ in known],
        [ends.low for _, ends in known],
        [ends.high for _, ends in known],
        title=title,
        axis="mean score",
        subtitle=subtitle,
    )


def scarce(analysis: Analysis) -> Section | None:
    """Where a criterion has a handful of scores: what each item's scores say, beside coefficients that say little."""
    few = [criterion for criterion in analysis.criteria if is_scarce(criterion.part)]
    if not few:
        return None
    told = "These" if len(few) == len(analysis.criteria) else f"Those of {listed([one.title for one in few])}"
    words = f"{told} are too few ratings for κ or α to mean much: read what the scores of each item allow instead."
    return Section("scarce", "Few scores", words, [block for one in few for block in _few_scores(one)])


def _few_scores(criterion: CriterionAnalysis) -> list[Block]:
    made = scored(criterion.part)
    rows: list[dict[str, Cell]] = [
        {
            "item": one.item,
            "scores": one.told,
            "mean": sum(one.values) / len(one.values),
            "low": one.score.intervals[0].clipped.low if one.score and not one.note else None,
            "high": one.score.intervals[0].clipped.high if one.score and not one.note else None,
            "note": _ONE_SCORE if len(one.values) == 1 else one.note,
        }
        for one in made
    ]
    note = (
        f"{CONFIDENCE:.0%} intervals by {METHOD_WORDS}. With a threshold, or with what was expected of one score, "
        "accord score decides PASS or FAIL."
    )
    _, guessed = ends_of_scale(criterion.part.ratings)
    notes = (note, guessed) if guessed else (note,)
    columns = [column for column in _FEW if any(row[column.key] not in (None, "") for row in rows)]
    return [Rows(Table(f"What the scores of each item say{on(criterion.title)}", columns, rows, notes))]
