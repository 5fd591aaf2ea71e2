"""``accord import``: bring in a spreadsheet that raters filled in."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["import_"]


def import_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    workbook: Annotated[Path, typer.Argument(metavar="WORKBOOK", help="A filled-in workbook, or a folder of them.")],
) -> None:
    """Save the answers of a workbook; all of them, or none with a list of what is wrong."""
    from accord.server.connect import connect, prepare

    connect(folder, must_exist=True)
    prepare()
    from accord.server.workbook_import import import_workbook

    brought = import_workbook(workbook)
    typer.echo(f"{brought.new:,} answers brought in, {brought.known:,} were known already.")
