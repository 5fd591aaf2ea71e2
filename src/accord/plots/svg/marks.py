"""Marks: rules, points, words, ticks, bars, lines and areas, each with the words of its row to be pointed at."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from accord.plots.svg.canvas import Canvas
from accord.plots.svg.numbers import told
from accord.plots.svg.scales import Band, Line, Place, Ramp
from accord.plots.svg.units import Row, Unit, holds
from accord.plots.theme import INK
from accord.records import dataclass

__all__ = ["View", "draw", "look_of", "opacity_of", "symbol"]

_COLOUR = "#4c78a8"
"""Of marks that nobody gave a colour."""
_SAID = ("x", "x2", "y", "y2", "color", "shape", "size", "text", "detail")
_WHOSE = ("color", "shape", "detail")
"""What tells one line from another."""
_SIZE = 60


@dataclass(frozen=True, slots=True)
class View:
    """An area to draw in, with the scales of all its marks."""

    width: float
    height: float
    x: Place | None
    y: Place | None
    offsets: Mapping[str, Place | None]
    colours: Mapping[Any, str] | Ramp | None
    shapes: Mapping[Any, str] | None
    sizes: Mapping[Any, float] | None

    def scale(self, channel: str) -> Place | None:
        return self.x if channel == "x" else self.y

    def length(self, channel: str) -> float:
        return self.width if channel == "x" else self.height


def draw(canvas: Canvas, unit: Unit, view: View) -> None:
    """Every row of a unit."""
    if unit.kind in ("line", "area"):
        (_lines if unit.kind == "line" else _areas)(canvas, unit, view)
        return
    marks = {
        "rule": _rule,
        "point": _point,
        "text": _text,
        "tick": _tick,
        "rect": _rectangle,
        "bar": _rectangle,
    }[unit.kind]
    for row in unit.rows:
        marks(canvas, unit, view, row)


def _words(unit: Unit, row: Row, channels: Sequence[str] = _SAID) -> str:
    """What a row says, as headings with their values."""
    said: dict[str, str] = {}
    for channel in channels:
        one = unit.encoding.get(channel, {})
        field = one.get("field")
        if field and row.get(field) is not None:
            said.setdefault(field, f"{one.get('title') or field}: {told(row[field], one.get('format', ''))}")
    return "; ".join(said.values())


def _value(unit: Unit, view: View, channel: str, row: Row) -> Any:
    """What a channel gives this row: a value of its own, one by a test, or that of its scale."""
    one = unit.encoding.get(channel)
    if one is None:
        return None
    if "condition" in one:
        return one["condition"]["value"] if holds(one["condition"]["test"], row) else one.get("value")
    if "value" in one:
        return one["value"]
    found = row.get(one["field"])
    if channel == "color":
        return view.colours.of(found) if isinstance(view.colours, Ramp) else (view.colours or {}).get(found)
    return ((view.shapes if channel == "shape" else view.sizes) or {}).get(found)


def _colour(unit: Unit, view: View, row: Row) -> str:
    given = _value(unit, view, "color", row)
    return str(given or unit.mark.get("color") or (INK if unit.kind in ("rule", "text") else _COLOUR))


def opacity_of(unit: Unit) -> float:
    return float(unit.mark.get("opacity", 0.7 if unit.kind in ("point", "tick") else 1))


def look_of(colour: str, opacity: float = 1, *, width: float = 0, dash: Sequence[float] = ()) -> str:
    """A colour for what is filled, or, with a width, for a stroke."""
    faint = f' opacity="{opacity:g}"' if opacity != 1 else ""
    if not width:
        return f'fill="{colour}"{faint}'
    dashes = f' stroke-dasharray="{",".join(f"{one:g}" for one in dash)}"' if dash else ""
    return f'stroke="{colour}" stroke-width="{width:g}"{dashes}{faint}'


def _place(unit: Unit, view: View, channel: str, row: Row) -> float | None:
    """Where a row stands along x or y; in the middle if nothing says it; None if its value cannot be shown."""
    one = unit.encoding.get(channel)
    if one is None or "value" in one:
        given = unit.mark.get(channel) if one is None else one["value"]
        return view.length(channel[0]) / 2 if given is None else float(given)
    scale = view.scale(channel[0])
    if scale is None:
        return None
    found = scale.at(row.get(one["field"]))
    if found is None:
        return None
    return found + _offset(unit, view, channel, row, scale) + float(unit.mark.get(f"{channel}Offset", 0))


def _offset(unit: Unit, view: View, channel: str, row: Row, scale: Place) -> float:
    """How far from the middle of its band a row stands."""
    inner, field = view.offsets.get(channel), unit.field(f"{channel}Offset")
    if inner is None or field is None or not isinstance(scale, Band):
        return 0.0
    found = inner.at(row.get(field))
    return 0.0 if found is None else found - scale.width / 2


def _is_inside(unit: Unit, view: View, channel: str, place: float) -> bool:
    return not unit.mark.get("clip") or -0.5 <= place <= view.length(channel) + 0.5


def _between(unit: Unit, view: View, channel: str, row: Row) -> tuple[float, float] | None:
    """From where to where a mark with two ends reaches; the whole length if the channel shows nothing."""
    if channel not in unit.encoding:
        return 0.0, view.length(channel)
    first, second = _place(unit, view, channel, row), _place(unit, view, f"{channel}2", row)
    if first is None or second is None:
        return None
    if unit.mark.get("clip"):
        first, second = (min(max(end, 0.0), view.length(channel)) for end in (first, second))
    return first, second


def _rule(canvas: Canvas, unit: Unit, view: View, row: Row) -> None:
    look = look_of(
        _colour(unit, view, row),
        opacity_of(unit),
        width=unit.mark.get("strokeWidth", 1),
        dash=unit.mark.get("strokeDash", ()),
    )
    across = "x2" in unit.encoding or ("y2" not in unit.encoding and "x" not in unit.encoding)
    along, other = ("x", "y") if across else ("y", "x")
    ends, at = _between(unit, view, along, row), _place(unit, view, other, row)
    if along in unit.encoding and f"{along}2" not in unit.encoding:
        ends = 0.0, view.length(along)
    if ends is None or at is None:
        return
    places = [(end, at) if along == "x" else (at, end) for end in ends]
    canvas.line(places, look, _words(unit, row))


def _point(canvas: Canvas, unit: Unit, view: View, row: Row) -> None:
    x, y = _place(unit, view, "x", row), _place(unit, view, "y", row)
    if x is None or y is None:
        return
    size = _value(unit, view, "size", row) or unit.mark.get("size", _SIZE)
    shape = _value(unit, view, "shape", row) or "circle"
    symbol(canvas, shape, x, y, size, look_of(_colour(unit, view, row), opacity_of(unit)), _words(unit, row))


_SHAPES = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((-1, 0), (0, -1), (1, 0), (0, 1)),
    "cross": (
        (-1, -0.4),
        (-0.4, -0.4),
        (-0.4, -1),
        (0.4, -1),
        (0.4, -0.4),
        (1, -0.4),
        (1, 0.4),
        (0.4, 0.4),
        (0.4, 1),
        (-0.4, 1),
        (-0.4, 0.4),
        (-1, 0.4),
    ),
    "triangle-up": ((0, -0.866), (-1, 0.866), (1, 0.866)),
    "triangle-down": ((0, 0.866), (-1, -0.866), (1, -0.866)),
    "triangle-right": ((0.866, 0), (-0.866, -1), (-0.866, 1)),
    "triangle-left": ((-0.866, 0), (0.866, -1), (0.866, 1)),
}
"""Corners, in halves of the square root of the size."""


def symbol(canvas: Canvas, shape: str, x: float, y: float, size: float, look: str, words: str = "") -> None:
    """A point of this shape; its size is the area of the square around it."""
    half = sqrt(size) / 2
    if shape == "circle":
        canvas.circle(x, y, half, look, words)
    else:
        canvas.shape([(x + half * dx, y + half * dy) for dx, dy in _SHAPES[shape]], look, words)


def _text(canvas: Canvas, unit: Unit, view: View, row: Row) -> None:
    x, y = _place(unit, view, "x", row), _place(unit, view, "y", row)
    said = unit.encoding["text"]
    value = row.get(said["field"])
    if x is None or y is None or value is None:
        return
    mark = unit.mark
    canvas.text(
        x + mark.get("dx", 0),
        y + mark.get("dy", 0),
        told(value, said.get("format", "")),
        size=mark.get("fontSize", 12),
        colour=_colour(unit, view, row),
        align=mark.get("align", "center"),
        baseline=mark.get("baseline", "middle"),
        style=mark.get("fontStyle", ""),
        words=_words(unit, row),
    )


def _tick(canvas: Canvas, unit: Unit, view: View, row: Row) -> None:
    x, y = _place(unit, view, "x", row), _place(unit, view, "y", row)
    if x is None or y is None or not _is_inside(unit, view, "x", x):
        return
    half, thin = unit.mark.get("size", 16) / 2, unit.mark.get("thickness", 1) / 2
    look = look_of(_colour(unit, view, row), opacity_of(unit))
    dx, dy = (half, thin) if isinstance(view.x, Band) else (thin, half)
    canvas.rectangle(x - dx, y - dy, x + dx, y + dy, look, _words(unit, row))


def _extent(unit: Unit, view: View, channel: str, row: Row) -> tuple[float, float] | None:
    """From where to where a rectangle reaches along x or y."""
    scale = view.scale(channel)
    if f"{channel}2" in unit.encoding or isinstance(scale, Line):
        first = _place(unit, view, channel, row)
        second = _place(unit, view, f"{channel}2", row) if f"{channel}2" in unit.encoding else None
        if second is None and isinstance(scale, Line):
            second = scale.zero()
        return None if first is None or second is None else (first, second)
    at = _place(unit, view, channel, row)
    if at is None or not isinstance(scale, Band):
        return None
    inner = view.offsets.get(channel) if unit.field(f"{channel}Offset") else None
    wide = unit.mark.get("size") or (inner.width if isinstance(inner, Band) else scale.width)
    return at - wide / 2, at + wide / 2


def _rectangle(canvas: Canvas, unit: Unit, view: View, row: Row) -> None:
    across, up = _extent(unit, view, "x", row), _extent(unit, view, "y", row)
    if across is None or up is None:
        return
    look = look_of(_colour(unit, view, row), opacity_of(unit))
    canvas.rectangle(across[0], up[0], across[1], up[1], look, _words(unit, row))


def _series(unit: Unit) -> list[list[Row]]:
    """Rows that one line joins, in the order of their places."""
    fields = [field for channel in _WHOSE if (field := unit.field(channel))]
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in unit.rows:
        groups.setdefault(tuple(row.get(field) for field in fields), []).append(row)
    along = unit.field("order") or unit.field("x") or ""
    return [sorted(rows, key=lambda row: row[along]) for rows in groups.values()]


def _lines(canvas: Canvas, unit: Unit, view: View) -> None:
    for rows in _series(unit):
        places = [(_place(unit, view, "x", row), _place(unit, view, "y", row)) for row in rows]
        known = [(x, y) for x, y in places if x is not None and y is not None]
        if len(known) > 1:
            width = _value(unit, view, "strokeWidth", rows[0]) or unit.mark.get("strokeWidth", 2)
            look = look_of(_colour(unit, view, rows[0]), opacity_of(unit), width=width)
            canvas.line(known, look, _words(unit, rows[0], _WHOSE))


def _areas(canvas: Canvas, unit: Unit, view: View) -> None:
    for rows in _series(unit):
        found = [[_place(unit, view, channel, row) for channel in ("x", "y", "y2")] for row in rows]
        known = [(x, low, high) for x, low, high in found if None not in (x, low, high)]
        around = [(x, low) for x, low, _ in known] + [(x, high) for x, _, high in reversed(known)]
        if len(known) > 1:
            look = look_of(_colour(unit, view, rows[0]), opacity_of(unit))
            canvas.shape(around, look)  # type: ignore[arg-type]  # None was left out
