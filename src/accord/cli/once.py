"""How every command reads its options: one that holds one thing is given once, and help has examples first."""

import sys
from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

from accord.cli.helping import command_help
from accord.errors import OptionError

__all__ = ["Once"]


class Once(TyperCommand):
    """A command that refuses an option given twice, unless the option is one that accumulates.

    A second one would silently replace the first.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(command_help(self, ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--help-all" in args:
            sys.stdout.write(command_help(self, ctx, everything=True))
            ctx.exit()
        _refuse_repeats(self.params, args)
        return super().parse_args(ctx, args)


def _refuse_repeats(parameters: Sequence[Any], arguments: Sequence[str]) -> None:
    options = {flag: one for one in parameters if one.param_type_name == "option" for flag in one.opts}
    seen: dict[str, str] = {}
    rest = list(arguments)
    while rest and (word := rest.pop(0)) != "--":
        flag, sign, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = options.get(flag)
        if option is None or option.is_flag:
            continue
        given = value if sign else " ".join(rest[: option.nargs])
        if not sign:
            del rest[: option.nargs]
        if option.multiple:
            continue
        if option.name in seen:
            raise OptionError(
                f"{flag} is given twice ({seen[option.name]} and {given}), but it can hold one. Drop one."
            )
        seen[option.name] = given
