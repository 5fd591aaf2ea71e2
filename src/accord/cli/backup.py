"""``accord backup``: a copy of a study that is safe to take while the server runs."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["backup"]


def backup(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Archive to write, such as study.accord.zip.")],
) -> None:
    """Pack the study folder and everything collected into one file."""
    from accord.server.backup import write_backup
    from accord.server.connect import connect, prepare

    connect(folder, must_exist=True)
    prepare()
    saved = write_backup(folder, file)
    typer.echo(f"{file}: {saved.judgements:,} judgements of {saved.raters:,} raters")
