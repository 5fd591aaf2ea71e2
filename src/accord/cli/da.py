"""``accord da``: direct assessment from quality control of raters to system scores."""

from typing import Annotated

import typer

from accord.cli.column_options import Where, names_columns
from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_ratings
from accord.functions.assessing import da as da_answer
from accord.ratings.only_rows import only_rows
from accord.ratings.table import Ratings

__all__ = ["da"]

_Alpha = Annotated[float, typer.Option(help="Level of the test that degraded items score worse than originals.")]
_Fastest = Annotated[float, typer.Option(help="Flag a task done in fewer seconds.")]
_Run = Annotated[int, typer.Option(help="Flag one score given more often than this in a row.")]
_Minimum = Annotated[int, typer.Option(help="Ratings a segment needs for a score of its own.")]
_Unique = Annotated[bool, typer.Option("--unique", help="Count a rater once for each segment, repeats not at all.")]
_Sample = Annotated[
    int | None, typer.Option(metavar="N", help="Draw N ratings of each segment; leave out segments with fewer.")
]
_Started = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column with the time a task was begun: tasks open at once share their time."),
]
_Rejections = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column with the number of the rater's earlier rejected tasks.")
]
_Halvings = Annotated[int, typer.Option(min=1, help="Random halvings of the raters for self-replication.")]
_AsIs = Annotated[bool, typer.Option("--as-is", help="The scores are z-scores already.")]
_Raters = Annotated[bool, typer.Option("--raters", help="Print every rater, not only how many pass.")]
_Seed = Annotated[int, typer.Option(help="Seed of the random halves of self-replication and of --sample.")]


@names_columns("system", "segment", "role", "batch", "time_s")
@takes_ratings
def da(
    ratings: Ratings,
    alpha: _Alpha = 0.05,
    fastest: _Fastest = 300,
    longest_run: _Run = 8,
    minimum: _Minimum = 15,
    unique: _Unique = False,
    sample: _Sample = None,
    started: _Started = None,
    rejections: _Rejections = None,
    halvings: _Halvings = 100,
    keep_all: bool = False,
    as_is: _AsIs = False,
    raters: _Raters = False,
    where: Where = None,
    seed: _Seed = 1,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Check raters against their own scores, standardise, and average by segment and system."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    kept = only_rows(ratings, where or ())
    with progress("Direct assessment"):
        answer = da_answer(
            kept, alpha=alpha, fastest=fastest, longest_run=longest_run, minimum=minimum, unique=unique, sample=sample,
            started=started, rejections=rejections, halvings=halvings, keep_all=keep_all, as_is=as_is, seed=seed,
        )  # fmt: skip
    emit(answer.parts if raters else answer.parts[:1], answer.data, form, lines=answer.words, opening=answer.opening)
