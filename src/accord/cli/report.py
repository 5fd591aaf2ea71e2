"""``accord report``: a page one can send, from a file of ratings or from a study folder."""

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.output import progress
from accord.cli.reading import read_ratings, reading_options, reading_words, takes_ratings
from accord.cli.report_study import is_study, study_ratings
from accord.ratings.table import Ratings

__all__ = ["report"]


@takes_ratings
def _of_ratings(
    ratings: Ratings,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .html, .md, .tex, .pdf or .json.")
    ] = Path("report.html"),
    title: Annotated[str, typer.Option(help="Title of the report.")] = "",
    confidence: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
    heds: Annotated[
        Path | None, typer.Option(help="Also write the HEDS 3.0 form as JSON, to load at nlp-heds.github.io.")
    ] = None,
    systems: Annotated[
        bool, typer.Option("--systems", help="Of a study folder: name the systems instead of system-1, system-2.")
    ] = False,
) -> None:
    """The options of the command; the ratings are read by ``report`` itself, which also takes a study folder."""


def report(**options: Any) -> None:
    """Write a report that a reviewer, a client or a shared-task organiser can read and trust."""
    path = Path(options.pop("ratings"))
    reading = reading_options(options)
    named = options.pop("systems")
    if not is_study(path):
        _write(read_ratings(path, **reading), read_as=reading_words(path, reading), **options)
        return
    ratings, exclusions = study_ratings(path, named=named)
    options["title"] = options["title"] or ratings.source
    _write(ratings, exclusions=exclusions, **options)


report.__signature__ = inspect.signature(_of_ratings)  # type: ignore[attr-defined]
report.__annotations__ = _of_ratings.__annotations__


def _write(
    ratings: Ratings, output: Path, title: str, confidence: float, seed: int, heds: Path | None,
    exclusions: tuple[str, ...] = (), read_as: tuple[str, ...] = (),
) -> None:  # fmt: skip
    from accord.reporting.compose import compose
    from accord.reporting.writing import checked_target, write_document, write_json

    checked_target(output)
    with progress("Making the report") as advance:
        document = compose(
            ratings,
            title=title,
            confidence=confidence,
            seed=seed,
            progress=advance,
            exclusions=exclusions,
            read_as=read_as,
        )
        path = write_document(document, output)
    typer.echo(f"Wrote {path} ({path.stat().st_size / 1e6:.1f} MB).")
    if heds is not None:
        typer.echo(f"Wrote {write_json(document.data['heds'], heds)}.")
