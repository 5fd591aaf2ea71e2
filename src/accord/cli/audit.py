"""``accord audit``: whether published reliability numbers, or a reported bootstrap, can be right."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.diagnosis.audit.reported import COLUMNS
from accord.functions.auditing import audit as audit_answer

__all__ = ["audit"]

_Table = Annotated[
    Path | None,
    typer.Argument(
        metavar="[TABLE]",
        help=f"Printed numbers as CSV, TSV, xlsx or TOML ([[row]]), any of the columns {', '.join(COLUMNS)}.",
    ),
]
_Bootstrap = Annotated[
    str | None,
    typer.Option(
        metavar="NAME=VALUE,...",
        help="Audit a reported bootstrap instead: replicates, drawn, units, replacement (yes/no), level, half_width, "
        "deviation (of the replicates), unit; as replicates=100,drawn=20,units=40,replacement=no.",
    ),
]


def audit(
    table: _Table = None,
    bootstrap: _Bootstrap = None,
    survey: Annotated[
        Path | None,
        typer.Option(
            help="Survey papers instead: a table with columns paper, coefficient and value (may be empty); a column "
            "excluded gives the reason why a paper was left out."
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Find what cannot be right in published reliability numbers, from the printed numbers alone."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    answer = audit_answer(table, bootstrap=bootstrap, survey=survey)
    emit(answer.parts, answer.data, form, lines=answer.words, opening=answer.opening)
