"""Charts of raters: severity, drift, and agreement of every pair."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.noise import order_of
from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn
from accord.plots.theme import CELL_INK, INK, MUTED

__all__ = ["drift", "pair_matrix", "severity"]

_NAMED = 40


def severity(
    raters: Sequence[str],
    effects: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    axis: str = "difference from the average rater of the same items",
    subtitle: str = "",
) -> Chart:
    """How much higher or lower each rater scores than the average rater of the same items, with intervals."""
    order = order_of(effects, raters)
    rows = [
        {"rater": raters[i], "effect": float(effects[i]), "low": float(lows[i]), "high": float(highs[i])} for i in order
    ]
    many = len(rows) > _NAMED
    y = alt.Y(
        "rater:N",
        sort=[row["rater"] for row in rows],
        title="rater" if many else None,
        axis=alt.Axis(labels=not many, ticks=not many),
    )
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=MUTED).encode(x="zero:Q")
    layers = [
        zero,
        base.mark_rule(strokeWidth=1 if many else 2, opacity=0.25 if many else 1).encode(
            x=alt.X("low:Q", title=axis), x2="high:Q"
        ),
        base.mark_point(size=20 if many else 70, opacity=1).encode(x="effect:Q"),
    ]
    chart = alt.layer(*layers).properties(width=520, height=min(900, 3 * len(rows)) if many else alt.Step(24))
    headings = {"rater": "rater", "effect": "effect", "low": "low end", "high": "high end"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def drift(
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    title: str,
    across: str,
    axis: str,
    marked: str = "",
    subtitle: str = "",
) -> Chart:
    """How each rater's difference from the others moves over time; one is ``marked``, many others are faint."""
    rows = [
        {"rater": rater, "when": float(when), "value": float(value)}
        for rater, (times, values) in series.items()
        for when, value in zip(times, values, strict=True)
        if value == value
    ]
    many = len(series) > 8
    x = alt.X("when:Q", title=across, axis=alt.Axis(format="d", tickMinStep=1))
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, y=alt.Y("value:Q", title=axis))
    if many:
        faint = base.mark_line(opacity=0.18, strokeWidth=1, color=INK).encode(detail="rater:N")
        one = base.transform_filter(alt.FieldEqualPredicate(field="rater", equal=marked))
        chart = faint + one.mark_line(strokeWidth=3, point=True).encode(detail="rater:N") if marked else faint
    else:
        width = alt.condition(alt.FieldEqualPredicate(field="rater", equal=marked), alt.value(4), alt.value(1.5))
        color = alt.Color("rater:N", title="rater")
        chart = base.mark_line(point=True).encode(color=color, strokeWidth=width, detail="rater:N")
    headings = {"rater": "rater", "when": across, "value": axis}
    return drawn(chart.properties(width=560, height=280), title, rows, headings, subtitle=subtitle)


def pair_matrix(
    raters: Sequence[str],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    *,
    title: str,
    axis: str,
    subtitle: str = "",
) -> Chart:
    """A coefficient of every pair of raters, ordered so that raters who agree stand together."""
    order = [raters[i] for i in _by_agreement(raters, values)]
    rows = [
        {"one": raters[i], "other": raters[j], "value": float(values[i, j]), "items": int(counts[i, j])}
        for i in range(len(raters))
        for j in range(len(raters))
        if i != j and values[i, j] == values[i, j]
    ]
    few = len(raters) <= 14
    labels = alt.Axis(labels=len(raters) <= _NAMED, ticks=False, labelAngle=-40)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("one:N", sort=order, title=None, axis=labels),
        y=alt.Y("other:N", sort=order, title=None, axis=alt.Axis(labels=len(raters) <= _NAMED, ticks=False)),
    )
    cells = base.mark_rect().encode(color=alt.Color("value:Q", title=axis))
    apart = values[~np.eye(len(raters), dtype=bool)]
    limit = float(np.nanmin(apart) + np.nanmax(apart)) / 2 if rows else 0.5
    words = base.mark_text(fontSize=11).encode(
        text=alt.Text("value:Q", format=".2f"),
        color=alt.condition(alt.FieldGTPredicate(field="value", gt=limit), alt.value("white"), alt.value(CELL_INK)),
    )
    size = min(760, max(200, (44 if few else 18) * len(raters)))
    chart = (cells + words if few else cells).properties(width=size, height=size)
    headings = {"one": "rater", "other": "other rater", "value": axis, "items": "shared items"}
    place = {rater: at for at, rater in enumerate(raters)}
    once = [row for row in rows if place[str(row["one"])] < place[str(row["other"])]]
    blank = "" if len(rows) == len(raters) * (len(raters) - 1) else "blank: pairs without a value"
    return drawn(chart, title, once, headings, subtitle="; ".join(filter(None, (subtitle, blank))))


def _by_agreement(raters: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Raters by the first direction of their agreement profiles: those alike stand together."""
    filled = np.where(np.isnan(values), np.nanmean(values) if np.isfinite(values).any() else 0.0, values)
    np.fill_diagonal(filled, 1.0)
    values, vectors = np.linalg.eigh((filled + filled.T) / 2)
    # A direction has no sign, and of several that weigh alike any may be found: the part of all raters in them is one.
    leading = vectors[:, values > values[-1] - 1e-9 * abs(values[-1])]
    return order_of(leading @ leading.sum(axis=0), raters, highest=True, size=1.0)
