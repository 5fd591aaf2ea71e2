"""``accord mqm``: scores from lists of errors, arbitration, calibrated scores, and few errors in few words."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.column_options import KeepAll, LeaveOut, Pool, Where
from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.cli.sanity_first import tell
from accord.functions.mqm import mqm as mqm_answer
from accord.scoring.error_rates import ERRORS

__all__ = ["mqm"]

_Errors = Annotated[
    Path | None,
    typer.Argument(
        metavar="[ERRORS]",
        help="One row per error: item, rater, category, severity; system, document, text, ruling if known. "
        "Google MQM, Marot and Appraise files; or ratings whose values are penalties, or a study folder.",
    ),
]
_Ratings = Annotated[
    Path | None, typer.Option(help="Ratings of the same study: the segments that were judged and have no error.")
]
_Criterion = Annotated[str | None, typer.Option(help="Criterion of the ratings whose values are penalties.")]
_Format = Annotated[str | None, typer.Option(help="Format of the file; recognised by its content if not given.")]
_Column = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of the list of errors that holds it.")]
_Limit = Annotated[
    int | None, typer.Option(help="Count at most this many errors per segment, the heaviest; MQM asks for 5.")
]
_Segments = Annotated[bool, typer.Option("--segments", help="Print the score of each item and rater too.")]
_Points = Annotated[
    list[float] | None,
    typer.Option(help="Penalty points of a sample, for the calibrated score; once for each reviewer."),
]
_Criticals = Annotated[int, typer.Option(help="Critical errors of the sample; one is enough to fail.")]
_Passing = Annotated[float | None, typer.Option(help="Passing score of the calibrated scale, such as 90.")]
_Count = Annotated[
    list[int] | None,
    typer.Option(help="Number of errors in a small sample; once for each reviewer of the same words."),
]
_Reviewer = Annotated[list[str] | None, typer.Option(help="Name of a reviewer, once for each count. Repeatable.")]
_Dispersion = Annotated[
    float | None,
    typer.Option(help="Variance over mean of counts of documents; 3.3 for errors, 9.6 for points if not given."),
]
_Severity = Annotated[float, typer.Option("--reviewer-spread", help="Standard deviation of reviewers' log rates.")]
_Words = Annotated[int | None, typer.Option(help="Words of the sample.")]
_Acceptable = Annotated[float | None, typer.Option(help="Acceptable errors (or penalty points) per 1,000 words.")]
_Bad = Annotated[
    float | None, typer.Option(help="Errors per 1,000 words that must be caught: how many words to evaluate.")
]
_Confidence = Annotated[float, typer.Option(help="Confidence of the intervals.")]


def mqm(
    errors: _Errors = None,
    ratings: _Ratings = None,
    criterion: _Criterion = None,
    item: _Column = None,
    rater: _Column = None,
    category: _Column = None,
    severity: _Column = None,
    system: _Column = None,
    document: _Column = None,
    format: _Format = None,
    limit: _Limit = None,
    segments: _Segments = False,
    pairs: Annotated[bool, typer.Option("--pairs", "--all", help="Also show every pair of systems.")] = False,
    leave_out: LeaveOut = None,
    keep_all: KeepAll = False,
    where: Where = None,
    pool: Pool = None,
    words: _Words = None,
    points: _Points = None,
    criticals: _Criticals = 0,
    passing: _Passing = None,
    acceptable: _Acceptable = None,
    count: _Count = None,
    reviewer: _Reviewer = None,
    dispersion: _Dispersion = None,
    reviewer_spread: _Severity = ERRORS.severity,
    bad: _Bad = None,
    confidence: _Confidence = 0.95,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Score lists of MQM errors, or judge a sample by its points or its few errors."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    named = {"item": item, "rater": rater, "category": category, "severity": severity, "system": system,
             "document": document}  # fmt: skip
    columns = {name: column for name, column in named.items() if column is not None}
    answer = mqm_answer(
        errors, ratings=ratings, criterion=criterion, format=format, columns=columns, limit=limit,
        segments=segments, leave_out=leave_out or (), keep_all=keep_all, where=where or (), pool=pool or (),
        words=words, points=points, criticals=criticals, passing=passing, acceptable=acceptable, count=count,
        reviewers=reviewer or (), dispersion=dispersion, reviewer_spread=reviewer_spread, bad=bad,
        confidence=confidence,
    )  # fmt: skip
    tell(answer.remarks, form)
    emit(answer.parts, answer.data, form, lines=answer.words, opening=answer.opening, every=pairs)
