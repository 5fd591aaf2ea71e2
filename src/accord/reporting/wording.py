"""Small words of a report: what a table is about, and sentences that start and end as such."""

from collections.abc import Container

__all__ = ["capital", "on", "sentence"]


def on(criterion: str) -> str:
    """`` on fluency``, or nothing where all ratings are of one criterion without a name."""
    return f" on {criterion}" if criterion else ""


def capital(text: str, names: Container[str] = ()) -> str:
    """The text with a capital first letter; a name of the user's own is left as it is written."""
    first = text.split(" ", 1)[0].rstrip(":,")
    return text if not first.isalpha() or first in names else text[:1].upper() + text[1:]


def sentence(text: str, names: Container[str] = ()) -> str:
    """The text with a capital first letter and a full stop."""
    return capital(text, names) + ("" if text.endswith((".", "?", "!")) else ".")
