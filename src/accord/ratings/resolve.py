"""Which values were given: numbers, labels or sets of labels; and the scale they lie on, declared or guessed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.design.scale import Level, Scale, Value
from accord.errors import OptionError
from accord.ratings.coding import MISSING_TOKENS, spelled_cell
from accord.ratings.guessing import (
    level_of_labels,
    level_of_numbers,
    values_of_labels,
    values_of_numbers,
    values_of_sets,
)
from accord.ratings.names import spelled_number

__all__ = ["Resolved", "resolve_values", "spelled_values"]

_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?\Z")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What each distinct raw value means: a value, None (missing), or a reason why it cannot be one."""

    values: Sequence[Value | None]
    scale: Scale
    places: NDArray[np.int32] | None = None
    """Where each value stands on the scale, if that is known already."""
    bad: dict[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def resolve_values(
    raw: Any,
    *,
    declared: Scale | None = None,
    level: Level | None = None,
    missing: Iterable[str] = MISSING_TOKENS,
    separator: str | None = None,
) -> Resolved:
    """Read distinct raw values as the answers of one criterion."""
    tokens = frozenset(token.lower() for token in missing)
    if declared is not None:
        return _on_declared(raw, declared, tokens, separator)
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "iuf" and np.isfinite(raw).all():
        return _of_array(raw.astype(np.float64), level)
    texts = [None if (text := spelled_cell(cell)).lower() in tokens else text for cell in raw]
    numbers, notes = _as_numbers(texts)
    if any(isinstance(cell, frozenset) for cell in raw) or _holds_sets(texts, numbers, separator):
        return _as_sets(raw, texts, separator, level)
    bad = {place: text for place, (text, number) in enumerate(zip(texts, numbers, strict=True))
           if text is not None and number is None}  # fmt: skip
    if not bad:
        found = np.unique([number for number in numbers if number is not None])
        return Resolved(numbers, _numeric_scale(found, level), notes=notes)
    return _as_labels(texts, numbers, bad, level)


def _holds_sets(texts: Sequence[str | None], numbers: Sequence[float | None], separator: str | None) -> bool:
    """A criterion of plain numbers stays one where another criterion of the file holds sets of labels."""
    if separator is None:
        return False
    cells = [(text, number) for text, number in zip(texts, numbers, strict=True) if text is not None]
    return any(separator in text or number is None for text, number in cells)


def _of_array(given: NDArray[np.float64], level: Level | None) -> Resolved:
    """Numbers that are numbers already; mostly in order, so that their places need no looking up."""
    if (given[1:] > given[:-1]).all():
        scale = _numeric_scale(given, level)
        return Resolved(scale.values, scale, np.arange(len(given), dtype=np.int32))
    ordered = np.unique(given)
    places = np.searchsorted(ordered, given).astype(np.int32)
    return Resolved(given.tolist(), _numeric_scale(ordered, level), places)


def _as_labels(
    texts: list[str | None], numbers: list[float | None], bad: dict[int, str], level: Level | None
) -> Resolved:
    labels = sorted({text for text in texts if text is not None})
    if level not in (None, Level.NOMINAL):
        if any(number is not None for number in numbers):
            reasons = {place: f"{text!r} is not a number, as the level {level} needs" for place, text in bad.items()}
            return Resolved(numbers, _numeric_scale(np.zeros(0), level), bad=reasons)
        example = "<".join(labels[:4])
        raise OptionError(
            f"The level {level} needs numbers or a declared order, but the values are labels "
            f"({_some(labels)}), and an order is never taken from the alphabet. "
            f"Declare the scale in its true order, for example scale={example!r}, or use level='nominal'."
        )
    guesses: tuple[str, ...] = ()
    if level is None:
        level, words = level_of_labels(sorted(bad.values()) if len(labels) > len(bad) else ())
        guesses = (words,)
    return Resolved(texts, Scale(level, tuple(labels), guesses=(*guesses, values_of_labels(labels))))


def _as_sets(raw: Sequence[Any], texts: list[str | None], separator: str | None, level: Level | None) -> Resolved:
    if level not in (None, Level.NOMINAL):
        raise OptionError(f"The values are sets of labels; they are nominal and cannot be {level}.")
    sets: list[Value | None] = []
    for cell, text in zip(raw, texts, strict=True):
        if isinstance(cell, frozenset):
            sets.append(frozenset(map(str, cell)))
        else:
            sets.append(None if text is None else _label_set(text, separator))
    occurring = sorted({one for one in sets if isinstance(one, frozenset)}, key=lambda one: sorted(one))
    # Sets have no order, whoever gives them: that is no guess.
    return Resolved(sets, Scale(Level.NOMINAL, tuple(occurring), guesses=(values_of_sets(len(occurring)),)))


def _label_set(text: str, separator: str | None) -> frozenset[str]:
    parts = text.split(separator) if separator else [text]
    return frozenset(part.strip() for part in parts if part.strip())


def _as_numbers(texts: list[str | None]) -> tuple[list[float | None], tuple[str, ...]]:
    """Numbers where the texts are numbers; decimal commas only if no text has a decimal point."""
    commas = [text for text in texts if text is not None and _DECIMAL_COMMA.match(text)]
    if commas and any("." in text for text in texts if text is not None):
        commas = []
    numbers = [_number(text, decimal_comma=bool(commas)) for text in texts]
    notes = (f"read decimal commas: {commas[0]} as {commas[0].replace(',', '.')}",) if commas else ()
    return numbers, notes


def _number(text: str | None, *, decimal_comma: bool = True) -> float | None:
    if text is None or "_" in text:
        return None
    try:
        number = float(text.replace(",", ".") if decimal_comma else text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _numeric_scale(values: NDArray[np.float64], level: Level | None) -> Scale:
    """The scale of these numbers, which are different and in order."""
    guesses = []
    if level is None:
        level, words = level_of_numbers(values)
        guesses.append(words)
    listed = tuple(values.tolist())
    guesses.append(values_of_numbers(listed))
    ends = (float(values[0]), float(values[-1])) if len(values) else (None, None)
    return Scale(level, listed, low=ends[0], high=ends[1], guesses=tuple(guesses))


def _on_declared(raw: Sequence[Any], declared: Scale, tokens: frozenset[str], separator: str | None) -> Resolved:
    accepted: dict[object, Value] = {label: value for value, label in declared.labels.items()}
    accepted |= {value: value for value in declared.values}
    values: list[Value | None] = []
    bad: dict[int, str] = {}
    on_scale = f"is not on the declared scale {_described(declared)}"
    for place, cell in enumerate(raw):
        text = spelled_cell(cell)
        value = _accepted(text, cell, accepted, declared, separator)
        values.append(value)
        if value is None and text.lower() not in tokens:
            bad[place] = f"{text!r} {on_scale}"
    if not declared.values:
        found = sorted({value for value in values if isinstance(value, float)})
        declared = replace(declared, values=tuple(found), any_between=True)
    return Resolved(values, declared, bad=bad)


def _accepted(
    text: str, cell: Any, accepted: dict[object, Value], declared: Scale, separator: str | None
) -> Value | None:
    if declared.has_sets:
        return accepted.get(cell if isinstance(cell, frozenset) else _label_set(text, separator))
    if text in accepted:
        return accepted[text]
    number = _number(text)
    if number is None:
        return None
    if declared.values:
        return accepted.get(number)
    low, high = declared.low, declared.high
    inside = (low is None or number >= low) and (high is None or number <= high)
    return number if inside else None


def _described(scale: Scale) -> str:
    if scale.values:
        return _some(spelled_values(scale.values), 12)
    return f"from {spelled_number(scale.low or 0)} to {spelled_number(scale.high or 0)}"


def spelled_values(values: Sequence[Value]) -> list[str]:
    """Values as a person writes them."""
    return [spelled_cell(value) for value in values]


def _some(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
