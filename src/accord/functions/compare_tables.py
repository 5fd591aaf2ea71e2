"""The tables that ``accord compare`` prints, one function a design."""

from collections.abc import Mapping, Sequence

from accord.comparisons.bootstrap_variants import VariantResult
from accord.comparisons.conditions import Condition, ConditionComparison
from accord.comparisons.context_span import ContextSpan, span_table
from accord.comparisons.difference import Difference
from accord.comparisons.item_changes import ItemChange
from accord.comparisons.metrics import MetricCorrelation
from accord.comparisons.misevaluation import Misevaluation
from accord.comparisons.own_interval import coefficient_columns, values_with_ends
from accord.comparisons.quadrants import Quadrants
from accord.comparisons.reference_bias import ReferenceBias
from accord.comparisons.scenarios import ScenarioAgreement
from accord.comparisons.score_shift import ScoreShift
from accord.comparisons.task_prediction import TaskPrediction
from accord.noise import ordered
from accord.reliability.signs.amount import rated_once
from accord.tables.table import Cell, Column, Table
from accord.words import counted, steady

__all__ = [
    "change_table", "change_tables", "condition_table", "difference_table", "mean_score_table",
    "metric_difference_table", "metric_table", "misevaluation_table", "outlier_table", "pair_table", "quadrant_tables",
    "scenario_tables", "setting_tables", "shift_tables", "span_tables", "task_tables", "variant_table",
]  # fmt: skip

_DIFFERENCE = (
    Column("criterion", "criterion"), Column("what", "coefficient"), Column("value", "difference"),
    Column("low", "low"), Column("high", "high"), Column("p", "p"), Column("method", "judged by"),
)  # fmt: skip

_ANOTHER = "another question"


def difference_table(title: str, differences: Sequence[tuple[str, Difference]]) -> Table:
    """Every difference with its interval or p-value, and the unit that was resampled."""
    rows = [_difference_row(criterion, difference) for criterion, difference in differences]
    columns = [*_DIFFERENCE]
    if any(row["adjusted"] is not None for row in rows):
        columns.insert(-1, Column("adjusted", "p, Holm"))
    return Table(title, columns, rows, (_how_to_read(rows),))


def _how_to_read(rows: Sequence[Mapping[str, Cell]]) -> str:
    """Which rows decide: one of several of the same difference, or each for itself."""
    asked = [(row["criterion"], row["what"], row.get("conditions")) for row in rows]
    compared = any(str(row["method"]).startswith(_ANOTHER) for row in rows)
    several = "The first row of a coefficient decides; the others answer other questions."
    each = "Each row is a comparison of its own."
    words = several if compared or len(set(asked)) < len(asked) else each
    return f"{words} Intervals that overlap are no test."


def _difference_row(criterion: str, difference: Difference) -> dict[str, Cell]:
    interval = difference.interval
    return {
        "criterion": criterion or "all", "what": difference.what, "value": difference.value,
        "low": interval.low if interval else None, "high": interval.high if interval else None,
        "p": difference.p, "adjusted": difference.adjusted,
        "method": f"{_ANOTHER}: {difference.method}" if difference.sensitivity else difference.method,
    }  # fmt: skip


def change_table(comparisons: Sequence[ConditionComparison]) -> Table:
    """The change between every two conditions; p after Holm where there are several."""
    rows: list[dict[str, Cell]] = [
        {**_difference_row(one.criterion, difference), "conditions": f"{one.second.name} - {one.first.name}"}
        for one in comparisons
        for difference in one.differences
    ]
    several = any(row["adjusted"] is not None for row in rows)
    pairs = list(dict.fromkeys((one.first.name, one.second.name) for one in comparisons))
    columns = [*_DIFFERENCE[:2], Column("conditions", "compared"), *_DIFFERENCE[2:6]]
    columns += [Column("adjusted", "p, Holm")] if several else []
    methods = {str(row["method"]) for row in rows}
    # One method for all rows is said once, below them.
    columns += [_DIFFERENCE[6]] if len(methods) > 1 or len(rows) == 1 else []
    notes = (_how_to_read(rows), *((f"Judged by: {methods.pop()}.",) if len(methods) == 1 < len(rows) else ()))
    title = f"Change from {pairs[0][0]} to {pairs[0][1]}" if len(pairs) == 1 else "Change between conditions"
    return Table(title, columns, rows, notes)


