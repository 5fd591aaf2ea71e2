"""What is drawn so far, as SVG, and how far it reaches."""

from collections.abc import Sequence
from html import escape
from math import cos, inf, radians, sin

from accord.plots.svg.letters import LINE, width

__all__ = ["Canvas"]

_ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
_BASELINES = {"top": 0.79, "middle": 0.3, "bottom": -0.21, "alphabetic": 0.0}
"""How far below a place the feet of the letters stand, in sizes of the letters."""
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32)])
"""Letters that no XML may hold."""


class Canvas:
    """Marks in the order in which they were drawn; lengths are pixels."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.left = self.top = inf
        self.right = self.bottom = -inf

    def reach(self, left: float, top: float, right: float, bottom: float) -> None:
        """Something is drawn between these four lines."""
        self.left, self.top = min(self.left, left), min(self.top, top)
        self.right, self.bottom = max(self.right, right), max(self.bottom, bottom)

    def line(self, places: Sequence[tuple[float, float]], look: str, words: str = "") -> None:
        """Strokes from place to place."""
        across, up = [x for x, _ in places], [y for _, y in places]
        self.reach(min(across), min(up), max(across), max(up))
        if len(places) == 2:
            (x1, y1), (x2, y2) = places
            drawn = f'<line x1="{x1:.6g}" y1="{y1:.6g}" x2="{x2:.6g}" y2="{y2:.6g}"'
        else:
            drawn = f'<path fill="none" d="M{"L".join(f"{x:.6g},{y:.6g}" for x, y in places)}"'
        self.parts.append(f"{drawn} {look}{_words(words)}/>")

    def shape(self, places: Sequence[tuple[float, float]], look: str, words: str = "") -> None:
        """What a line around these places holds."""
        across, up = [x for x, _ in places], [y for _, y in places]
        self.reach(min(across), min(up), max(across), max(up))
        path = "L".join(f"{x:.6g},{y:.6g}" for x, y in places)
        self.parts.append(f'<path d="M{path}Z" {look}{_words(words)}/>')

    def circle(self, x: float, y: float, radius: float, look: str, words: str = "") -> None:
        self.reach(x - radius, y - radius, x + radius, y + radius)
        self.parts.append(f'<circle cx="{x:.6g}" cy="{y:.6g}" r="{radius:.4g}" {look}{_words(words)}/>')

    def rectangle(self, left: float, top: float, right: float, bottom: float, look: str, words: str = "") -> None:
        """Between these four lines, whichever of two is the lesser."""
        left, right, top, bottom = min(left, right), max(left, right), min(top, bottom), max(top, bottom)
        self.reach(left, top, right, bottom)
        self.parts.append(
            f'<rect x="{left:.6g}" y="{top:.6g}" width="{right - left:.6g}" height="{bottom - top:.6g}"'
            f" {look}{_words(words)}/>"
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        colour: str,
        align: str = "left",
        baseline: str = "middle",
        angle: float = 0,
        weight: int = 400,
        style: str = "",
        words: str = "",
    ) -> None:
        """Words at a place, turned around it by so many degrees."""
        if not text:
            return
        long = width(text, size, bold=weight >= 500)
        start = {"left": 0.0, "center": -long / 2, "right": -long}[align]
        foot = _BASELINES[baseline] * size
        corners = [(dx, dy) for dx in (start, start + long) for dy in (foot - 0.79 * size, foot + 0.21 * size)]
        c, s = cos(radians(angle)), sin(radians(angle))
        turned = [(x + dx * c - dy * s, y + dx * s + dy * c) for dx, dy in corners]
        across, up = [place for place, _ in turned], [place for _, place in turned]
        self.reach(min(across), min(up), max(across), max(up))
        moved = f' transform="translate({x:.6g},{y:.6g}) rotate({angle:g})" y="{foot:.4g}"' if angle else ""
        place = moved or f' x="{x:.6g}" y="{y + foot:.6g}"'
        heavy = f' font-weight="{weight}"' if weight != 400 else ""
        slanted = f' font-style="{style}"' if style else ""
        self.parts.append(
            f'<text{place} font-size="{size:g}" fill="{colour}"{_ANCHORS[align]}{heavy}{slanted}{_words(words)}>'
            f"{_clean(text)}</text>"
        )

    def lines(self, x: float, y: float, lines: Sequence[str], *, size: float = 12, colour: str, **look: object) -> None:
        """Lines of words under each other, the first at this place."""
        for place, line in enumerate(lines):
            self.text(x, y + place * (size + LINE), line, size=size, colour=colour, **look)  # type: ignore[arg-type]

    def place(self, other: "Canvas", x: float, y: float, name: str = "") -> None:
        """Another drawing, its own zero at this place."""
        if not other.parts:
            return
        self.reach(other.left + x, other.top + y, other.right + x, other.bottom + y)
        moved = f' transform="translate({x:.6g},{y:.6g})"' if x or y else ""
        told = f' class="{name}"' if name else ""
        self.parts += [f"<g{told}{moved}>", *other.parts, "</g>"]


def _clean(text: str) -> str:
    return escape(text.translate(_CONTROLS))


def _words(words: str) -> str:
    return f' data-words="{_clean(words)}"' if words else ""
