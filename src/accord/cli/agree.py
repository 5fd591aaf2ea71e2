"""``accord agree``: every coefficient that fits the ratings, with interval, n, reading and cautions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from math import isnan
from typing import Annotated

import typer

from accord.agreement.weights import SET_WEIGHTS, WEIGHTS
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_counts
from accord.diagnosis.examination import diagnose
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reliability.estimate import Estimate
from accord.reliability.plan import IntervalKind, Unit
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.run import agreement
from accord.report.tables import Cell, Column, Table

_DIAGNOSED = 1_000_000
"""Up to this many ratings the findings of ``accord diagnose`` are told along."""
_WEIGHTS = ", ".join([*WEIGHTS, *SET_WEIGHTS])


class IccMissing(StrEnum):
    """What intraclass correlations do about missing ratings."""

    LISTWISE = "listwise"
    ANOVA = "anova"
    MIXED = "mixed"


@takes_counts
def agree(
    ratings: Ratings | StoredRatings,
    by: Annotated[list[str] | None, typer.Option(help="Column to split by. Repeatable.")] = None,
    coefficient: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Only this coefficient, fit or not. Repeatable.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    interval: Annotated[IntervalKind, typer.Option(help="How intervals are made.")] = IntervalKind.AUTO,
    bootstrap: Annotated[int | None, typer.Option(metavar="N", help="Number of bootstrap replicates.")] = None,
    resample: Annotated[Unit, typer.Option(help="What another study would have other ones of.")] = Unit.ITEM,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    weights: Annotated[str | None, typer.Option(help=f"Weights where a coefficient takes them: {_WEIGHTS}.")] = None,
    icc_missing: Annotated[
        IccMissing, typer.Option(help="What intraclass correlations do about missing ratings.")
    ] = IccMissing.LISTWISE,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also show every pair of raters.")] = False,
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
        result = agreement(
            ratings, coefficients=coefficient or None, by=by or (), confidence=confidence, interval=interval,
            replicates=bootstrap, resample=resample, seed=seed, weights=weights,
            icc_missing=icc_missing, pairs=pairs, progress=advance,
        )  # fmt: skip
    if isinstance(ratings, Ratings) and len(ratings) <= _DIAGNOSED:
        parts = [group.ratings for group in ratings.split(by or ())]
        result = result.with_findings([diagnose(part, seed=seed).findings for part in parts])
    emit(list(_tables(result, form)), result.to_dict(), form, lines=_closing(result))


def _tables(result: Reliability, form: Form) -> Iterable[Table]:
    if form is Form.CSV:
        yield Table("agreement", _csv_columns(result), [row for group in result.groups for row in group.rows()])
    else:
        yield from (_table(group) for group in result.groups)
    for group in result.groups:
        yield from (_pair_table(group, place) for place in range(len(group.matrices)))


def _csv_columns(result: Reliability) -> list[Column]:
    """All columns of all groups: groups may be split by different columns."""
    keys = dict.fromkeys(key for group in result.groups for row in group.rows() for key in row)
    return [Column(key, key) for key in keys]


def _table(group: GroupReliability) -> Table:
    columns = [
        Column("title", "coefficient"), Column("value", "value"), Column("low", "low"), Column("high", "high"),
        Column("items", "items"), Column("reading", "reading"),
    ]  # fmt: skip
    counted = f"{group.ratings:,} ratings, {group.items:,} items, {group.raters:,} raters"
    values = f"{group.values:,}" if group.values else "too many"
    title = f"Agreement, {group.title}: {counted}, {group.level} scale of {values} values"
    return Table(title, columns, [_row(estimate) for estimate in group.estimates], notes=_notes(group))


def _row(estimate: Estimate) -> dict[str, Cell]:
    interval = estimate.interval
    reading = estimate.interpretations[0] if estimate.interpretations else None
    chance = f" ({reading.probabilities[reading.band]:.2f})" if reading and reading.probabilities else ""
    return {
        "title": estimate.title, "value": estimate.value, "low": interval.low if interval else None,
        "high": interval.high if interval else None, "items": estimate.items,
        "reading": f"{reading.band}{chance}" if reading else "",
    }  # fmt: skip


def _notes(group: GroupReliability) -> list[str]:
    """Intervals, cautions, what did not fit and what was guessed: each said once."""
    estimates = group.estimates
    notes = [f"Interval: {words}" for words in _shared(estimates, lambda one: [_method(one)] if one.interval else [])]
    if any(estimate.interpretations for estimate in estimates):
        notes.append("Reading: a band and its probability given the standard error; what is enough, the task decides.")
    notes += [f"Reading: {words}" for words in _shared(estimates, _scale_of)]
    notes += [f"Finding: {told['message']} See accord diagnose." for told in _errors(group)]
    notes += [f"Caution: {words}" for words in _shared(estimates, lambda one: list(one.cautions))]
    by_reason: dict[str, list[str]] = {}
    for key, reasons in group.unsuitable.items():
        by_reason.setdefault("; ".join(reasons), []).append(key)
    notes += [f"Left out: {', '.join(keys)}: {reason}." for reason, keys in by_reason.items()]
    notes += [f"Note: {note}" for note in group.notes]
    return [*notes, *(f"Guess: {guess}." for guess in group.guesses)]


def _scale_of(estimate: Estimate) -> list[str]:
    return [f"scale of {estimate.interpretations[0].scale}"] if estimate.interpretations else []


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


def _shared(estimates: Sequence[Estimate], words_of: Callable[[Estimate], Sequence[str]]) -> list[str]:
    """Sentences with the coefficients they belong to, those of all coefficients without names."""
    keys: dict[str, list[str]] = {}
    for estimate in estimates:
        for words in words_of(estimate):
            keys.setdefault(words, []).append(estimate.coefficient)
    return [
        f"{words}." if len(named) == len(estimates) else f"{', '.join(named)}: {words}."
        for words, named in keys.items()
    ]


def _pair_table(group: GroupReliability, place: int) -> Table:
    matrix = group.matrices[place]
    columns = [Column("rater", "rater"), Column("other", "other"), Column("value", "value"), Column("items", "items")]
    mean = "undefined" if isnan(matrix.mean) else f"{matrix.mean:.3f}"
    return Table(f"{matrix.title} of each pair, {group.title}: mean {mean}", columns, matrix.rows())


def _closing(result: Reliability) -> list[str]:
    """Notes on reading the file, and one signature: the others differ in their own coefficient only."""
    lines = [f"Note: {note}." for note in result.notes if not any(note in group.guesses for group in result.groups)]
    signed = [estimate.signature for group in result.groups for estimate in group.estimates[:1]]
    return [*lines, *(f"Signature: {text}" for text in signed[:1])]
