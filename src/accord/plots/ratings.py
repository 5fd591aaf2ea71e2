"""Charts of the ratings themselves: each item by rater, and how raters use the scale."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from accord.noise import ordered
from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn, names_below

__all__ = ["category_use", "ratings_per_item", "readable_items"]

_READABLE_RATERS = 12
_READABLE_ITEMS = 60
_READABLE_POINTS = 240
"""Points in one picture; more lie over each other."""
_JOINED = 100
"""Up to so many points a line joins those of one rater; more lines are a tangle."""
_FEW_VALUES = 7
_FINE = 0.02
"""On a fine scale raters lie apart by at least this share of what is drawn of it."""


def readable_items(items: int, raters: int) -> int:
    """How many of the items a chart of so many raters has room for: the first so many are drawn."""
    return min(items, _READABLE_ITEMS, max(10, _READABLE_POINTS // max(1, min(raters, _READABLE_RATERS))))


def ratings_per_item(
    items: Sequence[str], ratings: Mapping[str, Sequence[float | None]], *, title: str, axis: str, subtitle: str = ""
) -> Chart:
    """The rating of each item by each rater, the series shifted a little so that none hides another.

    Raters are shifted by half of the least distance of two values, so that a point still belongs to one value.
    """
    shown = dict(list(ratings.items())[:_READABLE_RATERS])
    shown_items = list(items)[: readable_items(len(items), len(shown))]
    step = _room([value for values in shown.values() for value in values[: len(shown_items)]]) / max(1, len(shown))
    rows = [
        {"item": item, "rater": rater, "value": float(value), "shifted": float(value) + step * place, "place": at}
        for place, (rater, values) in enumerate(shown.items())
        for at, (item, value) in enumerate(zip(shown_items, values, strict=False))
        if value is not None and value == value
    ]
    left_out = _left_out(len(items) - len(shown_items), len(ratings) - len(shown))
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("item:N", sort=shown_items, title="item", axis=alt.Axis(labelOverlap=True, labelAngle=-40)),
        y=alt.Y("shifted:Q", title=f"{axis} (shifted slightly by rater)", scale=alt.Scale(zero=False), **_ticks(rows)),
        color=alt.Color("rater:N", sort=list(shown), title="rater"),
        shape=alt.Shape("rater:N", sort=list(shown), title="rater"),
        order="place:Q",
    )
    chart = base.mark_point(size=40, opacity=1, filled=True)
    if len(rows) <= _JOINED:
        chart = base.mark_line(strokeWidth=1.2, opacity=0.6) + chart
    chart = chart.properties(width=min(900, max(360, 22 * len(shown_items))), height=300)
    headings = {"item": "item", "rater": "rater", "value": axis}
    return drawn(chart, title, rows, headings, subtitle=f"{subtitle} {left_out}".strip())


def _room(values: Sequence[float | None]) -> float:
    """How far the series of all raters may be shifted: half of the least distance of two values."""
    known = sorted({float(value) for value in values if value is not None and value == value})
    gaps = [high - low for low, high in pairwise(known)]
    return max(0.5 * min(gaps), _FINE * (known[-1] - known[0])) if gaps else 0.5


def _ticks(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A tick for each of a few values: between them nobody can rate."""
    values = sorted({row["value"] for row in rows})
    return {"axis": alt.Axis(values=values)} if len(values) <= _FEW_VALUES else {}


def _left_out(items: int, raters: int) -> str:
    parts = [f"{count:,} more {what}" for count, what in ((items, "items"), (raters, "raters")) if count > 0]
    return f"Not drawn: {' and '.join(parts)}." if parts else ""


def category_use(
    categories: Sequence[str], counts: Mapping[str, Sequence[int]], *, title: str, subtitle: str = ""
) -> Chart:
    """How often each rater used each category: bars for a few raters, a shaded table for many."""
    totals = {rater: max(1, sum(values)) for rater, values in counts.items()}
    rows = [
        {"rater": rater, "category": category, "count": int(count), "share": count / totals[rater]}
        for rater, values in counts.items()
        for category, count in zip(categories, values, strict=True)
    ]
    base = alt.Chart(alt.Data(values=rows))
    if len(counts) <= _READABLE_RATERS:
        width = min(880, max(320, 26 * len(rows)))
        chart = (
            base.mark_bar()
            .encode(
                x=alt.X("category:N", sort=list(categories), title="category", axis=names_below(categories, width)),
                xOffset=alt.XOffset("rater:N", sort=list(counts)),
                y=alt.Y("count:Q", title="ratings"),
                color=alt.Color("rater:N", sort=list(counts), title="rater"),
            )
            .properties(width=width, height=300)
        )
    else:
        rising = ordered(counts, lambda rater: _mean_place(counts[rater]), str)
        width = max(240, 44 * len(categories))
        chart = (
            base.mark_rect()
            .encode(
                x=alt.X("category:N", sort=list(categories), title="category", axis=names_below(categories, width)),
                y=alt.Y("rater:N", sort=rising, title="rater, by mean category", axis=alt.Axis(labelOverlap=True)),
                color=alt.Color("share:Q", title="share of the rater's ratings", legend=alt.Legend(format="%")),
            )
            .properties(width=width, height=min(900, max(240, 15 * len(counts))))
        )
    headings = {"rater": "rater", "category": "category", "count": "ratings", "share": "share"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def _mean_place(counts: Sequence[int]) -> float:
    return sum(place * count for place, count in enumerate(counts)) / max(1, sum(counts))
