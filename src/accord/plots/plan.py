"""Charts of a plan: how wide intervals will be, and which raters meet on how many items."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.plots.chart import Chart, altair, drawn
from accord.plots.theme import MUTED

__all__ = ["expected_widths"]


def expected_widths(
    items: Sequence[int],
    raters: Sequence[int],
    widths: NDArray[np.float64],
    *,
    title: str,
    axis: str,
    planned: tuple[int, float] | None = None,
    subtitle: str = "",
) -> Chart:
    """Expected width by items, one line for each number of raters; ``planned`` marks (items, width) of the plan."""
    alt = altair()
    rows = [
        {"items": int(items[i]), "raters": f"{raters[j]} raters", "width": float(widths[i, j])}
        for i in range(len(items))
        for j in range(len(raters))
    ]
    order = [f"{count} raters" for count in raters]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("items:Q", title="items", scale=alt.Scale(type="log", nice=False)),
        y=alt.Y("width:Q", title=axis, scale=alt.Scale(zero=True)),
        color=alt.Color("raters:N", sort=order, title="each item judged by"),
    )
    layers = [base.mark_line(point=True, strokeWidth=1.5)]
    if planned is not None:
        spot = alt.Chart(alt.Data(values=[{"items": planned[0], "width": planned[1], "word": "this plan"}]))
        layers += [
            spot.mark_point(size=120, color=MUTED, strokeWidth=2).encode(x="items:Q", y="width:Q"),
            spot.mark_text(align="left", dx=10, dy=-8).encode(x="items:Q", y="width:Q", text="word:N"),
        ]
    headings = {"items": "items", "raters": "raters of each item", "width": axis}
    return drawn(alt.layer(*layers).properties(width=560, height=300), title, rows, headings, subtitle=subtitle)
