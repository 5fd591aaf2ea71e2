"""Numbers as people write them: 95, 95% and .95 are one confidence to every command."""

from collections.abc import Sequence
from typing import Annotated

import typer

from accord.errors import OptionError
from accord.words import steady

__all__ = ["Confidence", "one_confidence_form", "share"]

_OPTION = "--confidence"
_LOWEST = 0.5
"""An interval that misses more often than not is a slip: 3 was meant for 0.3, or for another option."""
Confidence = Annotated[float, typer.Option(metavar="PERCENT", help="Confidence of the intervals, as 95 or .95.")]


def share(text: str) -> str:
    """A share between 0 and 1, given as such or in percent."""
    words = text.strip()
    try:
        number = float(words.removesuffix("%").strip().replace(",", "."))
    except ValueError:
        raise OptionError(f"{_OPTION} {words}: write 95, 95% or .95.") from None
    number = number / 100 if words.endswith("%") or number > 1 else number
    if not 0 < number < 1:
        raise OptionError(f"{_OPTION} {words} is not between 0% and 100%: write 95, 95% or .95.")
    if number < _LOWEST:
        read = f"{steady(number):.3g} of 1"
        raise OptionError(f"{_OPTION} {words} is read as {read}, less than an even chance: write 0.95 or 95.")
    return f"{number:g}"


def one_confidence_form(arguments: Sequence[str]) -> list[str]:
    """The arguments with every confidence as a share."""
    words = list(arguments)
    for place, word in enumerate(words):
        if word == "--":
            break
        if word == _OPTION and place + 1 < len(words):
            words[place + 1] = share(words[place + 1])
        elif word.startswith(f"{_OPTION}="):
            words[place] = f"{_OPTION}={share(word.partition('=')[2])}"
    return words
