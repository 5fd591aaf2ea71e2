"""Numbers as people spell them: decimal commas told from thousands separators, by the column and not cell by cell."""

from collections.abc import Sequence

import numpy as np

from accord.patterns import pattern

__all__ = ["numbers_in", "plain_number"]

_WITH_COMMA = pattern(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?\Z")
_COMMA_GROUPS = pattern(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")
_POINT_GROUPS = pattern(r"[-+]?\d{1,3}(?:\.\d{3})+(?:,\d+)?\Z")
_OPEN_GROUPS = pattern(r"[-+]?\d{1,3}(?:[ '\u2019\u00a0\u202f\u2009]\d{3})+(?:[.,]\d+)?\Z")
_OPEN_SIGNS = pattern(r"[ '\u2019\u00a0\u202f\u2009]")
_MINUS = str.maketrans({"\u2212": "-", "\uff0d": "-", "\u066b": ".", "\u066c": ""})
_LARGE = 100
"""Beside plain whole numbers of this size, 1,234 is more than a thousand; beside 3 and 4 it has three decimals."""


def plain_number(text: str | None, *, decimal_comma: bool = True) -> float | None:
    """The number that a text is, or None."""
    if text is None or "_" in text:
        return None
    text = text.translate(_MINUS)
    try:
        number = float(text.replace(",", ".") if decimal_comma else text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def numbers_in(texts: Sequence[str | None]) -> tuple[list[float | None], tuple[str, ...]]:
    """The numbers among texts of one column, and how commas and points in them were understood."""
    given = [text for text in texts if text is not None]
    opened = {text: _OPEN_SIGNS.sub("", text) for text in given if not text.isdigit() and _OPEN_GROUPS.match(text)}
    joined = [None if text is None else opened.get(text, text) for text in texts]
    plain = [text for text in joined if text is not None]
    notes = [f"read thousands separators: {text} as {closed}" for text, closed in list(opened.items())[:1]]
    if _has_comma_groups(plain):
        first = next(text for text in plain if "," in text)
        closed = {text: text.replace(",", "") for text in plain if _COMMA_GROUPS.match(text)}
        notes.append(f"read thousands separators: {first} as {first.replace(',', '')}")
        return [_number(text, closed) for text in joined], tuple(notes)
    if _has_point_groups(plain):
        first = next(text for text in plain if _POINT_GROUPS.match(text))
        closed = {text: text.replace(".", "") for text in plain if _POINT_GROUPS.match(text)}
        notes.append(f"read points between thousands: {first} as {closed[first].replace(',', '.')}")
        return [_number(text, closed, decimal_comma=True) for text in joined], tuple(notes)
    commas = [text for text in plain if "," in text and _WITH_COMMA.match(text)]
    if commas:
        notes.append(f"read decimal commas: {commas[0]} as {commas[0].replace(',', '.')}")
        if points := [text for text in plain if "." in text and plain_number(text) is not None]:
            notes.append(f"decimals are written in two ways, {commas[0]} and {points[0]}; both were read as decimals")
    return [_number(text, {}, decimal_comma=bool(commas)) for text in joined], tuple(notes)


def _number(text: str | None, closed: dict[str, str], *, decimal_comma: bool = False) -> float | None:
    return None if text is None else plain_number(closed.get(text, text), decimal_comma=decimal_comma)


def _has_comma_groups(texts: Sequence[str]) -> bool:
    """Whether commas part thousands: all of them could, and something says that they do."""
    with_comma = [text for text in texts if "," in text]
    if not with_comma or not all(_COMMA_GROUPS.match(text) for text in with_comma):
        return False
    certain = any("." in text or text.count(",") > 1 for text in with_comma)
    others = [number for text in texts if "," not in text and (number := plain_number(text)) is not None]
    return certain or any(abs(number) >= _LARGE and number.is_integer() for number in others)


def _has_point_groups(texts: Sequence[str]) -> bool:
    """Whether points part thousands, as where commas are decimal: 1.234,5."""
    with_point = [text for text in texts if "." in text]
    if not with_point or not all(_POINT_GROUPS.match(text) for text in with_point):
        return False
    return any("," in text or text.count(".") > 1 for text in with_point)
