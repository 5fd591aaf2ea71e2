"""``accord formats``: which files can be read and written, and what each cannot hold."""

from typing import Annotated

import typer

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.formats.registry import FORMATS, format_named
from accord.tables.table import Column, Table


def formats(
    name: Annotated[str | None, typer.Argument(help="Explain this format only.")] = None,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """List the formats that Accord reads and writes."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    chosen = [format_named(name)] if name else list(FORMATS.values())
    rows = [
        {
            "name": spec.name, "title": spec.title, "reads": "yes", "writes": "yes" if spec.writes else "no",
            "loss": spec.loss, "becomes": spec.becomes, "traps": spec.traps,
        }
        for spec in chosen
    ]  # fmt: skip
    shown = [Column("name", "name"), Column("title", "format"), Column("writes", "can be written")]
    lines = []
    if name:
        lines = [f"{title}: {rows[0][key]}" for key, title in _TOLD.items()]
    elif form.value != "text":
        shown.append(Column("loss", "what is lost"))
    notes = () if name else ("All of them can be read. accord formats NAME says what becomes of one and what is lost.",)
    emit([Table("Formats", shown, rows, notes)], {"formats": rows}, form, lines=lines)


_TOLD = {"becomes": "What it becomes", "loss": "What is lost", "traps": "Traps"}
