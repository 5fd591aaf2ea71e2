"""A name of a file that is not there is said before the command, and the libraries it computes with, are loaded."""

from collections.abc import Sequence
from pathlib import Path

from accord.errors import UnreadableFileError

__all__ = ["refuse_absent_file"]

_COMMANDS = ("agree", "diagnose", "compare", "describe", "report", "rank", "da", "mqm", "prefer")
"""Commands whose first argument is a file or a study folder."""
_PATTERN = frozenset("*?[{")


def refuse_absent_file(arguments: Sequence[str]) -> None:
    """Stop where the first argument names a single file that does not exist; whatever else it may be is left alone."""
    if len(arguments) < 2 or arguments[0] not in _COMMANDS or any(word.startswith("--help") for word in arguments):
        return
    name = arguments[1]
    if name.startswith("-") or "://" in name or _PATTERN & set(name) or not Path(name).suffix:
        return
    try:
        absent = not Path(name).exists()
    except (OSError, ValueError):  # the command says what is wrong with such a name
        return
    if absent:
        raise UnreadableFileError(f"There is no file {name}.")
