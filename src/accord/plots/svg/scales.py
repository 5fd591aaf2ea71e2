"""Scales: where on an axis a value stands, and which colour, shape and size it has."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from accord.plots.svg.numbers import log_ticks, nice, ticks
from accord.plots.svg.units import Unit, number
from accord.plots.theme import PALETTE
from accord.records import dataclass

__all__ = ["Band", "Line", "Place", "Ramp", "length_of", "named", "names_of", "place_scale", "ramp_of"]

_SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "cross",
    "diamond",
    "triangle-right",
    "triangle-down",
    "triangle-left",
)
_NESTED, _BAR = 0.2, 0.1
"""Room between bands, as a share of their step: where they hold bands themselves, and where bars stand in them."""


@dataclass(frozen=True, slots=True)
class Line:
    """Numbers along a line from one pixel to another, even or by their logarithm."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: Any) -> float | None:
        found = number(value)
        if found is None or found != found or (self.log and found <= 0):
            return None
        low, high = (log10(self.low), log10(self.high)) if self.log else (self.low, self.high)
        share = ((log10(found) if self.log else found) - low) / ((high - low) or 1)
        return self.start + share * (self.end - self.start)

    def zero(self) -> float:
        """Where bars begin: at zero, or at the end that is nearest to it."""
        found = self.at(min(max(0.0, self.low), self.high))
        return self.start if found is None else found

    def ticks(self, least: float = 0.0) -> list[float]:
        """One round number for every 40 pixels or so."""
        if self.log:
            return log_ticks(self.low, self.high)
        count = -(-abs(self.end - self.start) // 40)
        return ticks(self.low, self.high, count, least)


@dataclass(frozen=True, slots=True)
class Band:
    """Names along a line, each with a band of its own."""

    places: Mapping[Any, int]
    start: float
    step: float
    width: float

    def begin(self, name: Any) -> float | None:
        """Where the band of a name begins."""
        place = self.places.get(name)
        return None if place is None else self.start + self.step * place

    def at(self, name: Any) -> float | None:
        """The middle of a band."""
        begun = self.begin(name)
        return None if begun is None else begun + self.width / 2


Place = Line | Band


@dataclass(frozen=True, slots=True)
class Ramp:
    """Numbers as shades from light to dark."""

    low: float
    high: float
    shades: Sequence[str]

    def of(self, value: Any) -> str:
        share = ((number(value) or 0.0) - self.low) / ((self.high - self.low) or 1)
        at = min(max(share, 0.0), 1.0) * (len(self.shades) - 1)
        below = min(int(at), len(self.shades) - 2)
        first, second = (
            [int(shade[place : place + 2], 16) for place in (1, 3, 5)] for shade in self.shades[below : below + 2]
        )
        mixed = [round(a + (at - below) * (b - a)) for a, b in zip(first, second, strict=True)]
        # Not as the theme spells its colours: a page that turns the accent for dark readers must not turn a shade.
        return f"rgb({mixed[0]},{mixed[1]},{mixed[2]})"


def _encodings(units: Sequence[Unit], channel: str) -> list[Mapping[str, Any]]:
    return [unit.encoding[channel] for unit in units if unit.field(channel)]


def _option(encodings: Sequence[Mapping[str, Any]], name: str) -> Any:
    """What the first of these says of its scale."""
    return next((one["scale"][name] for one in encodings if name in one.get("scale", {})), None)


def names_of(units: Sequence[Unit], channel: str) -> list[Any]:
    """The names that a channel shows: in the order that is asked for, or else by their own."""
    encodings = _encodings(units, channel)
    if given := _option(encodings, "domain"):
        return list(given)
    found = dict.fromkeys(
        row[field] for unit in units if (field := unit.field(channel)) for row in unit.rows if field in row
    )
    wanted = next((one["sort"] for one in encodings if one.get("sort")), None)
    if wanted is None:
        return sorted(found, key=lambda name: (str(type(name)), name))
    first = [name for name in dict.fromkeys(wanted) if name in found]
    return [*first, *(name for name in found if name not in first)]


def length_of(size: Any, units: Sequence[Unit], channel: str) -> float:
    """Pixels of an axis: as given, or a step for each name."""
    if not isinstance(size, Mapping):
        return float(size)
    step, count = float(size["step"]), len(names_of(units, channel))
    if not _has_inner(units, channel):
        return step * max(1, count)
    # The step is that of the inner names.
    return step * len(names_of(units, f"{channel}Offset")) / (1 - _NESTED) * (count + _NESTED)


def _has_inner(units: Sequence[Unit], channel: str) -> bool:
    """Whether there are names within names."""
    return any(one["type"] == "nominal" for one in _encodings(units, f"{channel}Offset"))


def place_scale(units: Sequence[Unit], channel: str, length: float) -> Place | None:
    """The scale of an axis, from every mark that stands on it."""
    encodings = _encodings(units, channel)
    if not encodings:
        return None
    if encodings[0]["type"] != "quantitative":
        names = names_of(units, channel)
        nested = _has_inner(units, channel)
        first = next(unit for unit in units if unit.field(channel))
        inner = _NESTED if nested else _BAR if first.kind == "bar" else 0.0
        outer = _NESTED if nested else inner / 2
        step = length / max(1e-9, len(names) - inner + 2 * outer)
        return Band({name: place for place, name in enumerate(names)}, outer * step, step, step * (1 - inner))
    start, end = (length, 0.0) if channel == "y" else (0.0, length)
    low, high = _ends(units, channel, encodings, length)
    return Line(low, high, start, end, _option(encodings, "type") == "log")


def _ends(
    units: Sequence[Unit], channel: str, encodings: Sequence[Mapping[str, Any]], length: float
) -> tuple[float, float]:
    """The lowest and the highest number of an axis: as given, or round numbers around all that it shows."""
    if given := _option(encodings, "domain"):
        return float(given[0]), float(given[1])
    found = [
        known
        for unit in units
        for field in (unit.field(channel), unit.field(f"{channel}2"))
        if field
        for row in unit.rows
        if (known := number(row.get(field))) is not None
    ]
    if not found:
        return 0.0, 1.0
    low, high = min(found), max(found)
    zero = _option(encodings, "zero")
    if zero is None:
        zero = _option(encodings, "type") != "log" and not _is_course(units, channel)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if padding := _option(encodings, "padding"):
        room = (high - low) * padding / max(1.0, length - 2 * padding)
        low, high = low - room, high + room
    if low == high:
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    return (low, high) if _option(encodings, "nice") is False else nice(low, high)


def _is_course(units: Sequence[Unit], channel: str) -> bool:
    """Whether lines run along this axis: time need not begin at zero."""
    first = next((unit for unit in units if unit.field(channel)), None)
    return channel == "x" and first is not None and first.kind in ("line", "area")


def named(units: Sequence[Unit], channel: str) -> dict[Any, Any] | None:
    """Colour, shape or size of each name."""
    encodings = _encodings(units, channel)
    if not encodings or encodings[0]["type"] == "quantitative":
        return None
    names = names_of(units, channel)
    choice = _option(encodings, "range") or (PALETTE if channel == "color" else _SHAPES)
    return {name: choice[place % len(choice)] for place, name in enumerate(names)}


def ramp_of(units: Sequence[Unit], shades: Sequence[str]) -> Ramp | None:
    """The shades of a number that is shown as colour."""
    encodings = _encodings(units, "color")
    if not encodings or encodings[0]["type"] != "quantitative":
        return None
    field = encodings[0]["field"]
    found = [
        known
        for unit in units
        if unit.field("color") == field
        for row in unit.rows
        if (known := number(row.get(field))) is not None
    ]
    least = _option(encodings, "domainMin")
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    return Ramp(low if least is None else float(least), high, shades)
