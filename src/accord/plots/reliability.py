"""Charts of reliability: coefficients with intervals over a named scale, and what pairs of raters are made of."""

from collections.abc import Mapping, Sequence

from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn, names_below
from accord.plots.theme import INK, MUTED, PALETTE
from accord.words import steady

__all__ = ["agreement_parts", "intervals", "pair_boxes"]

_ROW = 40
"""Room for the value above a row's line and the thresholds below it."""
_NAMED_POINTS = 60
"""More raters or pairs than this are drawn as a distribution, not one by one."""


def intervals(
    names: Sequence[str],
    values: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    subtitle: str = "",
    marks: Sequence[Sequence[float]] = (),
    axis: str = "coefficient",
    domain: tuple[float, float] | None = (-1.0, 1.0),
) -> Chart:
    """Every coefficient as a point with its interval.

    ``marks`` are the thresholds of each coefficient's own scale: hairlines on its row and on no other.
    The axis starts at 0 or below and ends at the highest of ``domain``; None fits it to differences around zero.
    """
    rows = [
        {"name": name, "value": value, "low": low, "high": high, "told": f"{steady(value):z.3f}"}
        for name, value, low, high in zip(names, values, lows, highs, strict=True)
        if value == value
    ]
    ends = _domain([*lows, *highs], domain)
    data = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("name:N", sort=list(names), title=None))
    x = alt.X("value:Q", scale=alt.Scale(domain=ends, nice=False), title=axis)
    layers = [
        *_mark_layers(names, marks, ends),
        *_zero_line(domain),
        data.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q", scale=alt.Scale(domain=ends), title=axis), x2="high:Q"),
        data.mark_point(size=90, opacity=1, color=PALETTE[0]).encode(x=x),
        data.mark_text(align="left", dx=8, dy=-9, fontSize=11).encode(x=x, text="told:N"),
    ]
    chart = alt.layer(*layers).properties(width=560, height=alt.Step(_ROW))
    headings = {"name": "coefficient", "value": "value", "low": "low end", "high": "high end"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def _domain(ends: Sequence[float], limits: tuple[float, float] | None) -> list[float]:
    known = [end for end in ends if end == end]
    if limits is None:
        reach = 1.1 * max([0.05, *(abs(end) for end in known)])
        return [-reach, reach]
    return [max(limits[0], min([0.0, *known]) - 0.02), limits[1]]


def _zero_line(limits: tuple[float, float] | None) -> list[object]:
    return [] if limits else [alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=MUTED).encode(x="zero:Q")]


def _mark_layers(names: Sequence[str], marks: Sequence[Sequence[float]], domain: Sequence[float]) -> list[object]:
    data = [
        {"name": name, "mark": mark, "told": f"{steady(mark):.3g}".removeprefix("0")}
        for name, own in zip(names, marks, strict=False)
        for mark in own
        if domain[0] < mark < domain[1]
    ]
    if not data:
        return []
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("mark:Q", scale=alt.Scale(domain=list(domain))), y=alt.Y("name:N", sort=list(names))
    )
    hairline = base.mark_tick(thickness=1, size=16, color=MUTED)
    # The same thresholds in every row would be a wall of numbers: the last row that has them says them.
    last = {tuple(own): name for name, own in zip(names, marks, strict=False)}
    said = [row for row in data if row["name"] in last.values()]
    words = (
        alt.Chart(alt.Data(values=said))
        .encode(x=alt.X("mark:Q", scale=alt.Scale(domain=list(domain))), y=alt.Y("name:N", sort=list(names)))
        .mark_text(baseline="top", dy=9, fontSize=10, color=MUTED)
        .encode(text="told:N")
    )
    return [hairline, words]


def pair_boxes(groups: Mapping[str, Sequence[float]], *, title: str, axis: str, subtitle: str = "") -> Chart:
    """Box plots of a number of each rater pair, one box a group, outliers as points (001 Figure 2)."""
    rows = [{"group": group, "value": float(value)} for group, values in groups.items() for value in values]
    width = max(220, 150 * len(groups))
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("group:N", sort=list(groups), title=None, axis=names_below(list(groups), width)),
        y=alt.Y("value:Q", title=axis, scale=alt.Scale(zero=False)),
    )
    box = base.mark_boxplot(
        size=46, extent=1.5, median={"color": "white"}, ticks={"size": 18}, rule={"color": INK}
    ).encode(color=alt.Color("group:N", sort=list(groups), legend=None))
    few = len(rows) <= _NAMED_POINTS * max(1, len(groups))
    dots = base.mark_point(size=14, opacity=0.35, color=INK, xOffset=34) if few else None
    chart = alt.layer(box, dots) if dots is not None else box
    summary = [_five_numbers(group, values) for group, values in groups.items()]
    return drawn(chart.properties(width=width, height=320), title, summary, _FIVE, subtitle=subtitle)


def agreement_parts(
    joint: Sequence[float], independent: Sequence[float], kappa: Sequence[float], *, title: str, subtitle: str = ""
) -> Chart:
    """Joint agreement, chance agreement and kappa of the pairs side by side (001 Figures 5 and 6)."""
    groups = {"joint": joint, "independent": independent, "kappa": kappa}
    return pair_boxes(groups, title=title, axis="value over rater pairs", subtitle=subtitle)


_FIVE = {
    "group": "group", "pairs": "rater pairs", "least": "lowest", "quarter": "lower quartile", "median": "median",
    "three_quarters": "upper quartile", "most": "highest",
}  # fmt: skip


def _five_numbers(group: str, values: Sequence[float]) -> dict[str, float | str | int]:
    import numpy as np

    finite = np.array([value for value in values if value == value])
    if not finite.size:
        return {"group": group, "pairs": 0}
    least, quarter, median, three_quarters, most = (float(q) for q in np.quantile(finite, [0, 0.25, 0.5, 0.75, 1]))
    return {
        "group": group, "pairs": int(finite.size), "least": least, "quarter": quarter, "median": median,
        "three_quarters": three_quarters, "most": most,
    }  # fmt: skip
