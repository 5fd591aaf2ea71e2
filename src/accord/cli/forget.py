"""``accord forget``: remove who a rater is, on request."""

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
) -> None:
    """Remove a rater's personal data; the judgements stay under the pseudonym."""
    from accord.server.connect import connect, prepare

    connect(folder, must_exist=True)
    prepare()
    from accord.server.organiser.forgetting import forget as forget_rater

    typer.echo(str(forget_rater(rater, comments=not keep_comments)))
