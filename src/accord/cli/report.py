"""``accord report``: a page one can send, from a file of ratings or from a study folder."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.column_options import Pool
from accord.cli.layout import wrapped
from accord.cli.output import progress
from accord.cli.reading import takes_ratings
from accord.ratings.apart import pooled
from accord.ratings.table import Ratings

__all__ = ["report"]


@takes_ratings
def report(
    ratings: Ratings,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .html, .md, .tex, .pdf or .json.")
    ] = Path("report.html"),
    pool: Pool = None,
    title: Annotated[str, typer.Option(help="Title of the report.")] = "",
    confidence: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
    heds: Annotated[
        Path | None, typer.Option(help="Also write the HEDS 3.0 form as JSON, to load at nlp-heds.github.io.")
    ] = None,
    read_as: tuple[str, ...] = (),
    keep_all: bool = False,
) -> None:
    """Write a report that a reviewer, a client or a shared-task organiser can read and trust."""
    from accord.reporting.compose import compose
    from accord.reporting.writing import checked_target, write_document, write_json

    checked_target(output)
    ratings = pooled(ratings, pool or ())
    again = (*read_as, *(word for column in pool or () for word in ("--pool", column)))
    with progress("Making the report") as advance:
        document = compose(
            ratings, title=title or ratings.codebook.study.title, confidence=confidence, seed=seed, progress=advance,
            read_as=again, keep_all=keep_all, answers=_answers(read_as[0]), hasty=_hasty(read_as[0]),
        )  # fmt: skip
        path = write_document(document, output)
    answer = " ".join(filter(None, (document.first.answer, document.first.why)))
    typer.echo("\n".join([*wrapped(answer), ""]))
    size = path.stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
    typer.echo(f"Wrote {path} ({shown}).")
    if heds is not None:
        typer.echo(f"Wrote {write_json(document.data['heds'], heds)}.")


def _answers(source: str) -> Ratings | None:
    """Answers to the questionnaire of a study folder, whose ratings were read before."""
    from accord.reading import is_study, read_answers

    return read_answers(source, is_open=True) if is_study(source) else None


def _hasty(source: str) -> list[str]:
    """Raters of a study folder who took far less time than the study expects."""
    from accord.reading import is_study

    if not is_study(source):
        return []
    from accord.server.organiser.watched import hasty_raters

    return hasty_raters()
