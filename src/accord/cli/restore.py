"""``accord restore``: a study folder out of a backup."""

import os
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["restore"]


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What accord backup wrote.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make; it must not hold anything.")],
    into_database: Annotated[
        bool,
        typer.Option("--into-database", help="Fill the empty PostgreSQL database that ACCORD_DATABASE_URL names."),
    ] = False,
) -> None:
    """Unpack a backup into a new folder, ready to be served; no other study is touched."""
    from accord.errors import OptionError
    from accord.server.backup import read_backup

    live = os.environ.get("ACCORD_DATABASE_URL")
    if into_database and not live:
        raise OptionError("--into-database needs ACCORD_DATABASE_URL, which names the database to fill.")
    read_backup(file, folder, into_database=into_database)
    typer.echo(f"{folder} is restored. Serve it with: accord serve {folder}")
    if live and not into_database:
        typer.echo(
            "ACCORD_DATABASE_URL is set, and its database was left alone: what was restored is in the folder. "
            "Unset it to serve the folder, or restore with --into-database into an empty one.",
            err=True,
        )
