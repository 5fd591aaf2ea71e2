"""Charts of scores and decisions: intervals and histories with the threshold, ranks of systems, shrinking intervals."""

import json
from collections.abc import Sequence
from typing import Any

from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn
from accord.plots.theme import ACCENT, INK, MUTED, WARN
from accord.words import steady

__all__ = ["rank_intervals", "score_history", "score_intervals", "shrinking_interval"]


def score_intervals(
    names: Sequence[str],
    centres: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    axis: str = "score",
    threshold: float | None = None,
    ends: tuple[float, float] | None = None,
    values: Sequence[Sequence[float]] = (),
    subtitle: str = "",
) -> Chart:
    """Intervals of scarce scores under each method and level, with the PASS threshold.

    ``values`` are the scores behind each interval, drawn as ticks.
    """
    rows = [
        {"name": name, "centre": centre, "low": low, "high": high}
        for name, centre, low, high in zip(names, centres, lows, highs, strict=True)
    ]
    scale = alt.Scale(domain=list(ends), nice=False) if ends else alt.Scale(zero=False)
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("name:N", sort=list(names), title=None))
    layers = [
        base.mark_rule(strokeWidth=5, opacity=0.45, color="#0b5fa5", clip=True).encode(
            x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"
        ),
        base.mark_point(size=90, opacity=1).encode(x="centre:Q"),
        base.mark_text(align="center", dy=-12, fontSize=11).encode(
            x="centre:Q", text=alt.Text("centre:Q", format=".2f")
        ),
    ]
    if values:
        single = [{"name": name, "one": one} for name, ones in zip(names, values, strict=True) for one in ones]
        ticks = alt.Chart(alt.Data(values=single)).encode(y=alt.Y("name:N", sort=list(names), title=None))
        layers.append(ticks.mark_tick(color=INK, thickness=2, size=18, clip=True).encode(x="one:Q"))
    if threshold is not None:
        line = alt.Chart(alt.Data(values=[{"threshold": threshold, "word": f"threshold {threshold:g}"}]))
        layers += [
            line.mark_rule(color=WARN, strokeDash=[5, 3], strokeWidth=2).encode(x="threshold:Q"),
            line.mark_text(color=WARN, align="left", dx=5, y=-6).encode(x="threshold:Q", text="word:N"),
        ]
    chart = alt.layer(*layers).properties(width=560, height=alt.Step(46))
    headings = {"name": "interval", "centre": "centre", "low": "low end", "high": "high end"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def score_history(
    names: Sequence[str],
    scores: Sequence[float],
    means: Sequence[float | None],
    decisions: Sequence[str],
    *,
    title: str,
    threshold: float | None = None,
    subtitle: str = "",
) -> Chart:
    """Scores in the order they were made, each with its decision, over the running mean known before it.

    ``means`` has one more place than ``scores``: the last is what is expected of the next score.
    """
    rows: list[dict[str, Any]] = [
        {"place": place, "name": name, "score": score, "mean": mean, "decision": decision, "below": _below(score, mean)}
        for place, (name, score, mean, decision) in enumerate(
            zip([*names, "next"], [*scores, None], means, [*decisions, "next"], strict=True), 1
        )
    ]
    step = -(-len(rows) // 25)
    named = json.dumps({str(row["place"]): row["name"] for row in rows[::-step]}, ensure_ascii=False)
    labels = f"({named})[datum.value]"
    x = alt.X(
        "place:Q",
        title=None,
        scale=alt.Scale(domain=[0.5, len(rows) + 0.5], nice=False),
        axis=alt.Axis(values=[row["place"] for row in rows[::-step]], labelExpr=labels, labelAngle=-40, grid=False),
    )
    known = [row for row in rows if row["mean"] is not None]
    line = alt.Chart(alt.Data(values=known)).encode(x=x, y="mean:Q")
    layers = [line.mark_line(color=MUTED, strokeWidth=2), *_decided(rows[:-1], x, numbered=step == 1)]
    end = alt.Chart(alt.Data(values=[{**rows[-1], "word": f"mean {steady(rows[-1]['mean']):.2f}"}])).encode(
        x=x, y="mean:Q"
    )
    layers += [end.mark_text(align="right", dy=-9, color=MUTED).encode(text="word:N")]
    if threshold is not None:
        rule = alt.Chart(alt.Data(values=[{"threshold": threshold, "word": f"threshold {threshold:g}"}]))
        layers += [
            rule.mark_rule(color=WARN, strokeDash=[5, 3], strokeWidth=2).encode(y="threshold:Q"),
            rule.mark_text(color=WARN, align="left", x=566).encode(y="threshold:Q", text="word:N"),
        ]
    chart = alt.layer(*layers).properties(width=560, height=260)
    headings = {"name": "evaluation", "score": "score", "mean": "mean before", "decision": "decision"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def _below(score: float | None, mean: float | None) -> bool:
    return score is not None and mean is not None and score < mean


def _decided(rows: Sequence[dict[str, Any]], x: Any, *, numbered: bool) -> list[Any]:
    """Points in the colour and shape of their decisions, with their numbers beside them where there is room."""
    kinds = list(dict.fromkeys(row["decision"] for row in rows))
    colours = {"PASS": "#1f8a70", "FAIL": WARN, "left out": "#9aa3ad"}
    shapes = {"PASS": "circle", "FAIL": "cross", "left out": "diamond"}
    points = alt.Chart(alt.Data(values=list(rows))).encode(
        x=x, y=alt.Y("score:Q", title="score", scale=alt.Scale(zero=False, padding=24)),
        color=alt.Color("decision:N", title=None, scale=alt.Scale(
            domain=kinds, range=[colours.get(kind, ACCENT) for kind in kinds])),
        shape=alt.Shape("decision:N", title=None, scale=alt.Scale(
            domain=kinds, range=[shapes.get(kind, "circle") for kind in kinds])),
    )  # fmt: skip
    layers = [points.mark_point(size=110, opacity=1)]
    # A number stands on the side of its point that the line does not cross.
    for below, shift in ((True, 16), (False, -13)) if numbered else ():
        side = points.transform_filter(alt.FieldEqualPredicate(field="below", equal=below))
        words = side.mark_text(dy=shift, fontSize=11)
        number = alt.Text("score:Q", format=".4~g")
        layers.append(words.encode(text=number, color=alt.value(INK), shape=alt.value("circle")))
    return layers


def rank_intervals(
    systems: Sequence[str],
    scores: Sequence[float],
    best: Sequence[int],
    worst: Sequence[int],
    clusters: Sequence[int | None],
    *,
    title: str,
    subtitle: str = "",
) -> Chart:
    """The ranks each system may hold, in the order of the scores, with lines between clusters."""
    rows = [
        {
            "system": system,
            "score": score,
            "told": f"{steady(score):.2f}",
            "best": int(first),
            "worst": int(last),
            "cluster": int(cluster or 0),
        }
        for system, score, first, last, cluster in zip(systems, scores, best, worst, clusters, strict=True)
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("system:N", sort=list(systems), title=None))
    ticks = list(range(1, len(systems) + 1)) if len(systems) <= 25 else None
    x = alt.X(
        "best:Q",
        title="rank (1 is best)",
        scale=alt.Scale(domain=[0.5, len(systems) + 0.5], nice=False),
        axis=alt.Axis(values=ticks, format="d") if ticks else alt.Axis(format="d"),
    )
    colour = alt.Color("cluster:N", title="cluster", legend=None)
    layers = [
        base.mark_rule(strokeWidth=7, opacity=0.4).encode(x=x, x2="worst:Q", color=colour),
        base.mark_point(size=60, opacity=1).encode(x="best:Q", color=colour),
        base.mark_point(size=60, opacity=1).encode(x="worst:Q", color=colour),
        base.mark_text(align="left", x=568, fontSize=11, color=INK).encode(text="told:N"),
    ]
    chart = alt.layer(*layers).properties(width=560, height=alt.Step(26))
    headings = {"system": "system", "score": "score", "best": "best rank", "worst": "worst rank", "cluster": "cluster"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)


def shrinking_interval(
    sizes: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    across: str,
    axis: str,
    wanted: float | None = None,
    subtitle: str = "",
) -> Chart:
    """How an interval narrows as more is collected."""
    rows = [
        {"size": size, "low": low, "high": high, "half": (high - low) / 2}
        for size, low, high in zip(sizes, lows, highs, strict=True)
    ]
    base = alt.Chart(alt.Data(values=rows))
    x = alt.X("size:Q", title=across, scale=alt.Scale(zero=False))
    layers = [
        base.mark_area(opacity=0.3).encode(x=x, y=alt.Y("low:Q", title=axis, scale=alt.Scale(zero=False)), y2="high:Q"),
        base.mark_line(point=True, strokeWidth=1.5).encode(x=x, y="low:Q"),
        base.mark_line(point=True, strokeWidth=1.5).encode(x=x, y="high:Q"),
    ]
    if wanted is not None:
        enough = next((row["size"] for row in rows if row["half"] <= wanted), None)
        if enough is not None:
            mark = alt.Chart(alt.Data(values=[{"size": enough, "word": f"±{wanted:g} from {enough:g}"}]))
            layers += [
                mark.mark_rule(color=MUTED, strokeDash=[5, 3]).encode(x="size:Q"),
                mark.mark_text(align="left", dx=6, y=8).encode(x="size:Q", text="word:N"),
            ]
    chart = alt.layer(*layers).properties(width=560, height=280)
    headings = {"size": across, "low": "low end", "high": "high end", "half": "half-width"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)
