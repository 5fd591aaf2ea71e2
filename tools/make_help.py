"""Write the help of every command into src/accord/cli/help, so that it is shown without loading the command.

python tools/make_help.py
"""

from pathlib import Path

import typer

from accord.cli.helping import command_help
from accord.cli.main import COMMANDS, HELP, _application


def help_of(name: str) -> str:
    """The help of a command, made from its options."""
    command = typer.main.get_command(_application(name)).commands[name]  # type: ignore[attr-defined]
    return command_help(command, command.make_context(name, ["--help"], resilient_parsing=True)).rstrip("\n") + "\n"


if __name__ == "__main__":
    HELP.mkdir(exist_ok=True)
    for old in HELP.glob("*.txt"):
        old.unlink()
    for command in COMMANDS:
        Path(HELP / f"{command.name}.txt").write_text(help_of(command.name), encoding="utf-8")
