"""How wide words are, so that axes, legends and titles get the room they need."""

from unicodedata import combining, east_asian_width

__all__ = ["LINE", "shortened", "width"]

LINE = 2
"""Pixels between the lines of a text."""

# The widths of the letters from the space to the tilde in thousandths of their size, in the common sans-serif faces.
# fmt: off
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)
# fmt: on
_KNOWN = {chr(32 + place): width / 1000 for place, width in enumerate(_WIDTHS)}
_BOLD = 1.06
_ROOM = 1.08
"""Pages draw the words in their own face, which may be wider."""


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels from the first letter to the last."""
    return size * _ROOM * (_BOLD if bold else 1) * sum(map(_letter, text))


def _letter(letter: str) -> float:
    known = _KNOWN.get(letter)
    if known is None:
        # A letter that stands in a square of its own, a mark upon another letter, or any other.
        known = 1.0 if east_asian_width(letter) in "WF" else 0.0 if combining(letter) else 0.6
        _KNOWN[letter] = known
    return known


def shortened(text: str, size: float, limit: float) -> str:
    """The text, or as much of its beginning as the limit allows."""
    if width(text, size) <= limit:
        return text
    while text and width(f"{text}…", size) > limit:
        text = text[:-1]
    return f"{text}…"
