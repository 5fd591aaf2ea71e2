"""The entry point: one line a command, and our errors as one plain sentence with exit code 2."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any, NamedTuple

import typer

from accord import __version__
from accord.cli.once import Once
from accord.cli.scale_words import one_scale_form
from accord.errors import AccordError


class Command(NamedTuple):
    """A command: its name, what it does, and the module whose function of that name does it."""

    name: str
    does: str


COMMANDS: tuple[Command, ...] = (
    Command("demo", "A populated study, its pages and its report, here."),
    Command("agree", "How far raters agree: every coefficient that fits."),
    Command("describe", "What ratings mean: see or write their codebook."),
    Command("diagnose", "What is wrong with ratings, and with whom."),
    Command("compare", "Reliability between rounds, groups, conditions."),
    Command("report", "A page that a reviewer or client can trust."),
    Command("plot", "One chart for a paper."),
    Command("score", "What a few quality scores say: PASS or FAIL."),
    Command("rank", "Systems with clusters and the ranks each may have."),
    Command("da", "Direct assessment: rater control, z-scores, means."),
    Command("mqm", "MQM errors: scores, disputes, small samples."),
    Command("prefer", "Systems by pairwise preferences with ties."),
    Command("audit", "What cannot be right in published numbers."),
    Command("coefficients", "List the coefficients, or explain one."),
    Command("convert", "Ratings of any tool into another format."),
    Command("formats", "List the formats that are read and written."),
    Command("new", "Make a study folder from a preset."),
    Command("check", "All problems of a study, its plan and precision."),
    Command("simulate", "Rehearse a study with simulated raters."),
    Command("serve", "Collect judgements in the browser."),
    Command("invite", "Make links for raters."),
    Command("open", "Open a phase of a study, or close it again."),
    Command("export", "Write what was collected."),
    Command("import", "Bring in a workbook that raters filled in."),
    Command("backup", "Pack a study into one file, while it is served."),
    Command("restore", "Make a study folder out of a backup."),
    Command("verify", "Check that every judgement can be read and restored."),
    Command("token", "Make a key for a program that uses the API."),
    Command("forget", "Remove a rater's personal data, keep judgements."),
)
"""``accord check`` is the function ``check`` in ``accord/cli/check.py``; it is imported when asked for."""


def main() -> None:
    """Run the command line."""
    arguments = sys.argv[1:]
    try:
        _application(arguments[0] if arguments else "")(one_scale_form(arguments))
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
        app.command(command.name, cls=Once, help=command.does)(
            _function(command) if command.name == asked else _unasked
        )
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
