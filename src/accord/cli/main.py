"""The entry point: one line a command, and our errors as one plain sentence with exit code 2."""

import gc
import os
import sys
from collections.abc import Callable
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from accord import __version__
from accord.cli.absent_file import refuse_absent_file
from accord.cli.helping import group_help
from accord.cli.memory import keep_freed_memory
from accord.cli.numbers import one_confidence_form
from accord.cli.once import Once, in_one_sentence, read_lightly
from accord.cli.scale_words import one_scale_form
from accord.errors import AccordError, OptionError
from accord.sizes import COMMAND_GARBAGE_ROUNDS


class Command(NamedTuple):
    """A command: its name, what it does, and the module whose function of that name does it."""

    name: str
    does: str


GROUPS: dict[str, tuple[Command, ...]] = {
    "Analyse ratings": (
        Command("agree", "How far raters agree, and which number to report."),
        Command("diagnose", "What is wrong with ratings, with whom, and what to do."),
        Command("compare", "Did agreement change between rounds, groups or conditions?"),
        Command("describe", "What ratings mean: see or write their codebook."),
        Command("report", "A page that a reviewer or client can trust."),
        Command("plot", "One chart for a paper."),
    ),
    "Decide about systems and translations": (
        Command("rank", "Which system is best, and which cannot be told apart."),
        Command("score", "What one score or a few say: PASS or FAIL."),
        Command("da", "Direct assessment: rater control, z-scores, means."),
        Command("mqm", "MQM errors: scores, disputes, small samples."),
        Command("prefer", "Which system people prefer, from pairwise choices."),
        Command("judge", "May a language model stand in for people?"),
    ),
    "Plan and collect": (
        Command("demo", "A study with data, its pages and its report, on this computer."),
        Command("new", "Make a study folder from a preset."),
        Command("check", "All problems of a study, its plan and precision."),
        Command("simulate", "Rehearse a study with simulated raters."),
        Command("serve", "Collect judgements in the browser."),
        Command("invite", "Make links for raters."),
        Command("open", "Open a phase of a study, or close it again."),
        Command("export", "Write what was collected."),
        Command("import", "Bring in a workbook that raters filled in."),
    ),
    "Look up": (
        Command("coefficients", "Which coefficient to use when; explain one."),
        Command("formats", "List the formats that are read and written."),
        Command("convert", "Ratings of any tool into another format."),
        Command("audit", "What cannot be right in published numbers."),
    ),
    "Keep a study safe": (
        Command("backup", "Pack a study into one file, while it is served."),
        Command("restore", "Make a study folder out of a backup."),
        Command("verify", "Check that every judgement can be read and restored."),
        Command("token", "Make a key for a program that uses the API."),
        Command("forget", "Remove a rater's personal data, keep judgements."),
    ),
}
"""Commands by what one wants."""
COMMANDS: tuple[Command, ...] = tuple(command for own in GROUPS.values() for command in own)
"""``accord check`` is the function ``check`` in ``accord/cli/check.py``; it is imported when asked for."""

HELP = Path(__file__).with_name("help")
"""The help of each command as ``tools/make_help.py`` wrote it: loading a command only to describe it takes long."""


_STAYING = ("serve", "demo")
"""They go on for weeks beside other programs, so what they free goes back to the system."""


def main() -> None:
    """Run the command line."""
    # Before NumPy is loaded. Our products of matrices are many and small: on them the threads of OpenBLAS mostly wait
    # for each other, at full load: 10,000 ratings took 1.0 instead of 0.6 s of processor time. Who sets it, has it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nobody's plugins read study.toml: to look for them among all that is installed takes 0.02 s.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.set_threshold(*COMMAND_GARBAGE_ROUNDS)
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[1] == "--help" and (written := HELP / f"{arguments[0]}.txt").is_file():
        typer.echo(written.read_text(encoding="utf-8"), nl=False)
        return
    try:
        refuse_absent_file(arguments)
        if arguments and arguments[0] not in _STAYING:
            keep_freed_memory()
        program = _application(arguments[0] if arguments else "")
        if not gc.isenabled():  # in a process of its own: what is loaded by now stays, and is not looked through
            gc.freeze()
            gc.enable()
        program(one_scale_form(one_confidence_form(arguments)))
    except AccordError as error:
        typer.echo(str(error), err=True)
        raise SystemExit(2) from None
    except BrokenPipeError:
        # The reader of a pipe (head, less) has seen enough: that is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


_ABOUT = "Run a human evaluation from design to report, and know how far its judgements can be trusted."
_FIRST = (
    ("accord demo", "see a whole study first"),
    ("accord agree ratings.csv", "how far raters agree, and which number to report"),
    ("accord diagnose ratings.csv", "who or what is the problem"),
    ("accord report ratings.csv -o report.html", "all of it on one page"),
)


class Grouped(TyperGroup):
    """The program, whose help has the commands by what one wants."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(group_help(_ABOUT, GROUPS, _FIRST))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        read_lightly(self.get_params(ctx))
        if not args:  # the help, which the library raises as an error
            return super().parse_args(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            raise OptionError(in_one_sentence(error, "accord")) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except TyperException as error:
            raise OptionError(in_one_sentence(error, "accord")) from None


def _application(asked: str) -> typer.Typer:
    """The asked command alone, which is imported; all of them, unimported, where none of these is asked for."""
    app = typer.Typer(
        cls=Grouped, help=_ABOUT,
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    )  # fmt: skip
    app.callback()(_options)
    if chosen := next((command for command in COMMANDS if command.name == asked), None):
        app.command(chosen.name, cls=Once, help=chosen.does)(_function(chosen))
        return app
    for command in COMMANDS:
        app.command(command.name, cls=Once, help=command.does)(_unasked)
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