def mean_score_table(comparisons: Sequence[ConditionComparison]) -> list[Table]:
    """How high two groups of raters score, which says nothing of how far each agrees: one table, or none."""
    rows: list[dict[str, Cell]] = [
        {
            "criterion": one.criterion or "all", "conditions": f"{one.second.name} - {one.first.name}",
            "first": one.scores.first, "second": one.scores.second, "value": one.scores.change, "p": one.scores.p,
            "adjusted": one.scores.adjusted, "method": one.scores.method,
        }
        for one in comparisons
        if one.scores is not None
    ]  # fmt: skip
    holm = [Column("adjusted", "p, Holm")] if any(row["adjusted"] is not None for row in rows) else []
    columns = (
        Column("criterion", "criterion"), Column("conditions", "compared"), Column("second", "former mean", 2),
        Column("first", "latter mean", 2), Column("value", "difference", 2), Column("p", "p"), *holm, _DIFFERENCE[6],
    )  # fmt: skip
    note = "Each rater counts as one mean: other raters, these items."
    return [Table("Mean scores", columns, rows, (note,), is_detail=True)] if rows else []


def condition_table(comparisons: Sequence[ConditionComparison], keys: Sequence[str]) -> Table:
    """The coefficients of both conditions side by side."""
    rows: list[dict[str, Cell]] = [
        {
            "criterion": one.criterion or "all",
            "condition": side.name,
            "items": side.items,
            "raters": side.raters,
            **values_with_ends({key: side.values[key] for key in keys}, side.ends),
        }
        for one in comparisons
        for side in (one.first, one.second)
    ]
    rows = [row for place, row in enumerate(rows) if row not in rows[:place]]
    columns = [
        Column("criterion", "criterion"),
        Column("condition", "condition"),
        Column("items", "items"),
        Column("raters", "raters"),
        *coefficient_columns(keys, ends=any(row["alpha_low"] is not None for row in rows)),
    ]
    notes = dict.fromkeys(note for one in comparisons for side in (one.first, one.second) for note in _once(one, side))
    return Table("Reliability under each condition", columns, rows, tuple(notes))


def _once(comparison: ConditionComparison, side: Condition) -> list[str]:
    """How many items of a condition say nothing about agreement."""
    where = ", ".join(filter(None, (comparison.criterion, side.name)))
    return [f"{where}: {words}." for words in rated_once(side.items, side.items - side.rated_once, whole=True)]


_CHANGE = (
    Column("item", "item"),
    Column("before", "disagreement before", 2),
    Column("after", "after", 2),
    Column("ratings_before", "ratings before"),
    Column("ratings_after", "ratings after"),
)


def change_tables(criterion: str, changes: Sequence[ItemChange], most: int) -> list[Table]:
    """The items that gained and lost most agreement."""
    gained = [change for change in changes if change.change < 0]
    worse = (change for change in changes if change.change > 0)
    lost = ordered(worse, lambda change: change.change, lambda change: change.item, highest=True)
    name = f" ({criterion})" if criterion else ""
    tables = []
    for title, found in ((f"Items that gained agreement{name}", gained), (f"Items that lost agreement{name}", lost)):
        rows: list[dict[str, Cell]] = [
            {
                "item": one.item,
                "before": one.before,
                "after": one.after,
                "ratings_before": one.ratings_before,
                "ratings_after": one.ratings_after,
            }
            for one in found[:most]
        ]
        note = f"{len(found):,} of the {len(changes):,} items rated in both did; {len(rows)} are listed."
        tables.append(Table(title, _CHANGE, rows, (note,), is_detail=True))
    return tables


