"""Texts as charts: ambiguous sentences with what resolves them, and what each rater said of misevaluated items."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from accord.plots import grammar as alt
from accord.plots.chart import Chart, drawn
from accord.plots.theme import INK, MUTED

__all__ = ["Marked", "Said", "context_view", "misevaluation_view"]

Marked = tuple[str, str, str, str]
"""Item, text, role (plain, ambiguous or resolving) and note of one sentence."""
Said = tuple[str, str, str, str]
"""Rater, scenario, criterion and value of one verdict."""

_COLOURS = {"plain": "#ffffff00", "ambiguous": "#f4c58a", "resolving": "#a9d3ef"}
_WIDTH = 92
_MOST_SENTENCES = 60


def context_view(sentences: Sequence[Marked], *, title: str, subtitle: str = "") -> Chart:
    """The sentences of a text in order: ambiguous ones and those that resolve them on a coloured ground."""
    lines: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for item, text, role, note in sentences[:_MOST_SENTENCES]:
        rows.append({"item": item, "text": text, "role": role, "note": note})
        for part, piece in enumerate(wrap(text, _WIDTH) or [""]):
            name = item if part == 0 else ""
            lines.append({"line": len(lines), "name": name, "text": piece, "role": role, "is_note": False})
        if note:
            lines.append({"line": len(lines), "name": "", "text": f"({note})", "role": role, "is_note": True})
    more = len(sentences) - len(rows)
    base = alt.Chart(alt.Data(values=lines)).encode(y=alt.Y("line:O", axis=None))
    roles = ["ambiguous", "resolving"]
    ground = (
        base.transform_filter(alt.FieldOneOfPredicate("role", roles))
        .mark_rect(opacity=0.55).encode(
            x=alt.value(86), x2=alt.value(780),
            color=alt.Color("role:N", title="sentence", scale=alt.Scale(
                domain=roles, range=[_COLOURS[role] for role in roles])),
        )
    )  # fmt: skip
    names = base.mark_text(align="left", fontSize=11, color=MUTED).encode(x=alt.value(0), text="name:N")
    plain = base.transform_filter(alt.FieldEqualPredicate(field="is_note", equal=False))
    words = plain.mark_text(align="left", fontSize=12.5, color=INK).encode(x=alt.value(92), text="text:N")
    notes = (
        base.transform_filter(alt.FieldEqualPredicate(field="is_note", equal=True))
        .mark_text(align="left", fontSize=11, fontStyle="italic", color=MUTED)
        .encode(x=alt.value(92), text="text:N")
    )
    chart = alt.layer(ground, names, words, notes).properties(width=780, height=alt.Step(20))
    left = f"{more:,} more sentences are not drawn." if more > 0 else ""
    headings = {"item": "item", "text": "text", "role": "role", "note": "note"}
    return drawn(chart, title, rows, headings, subtitle=f"{subtitle} {left}".strip())


def _across() -> Any:
    """Scenario and criterion under each other, so that neighbours do not overlap."""
    return alt.Axis(labelAngle=0, labelExpr="split(datum.label, ': ')", labelLimit=140, ticks=False)


def misevaluation_view(items: Sequence[tuple[str, Sequence[Said]]], *, title: str, subtitle: str = "") -> Chart:
    """One table an item: raters down, scenario and criterion across, the verdict in the cell (004 Figure 2)."""
    rows = [
        {"item": item, "rater": rater, "place": f"{scenario}: {criterion}".rstrip(": "), "value": value,
         "scenario": scenario}
        for item, verdicts in items
        for rater, scenario, criterion, value in verdicts
    ]  # fmt: skip
    places = list(dict.fromkeys(row["place"] for row in rows))
    base = alt.Chart().encode(
        x=alt.X("place:N", sort=places, title=None, axis=_across()),
        y=alt.Y("rater:N", title=None),
    )
    cells = base.mark_rect(opacity=0.35).encode(
        color=alt.Color("scenario:N", title="scenario", sort=list(dict.fromkeys(row["scenario"] for row in rows)))
    )
    words = base.mark_text(fontSize=12, color=INK).encode(text="value:N")
    layered = alt.layer(cells, words, data=alt.Data(values=rows)).properties(
        width=max(240, 130 * len(places)), height=alt.Step(24)
    )
    chart = layered.facet(alt.Facet("item:N", title=None, sort=[item for item, _ in items]), columns=1)
    headings = {"item": "item", "rater": "rater", "place": "scenario and criterion", "value": "verdict"}
    return drawn(chart, title, rows, headings, subtitle=subtitle)
