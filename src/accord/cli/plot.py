"""``accord plot``: one chart for a paper, from a file of ratings."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import progress
from accord.cli.reading import takes_ratings
from accord.ratings.only_rows import only_rows
from accord.ratings.table import Ratings

_CHARTS = (
    "intervals",
    "pair-boxes",
    "agreement-parts",
    "ratings-per-item",
    "category-use",
    "bootstrap-panels",
    "distributions",
    "means-with-ranges",
    "heat-maps",
    "quadrants",
    "bleu-quadrants",
    "context",
    "misevaluation",
    "severity",
    "drift",
    "pair-matrix",
    "rank-intervals",
)
"""The charts that reporting can draw, by name: help is shown without loading it; a test holds the two together."""


@takes_ratings
def plot(
    ratings: Ratings,
    chart: Annotated[str, typer.Option("--chart", "-c", help=f"Which chart: {', '.join(_CHARTS)}.")] = "intervals",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .svg, .png, .pdf, .html or .json.")
    ] = Path("chart.svg"),
    condition: Annotated[str, typer.Option(help="Column of rater groups, for charts by group.")] = "group",
    only: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN=NAME", help="Use only these rows. Repeatable.")
    ] = None,
) -> None:
    """Draw one chart."""
    from accord.reporting.figures import draw

    with progress("Drawing") as advance:
        advance(0, 1)
        made = draw(chart, only_rows(ratings, only or ()), condition)
        made.save(output)
    typer.echo(f"{made.title}\nWrote {output}.")
