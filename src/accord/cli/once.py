"""How every command reads its options: one that holds one thing is given once, and help has examples first."""

import os
import re
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, get_args

from typer import BadParameter
from typer.core import TyperCommand
from typer.exceptions import TyperException

from accord.cli.helping import command_help
from accord.errors import OptionError

__all__ = ["Once", "in_one_sentence", "read_lightly"]


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
        read_lightly(self.get_params(ctx))
        try:
            return super().parse_args(ctx, _negative_numbers_last(self.params, args))
        except TyperException as error:
            raise OptionError(in_one_sentence(error, f"accord {ctx.info_name or ''}")) from None


_EXTRA = re.compile(r"Got unexpected extra argument(?:s|\(s\))? \((.+)\)")


def in_one_sentence(error: TyperException, command: str) -> str:
    """What is wrong with a call, as a person says it; ``command`` is what was called."""
    see = f"See {command} --help."
    if (wanted := getattr(error, "option_name", None)) and "possibilities" in vars(error):
        near = " or ".join(sorted(vars(error)["possibilities"] or ()))
        return f"{command} has no option {wanted}. {f'Did you mean {near}? ' if near else ''}{see}"
    if not isinstance(error, BadParameter):
        if found := _EXTRA.match(error.format_message()):
            return _one_file_only(command.removeprefix("accord "), found[1])
        words = error.format_message()
        return f"{command}: {words if words.endswith('?') else words.rstrip('.') + '.'} {see}"
    parameter = error.param
    name = max(parameter.opts, key=len) if parameter is not None and parameter.param_type_name == "option" else ""
    words = _in_our_words(error).rstrip(".")
    if not words:  # nothing was given at all
        return (
            f"{command} needs {name or str(getattr(parameter, 'metavar', '') or 'an argument').strip('{}[].')}. {see}"
        )
    return f"{name or command}: {words}. {see}"


def _one_file_only(command: str, extra: str) -> str:
    """What to do where somebody gives two files to a command that takes one."""
    joined = {
        "compare": "Put both into one table, with a column that says which is which, such as round: accord compare "
        "both.csv --condition round."
    }
    todo = joined.get(command, f"Leave it out, or see accord {command} --help.")
    return f"accord {command} takes one file or folder, and {extra} is one too many. {todo}"


def read_lightly(parameters: Sequence[Any]) -> None:
    """What nobody asked for, and plain text, is taken as it is: only other values load what turns text into them."""
    for one in parameters:
        if getattr(one, "_runtime_param", "") is None and hasattr(one, "get_runtime_param"):
            one._runtime_param = _Lightly(one)


class _Lightly:
    """Reads a value of an option, and asks Typer only where there is something to turn or to check."""

    def __init__(self, parameter: Any) -> None:
        self.parameter = parameter
        self.kind = parameter.type_descriptor.annotation

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if self.kind is float and type(value) is int:
            value = float(value)
        if not several and self._is_as_wanted(value):
            return value
        if several and get_args(self.kind) == (str,) and all(type(word) is str for word in value):
            return list(value)
        if not several and self._is_plain_path() and not isinstance(value, bytes):
            path = Path(value)
            if os.access(path, os.R_OK) or not path.exists():
                return path
        self.parameter._runtime_param = None
        return self.parameter.get_runtime_param().coerce(value, param=param, ctx=ctx)

    def _is_as_wanted(self, value: Any) -> bool:
        """Whether a value, mostly a default, is already what the option holds, and within its ends."""
        info = self.parameter.type_descriptor.parameter_info
        if info.parser is not None or type(value) is not self.kind:
            return False
        if isinstance(value, Enum):
            return True
        bounded = info.min is not None or info.max is not None
        if self.kind not in (str, int, float) or (bounded and (self.kind is str or info.clamp)):
            return False
        return (info.min is None or value >= info.min) and (info.max is None or value <= info.max)

    def _is_plain_path(self) -> bool:
        """Whether a file or folder is taken as it is named; who may not read it is told so by Typer."""
        info = self.parameter.type_descriptor.parameter_info
        checked = (info.exists, info.writable, info.resolve_path, not info.file_okay, not info.dir_okay, info.parser)
        return self.kind is Path and not any(checked)


_KINDS = {"a valid number": "a number", "a valid integer": "a whole number", "a valid boolean": "true or false"}


def _in_our_words(error: BadParameter) -> str:
    """What is wrong with the value of an option, with the value, and without the words of the library that found it."""
    message = str(error.message).removeprefix("Value error, ")
    errors = getattr(error.__cause__, "errors", None)
    if not message.startswith("Input should be") or errors is None:
        return message
    wanted = message.removeprefix("Input should be ").partition(", unable to parse")[0].rstrip(".")
    return f"{errors()[0]['input']!r} must be {_KINDS.get(wanted, wanted)}."


_NEGATIVE = re.compile(r"-\.?\d")


def _negative_numbers_last(parameters: Sequence[Any], arguments: Sequence[str]) -> list[str]:
    """The same arguments with ``--`` before what is no option, where one of them is a number such as -5."""
    options = {flag: one for one in parameters if one.param_type_name == "option" for flag in one.opts}
    named, plain, rest = [], [], list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            plain += rest
            break
        if not word.startswith("-") or word == "-" or _NEGATIVE.match(word):
            plain.append(word)
            continue
        named.append(word)
        option = options.get(word)
        if option is not None and not option.is_flag:
            named += rest[: option.nargs]
            del rest[: option.nargs]
    return [*named, "--", *plain] if any(map(_NEGATIVE.match, plain)) else list(arguments)


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
