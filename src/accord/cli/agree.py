"""``accord agree``: every coefficient that fits the ratings, with interval, n, reading and cautions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from accord.arrays import Floats
from accord.cli.column_options import Pool
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_counts
from accord.coefficients.metrics import METRICS
from accord.coefficients.weights import SET_WEIGHTS, WEIGHTS
from accord.diagnosis.examination import diagnose
from accord.diagnosis.finding import Finding
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.apart import kept_apart, pooled
from accord.ratings.counting import count_source
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import FEWEST_ITEMS
from accord.reliability.matrix import PairMatrix
from accord.reliability.plan import Draws, IntervalKind, Unit
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.run import agreement
from accord.reliability.unasked import NOTHING
from accord.tables.table import Cell, Column, Table
from accord.words import counted

_DIAGNOSED = 1_000_000
"""Up to this many ratings the findings of ``accord diagnose`` are told along."""
_WEIGHTS = ", ".join([*WEIGHTS, *SET_WEIGHTS])
_METRICS = ", ".join(["ordinal", *METRICS, *SET_WEIGHTS])


class IccMissing(StrEnum):
    """What intraclass correlations do about missing ratings."""

    LISTWISE = "listwise"
    ANOVA = "anova"
    MIXED = "mixed"


_Resample = Annotated[
    Unit, typer.Option(help="What another study would have other ones of: documents if they are named, else items.")
]
_Draws = Annotated[
    Draws, typer.Option(help="How resamples are drawn: poisson sums hashed weights where the ratings lie.")
]

_Parts = Annotated[
    bool, typer.Option("--parts", help="Also show observed and chance (dis)agreement, or concordant pairs.")
]


@takes_counts
def agree(
    ratings: Ratings | StoredRatings,
    by: Annotated[list[str] | None, typer.Option(help="Column to split by. Repeatable.")] = None,
    pool: Pool = None,
    coefficient: Annotated[
        list[str] | None,
        typer.Option("--coefficient", "-c", metavar="KEY", help="Only this coefficient, fit or not. Repeatable."),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    interval: Annotated[IntervalKind, typer.Option(help="How intervals are made.")] = IntervalKind.AUTO,
    bootstrap: Annotated[int | None, typer.Option(metavar="N", help="Number of bootstrap replicates.")] = None,
    resample: _Resample = Unit.AUTO,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    draws: _Draws = Draws.AUTO,
    weights: Annotated[
        str | None,
        typer.Option(help=f"Weights where a coefficient takes them: {_WEIGHTS}, or a CSV file of your own matrix."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help=f"Distance of Krippendorff's α, instead of the level: {_METRICS}.")
    ] = None,
    sampled_share: Annotated[
        float | None,
        typer.Option(help="Share of all items there are that was rated: narrows analytic intervals."),
    ] = None,
    icc_missing: Annotated[
        IccMissing, typer.Option(help="What intraclass correlations do about missing ratings.")
    ] = IccMissing.LISTWISE,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also show every pair of raters.")] = False,
    parts: _Parts = False,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """How far raters agree, with every coefficient that fits."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    with progress("Counting" if isinstance(ratings, StoredRatings) else "Resampling") as advance:
        if isinstance(ratings, StoredRatings):
            ratings = replace(ratings, progress=advance)
        ratings = pooled(ratings, pool or ())
        result = agreement(
            ratings, coefficients=coefficient or None, by=by or (), confidence=confidence, interval=interval,
            replicates=bootstrap, resample=resample, seed=seed, draws=draws, weights=_own(weights), metric=metric,
            sampled_share=sampled_share or 0.0, icc_missing=icc_missing, pairs=pairs, progress=advance,
        )  # fmt: skip
    _require_overlap(ratings, result)
    if isinstance(ratings, Ratings) and len(ratings) <= _DIAGNOSED:
        result = result.with_findings(_findings(ratings, by or (), seed))
    emit(list(_tables(result, form, parts=parts)), result.to_dict(), form, lines=_closing(result))


def _findings(ratings: Ratings, by: Sequence[str], seed: int) -> list[Sequence[Finding]]:
    """What is wrong in each part."""
    parts = ratings.split((*by, *kept_apart(ratings, by)))
    return [diagnose(part.ratings, seed=seed).findings for part in parts]


