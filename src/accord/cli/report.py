"""``accord report``: a page one can send, from a file of ratings."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import progress
from accord.cli.reading import takes_ratings
from accord.ratings.table import Ratings


@takes_ratings
def report(
    ratings: Ratings,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .html, .md, .tex, .pdf or .json.")
    ] = Path("report.html"),
    title: Annotated[str, typer.Option(help="Title of the report.")] = "",
    confidence: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
) -> None:
    """Write a report that a reviewer, a client or a shared-task organiser can read and trust."""
    from accord.report.writing import report as write

    with progress("Making the report") as advance:
        path = write(ratings, output, title=title, confidence=confidence, seed=seed, progress=advance)
    typer.echo(f"Wrote {path} ({path.stat().st_size / 1e6:.1f} MB).")
