"""Values, numbers and lists as a person writes them: 1 item, 2,000 items; a, b and c; 20 November 2026."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from math import isfinite

__all__ = ["counted", "listed", "p_text", "part_name", "set_by", "shown_names", "spelled", "steady"]

_SURE_DIGITS = 12
_NOTHING = 1e-12


def counted(number: int, singular: str, plural: str = "") -> str:
    """The number with its noun: ``counted(1, "item")`` is ``1 item``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(words: Sequence[str]) -> str:
    """Words joined as in a sentence: ``a, b and c``."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def set_by(option: str, to: object = "", *, python: object = None) -> str:
    """How one sets something, for both who may read it: ``--judge NAME (judge=NAME in Python)``.

    What functions of Python and commands both say names the option and the parameter; ``python`` is the value where
    it is written otherwise there, as ``True`` where an option has none.
    """
    shown = f"--{option} {to}" if to else f"--{option}"
    return f"{shown} ({option.replace('-', '_')}={to if python is None else python} in Python)"


def shown_names(names: Sequence[str], most: int = 12) -> str:
    """Names in a sentence, shortened."""
    return ", ".join(names[:most]) + (f", ... ({len(names):,} in all)" if len(names) > most else "")


def p_text(p: float) -> str:
    """``p < .001`` or ``p = .012``."""
    return "p < .001" if p < 0.0005 else f"p = {steady(p):.3f}".replace("0.", ".")


def steady(number: float) -> float:
    """A computed number that is to be printed with few digits, without the last of its own.

    In which order a processor adds decides about those: 17.5 was printed as 18 on one machine, and on another, where it
    was 17.499999999999996, as 17. What is nothing but for them has no sign.
    """
    if not isfinite(number):
        return number
    return 0.0 if abs(number) < _NOTHING else float(f"{number:.{_SURE_DIGITS}g}")


def part_name(by: Mapping[str, str]) -> str:
    """What a part of ratings is called in a sentence: fluency, documents; a name that is a number with its column."""
    told = [
        name if any(map(str.isalpha, name)) else f"{column.replace('_', ' ')} {name}"
        for column, name in by.items()
        if name
    ]
    return ", ".join(told)


def spelled(value: object) -> str:
    """A value as a person writes it, wherever it is shown: 3, not 3.0; labels of a set joined by +; a day in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case set() | frozenset():
            return " + ".join(sorted(map(spelled, value))) or "none"
        case list() | tuple():
            return ", ".join(map(spelled, value)) or "none"
        case datetime():
            return f"{spelled(value.date())}, {value:%H:%M}"
        case date():
            return f"{value.day} {value:%B %Y}"
    return str(value)