def _own(weights: str | None) -> str | Floats | None:
    """The name of weights, or the matrix in a file: numbers only, a row and a column for each value of the scale."""
    if weights is None or not Path(weights).suffix:
        return weights
    try:
        return np.loadtxt(weights, delimiter=",", ndmin=2, dtype=np.float64)
    except (OSError, ValueError) as error:
        raise OptionError(f"The matrix of weights {weights} cannot be read as rows of numbers: {error}") from None


def _require_overlap(ratings: Ratings | StoredRatings, result: Reliability) -> None:
    """Where no item has two ratings there is no table to show, only something to put right."""
    if any(estimate.items for estimate in result):
        return
    source = count_source(ratings) if isinstance(ratings, Ratings) else ratings
    if source.facts().pairable and any(group.raters > 1 for group in result.groups):
        return
    if split := ", ".join(dict.fromkeys(column for group in result.groups for column in group.by)):
        raise NotEnoughDataError(f"No item was rated by two raters once the ratings are split by {split}.")
    seen = f"{counted(result.rows, 'rating')} of {counted(result.items, 'item')} by {counted(result.raters, 'rater')}"
    if result.raters < 2:
        why = "Agreement needs two raters or more, and there is one"
        do = "Check the rater column (--rater COLUMN, or --wide for one column a rater)"
    else:
        why = "No item was rated by two raters, so nothing can be compared"
        do = "Check the item column (--item COLUMN): raters must share item names"
    raise NotEnoughDataError(f"{why}: {seen}. {do}; accord score and accord rank need no overlap.")


def _tables(result: Reliability, form: Form, *, parts: bool) -> Iterable[Table]:
    if form is Form.CSV:
        yield from _csv_tables(result)
        return
    yield from (_table(group) for group in result.groups)
    for group in result.groups:
        if parts:
            yield from _parts_tables(group)
        yield from (_pair_table(group, matrix) for matrix in group.matrices)


def _csv_tables(result: Reliability) -> Iterable[Table]:
    """One table of all estimates with their parts, and one of all pairs of raters where they are wanted."""
    yield _flat("agreement", [row for group in result.groups for row in group.rows()])
    if pairs := [{**group.by, **row} for group in result.groups for one in group.matrices for row in one.rows()]:
        yield _flat("pairs", pairs)


def _flat(title: str, rows: Sequence[Mapping[str, Cell]]) -> Table:
    """All columns of all rows: groups may be split by different columns, coefficients have parts of their own."""
    return Table(title, [Column(key, key) for key in dict.fromkeys(key for row in rows for key in row)], rows)


def _table(group: GroupReliability) -> Table:
    columns = [
        Column("title", "coefficient"), Column("value", "value"), Column("low", "low"), Column("high", "high"),
        Column("items", "items"), Column("reading", "reading"),
    ]  # fmt: skip
    sizes = [counted(group.ratings, "rating"), counted(group.items, "item"), counted(group.raters, "rater")]
    values = counted(group.values, "value") if group.values else "too many values"
    title = f"Agreement, {group.title}: {', '.join(sizes)}, {group.level} scale of {values}"
    return Table(title, columns, [_row(estimate) for estimate in group.estimates], notes=_notes(group))


def _row(estimate: Estimate) -> dict[str, Cell]:
    interval = estimate.interval
    reading = estimate.interpretations[0] if estimate.interpretations else None
    return {
        "title": estimate.title, "value": estimate.value, "low": interval.low if interval else None,
        "high": interval.high if interval else None, "items": estimate.items,
        "reading": reading.words if reading else "",
    }  # fmt: skip


def _notes(group: GroupReliability) -> list[str]:
    """Intervals, cautions, what did not fit and what was guessed: each said once."""
    estimates = group.estimates
    notes = [f"Interval: {words}" for words in _sorted_out(estimates, lambda one: _method(one) if one.interval else "")]
    notes += [
        f"The interval answers: {words}"
        for words in _sorted_out(estimates, lambda one: one.question if one.interval else "")
    ]
    if any(estimate.interpretations for estimate in estimates):
        notes.append("Reading: what the interval shows at least; what is enough, the task decides.")
    elif any(estimate.interval and estimate.items < FEWEST_ITEMS for estimate in estimates):
        notes.append(f"Reading: none from fewer than {FEWEST_ITEMS} items.")
    notes += [f"Reading: {words}" for words in _sorted_out(estimates, _scale_of)]
    notes += [f"Finding: {str(told['message']).rstrip('.')}. See accord diagnose." for told in _errors(group)]
    cautions = [f"Caution: {words}" for words in _cautions(estimates)]
    notes = [words for words in cautions if NOTHING in words] + notes
    notes += [words for words in cautions if NOTHING not in words]
    notes += [f"Left out: {', '.join(keys)}: {reason}." for reason, keys in group.left_out().items()]
    notes += [f"Note: {note}" for note in group.notes]
    return [*notes, *(f"Guess: {guess}." for guess in group.guesses)]