def setting_tables(result: ReferenceBias) -> list[Table]:
    """Settings with pair counts and means, shares of different pairs, ranges of means (003 Tables 1, 2, Figure 3)."""
    name = f" ({result.criterion})" if result.criterion else ""
    counts = result.settings.counts()
    settings: list[dict[str, Cell]] = [
        {
            "setting": pattern.setting,
            "pairs": counts[pattern.setting],
            "kappa": result.mean_kappas[pattern.setting],
            "exact": pattern.exact,
            "near": pattern.within_one,
        }
        for pattern in result.patterns
    ]
    shares: list[dict[str, Cell]] = [
        {"settings": f"{one.first} x {one.second}", "comparisons": one.comparisons, "different": one.different,
         "share": one.share}
        for one in result.shares
    ]  # fmt: skip
    ranges: list[dict[str, Cell]] = [
        {"group": group, "mean": result.ranges.group_means[group], "range": width, "raters": len(raters)}
        for (group, raters), width in zip(result.ranges.rater_means.items(), result.ranges.within.values(), strict=True)
    ]
    others = result.reference_groups
    apart = f" ({steady(result.ranges.between(others)):.2f} without the source)" if len(others) < len(ranges) else ""
    attribution = (
        f"Group means span {steady(result.ranges.between()):.2f}{apart}; raters who saw the same thing span up to "
        f"{steady(max(result.ranges.within.values())):.2f}."
    )
    return [
        Table(f"Pairs of raters by setting{name}, κ with {result.weights} weights, {result.items} items", (
            Column("setting", "setting"), Column("pairs", "pairs"), Column("kappa", "mean κ"),
            Column("exact", "same rating"), Column("near", "at most one apart")), settings),
        Table(f"Pairs whose κ differ: intervals that do not overlap{name}", (
            Column("settings", "settings"), Column("comparisons", "comparisons"), Column("different", "different"),
            Column("share", "share")), shares, is_detail=True),
        Table(f"Mean ratings by group{name}", (
            Column("group", "group"), Column("raters", "raters"), Column("mean", "mean rating"),
            Column("range", "range of its raters' means", 2)), ranges, (attribution,)),
    ]  # fmt: skip


def pair_table(result: ReferenceBias) -> Table:
    """The κ of every pair of raters with its interval, setting by setting."""
    rows: list[dict[str, Cell]] = [
        {"setting": one.setting, "first": one.first, "second": one.second, "kappa": one.kappa, "low": one.low,
         "high": one.high}
        for one in result.pairs()
    ]  # fmt: skip
    columns = (
        Column("setting", "setting"), Column("first", "rater"), Column("second", "with"), Column("kappa", "κ"),
        Column("low", "low"), Column("high", "high"),
    )  # fmt: skip
    name = f" ({result.criterion})" if result.criterion else ""
    note = "Intervals by the standard error of Fleiss, Cohen and Everitt."
    return Table(f"Every pair of raters{name}, κ with {result.weights} weights", columns, rows, (note,))


def variant_table(results: Sequence[VariantResult]) -> Table:
    """The six bootstrap variants of 003 Figure 1, with what is wrong with each."""
    rows: list[dict[str, Cell]] = [
        {
            "variant": one.variant.title,
            "setting": one.setting,
            "low": one.interval.low,
            "high": one.interval.high,
            "faults": "; ".join(one.variant.faults) or "none: this is the standard bootstrap",
        }
        for one in results
    ]
    columns = (
        Column("variant", "variant"),
        Column("setting", "setting"),
        Column("low", "low"),
        Column("high", "high"),
        Column("faults", "what is wrong with it"),
    )
    return Table("The bootstrap of a mean κ, from the published way (a) to the standard one (f)", columns, rows)


