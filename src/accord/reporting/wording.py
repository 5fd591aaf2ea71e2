"""Small words of a report: numbers in a sentence, what a table is about, sentences that start and end as such."""

import re
from collections.abc import Container
from math import isnan

from accord.inference.interval import Interval
from accord.reliability.digits import decisive_digits
from accord.reliability.estimate import Estimate
from accord.words import counted, steady

__all__ = ["capital", "cases", "ends_text", "for_readers", "items_text", "number_text", "on", "sentence", "told"]


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


def for_readers(text: str) -> str:
    """The text without its last clause where that one names an option of the command line: a reader has none."""
    return re.sub(r"(?:; |(?<=\.) )[^;.]*--[a-z][^;]*$", "", text).strip()


def cases(number: int, parts: int) -> str:
    """``12 items``; with several criteria or parts ``12 cases``, an item counting once in each."""
    return counted(number, "item") if parts == 1 else f"{counted(number, 'case')} (an item counts once in each part)"


def items_text(items: int, checking: int) -> str:
    """``80 items``, or ``80 items and 60 that check the rater`` where some were no texts under study."""
    return counted(items, "item") + (f" and {checking:,} that check the rater" if checking else "")


def number_text(value: float, digits: int = 2) -> str:
    """Two decimals, a true minus, and never minus nought."""
    return "–" if isnan(value) else f"{steady(value):z.{digits}f}".replace("-", "\u2212")


def ends_text(interval: Interval | None, digits: int = 2) -> str:
    """``0.60–0.81``; with a negative end ``−0.10 to 0.81``, so that no dash is read as a minus."""
    if interval is None:
        return "no interval"
    dash = "–" if interval.low >= 0 else " to "
    return f"{number_text(interval.low, digits)}{dash}{number_text(interval.high, digits)}"


def told(estimate: Estimate) -> str:
    """``Krippendorff's α = 0.71, 95% interval 0.60 to 0.81``: a number as it is said aloud."""
    ends, digits = estimate.interval, decisive_digits(estimate)
    words = ", no interval"
    if ends:
        words = f", {ends.level:.0%} interval {number_text(ends.low, digits)} to {number_text(ends.high, digits)}"
    return f"{estimate.title} = {number_text(estimate.value, digits)}{words}"
