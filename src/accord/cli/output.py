"""How a command shows its results: rich tables in a terminal, plain when piped, or a format asked for."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any

import typer

from accord.cli.layout import wrapped
from accord.errors import OptionError
from accord.tables.table import Table
from accord.tables.terminal import print_tables
from accord.words import listed

__all__ = ["Csv", "Form", "Json", "Latex", "Markdown", "chosen_form", "emit", "progress"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV with full precision.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")]
Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX tables (booktabs).")]


_SIGNED = re.compile(r"accord \d[^|]*\|")
_SIGNATURE = "Signature: "
_PATIENCE = 1.0
"""Seconds of work before a progress bar is worth looking at."""


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


def emit(
    tables: Sequence[Table], data: Mapping[str, Any], form: Form, *, lines: Sequence[str] = (),
    opening: Sequence[str] = (), every: bool = True,
) -> None:  # fmt: skip
    """Print tables in this form; ``data`` is what ``--json`` prints.

    As text the ``opening`` comes first, in sentences that say the verdict, then the tables, plain lines, and the
    signature last and once. Tables of details are named instead of shown unless ``every`` one is asked for.
    """
    if form is Form.JSON:
        sys.stdout.write(json.dumps(_finite(data), indent=2, ensure_ascii=False) + "\n")
    elif form is Form.TEXT:
        shown = [table for table in tables if every or not table.is_detail]
        bare, signatures = without_signatures(shown)
        if opening:
            sys.stdout.write("\n".join(line for one in opening for line in wrapped(one)) + "\n\n")
            sys.stdout.flush()
        signatures += [line for line in lines if line.startswith(_SIGNATURE)]
        others = [line for line in lines if not line.startswith(_SIGNATURE)]
        prose = [*_more([table for table in tables if table not in shown]), *others]
        print_tables([_in_lines(table) for table in bare], [*_set(prose), *signatures[:1]])
    else:
        render = {Form.CSV: Table.to_csv, Form.MARKDOWN: Table.to_markdown, Form.LATEX: Table.to_latex}[form]
        sys.stdout.write("\n".join(render(table) for table in tables))


def _in_lines(table: Table) -> Table:
    """The table with the sentences under it set in lines; its rows stay as they are."""
    return replace(table, notes=_set(table.notes))


def _set(sentences: Sequence[str]) -> list[str]:
    """Sentences in lines of the width that all answers have; what is a list of lines already keeps them."""
    lines = [part for one in sentences for part in one.split("\n")]
    # A signature is there to be copied.
    signed = [[line] if _SIGNED.search(line) else wrapped(line, indent="  ") for line in lines]
    return [line for own in signed for line in own]


def _more(hidden: Sequence[Table]) -> list[str]:
    """Where to look further: the tables that are not shown, by their names without what is in brackets."""
    names = dict.fromkeys(table.title.partition(" (")[0].partition(":")[0] for table in hidden)
    # An abbreviation such as MQM keeps its letters.
    small = [name if name[1:2].isupper() else name[:1].lower() + name[1:] for name in names]
    return [f"More with --all: {listed(small)}."] if names else []


def without_signatures(tables: Sequence[Table]) -> tuple[list[Table], list[str]]:
    """The tables without the signatures among their notes, and one line for the first of these."""
    signed = [note for table in tables for note in table.notes if _SIGNED.match(note)]
    bare = [replace(table, notes=[note for note in table.notes if not _SIGNED.match(note)]) for table in tables]
    more = f" ({len(set(signed)) - 1} more with --json)" if len(set(signed)) > 1 else ""
    return bare, [f"{_SIGNATURE}{signed[0]}{more}"] if signed else []


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
    from threading import Timer

    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=None)
    # A timer, because work that cannot tell how far it is never calls.
    soon = Timer(_PATIENCE, bar.start)
    soon.daemon = True
    soon.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        soon.cancel()
        soon.join()
        if bar.live.is_started:
            bar.stop()
