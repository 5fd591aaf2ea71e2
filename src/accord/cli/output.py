"""How a command shows its results: rich tables in a terminal, plain when piped, or a format asked for."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any

import typer

from accord.errors import OptionError
from accord.report.tables import Table

__all__ = ["Csv", "Form", "Json", "Latex", "Markdown", "chosen_form", "emit", "progress"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV with full precision.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")]
Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX tables (booktabs).")]


_PATIENCE = 1.0
"""Seconds of work before a progress bar is worth looking at."""


_NEVER_CUT = 30
"""A first column no wider than this stands whole: it holds the names that a reader looks for."""


class Form(StrEnum):
    """The forms results can be printed in."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


def chosen_form(*, json: bool = False, csv: bool = False, markdown: bool = False, latex: bool = False) -> Form:
    """The one form asked for; text if none."""
    asked = {Form.JSON: json, Form.CSV: csv, Form.MARKDOWN: markdown, Form.LATEX: latex}
    wanted = [form for form, yes in asked.items() if yes]
    if len(wanted) > 1:
        raise OptionError(f"--{' and --'.join(wanted)} cannot be printed at once. Ask for one of them.")
    return wanted[0] if wanted else Form.TEXT


def emit(tables: Sequence[Table], data: Mapping[str, Any], form: Form, *, lines: Sequence[str] = ()) -> None:
    """Print tables (and plain lines under them) in this form; ``data`` is what ``--json`` prints."""
    if form is Form.JSON:
        sys.stdout.write(json.dumps(_finite(data), indent=2, ensure_ascii=False) + "\n")
    elif form is Form.TEXT:
        _emit_text(tables, lines)
    else:
        render = {Form.CSV: Table.to_csv, Form.MARKDOWN: Table.to_markdown, Form.LATEX: Table.to_latex}[form]
        sys.stdout.write("\n".join(render(table) for table in tables))


def _emit_text(tables: Sequence[Table], lines: Sequence[str]) -> None:
    if not sys.stdout.isatty():
        sys.stdout.write("\n".join([*(table.to_plain() for table in tables), *lines, ""]))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for table in tables:
        drawn = RichTable(
            title=Text(table.title, style="bold"), title_justify="left", header_style="bold", box=SIMPLE_HEAD,
            padding=(0, 1, 0, 0), show_edge=False,
        )  # fmt: skip
        texts = list(table.texts())
        for place, column in enumerate(table.columns):
            short = place == 0 and all(len(row[0]) <= _NEVER_CUT for row in texts)
            side = "right" if table.is_number(column) else "left"
            drawn.add_column(Text(column.title), justify=side, no_wrap=short)  # type: ignore[arg-type]
        for row in texts:
            drawn.add_row(*(Text(cell) for cell in row))
        console.print(drawn)
        for note in table.notes:
            console.print(Text(note, style="dim"))
    for line in lines:
        console.print(Text(line))


def _finite(value: Any) -> Any:
    """JSON has no nan and no infinity: both become null."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value


@contextmanager
def progress(label: str) -> Iterator[Any]:
    """A progress bar on standard error for work over a second; yields ``advance(done, total)``."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=None)
    begun, shown = monotonic(), False

    def advance(done: int, total: int | None) -> None:
        nonlocal shown
        if not shown and monotonic() - begun >= _PATIENCE:
            bar.start()
            shown = True
        bar.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        if shown:
            bar.stop()
