"""Numbers as people write them: 95, 95% and .95 are one confidence."""

from typing import Annotated

import typer

__all__ = ["Confidence", "share"]


def share(text: str | float) -> float:
    """A share between 0 and 1, given as such or in percent."""
    words = str(text).strip()
    try:
        number = float(words.removesuffix("%").strip().replace(",", "."))
    except ValueError:
        raise typer.BadParameter(f"{words} is no number; write 95, 95% or .95.") from None
    in_percent = words.endswith("%") or number > 1
    number = number / 100 if in_percent else number
    if not 0 < number < 1:
        raise typer.BadParameter(f"{words} is not between 0% and 100%; write 95, 95% or .95.")
    return number


Confidence = Annotated[
    float, typer.Option(parser=share, metavar="PERCENT", help="Confidence of the intervals, as 95 or .95.")
]