def _scale_of(estimate: Estimate) -> str:
    return f"scale of {estimate.interpretations[0].scale}" if estimate.interpretations else ""


def _errors(group: GroupReliability) -> list[dict[str, object]]:
    """The gravest findings only; the others are told by accord diagnose."""
    told = [finding.to_dict() for finding in group.findings]
    return [finding for finding in told if finding["severity"] == "error"]


def _method(estimate: Estimate) -> str:
    interval = estimate.interval
    if interval is None:
        return ""
    drawn = f", {interval.replicates:,} replicates" if interval.replicates else ""
    return f"{interval.level:.0%}, {interval.method}{drawn}"


def _sorted_out(estimates: Sequence[Estimate], words_of: Callable[[Estimate], str]) -> list[str]:
    """What differs between coefficients: the rarer cases by name, then the one that holds for the others."""
    keys: dict[str, list[str]] = {}
    for estimate in estimates:
        if words := words_of(estimate):
            keys.setdefault(words, []).append(estimate.coefficient)
    if len(keys) < 2:
        return [f"{words}." for words in keys]
    usual = max(keys, key=lambda words: len(keys[words]))
    told = [f"{', '.join(named)}: {words}." for words, named in keys.items() if words != usual]
    return [*told, f"the others: {usual}."]


def _cautions(estimates: Sequence[Estimate]) -> list[str]:
    """Each caution once with the coefficients it belongs to, those of all coefficients without names."""
    keys: dict[str, list[str]] = {}
    for estimate in estimates:
        for caution in estimate.cautions:
            keys.setdefault(caution, []).append(estimate.coefficient)
    told = [
        caution if len(named) == len(estimates) else f"{', '.join(named)}: {caution}" for caution, named in keys.items()
    ]
    return [words if words.endswith("?") else f"{words}." for words in told]


_MADE_OF = {
    ("observed", "expected"): "Observed agreement, and what chance would give",
    ("observed_disagreement", "expected_disagreement"): (
        "Observed disagreement, and what chance would give, as mean squared distances"
    ),
    ("concordant", "discordant", "untied"): "Pairs of items in the same and in opposite order",
}
_COUNTED = frozenset({"concordant", "discordant", "untied"})


def _part_columns(names: Iterable[str]) -> list[Column]:
    return [Column(name, name.replace("_", " "), 0 if name in _COUNTED else 3) for name in names]


def _parts_tables(group: GroupReliability) -> Iterable[Table]:
    """What the values are made of: agreement observed and by chance, and pairs of items in the same order."""
    for names, title in _MADE_OF.items():
        rows: list[dict[str, Cell]] = [
            {"title": estimate.title, "value": estimate.value, **estimate.parts}
            for estimate in group.estimates
            if all(name in estimate.parts for name in names)
        ]
        columns = [Column("title", "coefficient"), Column("value", "value"), *_part_columns(names)]
        if rows:
            yield Table(f"{title}, {group.title}", columns, rows)


def _pair_table(group: GroupReliability, matrix: PairMatrix) -> Table:
    rows = matrix.rows()
    known = any(not isnan(float(row["low"])) for row in rows)
    ends = [Column("low", "low"), Column("high", "high")] if known else []
    names = [name for family in _MADE_OF for name in family if name in matrix.parts]
    columns = [
        Column("rater", "rater"), Column("other", "other"), Column("value", "value"), *ends, Column("items", "items"),
        *_part_columns(names),
    ]  # fmt: skip
    mean = "undefined" if isnan(matrix.mean) else f"{matrix.mean:.3f}"
    method = [f"Interval: {matrix.confidence:.0%}, by the standard error of each pair."] if known else []
    return Table(f"{matrix.title} of each pair, {group.title}: mean {mean}", columns, rows, method)


def _closing(result: Reliability) -> list[str]:
    """Notes on reading the file, and one signature: the others differ in their own coefficient only."""
    guesses = tuple(guess for group in result.groups for guess in group.guesses)
    lines = [f"Note: {note}." for note in result.notes if not (guesses and note.endswith(guesses))]
    first = next(iter(result), None)
    if first is not None:
        lines.append(f"Signature of {first.coefficient} (--csv and --json have all): {first.signature}")
    return lines
