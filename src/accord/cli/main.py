"""The entry point: one line a command, and our errors as one plain sentence with exit code 2."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any, NamedTuple

import typer

from accord import __version__
from accord.errors import AccordError


class Command(NamedTuple):
    """A command: its name, what it does, and the module whose function of that name does it."""

    name: str
    does: str


COMMANDS: tuple[Command, ...] = (
    Command("new", "Make a study folder from a preset."),
    Command("check", "Report all problems of a study folder, or preview its plan and its precision."),
    Command("simulate", "Let simulated raters fill in a study, to rehearse its analysis."),
    Command("demo", "A populated study with its pages and its report, on this machine."),
    Command("serve", "Collect judgements for a study folder in the browser."),
    Command("invite", "Make links for raters."),
    Command("export", "Write what was collected: ratings, judgements, questionnaire, timings, workbook."),
    Command("import", "Bring in a workbook that raters filled in."),
    Command("backup", "Pack a study and all it collected into one file, while it is served."),
    Command("restore", "Make a study folder out of a backup."),
    Command("token", "Make a key with which a program may use the API of a served study."),
    Command("forget", "Remove a rater's personal data; the judgements stay under the pseudonym."),
    Command("diagnose", "Say what is wrong with ratings and with whom: integrity, raters, items, scale use."),
    Command("agree", "How far raters agree: every coefficient that fits, with intervals and cautions."),
    Command("coefficients", "List the coefficients, or explain one."),
    Command("convert", "Turn ratings of any tool into another format, and name what is lost."),
    Command("formats", "List the formats that are read and written, and what each cannot hold."),
    Command("report", "Write a report that a reviewer, a client or an organiser can trust."),
    Command("plot", "Draw one chart for a paper."),
    Command("compare", "Compare reliability between conditions, rounds, groups, references and contexts."),
    Command("score", "What one, two or a few quality scores say, and whether they pass."),
    Command("audit", "Find what cannot be right in published reliability numbers."),
    Command("rank", "Rank systems, with clusters and the ranks each may have."),
    Command("da", "Direct assessment: quality control of raters, z-scores, segment and system means."),
    Command("mqm", "Score MQM errors, settle contested ones, and judge small samples."),
    Command("prefer", "Rank systems by pairwise preferences with ties."),
)
"""``accord check`` is the function ``check`` in ``accord/cli/check.py``; it is imported when asked for."""


def main() -> None:
    """Run the command line."""
    arguments = sys.argv[1:]
    try:
        _application(arguments[0] if arguments else "")()
    except AccordError as error:
        typer.echo(str(error), err=True)
        raise SystemExit(2) from None
    except BrokenPipeError:
        # The reader of a pipe (head, less) has seen enough: that is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def _application(asked: str) -> typer.Typer:
    """All commands for ``--help``, but only the asked one is imported."""
    app = typer.Typer(
        help="Run a human evaluation from design to report, and know how far its judgements can be trusted.",
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    )  # fmt: skip
    app.callback()(_options)
    for command in COMMANDS:
        app.command(command.name, help=command.does)(_function(command) if command.name == asked else _unasked)
    return app


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"accord {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_show_version, is_eager=True)
    ] = False,
) -> None: ...


def _function(command: Command) -> Callable[..., Any]:
    # A file cannot be called import.py: a word of Python gets an underscore.
    name = f"{command.name}_" if iskeyword(command.name) else command.name
    function: Callable[..., Any] = getattr(import_module(f"accord.cli.{name}"), name)
    return function


def _unasked() -> None:
    """Stands in the help for a command that this call does not run."""
