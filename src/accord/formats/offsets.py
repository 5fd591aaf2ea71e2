"""Offsets of other tools, turned into half-open offsets in Unicode code points and back."""

import re
from collections.abc import Sequence

__all__ = [
    "OffsetError", "browser_boxes", "from_browser_marks", "from_tokens", "from_utf16", "tagged",
    "to_utf16", "untagged",
]  # fmt: skip

_TAG = re.compile(r"</?v>")


class OffsetError(ValueError):
    """Offsets that do not lie in the text; the reader turns it into an entry of its log."""


def from_utf16(text: str, start: int, end: int) -> tuple[int, int]:
    """Half-open offsets in UTF-16 units (JavaScript, Java) as code points.

    >>> from_utf16("a😀b", 3, 4)
    (2, 3)
    """
    units = _unit_starts(text)
    return _place(units, start), _place(units, end)


def to_utf16(text: str, start: int, end: int) -> tuple[int, int]:
    """Half-open offsets in code points as UTF-16 units.

    >>> to_utf16("a😀b", 2, 3)
    (3, 4)
    """
    units = _unit_starts(text)
    if not 0 <= start <= end < len(units):
        raise OffsetError(f"offsets {start} to {end} do not lie in a text of {len(text)} characters")
    return units[start], units[end]


def from_browser_marks(text: str, first: int, last: int, *, newlines: bool = False) -> tuple[int, int]:
    """First and last marked character box of a page that draws one box for each UTF-16 unit.

    Pages that count none for a newline are the rule here; ``newlines`` is for those that do. A mark on
    half of a character is a mark on the character.

    >>> from_browser_marks("ab\\ncd", 2, 3)
    (3, 5)
    >>> from_browser_marks("ab\\ncd", 3, 4, newlines=True)
    (3, 5)
    """
    boxes = browser_boxes(text, newlines=newlines)
    if not 0 <= first <= last < len(boxes):
        raise OffsetError(f"marks {first} to {last} do not lie in a text of {len(boxes)} marked places")
    return boxes[first], boxes[last] + 1


def browser_boxes(text: str, *, newlines: bool = False) -> list[int]:
    """The code point each box of a page stands for."""
    return [
        place
        for place, character in enumerate(text)
        if newlines or character != "\n"
        for _ in range(2 if ord(character) > 0xFFFF else 1)
    ]


def from_tokens(tokens: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """First and last token, both marked, as offsets in the joined text.

    >>> from_tokens(["The", " ", "cat"], 2, 2)
    (4, 7)
    """
    if not 0 <= first <= last < len(tokens):
        raise OffsetError(f"tokens {first} to {last} do not lie in a text of {len(tokens)} tokens")
    start = sum(len(token) for token in tokens[:first])
    return start, start + sum(len(token) for token in tokens[first : last + 1])


def untagged(text: str) -> tuple[str, list[tuple[int, int]]]:
    """A text without its ``<v>`` and ``</v>`` tags, and the stretches they enclosed.

    >>> untagged("The <v>cat</v>.")
    ('The cat.', [(4, 7)])
    """
    plain, spans, opened, before = "", [], None, 0
    for tag in _TAG.finditer(text):
        plain += text[before : tag.start()]
        before = tag.end()
        if tag.group() == "<v>" and opened is None:
            opened = len(plain)
        elif tag.group() == "</v>" and opened is not None:
            spans.append((opened, len(plain)))
            opened = None
        else:
            raise OffsetError("<v> and </v> do not come in pairs")
    if opened is not None:
        raise OffsetError("<v> is never closed")
    return plain + text[before:], spans


def tagged(text: str, start: int, end: int) -> str:
    """A text with one stretch enclosed in ``<v>`` tags."""
    return f"{text[:start]}<v>{text[start:end]}</v>{text[end:]}"


def _unit_starts(text: str) -> list[int]:
    """The UTF-16 offset of each code point, and of the end of the text."""
    starts = [0]
    for character in text:
        starts.append(starts[-1] + (2 if ord(character) > 0xFFFF else 1))
    return starts


def _place(units: Sequence[int], offset: int) -> int:
    try:
        return units.index(offset)
    except ValueError:
        why = "outside the text" if not 0 <= offset <= units[-1] else "inside a character"
        raise OffsetError(f"offset {offset} lies {why}") from None
