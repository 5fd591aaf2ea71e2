"""The dossier as tables; every rendering reads these."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan

from accord.inference.interval import Interval
from accord.judging.claims import refused_claims
from accord.judging.dossier import CriterionDossier, Dossier
from accord.judging.errs import Effect, confusion, scale_use
from accord.judging.gate import Gate
from accord.noise import ordered
from accord.tables.table import Cell, Column, Table
from accord.words import steady

__all__ = [
    "agreement_table",
    "bias_table",
    "claims_table",
    "confusion_table",
    "difference_table",
    "effects_table",
    "far_table",
    "gate_table",
    "group_tables",
    "next_table",
    "people_table",
    "scale_table",
    "score_table",
    "several_table",
    "verdict_table",
]


def _ends(interval: Interval | None, low: str = "low", high: str = "high") -> dict[str, Cell]:
    return {low: None if interval is None else interval.low, high: None if interval is None else interval.high}


def _titled(part: CriterionDossier, words: str) -> str:
    return words if part.title == "all ratings" else f"{words}: {part.title}"


def people_table(part: CriterionDossier) -> Table | None:
    """The alternative annotator test, person by person."""
    if part.test is None:
        return None
    columns = [
        Column("human", "person left out"),
        Column("items", "items"),
        Column("judge_wins", "judge fits the others"),
        Column("human_wins", "person fits the others"),
        Column("p", "p"),
        Column("beaten", "judge as good"),
    ]
    rows: list[Mapping[str, Cell]] = [human.to_dict() for human in part.test.humans]
    ends = part.test.advantage_interval
    shown = "" if ends is None else f" ({steady(ends.low):.2f} to {steady(ends.high):.2f})"
    notes = [
        f"Alternative annotator test, ε = {part.test.epsilon:g}, Benjamini and Yekutieli at 5%; winning rate "
        f"{steady(part.test.winning_rate):.2f}, advantage probability {steady(part.test.advantage):.2f}{shown}."
    ]
    if part.test.left:
        notes.append(f"Fewer than 30 items: {', '.join(part.test.left[:12])}.")
    return Table(_titled(part, "May it stand in? Each person left out in turn"), columns, rows, notes)


def agreement_table(part: CriterionDossier) -> Table:
    """Judge with people beside people with people."""
    columns = [
        Column("coefficient", "coefficient"),
        Column("judge", "judge and people", 2),
        Column("low", "low", 2),
        Column("high", "high", 2),
        Column("people", "people", 2),
        Column("people_low", "low", 2),
        Column("people_high", "high", 2),
        Column("difference", "difference", 2),
        Column("difference_low", "low", 2),
        Column("difference_high", "high", 2),
        Column("p", "p"),
    ]
    rows: list[Mapping[str, Cell]] = [
        {
            "coefficient": one.title,
            "judge": one.judge,
            **_ends(one.judge_interval),
            "people": one.people,
            **_ends(one.people_interval, "people_low", "people_high"),
            "difference": one.difference,
            **_ends(one.difference_interval, "difference_low", "difference_high"),
            "p": one.p,
        }
        for one in part.beside
    ]
    note = (
        f"All pairs of ratings of an item pooled; intervals and tests by leaving out {part.panel.units}. "
        "Cross-replication stands beside α of people."
    )
    return Table(_titled(part, "Agreement beside that of people"), columns, rows, (note,))


def score_table(part: CriterionDossier) -> Table | None:
    """Corrected means or shares, over all and of each system."""
    columns = [
        Column("what", "score"),
        Column("system", "system"),
        Column("mean", "corrected"),
        Column("low", "low"),
        Column("high", "high"),
        Column("judge", "judge alone"),
        Column("people", "people alone"),
        Column("labels", "labels"),
        Column("judged", "judged"),
        Column("note", ""),
    ]
    rows: list[Mapping[str, Cell]] = []
    for measure in part.measures:
        for name, one in (("all", measure.overall), *measure.systems):
            rows.append(
                {
                    "what": measure.name,
                    "system": name or "–",
                    "mean": one.mean if one.interval is not None else None,
                    **_ends(one.interval),
                    "judge": one.judge_only,
                    "people": one.people_only,
                    "labels": one.rated,
                    "judged": one.judged,
                    "note": one.refused or None,
                }
            )
    if not rows:
        return None
    if not any(row["note"] for row in rows):
        columns = columns[:-1]
    first = part.measures[0].overall
    note = (
        f"PPI++ with weight {steady(first.weight):.2f} for the judge; intervals by Student's t over "
        f"{part.panel.units}, with a "
        "floor for the standard error. The labelled items must be a random part of all."
    )
    return Table(_titled(part, "What its scores are worth"), columns, rows, (note,))


def difference_table(part: CriterionDossier, most: int = 15) -> Table | None:
    """Paired differences between systems."""
    found = part.measures[0].differences if part.measures else ()
    if not found:
        return None
    columns = [
        Column("pair", "systems"),
        Column("difference", "corrected difference"),
        Column("low", "low"),
        Column("high", "high"),
        Column("p", "p"),
        Column("adjusted", "p after Holm"),
        Column("judge", "judge alone"),
    ]
    rows: list[Mapping[str, Cell]] = [
        {
            "pair": f"{one.first} – {one.second}",
            "difference": one.corrected.mean,
            **_ends(one.corrected.interval),
            "p": one.p,
            "adjusted": one.adjusted,
            "judge": one.corrected.judge_only,
        }
        for one in ordered(found, lambda one: one.adjusted, size=0)[:most]
    ]
    notes = [f"{len(found) - most} more pairs in --json."] if len(found) > most else []
    return Table(_titled(part, "Differences between systems"), columns, rows, notes)


def verdict_table(part: CriterionDossier) -> Table | None:
    """Rates of right verdicts, and the corrected share."""
    one = part.verdicts
    if one is None:
        return None
    rows: list[Mapping[str, Cell]] = [
        {
            "what": f"says {one.positive} where people do (TPR)",
            "value": one.true_positive,
            **_ends(one.true_positive_interval),
        },
        {"what": "says no where people do (TNR)", "value": one.true_negative, **_ends(one.true_negative_interval)},
        {"what": f"share of {one.positive} by the judge alone", "value": one.judged_share},
        {"what": "the share corrected (Rogan and Gladen)", "value": one.corrected, **_ends(one.corrected_interval)},
    ]
    columns = [Column("what", "verdicts"), Column("value", "share"), Column("low", "low"), Column("high", "high")]
    notes = (f"No interval: {one.refused}.",) if one.refused else ()
    return Table(_titled(part, "Right and wrong verdicts"), columns, rows, notes)


def effects_table(title: str, effects: Sequence[Effect], value: str = "points") -> Table:
    """Effects in score points, each with its interval and test."""
    columns = [
        Column("name", "what"),
        Column("value", value),
        Column("low", "low"),
        Column("high", "high"),
        Column("p", "p"),
        *([Column("adjusted", "p after Holm")] if any(not isnan(one.adjusted) for one in effects) else []),
        Column("items", "items"),
        Column("note", ""),
    ]
    rows: list[Mapping[str, Cell]] = [
        {
            "name": one.name,
            "value": one.value,
            **_ends(one.interval),
            "p": one.p,
            "adjusted": one.adjusted,
            "items": one.items,
            "note": one.note or None,
        }
        for one in effects
    ]
    return Table(title, columns if any(one.note for one in effects) else columns[:-1], rows)


def bias_table(part: CriterionDossier) -> Table | None:
    """Every probe of bias that could be made."""
    if not part.probes:
        return None
    made = effects_table(_titled(part, "Bias: how much more it gives"), part.probes)
    note = "Judge minus people, so what people prefer themselves does not count; swaps need no people."
    return replace(made, notes=(note,))


def group_tables(part: CriterionDossier) -> list[Table]:
    """Judge minus people in each group of each column, the furthest first; lengths in their order."""
    word = "judge minus people" if part.panel.ordered else "share of other labels"
    made = []
    for column, effects in part.groups.items():
        furthest = effects if column == "length" else ordered(effects, lambda one: abs(one.value), highest=True)
        made.append(
            effects_table(_titled(part, f"Judge minus people by {column.replace('_', ' ')}"), furthest[:12], word)
        )
    return made


def confusion_table(part: CriterionDossier) -> Table | None:
    """People's values against the judge's, as shares of each row."""
    found = confusion(part.panel)
    if found is None:
        return None
    names, table = found
    rows: list[Mapping[str, Cell]] = []
    for name, row in zip(names, table, strict=True):
        if row.sum():
            shares = {f"v{place}": float(one) for place, one in enumerate(row / row.sum())}
            rows.append({"people": name, **shares, "count": round(float(row.sum()))})
    columns = [
        Column("people", "people say"),
        *(Column(f"v{place}", name, 2) for place, name in enumerate(names)),
        Column("count", "items"),
    ]
    return Table(_titled(part, "What the judge says where people say …"), columns, rows)


def scale_table(part: CriterionDossier) -> Table | None:
    """How both use the scale."""
    if not part.panel.ordered:
        return None
    columns = [
        Column("who", "who"),
        Column("mean", "mean", 2),
        Column("sd", "SD", 2),
        Column("values", "values used"),
        Column("lowest", "share of the lowest", 2),
        Column("highest", "share of the highest", 2),
    ]
    return Table(_titled(part, "Use of the scale on the same items"), columns, scale_use(part.panel))


def far_table(part: CriterionDossier) -> Table | None:
    """Items where the judge is far from all people."""
    if not part.far:
        return None
    columns = [Column("item", "item"), Column("judge", "judge"), Column("people", "people"), Column("text", "text")]
    rows: list[Mapping[str, Cell]] = [
        {"item": one.item, "judge": one.judge, "people": one.people, "text": _short(one.text) or None}
        for one in part.far
    ]
    columns = columns if any(one.text for one in part.far) else columns[:-1]
    return Table(_titled(part, "Items where it is far from all people"), columns, rows)


def _short(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def several_table(part: CriterionDossier) -> Table | None:
    """Each judge's error and weight."""
    one = part.several
    if one is None:
        return None
    rows: list[Mapping[str, Cell]] = [
        {"judge": name, "error": error, "weight": weight}
        for name, error, weight in zip(one.judges, one.error, one.weights, strict=True)
    ]
    columns = [
        Column("judge", "judge"),
        Column("error", "error (RMS points, without the shift)", 2),
        Column("weight", "weight in the best mean", 2),
    ]
    verdict = (
        "not shown to differ from"
        if not one.p < 0.05
        else ("better than" if one.panel_error < one.best_error else "worse than")
    )
    note = (
        f"Errors go together with r = {steady(one.correlation):.2f}, so {len(one.judges)} judges are worth "
        f"{steady(one.worth):.1f} "
        f"independent ones. Their plain mean (error {steady(one.panel_error):.2f}) is {verdict} the best single one, "
        f"{one.best} ({steady(one.best_error):.2f}; p {steady(one.p):.3f}), on {one.items:,} items that all rated."
    )
    return Table(_titled(part, "Several judges"), columns, rows, (note,))


