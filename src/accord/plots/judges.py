"""Charts of a judge: agreement beside people's, corrected scores, effects in score points, variances, and labels."""

from collections.abc import Sequence
from typing import Any

from accord.errors import OptionError
from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn, names_below
from accord.plots.reliability import intervals
from accord.plots.theme import CELL_INK, PALETTE
from accord.words import steady

__all__ = ["agreement_chart", "bar_chart", "effect_chart", "met_chart", "points_chart", "score_chart"]


def agreement_chart(name: str, beside: Sequence[Any]) -> Chart:
    """Each coefficient of the judge with people, and among people."""
    points = [
        (f"{one.title}, {who}", value, interval)
        for one in beside
        for who, value, interval in (
            ("judge", one.judge, one.judge_interval),
            ("people", one.people, one.people_interval),
        )
    ]
    return _drawn(points, f"How far {name} agrees with people, and people with each other", "coefficient")


def score_chart(name: str, measure: str, scores: Sequence[tuple[str, Any]]) -> Chart:
    """Corrected scores with their intervals."""
    points = [(system or "all", one.mean, one.interval) for system, one in scores]
    return _drawn(points, f"Scores of {name}, corrected by people", measure)


def effect_chart(name: str, title: str, effects: Sequence[Any]) -> Chart:
    """Effects with their intervals."""
    return _drawn([(one.name, one.value, one.interval) for one in effects], f"{title}: {name}", "score points")


def points_chart(title: str, axis: str, points: Sequence[tuple[str, float, Any]]) -> Chart:
    """Any numbers with their intervals."""
    return _drawn(points, title, axis)


def bar_chart(title: str, axis: str, bars: Sequence[tuple[str, str, float]], *, subtitle: str = "") -> Chart:
    """Bars by name; those of one name stand above each other, told apart by the second word."""
    if not bars:
        raise OptionError("There is nothing to draw: this part has no numbers here.")
    rows = [
        {"name": name, "which": which, "value": value, "told": f"{steady(value):.2f}"} for name, which, value in bars
    ]
    names, whiches = (list(dict.fromkeys(str(row[key]) for row in rows)) for key in ("name", "which"))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("name:N", sort=names, title=None), x=alt.X("value:Q", title=axis),
        yOffset=alt.YOffset("which:N", sort=whiches),
    )  # fmt: skip
    shades = alt.Scale(domain=whiches, range=[PALETTE[0], *PALETTE[1 : len(whiches)]])
    colour = alt.Color("which:N", scale=shades, title=None, legend=alt.Legend() if len(whiches) > 1 else None)
    words = base.mark_text(align="left", dx=4, fontSize=11).encode(text="told:N")
    chart = alt.layer(base.mark_bar().encode(color=colour), words).properties(width=560, height=alt.Step(20))
    return drawn(chart, title, rows, {"name": "what", "which": "who", "value": axis}, subtitle=subtitle)


def met_chart(name: str, values: Sequence[str], shares: Sequence[Sequence[float]]) -> Chart:
    """What the judge says (columns) where people say something (rows); each row sums to 100%."""
    rows = [
        {"people": one, "judge": other, "share": float(shares[i][j])}
        for i, one in enumerate(values)
        for j, other in enumerate(values)
    ]
    size = max(150, 46 * len(values))
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("judge:N", sort=list(values), title=name, axis=names_below(values, size)),
        y=alt.Y("people:N", sort=list(values), title="people"),
    )
    cells = base.mark_rect().encode(color=alt.Color("share:Q", title="share of the row", scale=alt.Scale(domainMin=0)))
    limit = max((float(share) for row in shares for share in row), default=1.0) / 2
    words = base.mark_text(fontSize=11).encode(
        text=alt.Text("share:Q", format=".0%"),
        color=alt.condition(alt.FieldGTPredicate(field="share", gt=limit), alt.value("white"), alt.value(CELL_INK)),
    )
    chart = alt.layer(cells, words).properties(width=size, height=size)
    headings = {"people": "people say", "judge": "the judge says", "share": "share of the row"}
    return drawn(chart, f"What {name} says where people say …", rows, headings)


def _drawn(points: Sequence[tuple[str, float, Any]], title: str, axis: str) -> Chart:
    known = [(name, value, interval) for name, value, interval in points if interval is not None]
    if not known:
        raise OptionError("There is nothing to draw: no number of this part has an interval.")
    ends = None if min(one.low for _, _, one in known) < 0 else (0.0, 1.02 * max(one.high for _, _, one in known))
    return intervals(
        [name for name, _, _ in known],
        [value for _, value, _ in known],
        [one.low for _, _, one in known],
        [one.high for _, _, one in known],
        title=title,
        axis=axis,
        domain=ends,
    )
