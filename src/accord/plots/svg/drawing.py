"""A whole chart: views with their axes, side by side or below each other, legend and title above them."""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil
from typing import Any

from accord.plots.svg.axes import axis_of, draw_axis, draw_grid
from accord.plots.svg.canvas import Canvas
from accord.plots.svg.legends import legend
from accord.plots.svg.letters import LINE
from accord.plots.svg.marks import View, draw
from accord.plots.svg.scales import Band, Place, length_of, named, names_of, place_scale, ramp_of
from accord.plots.svg.units import Unit, units_of
from accord.plots.theme import INK, MUTED, SEQUENTIAL

__all__ = ["svg_of"]

_BETWEEN, _ABOVE, _TITLE_ABOVE, _HEADER = 20, 14, 12, 10
_PLAIN = 200
"""Width and height of a view that says none."""


def svg_of(spec: Mapping[str, Any], *, padding: Mapping[str, float], background: str = "") -> str:
    """The drawing of a specification, with so much room around it."""
    canvas, above = _composed(spec)
    whole = Canvas()
    whole.place(canvas, 0, 0)
    if above.parts:
        whole.place(above, 0, canvas.top - _ABOVE - above.bottom, "legend")
    _title(whole, spec.get("title") or {})
    width = ceil(whole.right - whole.left + padding["left"] + padding["right"])
    height = ceil(whole.bottom - whole.top + padding["top"] + padding["bottom"])
    x, y = padding["left"] - whole.left, padding["top"] - whole.top
    ground = f'<rect width="{width}" height="{height}" fill="{background}"/>' if background else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(spec.get("description", ""))}"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">{ground}'
        f'<g transform="translate({x:.6g},{y:.6g})">{"".join(whole.parts)}</g></svg>'
    )


def _title(whole: Canvas, title: Mapping[str, Any]) -> None:
    """The finding in a few lines, and what is said below it."""
    lines, below = title.get("text", []), title.get("subtitle", [])
    if not lines:
        return
    height = len(lines) * (15 + LINE) + (4 + len(below) * (12 + LINE) if below else 0)
    left, top = whole.left, whole.top - _TITLE_ABOVE - height
    whole.lines(left, top, lines, size=15, colour=INK, baseline="top", weight=600)
    whole.lines(left, top + len(lines) * (15 + LINE) + 4, below, colour=MUTED, baseline="top")


def _composed(spec: Mapping[str, Any]) -> tuple[Canvas, Canvas]:
    """All views, and the legend that belongs above them."""
    datasets = spec["datasets"]
    if "vconcat" in spec:
        return _below_each_other(spec, datasets)
    if "facet" in spec:
        return _panels(spec, datasets)
    units = units_of(spec, datasets)
    view = _view(spec, units)
    return _drawn(units, units, view), legend(units, view, view.width)


def _view(spec: Mapping[str, Any], units: Sequence[Unit]) -> View:
    width = length_of(spec.get("width", _PLAIN), units, "x")
    height = length_of(spec.get("height", _PLAIN), units, "y")
    x, y = place_scale(units, "x", width), place_scale(units, "y", height)
    offsets = {channel: _inner(units, channel, scale) for channel, scale in (("x", x), ("y", y))}
    colours = ramp_of(units, SEQUENTIAL) or named(units, "color")
    return View(width, height, x, y, offsets, colours, named(units, "shape"), named(units, "size"))


def _inner(units: Sequence[Unit], channel: str, outer: Place | None) -> Place | None:
    """The scale within a band."""
    if not isinstance(outer, Band):
        return None
    inner = place_scale(units, f"{channel}Offset", outer.width)
    if isinstance(inner, Band):
        step = outer.width / max(1, len(inner.places))
        return Band(inner.places, 0.0, step, step)
    return inner


def _drawn(units: Sequence[Unit], own: Sequence[Unit], view: View, sides: str = "xy") -> Canvas:
    """One view: hairlines, axes on these sides, marks; ``own`` are those of its marks that a panel shows."""
    canvas = Canvas()
    canvas.reach(0, 0, view.width, view.height)
    axes = [axis for channel in "xy" if (axis := axis_of(units, view, channel))]
    for axis in axes:
        draw_grid(canvas, axis, view)
    for axis in axes:
        if axis.channel in sides:
            draw_axis(canvas, axis, view)
    for unit in own:
        draw(canvas, unit, view)
    return canvas


def _panels(spec: Mapping[str, Any], datasets: Mapping[str, Any]) -> tuple[Canvas, Canvas]:
    """A panel for each name, with one scale for all; axes stand left and below."""
    rows = datasets[spec["data"]["name"]]
    units = units_of(spec["spec"], datasets, rows)
    view, field, columns = _view(spec["spec"], units), spec["facet"]["field"], spec["columns"]
    names = names_of([Unit({"type": "point"}, {"facet": spec["facet"]}, rows)], "facet")
    whole = Canvas()
    down = 0.0
    for first in range(0, len(names), columns):
        row: list[Canvas] = []
        for place in range(first, min(first + columns, len(names))):
            sides = ("y" if place == first else "") + ("x" if place + columns >= len(names) else "")
            panel = _drawn(units, [unit.only(field, names[place]) for unit in units], view, sides)
            panel.text(
                view.width / 2, -_HEADER, str(names[place]), colour=INK, align="center", baseline="bottom", weight=600
            )
            row.append(panel)
        down -= min(panel.top for panel in row) if first else 0
        for place, panel in enumerate(row):
            whole.place(panel, place * (view.width + _BETWEEN), down)
        down += max(panel.bottom for panel in row) + _BETWEEN
    room = columns * (view.width + _BETWEEN) - _BETWEEN
    return whole, legend(units, view, room)


def _below_each_other(spec: Mapping[str, Any], datasets: Mapping[str, Any]) -> tuple[Canvas, Canvas]:
    """Views of their own; the first has the legend of all."""
    whole, above = Canvas(), Canvas()
    down = 0.0
    for place, inner in enumerate(spec["vconcat"]):
        units = units_of(inner, datasets)
        view = _view(inner, units)
        panel = _drawn(units, units, view)
        panel.text(0, -_TITLE_ABOVE, inner.get("title", ""), size=15, colour=INK, baseline="bottom", weight=600)
        down -= panel.top if place else 0
        whole.place(panel, 0, down)
        down += panel.bottom + _BETWEEN
        above = above if place else legend(units, view, view.width)
    return whole, above
