"""``accord mqm``: scores from lists of errors, arbitration, calibrated scores, and few errors in few words."""

from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.errors import OptionError
from accord.report.tables import Cell, Column, Table
from accord.scoring.calibrated import calibrated_score
from accord.scoring.mqm import MqmError, arbitrated, mqm_segments, mqm_systems, read_mqm_errors, repeated_errors
from accord.scoring.poisson import error_rate, operating_curve, sampling_plan

__all__ = ["mqm"]

_Errors = Annotated[
    Path | None,
    typer.Argument(
        metavar="[ERRORS]",
        help="One row an error: item, rater, category, severity; system, document, text, ruling if known.",
    ),
]
_Limit = Annotated[int | None, typer.Option(help="Count only so many errors a segment, the heaviest; MQM asks for 5.")]
_Segments = Annotated[bool, typer.Option("--segments", help="Print the score of each item and rater too.")]
_Points = Annotated[float | None, typer.Option(help="Penalty points of a sample, for the calibrated score.")]
_Criticals = Annotated[int, typer.Option(help="Critical errors of the sample; one is enough to fail.")]
_Passing = Annotated[float | None, typer.Option(help="Passing score of the calibrated scale, such as 90.")]
_Count = Annotated[int | None, typer.Option(help="Number of errors in a small sample.")]
_Words = Annotated[int | None, typer.Option(help="Words of the sample.")]
_Acceptable = Annotated[float | None, typer.Option(help="Acceptable errors (or penalty points) per 1,000 words.")]
_Bad = Annotated[
    float | None, typer.Option(help="Errors per 1,000 words that must be caught: how many words to evaluate.")
]
_Confidence = Annotated[float, typer.Option(help="Confidence of the interval of the error rate.")]


def mqm(
    errors: _Errors = None,
    limit: _Limit = None,
    segments: _Segments = False,
    words: _Words = None,
    points: _Points = None,
    criticals: _Criticals = 0,
    passing: _Passing = None,
    acceptable: _Acceptable = None,
    count: _Count = None,
    bad: _Bad = None,
    confidence: _Confidence = 0.95,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Score lists of MQM errors, or judge a sample by its points or its few errors."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    tables: list[Table] = []
    lines: list[str] = []
    data: dict[str, Any] = {}
    if errors is not None:
        _score_errors(read_mqm_errors(errors), limit, segments, tables, lines, data)
    if points is not None:
        if words is None or passing is None or acceptable is None:
            raise OptionError("A calibrated score needs --points, --words, --passing and --acceptable.")
        made = calibrated_score(points, words, passing=passing, acceptable=acceptable, criticals=criticals)
        lines.append(f"{made}.")
        data["calibrated"] = made.to_dict()
    if count is not None:
        _judge_count(count, words, acceptable, confidence, tables, lines, data)
    if bad is not None:
        if acceptable is None:
            raise OptionError("How many words to evaluate depends on --acceptable and --bad together. Give both.")
        lines.append(f"{sampling_plan(acceptable, bad)}.")
    if not (tables or lines):
        raise OptionError("Give a file of ERRORS, or --points, --count or --bad. See accord mqm --help.")
    emit(tables, data | {"notes": lines}, form, lines=lines)


def _score_errors(
    found: tuple[MqmError, ...], limit: int | None, each: bool, tables: list[Table], lines: list[str],
    data: dict[str, Any],
) -> None:  # fmt: skip
    scores = mqm_segments(found, limit=limit)
    note = (
        "Major 5, Minor 1, Neutral 0, Non-translation 25, Minor Fluency/Punctuation 0.1; mean over raters, then items."
    )
    systems: list[dict[str, Cell]] = [
        {"system": name or "all", "score": value, "items": len({s.item for s in scores if s.system == name}),
         "raters": len({s.rater for s in scores if s.system == name}),
         "errors": sum(s.errors for s in scores if s.system == name)}
        for name, value in mqm_systems(scores).items()
    ]  # fmt: skip
    tables.append(_table("MQM scores of systems", systems, (note,)))
    raters: list[dict[str, Cell]] = []
    for rater in sorted({s.rater for s in scores}):
        own = [s for s in scores if s.rater == rater]
        raters.append({"rater": rater, "score": fmean(s.score for s in own), "items": len(own),
                       "errors": sum(s.errors for s in own)})  # fmt: skip
    tables.append(_table("MQM scores of raters", raters, ()))
    if each:
        rows: list[dict[str, Cell]] = [
            {"item": s.item, "rater": s.rater, "system": s.system, "score": s.score, "errors": s.errors} for s in scores
        ]
        tables.append(_table("MQM scores of items", rows, ()))
        data["items"] = rows
    data |= {"systems": systems, "raters": raters, "limit": limit}
    if any(error.ruling for error in found):
        rulings: list[dict[str, Cell]] = [
            {"reviewer": a.reviewer, "errors": a.errors, "accepted": a.accepted, "rejected": a.rejected,
             "downgraded": a.downgraded, "before": a.before, "after": a.after, "overturned": a.overturned}
            for a in arbitrated(found)
        ]  # fmt: skip
        tables.append(_table("Arbitration: penalty points before and after", rulings, ()))
        data["arbitration"] = rulings
    long = sum(s.errors > 5 for s in scores)
    if limit is None and long:
        lines.append(f"{long:,} of {len(scores):,} segment scores have more than five errors, and all of them count; "
                     "--limit 5 keeps the heaviest five.")  # fmt: skip
    for error, times in repeated_errors(found):
        lines.append(f"{error.rater} counted {error.category} on {error.text!r} {times} times; count it once.")


def _judge_count(
    count: int, words: int | None, acceptable: float | None, level: float, tables: list[Table], lines: list[str],
    data: dict[str, Any],
) -> None:  # fmt: skip
    if words is None:
        raise OptionError("A number of errors needs the number of words it was found in: --words.")
    rate = error_rate(count, words, level=level, acceptable=acceptable)
    lines.append(f"{rate}.")
    data["error_rate"] = rate.to_dict()
    if acceptable is not None:
        rows: list[dict[str, Cell]] = [
            {"rate": p.rate, "PASS": p.passes, "UNDECIDED": p.undecided, "FAIL": p.fails}
            for p in operating_curve(words, acceptable, level=level)
        ]
        title = f"Operating curve: probability of each verdict by the true errors per 1,000 words ({words:,} words)"
        tables.append(_table(title, rows, ()))
        data["operating_curve"] = rows


def _table(title: str, rows: list[dict[str, Cell]], notes: tuple[str, ...]) -> Table:
    return Table(title, [Column(key, key) for key in rows[0]], rows, notes)
