"""``accord open``: open a phase of a study, close it again, or list all phases."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.errors import OptionError
from accord.tables.table import Cell, Column, Table

if TYPE_CHECKING:
    from accord.server.phases import Gate

__all__ = ["open"]

_BY = "accord open"


def open(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    phase: Annotated[str, typer.Argument(help="The phase; all phases are listed if left out.")] = "",
    close: Annotated[bool, typer.Option("--close", help="Close it again; what was judged stays.")] = False,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Open a phase: raters who wait for it go on where they were."""
    from accord.server.connect import connect, prepare

    if close and not phase:
        raise OptionError("--close needs the phase that is to be closed.")
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    connect(folder)
    prepare()
    from accord.server.phases import change_phase, gates, open_what_is_due

    if phase:
        change_phase(phase, "close" if close else "open", _BY)
    open_what_is_due()
    rows = [_row(gate) for gate in gates()]
    columns = [
        Column("phase", "Phase"), Column("state", "State"), Column("rule", "Opens"), Column("day", "On"),
        Column("by", "Last changed by"), Column("at", "At"),
    ]  # fmt: skip
    notes = () if rows else ("The study has no phases: everything is open.",)
    emit([Table("Phases", columns, rows, notes)], {"phases": rows}, form)


def _row(gate: "Gate") -> dict[str, Cell]:
    return {
        "phase": gate.phase.key,
        "state": "open" if gate.is_open else "closed",
        "rule": gate.rule,
        "day": gate.opens.isoformat(timespec="minutes") if gate.opens else "",
        "by": gate.event.by if gate.event else "",
        "at": gate.event.at.isoformat(timespec="minutes") if gate.event else "",
    }
