"""``accord rank``: systems from best to worst, with clusters and the ranks each may have."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import typer

from accord.cli.column_options import Where, names_columns
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_ratings
from accord.design.scale import ASK_DIRECTION, Direction
from accord.errors import RatingsError
from accord.functions.answer import notes_in_words
from accord.ratings.leaving_out import exclusion_notes
from accord.ratings.only_rows import only_rows
from accord.ratings.table import Group, Ratings
from accord.scoring.gate_exclusions import gated
from accord.scoring.ranking import Averaging, Preset, Ranking, ResamplingUnit, rank_criteria
from accord.scoring.ranking.rank import PairTestKind
from accord.scoring.ranking.segments import WITHOUT_SYSTEM
from accord.tables.table import Cell, Column, Table
from accord.words import listed

__all__ = ["rank"]

_Preset = Annotated[
    Preset, typer.Option(help="Procedure: accord, or an official one of WMT beside it (wmt17, wmt23, wmt25).")
]
_Confidence = Annotated[float, typer.Option(help="Confidence of the preset accord over all systems together.")]
_Test = Annotated[PairTestKind, typer.Option(help="Test of the preset accord: t, or sign-flip permutation.")]
_Resample = Annotated[
    ResamplingUnit, typer.Option(help="What another evaluation would draw anew: documents, raters, or both.")
]
_Average = Annotated[
    Averaging | None,
    typer.Option(
        help="What a score is: weighted (the default), a mean over documents in which long ones count more; document "
        "or segment, a plain mean in which each counts alike."
    ),
]
_Standardise = Annotated[
    bool | None,
    typer.Option("--standardise/--as-is", help="Turn scores into z-scores of each rater, or not; else as the preset."),
]
_Pairs = Annotated[bool, typer.Option("--pairs", "--all", help="Print every pair with its test too.")]


@names_columns("system", "document", "segment")
@takes_ratings
def rank(
    ratings: Ratings,
    strict: bool = False,
    sanity: Sequence[dict[str, object]] = (),
    preset: _Preset = Preset.ACCORD,
    confidence: _Confidence = 0.95,
    test: _Test = PairTestKind.T,
    resample: _Resample = ResamplingUnit.DOCUMENT,
    average: _Average = None,
    standardise: _Standardise = None,
    pairs: _Pairs = False,
    keep_all: bool = False,
    where: Where = None,
    seed: Annotated[int, typer.Option(help="Seed of the permutation test.")] = 1,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Rank systems: paired tests over documents, adjusted over pairs, with rank intervals and clusters."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    counted = gated(only_rows(ratings, where or ()), keep_all=keep_all)
    groups, unranked = _with_order(counted)
    said = (*exclusion_notes(counted), *unranked)
    with progress("Ranking") as advance:
        rankings = rank_criteria(
            [group.ratings for group in groups],
            preset=preset,
            level=confidence,
            test=test,
            resample=resample,
            average=average,
            standardise=standardise,
            seed=seed,
            advance=advance,
            whole=counted,
        )
    made = [(group.by.get("criterion", ""), ranking) for group, ranking in zip(groups, rankings, strict=True)]
    told = [*said, *(one for one in _cautions(made) if WITHOUT_SYSTEM in one)]
    if strict and len(told) > len(said):
        raise RatingsError(f"{told[-1]}. Name them, or drop --strict to rank the others.")
    _print(made, pairs, resample, form, _Said(told, [one for one in counted.notes if one not in said], sanity))


class _Said(NamedTuple):
    """Who and what was left out, the other notes of reading, and what was said to be checked first."""

    left_out: Sequence[str]
    notes: Sequence[str]
    sanity: Sequence[dict[str, object]]


def _with_order(ratings: Ratings) -> tuple[list[Group], tuple[str, ...]]:
    """The criteria that can be ranked; the others are named. A lone one without order is refused by the ranking."""
    groups = list(ratings.split())
    ranked = [group for group in groups if group.ratings.level.has_order]
    if not ranked or len(ranked) == len(groups):
        return groups, ()
    names = ", ".join(group.by.get("criterion", "") for group in groups if not group.ratings.level.has_order)
    return ranked, (f"Not ranked, as their values have no order: {names}.",)


_HEADS = {
    "rank": "rank",
    "system": "system",
    "score": "score",
    "low": "low",
    "high": "high",
    "cluster": "cluster",
    "wins": "wins",
    "losses": "losses",
    "segments": "segments",
    "documents": "documents",
    "ratings": "ratings",
}
_ABOUT = {
    ResamplingUnit.DOCUMENT: "other {} like these, judged by these raters",
    ResamplingUnit.RATER: "these {}, judged by other raters",
    ResamplingUnit.BOTH: "other {} and other raters like these",
}
_PAIR_HEADS = {
    "first": "system",
    "second": "against",
    "difference": "difference",
    "low": "low",
    "high": "high",
    "p": "p",
    "adjusted": "adjusted p",
    "winner": "better",
    "segments": "segments",
    "documents": "documents",
}


def _cautions(made: Sequence[tuple[str, Ranking]]) -> list[str]:
    """What is to be said of the rankings, once each; what holds for some criteria only names them."""
    of: dict[str, list[str]] = {}
    for criterion, ranking in made:
        for one in ranking.cautions:
            if one != ASK_DIRECTION and criterion not in of.setdefault(one, []):
                of[one].append(criterion)
    return [words if len(some) == len(made) else f"{listed(some)}: {words}" for words, some in of.items()]


def _print(made: Sequence[tuple[str, Ranking]], pairs: bool, resample: ResamplingUnit, form: Form, said: _Said) -> None:
    tables, lines = [], list(said.left_out)
    for criterion, ranking in made:
        named, known = f", {criterion}" if criterion else "", ranking.direction.is_known
        title = f"Ranking of {len(ranking.systems)} systems{named}" if known else ranking.headline(named)
        notes = (*_good(ranking), ranking.test, *_score_words(ranking), ranking.signature)
        rows = ranking.rows()
        # In a terminal a column that is empty throughout says nothing.
        heads = {key: head for key, head in _HEADS.items() if form is not Form.TEXT or any(row[key] for row in rows)}
        tables.append(_table(title, heads, rows, notes))
        if pairs:
            tables.append(_table(f"Pairs of systems{named}", _PAIR_HEADS, ranking.pair_rows(), _together(ranking)))
    lines += [one for one in _cautions(made) if one not in lines]
    if any(ranking.preset == Preset.ACCORD and ranking.direction.is_known for _, ranking in made):
        about = _ABOUT[resample].format(_drawn(made))
        sure = f"With {100 * made[0][1].level:.4g}% confidence the true ranks of all systems{_on_all_criteria(made)}"
        together = (
            "A new cluster begins only where every system above is shown to beat every system below; inside a cluster "
            "some may beat others (wins, losses)."
        )
        lines.insert(0, f"{sure} lie in their ranges, for {about}. {together}")
    lines += notes_in_words(said.notes)
    rankings = [{"criterion": c} | r.to_dict() for c, r in made]
    opening = [
        f"{f'{criterion}: ' if criterion else ''}{ranking.sentence()} {ranking.closing()}".rstrip()
        for criterion, ranking in made
    ]
    data = {"rankings": rankings, "left_out": list(said.left_out), "sanity": list(said.sanity)}
    emit(tables, data, form, lines=lines, opening=opening)


def _drawn(made: Sequence[tuple[str, Ranking]]) -> str:
    return "documents" if any(ranking.documents for _, ranking in made) else "segments"


def _on_all_criteria(made: Sequence[object]) -> str:
    return f" on all {len(made)} criteria" if len(made) > 2 else " on both criteria" if len(made) == 2 else ""


def _good(ranking: Ranking) -> tuple[str, ...]:
    """Which end was taken for the good one; a high score is what everybody expects."""
    return ("Low scores are good here.",) if ranking.direction is Direction.LOW else ()


def _score_words(ranking: Ranking) -> tuple[str, ...]:
    """What a score is; of weighted ones also how to get plain ones."""
    plain = " (--average document or segment gives plain means)" if ranking.score_is.startswith("weighted") else ""
    return (f"Score: {ranking.score_is}{plain}",) if ranking.score_is else ()


def _together(ranking: Ranking) -> tuple[str, ...]:
    """That the intervals of the pairs hold together, where there are any and several."""
    if len(ranking.pairs) < 2 or not any(pair.interval for pair in ranking.pairs):
        return ()
    return (f"low, high: simultaneous intervals, all of them hold together with {100 * ranking.level:.4g}% confidence",)


def _table(title: str, heads: dict[str, str], rows: Sequence[dict[str, Cell]], notes: tuple[str, ...]) -> Table:
    digits = _digits(rows)
    columns = [Column(key, head, digits) if key in _SCORES else Column(key, head) for key, head in heads.items()]
    return Table(title, columns, rows, notes)


_SCORES = ("score", "difference", "low", "high")


def _digits(rows: Sequence[dict[str, Cell]]) -> int:
    """One decimal where every interval is wider than 1: the others are noise."""
    ends = [(row["low"], row["high"]) for row in rows]
    widths = [high - low for low, high in ends if isinstance(low, float) and isinstance(high, float)]
    return 1 if widths and min(widths) > 1 else 3
