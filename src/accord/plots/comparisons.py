"""Charts of comparisons: bootstrap panels, distributions by setting, means with ranges, heat maps, quadrants."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn, names_below
from accord.plots.theme import CELL_INK, INK, MUTED, WARN
from accord.words import steady

__all__ = ["Panel", "bootstrap_panels", "distributions", "heat_maps", "means_with_ranges", "quadrants"]

Panel = Mapping[str, tuple[Sequence[float], float, float]]
"""Setting -> its replicates and the two ends of its interval."""

_BINS = 40
_LABELLED = 6
_LINE, _WORD = 0.18, 2.2
"""Height of a line and width of a name, in standard deviations."""


def bootstrap_panels(panels: Mapping[str, Panel], *, title: str, axis: str, subtitle: str = "") -> Chart:
    """One panel a variant: where the replicates of each setting fall, with interval lines (003 Figure 1)."""
    everything = np.concatenate([np.asarray(values) for panel in panels.values() for values, _, _ in panel.values()])
    edges = np.linspace(everything.min(), everything.max(), _BINS + 1)
    heights, ends = [], []
    for name, panel in panels.items():
        for setting, (values, low, high) in panel.items():
            share = np.histogram(values, edges)[0] / len(values)
            heights += [
                {"panel": name, "setting": setting, "from": float(a), "to": float(b), "share": float(s)}
                for a, b, s in zip(edges[:-1], edges[1:], share, strict=True)
            ]
            ends.append({"panel": name, "setting": setting, "low": float(low), "high": float(high)})
    settings = list(dict.fromkeys(row["setting"] for row in ends))
    colour = alt.Color("setting:N", sort=settings, title="setting")
    bars = (
        alt.Chart()
        .mark_rect(opacity=0.55)
        .encode(
            x=alt.X("from:Q", title=axis, scale=alt.Scale(zero=False)),
            x2="to:Q",
            y=alt.Y("share:Q", title="share of replicates"),
            color=colour,
        )
        .transform_filter(alt.FieldValidPredicate(field="share", valid=True))
    )
    lines = [
        alt.Chart()
        .mark_rule(strokeWidth=2, strokeDash=[4, 2])
        .encode(x=f"{end}:Q", color=colour)
        .transform_filter(alt.FieldValidPredicate(field=end, valid=True))
        for end in ("low", "high")
    ]
    layered = alt.layer(bars, *lines, data=alt.Data(values=[*heights, *ends])).properties(width=260, height=130)
    chart = layered.facet(alt.Facet("panel:N", sort=list(panels), title=None), columns=2)
    headings = {"panel": "variant", "setting": "setting", "low": "low end", "high": "high end"}
    return drawn(chart, title, ends, headings, subtitle=subtitle)


def distributions(groups: Mapping[str, Sequence[float]], *, title: str, axis: str, subtitle: str = "") -> Chart:
    """The whole distribution of each setting, not only its centre: every pair a dot, with quartiles (003 Figure 2)."""
    rng = np.random.default_rng(0)  # the jitter has no meaning, only the same picture each time
    rows = [
        {"setting": f"{name} ({len(values)} pairs)", "value": float(value), "jitter": float(spread)}
        for name, values in groups.items()
        for value, spread in zip(values, rng.uniform(-1, 1, len(values)), strict=True)
        if value == value
    ]
    order = [f"{name} ({len(values)} pairs)" for name, values in groups.items()]
    base = alt.Chart(alt.Data(values=rows))
    y = alt.Y("setting:N", sort=order, title=None)
    dots = base.mark_point(size=22, opacity=0.45).encode(
        x=alt.X("value:Q", title=axis),
        y=y,
        yOffset=alt.YOffset("jitter:Q", scale=alt.Scale(domain=[-2.2, 2.2])),
        color=alt.Color("setting:N", sort=order, legend=None),
    )
    box = base.mark_boxplot(
        size=16, outliers=False, opacity=0.35, color=MUTED, median={"color": INK}, extent="min-max"
    ).encode(x=alt.X("value:Q", title=axis), y=y)
    chart = alt.layer(box, dots).properties(width=560, height=alt.Step(84))
    return drawn(chart, title, rows, {"setting": "setting", "value": axis}, subtitle=subtitle)


def means_with_ranges(groups: Mapping[str, Mapping[str, float]], *, title: str, axis: str, subtitle: str = "") -> Chart:
    """Means of raters as dots on a line that spans their range, one line a group (003 Figure 3)."""
    rows = [
        {"group": group, "rater": rater, "mean": float(mean)}
        for group, raters in groups.items()
        for rater, mean in raters.items()
    ]
    spans = [
        {
            "group": group,
            "low": min(raters.values()),
            "high": max(raters.values()),
            "middle": float(np.mean(list(raters.values()))),
            "range": f"range {steady(max(raters.values()) - min(raters.values())):.2f}",
        }
        for group, raters in groups.items()
    ]
    y = alt.Y("group:N", sort=list(groups), title=None)
    span = alt.Chart(alt.Data(values=spans))
    x = alt.X("low:Q", title=axis, scale=alt.Scale(zero=False))
    layers = [
        span.mark_rule(strokeWidth=6, opacity=0.25).encode(y=y, x=x, x2="high:Q"),
        alt.Chart(alt.Data(values=rows)).mark_point(size=70).encode(y=y, x="mean:Q"),
        span.mark_tick(thickness=3, size=22, color=INK).encode(y=y, x="middle:Q"),
        span.mark_text(align="left", dx=10).encode(y=y, x="high:Q", text="range:N"),
    ]
    chart = alt.layer(*layers).properties(width=520, height=alt.Step(40))
    return drawn(chart, title, rows, {"group": "group", "rater": "rater", "mean": axis}, subtitle=subtitle)


def heat_maps(
    values: Sequence[str], shares: Mapping[str, NDArray[np.float64]], *, title: str, subtitle: str = ""
) -> Chart:
    """Row-normalised co-occurrence of ratings, one map a setting; each row sums to 100% (003 Figure 4)."""
    rows = [
        {"setting": name, "one": one, "other": other, "share": float(matrix[i, j])}
        for name, matrix in shares.items()
        for i, one in enumerate(values)
        for j, other in enumerate(values)
        if matrix[i, j] == matrix[i, j]
    ]
    size = max(150, 38 * len(values))
    base = alt.Chart().encode(
        x=alt.X("other:N", sort=list(values), title="the other rater", axis=names_below(values, size)),
        y=alt.Y("one:N", sort=list(values), title="one rater"),
    )
    cells = base.mark_rect().encode(
        color=alt.Color(
            "share:Q", title="share of the row", legend=alt.Legend(format="%"), scale=alt.Scale(domainMin=0)
        )
    )
    limit = max((float(np.nanmax(matrix)) for matrix in shares.values() if np.isfinite(matrix).any()), default=1) / 2
    words = base.mark_text(fontSize=11).encode(
        text=alt.Text("share:Q", format=".0%"),
        color=alt.condition(alt.FieldGTPredicate(field="share", gt=limit), alt.value("white"), alt.value(CELL_INK)),
    )
    layered = alt.layer(cells, words, data=alt.Data(values=rows)).properties(width=size, height=size)
    chart = layered.facet(alt.Facet("setting:N", sort=list(shares), title=None), columns=2)
    headings = {"setting": "setting", "one": "one rater", "other": "the other", "share": "share of the row"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def quadrants(
    names: Sequence[str],
    across: Sequence[float],
    up: Sequence[float],
    *,
    title: str,
    across_axis: str,
    up_axis: str,
    marked: Sequence[str] = (),
    subtitle: str = "",
) -> Chart:
    """Two standardised scores of each item with the four quadrants; marked items are named (003 Figures 5, 6)."""
    special = set(marked)
    rows = [
        {"item": name, "across": float(x), "up": float(y), "kind": "named" if name in special else "other"}
        for name, x, y in zip(names, across, up, strict=True)
    ]
    base = alt.Chart(alt.Data(values=rows))
    zero = [
        alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=MUTED).encode(**{axis: "zero:Q"})
        for axis in ("x", "y")
    ]
    points = base.mark_point(opacity=0.65).encode(
        x=alt.X("across:Q", title=across_axis),
        y=alt.Y("up:Q", title=up_axis),
        color=alt.Color("kind:N", scale=alt.Scale(domain=["other", "named"], range=["#0b5fa5", WARN]), legend=None),
        size=alt.Size("kind:N", scale=alt.Scale(domain=["other", "named"], range=[28, 90]), legend=None),
    )
    labels = (
        base.transform_filter(alt.FieldOneOfPredicate("item", _apart(rows, marked)))
        .mark_text(align="left", dx=8, fontSize=11)
        .encode(x="across:Q", y="up:Q", text="item:N")
    )
    chart = alt.layer(*zero, points, labels).properties(width=460, height=460)
    return drawn(chart, title, rows, {"item": "item", "across": across_axis, "up": up_axis}, subtitle=subtitle)


def _apart(rows: Sequence[Mapping[str, object]], marked: Sequence[str]) -> list[str]:
    """Marked items far enough from each other, up and down or across, for their names not to meet."""
    places = {str(row["item"]): (float(str(row["across"])), float(str(row["up"]))) for row in rows}
    chosen: list[str] = []
    for name in marked:
        x, y = places[name]
        if all(abs(y - places[one][1]) > _LINE or x - places[one][0] > _WORD for one in chosen):
            chosen.append(name)
    return chosen[:_LABELLED]
