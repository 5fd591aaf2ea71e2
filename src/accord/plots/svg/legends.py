"""Legends: what colours and shapes stand for, above the drawing."""

from collections.abc import Sequence
from typing import Any

from accord.plots.svg.canvas import Canvas
from accord.plots.svg.letters import width
from accord.plots.svg.marks import View, look_of, opacity_of, symbol
from accord.plots.svg.numbers import spelled, ticks
from accord.plots.svg.scales import Ramp
from accord.plots.svg.units import Unit
from accord.plots.theme import INK

__all__ = ["legend"]

_SIZE, _ROW, _APART = 12, 16, 10
_SYMBOL = 90
_SHORT, _LONG, _THICK, _STRIPES = 64, 200, 16, 50


def legend(units: Sequence[Unit], view: View, room: float) -> Canvas:
    """The legend of the colours, in as many rows as it needs; empty if there is none to show."""
    canvas = Canvas()
    shown = [unit for unit in units if unit.field("color") and unit.encoding["color"].get("legend", True) is not None]
    if not shown or view.colours is None:
        return canvas
    encodings = [unit.encoding["color"] for unit in shown]
    one = next((told for told in encodings if "title" in told), encodings[0])
    title = one.get("title", one["field"])
    down = 0.0
    if title:
        canvas.text(0, down, title, colour=INK, baseline="top", weight=500)
        down += _ROW + 1
    if isinstance(view.colours, Ramp):
        long = min(_LONG, max(_SHORT, view.width))
        _ramp(canvas, view.colours, down, long, (one.get("legend") or {}).get("format", ""))
    else:
        _names(canvas, shown, view, down, room)
    return canvas


def _names(canvas: Canvas, units: Sequence[Unit], view: View, down: float, room: float) -> None:
    drawn = next((unit for unit in units if unit.kind == "point"), units[0])
    shapes = view.shapes if drawn.encoding.get("shape", {}).get("legend", True) is not None else None
    assert not isinstance(view.colours, Ramp) and view.colours is not None  # noqa: S101
    across = 0.0
    for name, colour in view.colours.items():
        long = 20 + width(str(name), _SIZE)
        if across and across + long > room:
            across, down = 0.0, down + _ROW
        _entry(canvas, drawn, across, down + 7, str(name), colour, (shapes or {}).get(name, "circle"))
        across += long + _APART


def _entry(canvas: Canvas, unit: Unit, x: float, y: float, name: str, colour: Any, shape: str) -> None:
    if unit.kind in ("line", "rule"):
        canvas.line([(x, y), (x + 10, y)], look_of(colour, opacity_of(unit), width=2))
    else:
        form = shape if unit.kind == "point" else "square"
        symbol(canvas, form, x + 5, y, _SYMBOL, look_of(colour, opacity_of(unit)))
    canvas.text(x + 15, y, name, colour=INK)


def _ramp(canvas: Canvas, ramp: Ramp, down: float, long: float, form: str) -> None:
    """Shades from the lowest to the highest number, with a few round numbers below."""
    step = long / _STRIPES
    for place in range(_STRIPES):
        value = ramp.low + (place + 0.5) / _STRIPES * (ramp.high - ramp.low)
        look = f'{look_of(ramp.of(value))} shape-rendering="crispEdges"'
        canvas.rectangle(place * step, down, (place + 1) * step, down + _THICK, look)
    numbers = ticks(ramp.low, ramp.high, long / 50)
    for number, words in zip(numbers, spelled(numbers, form), strict=True):
        x = long * (number - ramp.low) / ((ramp.high - ramp.low) or 1)
        align = "left" if x < 1 else "right" if x > long - 1 else "center"
        canvas.text(x, down + _THICK + 3, words, colour=INK, align=align, baseline="top")
