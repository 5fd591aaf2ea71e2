"""``accord export``: what was collected, as files."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from accord.errors import OptionError

__all__ = ["export"]


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; standard output if left out.")
    ] = None,
    judgements: Annotated[bool, typer.Option("--judgements", help="Every judgement, with corrections.")] = False,
    questionnaire: Annotated[bool, typer.Option("--questionnaire", help="Answers to the questionnaire.")] = False,
    background: Annotated[bool, typer.Option("--background", help="What raters said about themselves.")] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Time of each screen.")] = False,
    suggestions: Annotated[
        bool, typer.Option("--suggestions", help="Marks that stood there beforehand: kept, changed or deleted.")
    ] = False,
    workbook: Annotated[
        Path | None,
        typer.Option(
            "--workbook", metavar="FOLDER", help="Write a spreadsheet for each rater: guidelines, work, questions."
        ),
    ] = None,
    systems: Annotated[bool, typer.Option("--systems", help="Name the systems instead of system-1, system-2.")] = False,
) -> None:
    """Write the ratings in the columns every other command reads, or another table of the study."""
    from accord.server.connect import connect, prepare

    tables = {
        "judgements": judgements,
        "questionnaire": questionnaire,
        "background": background,
        "timings": timings,
        "suggestions": suggestions,
    }
    asked = [name for name, yes in tables.items() if yes]
    if len(asked) + (workbook is not None) > 1:
        raise OptionError("One table goes into one file: ask for one of them at a time.")
    connect(folder, must_exist=workbook is None)
    prepare()
    if workbook is not None:
        from accord.server.workbook import write_workbooks

        count = write_workbooks(workbook)
        typer.echo(f"{workbook}: {count} raters, a file each", err=True)
        return
    _write(asked[0] if asked else "ratings", output, systems)
    if suggestions:
        from accord.server.suggestions import acceptance, suggestion_rows

        typer.echo(acceptance(suggestion_rows()), err=True)


def _write(name: str, output: Path | None, named: bool) -> None:
    from accord.server.export import TABLES, lines_of_one_moment, write_table

    if output is None:
        sys.stdout.writelines(lines_of_one_moment(partial(TABLES[name], named=named)))
        return
    package = write_table(name, output, named=named)
    typer.echo(f"Wrote {output}, and what it means into {package}.", err=True)
    if name == "ratings" and not named and (told := _named_though_hidden()):
        typer.echo(told, err=True)


def _named_though_hidden() -> str:
    from accord.reading import hidden_names_told
    from accord.server.organiser.ratings import whole_codebook

    return hidden_names_told(whole_codebook())