def scenario_tables(cells: Sequence[ScenarioAgreement]) -> list[Table]:
    """One table a criterion: scenarios by test set and group, then together (004 Tables 3-10)."""
    tables = []
    for criterion in dict.fromkeys(cell.criterion for cell in cells):
        chosen = [cell for cell in cells if cell.criterion == criterion]
        keys = list(dict.fromkeys(key for cell in chosen for key in cell.values))
        rows: list[dict[str, Cell]] = [
            {
                "test_set": cell.test_set or "all", "scenario": cell.scenario, "group": cell.group or "all",
                "items": cell.items, "raters": cell.raters, **values_with_ends(cell.values, cell.ends),
            }
            for cell in chosen
        ]  # fmt: skip
        columns = [
            *([Column("test_set", "test set")] if any(cell.test_set for cell in cells) else []),
            Column("scenario", "scenario"),
            *([Column("group", "group")] if any(cell.group for cell in cells) else []),
            Column("items", "items"),
            Column("raters", "raters"),
            *coefficient_columns(keys, ends=any(cell.ends for cell in chosen)),
        ]
        tables.append(Table(f"Agreement by scenario: {criterion or 'all ratings'}", columns, rows))
    return tables


def misevaluation_table(found: Sequence[Misevaluation], most: int) -> Table:
    """Items that look fine alone and are faulty in context, with what each rater said (004 Figure 2)."""
    rows: list[dict[str, Cell]] = [
        {
            "item": one.item, "issue": one.issue, "criterion": one.criterion, "without": one.without,
            "with": one.with_context,
            "rater": rater, "scenario": scenario,
            "said": ", ".join(f"{said.criterion} {said.value}".strip() for said in verdicts),
            "comment": "; ".join(dict.fromkeys(said.comment for said in verdicts if said.comment)),
        }
        for one in found[:most]
        for (rater, scenario), verdicts in one.by_rater().items()
    ]  # fmt: skip
    columns = (
        Column("item", "item"), *([Column("issue", "ambiguity")] if any(one.issue for one in found) else []),
        Column("criterion", "criterion"), Column("without", "mean alone", 2),
        Column("with", "mean in context", 2), Column("rater", "rater"), Column("scenario", "scenario"),
        Column("said", "verdict"), Column("comment", "comment"),
    )  # fmt: skip
    warning = (
        "Higher agreement without context is not better evaluation: these items were judged without what decides them."
    )
    items = counted(len({one.item for one in found}), "item")
    return Table(f"{items} fine without context and faulty with it", columns, rows, (warning,), is_detail=True)


def quadrant_tables(results: Sequence[tuple[str, Quadrants]], against: str, most: int) -> list[Table]:
    """How each yardstick goes with the post-edit, and the items that contradict (003 Figures 5 and 6)."""
    summary: list[dict[str, Cell]] = [
        {
            "yardstick": name,
            "items": len(one.items),
            "correlation": one.correlation,
            "similar": len(one.similar),
            "dissimilar": len(one.dissimilar),
        }
        for name, one in results
    ]
    columns = (
        Column("yardstick", "yardstick"),
        Column("items", "items"),
        Column("correlation", f"r with {against}"),
        Column("similar", "high only by likeness"),
        Column("dissimilar", "low only by unlikeness"),
    )
    named: list[dict[str, Cell]] = [
        {"yardstick": name, "kind": kind, "item": item.item, "across": item.against_reference,
         "up": item.against_post_edit}
        for name, one in results
        for kind, items in (("reference-similar", one.similar), ("reference-dissimilar", one.dissimilar))
        for item in items[:most]
    ]  # fmt: skip
    details = (
        Column("yardstick", "yardstick"),
        Column("kind", "kind"),
        Column("item", "item"),
        Column("across", "yardstick (z)", 2),
        Column("up", f"{against} (z)", 2),
    )
    return [
        Table("Reference bias by quadrants", columns, summary),
        Table("Items that contradict", details, named, is_detail=True),
    ]


