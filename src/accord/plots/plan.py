"""Charts of a plan: how wide the interval of each criterion will be, by items and raters."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn
from accord.plots.theme import MUTED
from accord.records import dataclass

__all__ = ["Widths", "expected_widths"]


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths ``widths[i, j]`` of a criterion for ``items[i]`` and ``raters[j]``; ``planned`` is (items, width)."""

    name: str
    items: Sequence[int]
    raters: Sequence[int]
    widths: NDArray[np.float64]
    planned: tuple[int, float]


def expected_widths(panels: Sequence[Widths], *, title: str, axis: str, subtitle: str = "") -> Chart:
    """Expected width by items, one panel for each criterion and one line for each number of raters."""
    rows = [
        {
            "criterion": panel.name,
            "items": int(panel.items[i]),
            "raters": f"{panel.raters[j]} raters",
            "width": float(panel.widths[i, j]),
        }
        for panel in panels
        for i in range(len(panel.items))
        for j in range(len(panel.raters))
    ]
    headings = {"criterion": "criterion", "items": "items", "raters": "raters of each item", "width": axis}
    drawings = [_panel(panel, rows, "width of the interval" if len(panels) > 1 else axis) for panel in panels]
    whole = drawings[0] if len(panels) == 1 else alt.vconcat(*drawings)
    return drawn(whole, title, rows, headings, subtitle=subtitle)


def _panel(panel: Widths, rows: Sequence[dict[str, Any]], axis: str) -> Any:
    own = [row for row in rows if row["criterion"] == panel.name]
    order = [f"{count} raters" for count in panel.raters]
    base = alt.Chart(alt.Data(values=own)).encode(
        x=alt.X("items:Q", title="items", scale=alt.Scale(type="log", nice=False)),
        y=alt.Y("width:Q", title=axis, scale=alt.Scale(zero=True)),
        color=alt.Color("raters:N", sort=order, title="each item judged by"),
    )
    spot = alt.Chart(alt.Data(values=[{"items": panel.planned[0], "width": panel.planned[1], "word": "this plan"}]))
    layers = [
        base.mark_line(point=True, strokeWidth=1.5),
        spot.mark_point(size=120, color=MUTED, strokeWidth=2).encode(x="items:Q", y="width:Q"),
        spot.mark_text(align="left", dx=10, dy=-8).encode(x="items:Q", y="width:Q", text="word:N"),
    ]
    return alt.layer(*layers).properties(width=560, height=220, title=panel.name)
