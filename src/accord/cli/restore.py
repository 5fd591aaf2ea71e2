"""``accord restore``: a study folder out of a backup."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["restore"]


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What accord backup wrote.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make; it must not hold anything.")],
) -> None:
    """Unpack a backup into a new folder, ready to be served."""
    from accord.server.backup import read_backup

    read_backup(file, folder)
    typer.echo(f"{folder} is restored. Serve it with: accord serve {folder}")