def outlier_table(results: Sequence[tuple[str, Quadrants]], texts: Mapping[str, Mapping[str, str]], most: int) -> Table:
    """The items that contradict with their texts, to see whether the reference or the translation is at fault."""
    rows: list[dict[str, Cell]] = []
    for name, one in results:
        for kind, items in (("reference-similar", one.similar), ("reference-dissimilar", one.dissimilar)):
            rows += [
                {"yardstick": name, "kind": kind, "item": item.item, **texts.get(item.item, {})}
                for item in items[:most]
            ]
    heads = {"source": "source", "mt": "translation", "reference": "reference", "post_edit": "post-edit"}
    shown = [Column(key, title) for key, title in heads.items() if any(key in row for row in rows)]
    note = "Look for references that are wrong, and for translations that are right and differ."
    return Table(
        "Texts of the items that contradict",
        [Column("yardstick", "yardstick"), Column("kind", "kind"), Column("item", "item"), *shown],
        rows,
        (note,),
        is_detail=True,
    )


def metric_table(found: Sequence[MetricCorrelation]) -> Table:
    """Each metric with the human scores, of segments, documents and systems."""
    rows: list[dict[str, Cell]] = [
        {
            "criterion": one.criterion or "all", "condition": one.condition, "metric": one.metric,
            "level": one.level, "kind": one.kind,
            "units": one.units, "value": one.value, "low": one.interval.low if one.interval else None,
            "high": one.interval.high if one.interval else None,
            "method": one.interval.method if one.interval else "",
        }
        for one in found
    ]  # fmt: skip
    columns = (
        Column("criterion", "criterion"),
        *([Column("condition", "condition")] if any(one.condition for one in found) else []),
        Column("metric", "metric"), Column("level", "of"), Column("kind", "kind"), Column("units", "n"),
        Column("value", "correlation"), Column("low", "low"), Column("high", "high"), Column("method", "interval by"),
    )  # fmt: skip
    return Table("Human scores and automatic metrics", columns, rows)


def metric_difference_table(found: Sequence[tuple[str, Difference]], known: bool) -> Table:
    """Which correlation is higher: of documents or of segments, in one condition or another.

    ``known`` says that the good ends of people and metrics are known, so that higher is better.
    """
    rows = [{**_difference_row(criterion, one), "compared": f"{one.first} - {one.second}"} for criterion, one in found]
    holm = [Column("adjusted", "p, Holm")] if any(row["adjusted"] is not None for row in rows) else []
    columns = (*_DIFFERENCE[:2], Column("compared", "compared"), *_DIFFERENCE[2:6], *holm, _DIFFERENCE[6])
    note = (
        "Means of documents are more reliable than single segments, so a higher correlation of documents alone does "
        "not show that a metric captures documents: compare conditions."
    )
    title = "Does the metric agree with people better?" if known else "How the correlations differ"
    return Table(title, columns, rows, (note,))


def shift_tables(shifts: Sequence[ScoreShift], most: int) -> list[Table]:
    """Scores of the same items in both scenarios: the move, the distributions, the items that move most."""
    if not shifts:
        return []
    first, second = shifts[0].first, shifts[0].second
    moves: list[dict[str, Cell]] = [
        {
            "criterion": one.criterion or "all", "items": len(one.items), "change": one.change,
            "low": one.interval.low if one.interval else None, "high": one.interval.high if one.interval else None,
            "p": one.p, "adjusted": one.adjusted, "rose": one.rose, "fell": one.fell, "words": one.words,
        }
        for one in shifts
    ]  # fmt: skip
    shares: list[dict[str, Cell]] = [
        {"criterion": one.criterion or "all", "value": value, "first": one.shares[first][at],
         "second": one.shares[second][at]}
        for one in shifts
        for at, value in enumerate(one.values)
    ]  # fmt: skip
    items: list[dict[str, Cell]] = [
        {"criterion": one.criterion or "all", "item": item.item, "first": item.first, "second": item.second,
         "change": item.change}
        for one in shifts
        for item in one.items[:most]
    ]  # fmt: skip
    ends = (Column("first", first, 2), Column("second", second, 2))
    return [
        Table(f"Scores of the same items: {second} - {first}", (
            Column("criterion", "criterion"), Column("items", "items"), Column("change", "mean change", 2),
            Column("low", "low", 2), Column("high", "high", 2), Column("p", "p"),
            *([Column("adjusted", "p, Holm")] if len(shifts) > 1 else []), Column("rose", "rose"),
            Column("fell", "fell"), Column("words", "in words")), moves, (shifts[0].method,)),
        Table("Share of each value", (Column("criterion", "criterion"), Column("value", "value"), *ends), shares,
              is_detail=True),
        Table("Items whose score moves most", (
            Column("criterion", "criterion"), Column("item", "item"), *ends, Column("change", "change", 2)), items,
            is_detail=True),
    ]  # fmt: skip