def next_table(part: CriterionDossier) -> Table | None:
    """What to label next."""
    if not part.next_items:
        return None
    columns = [Column("item", "item"), Column("sampling", "sampling"), Column("why", "why")]
    note = "Keep the column sampling: only random labels enter numbers, targeted ones show where the judge errs."
    rows: list[Mapping[str, Cell]] = [one.to_dict() for one in part.next_items]
    return Table(_titled(part, "Which items to label next"), columns, rows, (note,))


def indicators_table(part: CriterionDossier) -> Table | None:
    """Whether the criterion is fit to be scored by a program, and what developers can see by it."""
    if not part.indicators:
        return None
    columns = [
        Column("name", "indicator"),
        Column("value", "value", 2),
        Column("low", "low", 2),
        Column("high", "high", 2),
        Column("words", ""),
    ]
    rows: list[Mapping[str, Cell]] = [
        {"name": one.name, "value": one.value, **_ends(one.interval), "words": one.words} for one in part.indicators
    ]
    return Table(_titled(part, "Fit for automation: consistency, ease, automatability"), columns, rows)


def claims_table(dossier: Dossier) -> Table:
    """What is not claimed."""
    rows: list[Mapping[str, Cell]] = [{"claim": claim, "needs": needs} for claim, needs in refused_claims(dossier)]
    columns = [Column("claim", "not claimed"), Column("needs", "what would support it")]
    return Table("What these data cannot say", columns, rows)


def gate_table(gate: Gate) -> Table:
    """Every check of the gate."""
    columns = [
        Column("criterion", "criterion"),
        Column("asked", "asked"),
        Column("limit", "limit", 2),
        Column("value", "found", 2),
        Column("low", "low", 2),
        Column("high", "high", 2),
        Column("verdict", "verdict"),
        Column("labels_to_decide", "labels to decide"),
    ]
    rows: list[Mapping[str, Cell]] = [check.to_dict() for check in gate.checks]  # type: ignore[misc]
    return Table("The gate", columns, rows)
