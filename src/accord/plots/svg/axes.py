"""Axes: round numbers or names with their lines, as many as there is room for."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from json import loads
from math import cos, radians, sin
from typing import Any

from accord.plots.svg.canvas import Canvas
from accord.plots.svg.letters import LINE, shortened, width
from accord.plots.svg.marks import View, look_of
from accord.plots.svg.numbers import spelled
from accord.plots.svg.scales import Band, Line
from accord.plots.svg.units import Unit
from accord.plots.theme import GRID, INK, MUTED
from accord.records import dataclass

__all__ = ["Axis", "axis_of", "draw_axis", "draw_grid"]

_TICK, _GAP, _TITLE_GAP = 5, 2, 4
_SIZE, _LIMIT, _APART = 12, 220, 1


@dataclass(frozen=True, slots=True)
class Axis:
    """Where its labels stand, what they say (in one line or several), and what is said of the whole."""

    channel: str
    places: Sequence[float]
    labels: Sequence[Sequence[str]]
    title: str
    options: Mapping[str, Any]
    is_line: bool
    greedy: bool = False

    @property
    def has_grid(self) -> bool:
        return bool(self.options.get("grid", self.is_line))


def axis_of(units: Sequence[Unit], view: View, channel: str) -> Axis | None:
    """The axis of all marks of a view; None if they have none, or want none."""
    encodings = [unit.encoding[channel] for unit in units if unit.field(channel)]
    scale = view.scale(channel)
    options: Mapping[str, Any] | None = next((one["axis"] for one in encodings if "axis" in one), {})
    if scale is None or options is None:
        return None
    title = _title(encodings)
    limit = options.get("labelLimit", _LIMIT)
    if isinstance(scale, Band):
        values: list[Any] = list(scale.places)
        labels = [str(name) for name in values]
    else:
        values = list(options.get("values") or scale.ticks(options.get("tickMinStep", 0.0)))
        labels = spelled(values, options.get("format", ""))
    lines = _label_lines(options.get("labelExpr", ""), values, labels)
    places = [scale.at(value) for value in values]
    known = [(place, line) for place, line in zip(places, lines, strict=True) if place is not None]
    return Axis(
        channel,
        [place for place, _ in known],
        [[shortened(part, _SIZE, limit) for part in line] for _, line in known],
        title,
        options,
        isinstance(scale, Line),
        isinstance(scale, Line) and scale.log,
    )


def _title(encodings: Sequence[Mapping[str, Any]]) -> str:
    """What was said of the axis, or else the names of its columns."""
    said = [one["title"] for one in encodings if "title" in one]
    return ", ".join(dict.fromkeys(filter(None, said or [one["field"] for one in encodings])))


def _label_lines(expression: str, values: Sequence[Any], labels: Sequence[str]) -> list[list[str]]:
    """Labels as Vega-Lite would make them of one of our two expressions: a list of words, or a split."""
    if expression.startswith("split(datum.label, "):
        mark = expression.removeprefix("split(datum.label, ").removesuffix(")").strip("'")
        return [label.split(mark) for label in labels]
    if expression:
        words = loads(expression.removeprefix("(").removesuffix(")[datum.value]"))
        return [[words.get(f"{value:g}", "")] for value in values]
    return [[label] for label in labels]


def draw_grid(canvas: Canvas, axis: Axis, view: View) -> None:
    """A hairline at every round number."""
    if not axis.has_grid:
        return
    for place in axis.places:
        ends = [(place, 0.0), (place, view.height)] if axis.channel == "x" else [(0.0, place), (view.width, place)]
        canvas.line(ends, look_of(GRID, width=1))


def draw_axis(canvas: Canvas, axis: Axis, view: View) -> None:
    """The line, its ticks and labels, and the title."""
    long, line = view.length(axis.channel), look_of(MUTED, width=1)
    canvas.line(_turned(axis, view, [(0.0, 0.0), (long, 0.0)]), line)
    ticked = axis.options.get("ticks", True)
    if ticked:
        for place in axis.places:
            canvas.line(_turned(axis, view, [(place, 0.0), (place, float(_TICK))]), line)
    away = float((_TICK if ticked else 0) + _GAP)
    if axis.options.get("labels", True):
        away += _labels(canvas, axis, view, away)
    if not axis.title:
        return
    if axis.channel == "x":
        below = view.height + away + _TITLE_GAP
        canvas.text(long / 2, below, axis.title, colour=INK, align="center", baseline="top", weight=500)
    else:
        beside = -away - _TITLE_GAP
        canvas.text(beside, long / 2, axis.title, colour=INK, align="center", baseline="bottom", angle=-90, weight=500)


def _turned(axis: Axis, view: View, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Places along and away from an axis as places in the view."""
    if axis.channel == "x":
        return [(along, view.height + away) for along, away in places]
    return [(-away, along) for along, away in places]


def _labels(canvas: Canvas, axis: Axis, view: View, away: float) -> float:
    """Draw the labels; gives how much room they take away from the axis."""
    angle = axis.options.get("labelAngle", 0 if axis.is_line or axis.channel == "y" else -90)
    shown = _apart(axis, angle, view.length(axis.channel))
    if not shown:
        return 0.0
    widest = [max(width(part, _SIZE) for part in axis.labels[place]) for place in shown]
    if axis.channel == "y":
        for place in shown:
            canvas.lines(-away, axis.places[place], axis.labels[place], colour=INK, align="right")
        return max(widest)
    down = view.height + away
    if angle:
        for place in shown:
            canvas.lines(
                axis.places[place],
                down,
                axis.labels[place],
                colour=INK,
                align="right",
                angle=angle,
                baseline="top" if angle >= -45 else "middle",
            )
        turn = radians(-angle)
        return max(widest) * sin(turn) + _SIZE * cos(turn)
    for place in shown:
        align = _flush(axis, place, view.width)
        canvas.lines(axis.places[place], down, axis.labels[place], colour=INK, align=align, baseline="top")
    return max(len(axis.labels[place]) for place in shown) * (_SIZE + LINE) - LINE


def _flush(axis: Axis, place: int, long: float) -> str:
    """A number at an end of the axis stands within it."""
    if not axis.is_line:
        return "center"
    return "left" if axis.places[place] < 1 else "right" if axis.places[place] > long - 1 else "center"


def _apart(axis: Axis, angle: float, long: float) -> list[int]:
    """Places whose labels do not lie over each other: every one, every second, every fourth ..."""
    every = list(range(len(axis.places)))
    if not axis.options.get("labelOverlap", axis.is_line):
        return every
    ends = [_ends(axis, at, angle, long) for at in every]
    if axis.greedy:
        kept: list[int] = []
        for at in every:
            if not kept or ends[at][0] >= ends[kept[-1]][1] + _APART:
                kept.append(at)
        return kept
    step = 1
    while step < len(every):
        kept = sorted(every[::step], key=lambda at: axis.places[at])
        if all(ends[b][0] >= ends[a][1] + _APART for a, b in pairwise(kept)):
            return kept
        step *= 2
    return every[:1]


def _ends(axis: Axis, at: int, angle: float, long: float) -> tuple[float, float]:
    """Where along the axis a label begins and ends."""
    place, size = axis.places[at], float(_SIZE)
    if axis.channel == "x" and not angle:
        size = max(width(part, _SIZE) for part in axis.labels[at])
    start = {"left": 0.0, "center": size / 2, "right": size}[
        _flush(axis, at, long) if axis.channel == "x" else "center"
    ]
    return place - start, place - start + size