def span_tables(spans: Sequence[ContextSpan]) -> list[Table]:
    """How far the resolving sentence stands, over all, by issue and by domain."""
    tables = []
    for by in ("", "issue", "domain"):
        if spans and (not by or any(getattr(span, by) for span in spans)):
            rows: list[dict[str, Cell]] = span_table(spans, by)  # type: ignore[assignment]
            title = "How many sentences away the resolving sentence stands"
            columns = [
                Column("group", by or "all"), Column("spans", "spans"), Column("before", "resolved before"),
                Column("median", "median", 1), Column("mean", "mean", 2), Column("largest", "largest"),
                Column("within_1", "within 1", 2), Column("within_2", "within 2", 2), Column("within_5", "within 5", 2),
            ]  # fmt: skip
            tables.append(Table(title + (f", by {by}" if by else ""), columns, rows))
    return tables


def task_tables(found: TaskPrediction) -> list[Table]:
    """How well scores foretell a task on what was left out, which tasks are mixed up, and the cut of each score."""
    rows: list[dict[str, Cell]] = [
        {
            "unit": one.unit, "units": one.units, "accuracy": one.accuracy, "low": one.accuracy_interval.low,
            "high": one.accuracy_interval.high, "guessing": one.guessing, "gain_low": one.gain_interval.low,
            "gain_high": one.gain_interval.high, "auc": one.auc, "auc_low": one.auc_interval.low,
            "auc_high": one.auc_interval.high,
        }
        for one in found.results
    ]  # fmt: skip
    columns = (
        Column("unit", "left out"), Column("units", "of them"), Column("accuracy", "right"), Column("low", "low"),
        Column("high", "high"), Column("guessing", "by guessing"), Column("gain_low", "gain, low"),
        Column("gain_high", "gain, high"), Column("auc", "AUC"), Column("auc_low", "AUC, low"),
        Column("auc_high", "AUC, high"),
    )  # fmt: skip
    first = found.results[0]
    notes = [
        f"Logistic regression of {found.column!r} on {', '.join(found.predictors)}; {first.items} items.",
        "Intervals resample what was left out, with the predictions as they are.",
    ]
    notes += [f"{found.left_out} items lack a score or a {found.column}."] if found.left_out else []
    mixed: list[dict[str, Cell]] = [
        {"task": task, **dict(zip(found.tasks, map(int, row), strict=True))}
        for task, row in zip(found.tasks, first.confusion, strict=True)
    ]
    heads = (Column("task", f"true {found.column}"), *(Column(task, f"said {task}") for task in found.tasks))
    cuts: list[dict[str, Cell]] = [one.to_dict() for one in found.cuts]  # type: ignore[misc]
    cut_heads = (
        Column("score", "score"),
        Column("task", found.column),
        Column("rule", "if the score is"),
        Column("balanced_accuracy", "balanced accuracy"),
    )
    note = (
        f"Balanced accuracy for {first.unit}s left out; 0.5 is what guessing gives. A {found.column} between two "
        "others has no single cut."
    )
    return [
        Table(f"Do scores predict the {found.column}?", columns, rows, notes),
        Table(f"Which is taken for which, {first.unit}s left out", heads, mixed, is_detail=True),
        Table("One score, one cut", cut_heads, cuts, (note,), is_detail=True),
    ]
