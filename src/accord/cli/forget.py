"""``accord forget``: show what is kept of a rater, or remove who it is, on request."""

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["forget"]


def forget(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    rater: Annotated[str, typer.Argument(metavar="RATER", help="The rater's pseudonym.")],
    keep_comments: Annotated[
        bool, typer.Option("--keep-comments", help="Leave what the rater wrote in free words.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Print all that is kept of the rater, and remove nothing.")
    ] = False,
) -> None:
    """Remove a rater's personal data; the judgements stay under the pseudonym."""
    from accord.server.connect import connect, database_in_words, prepare

    connect(folder, must_exist=True)
    prepare()
    if show:
        from accord.server.organiser.stored import stored_about

        typer.echo(json.dumps(stored_about(rater), indent=2, ensure_ascii=False, default=str))
        return
    from accord.server.organiser.forgetting import forget as forget_rater

    with database_in_words():
        forgotten = forget_rater(rater, comments=not keep_comments)
    typer.echo(str(forgotten))
