"""Further views of ``accord diagnose``: clusters of score patterns, influential items, differential functioning."""

from typing import Any

import numpy as np

from accord.cli.diagnose_views import Page, View, ViewOptions
from accord.coefficients.registry import (
    COEFFICIENTS,
    COHEN_KAPPA,
    FLEISS_KAPPA,
    GWET_AC1,
    ICC_A1,
    KRIPPENDORFF_ALPHA,
    PERCENT_AGREEMENT,
)
from accord.diagnosis.differential import STUDIED, differential_functioning
from accord.diagnosis.influence import influential_items
from accord.diagnosis.part import parts_of
from accord.diagnosis.score_patterns import score_patterns, task_association
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.table import Ratings
from accord.tables.table import Cell, Column, Table
from accord.words import steady

__all__ = ["MORE_VIEWS"]

_PLURAL = {"rater": "raters", "item": "items", "criterion": "criteria"}
_MOVED = (KRIPPENDORFF_ALPHA, FLEISS_KAPPA, COHEN_KAPPA, GWET_AC1, PERCENT_AGREEMENT, ICC_A1)


def clusters_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Items or systems whose criteria are scored alike, and a column (a task) set against them."""
    found = score_patterns(ratings, unit=options.unit, clusters=options.clusters)
    rows: list[dict[str, Cell]] = [
        {"number": one.number, "size": one.size, **one.means, "members": ", ".join(one.members)}
        for one in found.clusters
    ]
    columns = [
        Column("number", "cluster"),
        Column("size", f"{found.unit}s"),
        *(Column(name, name, 2) for name in found.criteria),
        Column("members", "some of them"),
    ]
    notes = [
        f"Ward's method on standardised mean scores; silhouette {steady(found.silhouette):.2f} "
        f"({'hardly a structure' if found.silhouette < 0.25 else 'they lie apart'}).",
    ]
    notes += [f"{found.left_out:,} {found.unit}s lack a score on some criterion."] if found.left_out else []
    tables = [Table(f"{len(found.clusters)} patterns of scores", columns, rows, notes)]
    data: dict[str, Any] = {
        "clusters": [one.to_dict() for one in found.clusters],
        "labels": found.labels,
        "silhouette": found.silhouette,
        "seed": options.seed,
    }
    if options.task:
        task = task_association(ratings, found, options.task, np.random.default_rng(options.seed))
        counts = [{"number": number, **row} for number, row in task.counts.items()]
        heads = [Column("number", "cluster"), *(Column(name, name) for name in task.names)]
        note = (
            f"Cramér's V {steady(task.cramers_v):.3f}, p {steady(task.p):.4f} by 5,000 permutations of "
            f"{task.units:,} {found.unit}s."
        )
        tables.append(Table(f"Clusters and {task.column}", heads, counts, (note,)))
        data["task"] = {
            "column": task.column, "counts": task.counts, "cramers_v": task.cramers_v, "p": task.p, "units": task.units,
        }  # fmt: skip
    return Page(tables, data)


def influence_view(ratings: Ratings, options: ViewOptions) -> Page:
    """What each coefficient would be without one item, for the items that move it most."""
    rows: list[dict[str, Any]] = []
    most = options.top or ratings.items
    for part in parts_of(ratings, options.by):
        keys = [key for key in _MOVED if part.ratings.level in COEFFICIENTS[key].levels]
        for found in influential_items(part, keys, most=most).values():
            rows += [{"criterion": part.title, **one.to_dict()} for one in found]
    if not rows:
        raise NotEnoughDataError(
            "No item moves a coefficient: fewer than three items were rated by two raters, or all alike."
        )
    columns = [
        Column("criterion", "criterion"),
        Column("coefficient", "coefficient"),
        Column("item", "item left out"),
        Column("without", "value without it", 4),
        Column("change", "change", 4),
    ]
    note = "Every item is left out once, exactly; those that move the value most come first."
    return Page([Table("Influential items", columns, rows, (note,))], {"influence": rows})


def dif_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Raters, criteria or items that work otherwise in one group than in another of equal level."""
    if not options.between:
        raise OptionError(
            "--show dif needs --between COLUMN: the groups to compare, such as system; groups of raters with --of item."
        )
    found = differential_functioning(ratings, between=options.between, of=options.of, reference=options.reference)
    rows: list[dict[str, Any]] = [one.to_dict() for one in found]
    shown = rows[: options.top or None]
    cells: list[dict[str, Cell]] = [
        {**row, "low": (row["interval"] or {}).get("low"), "high": (row["interval"] or {}).get("high")} for row in shown
    ]
    odds = any(one.method == "Mantel-Haenszel" for one in found)
    columns = [
        *([Column("criterion", "criterion")] if len({one.criterion for one in found}) > 1 else []),
        Column("studied", options.of), Column("focal", "group"), Column("reference", "against"),
        Column("units_focal", f"{STUDIED[options.of]}s"), Column("units_reference", "and"), Column("strata", "strata"),
        Column("chi_square", "χ²", 2), Column("adjusted_p", "p (Holm)", 4),
        Column("difference", "difference", 2), Column("low", "from", 2), Column("high", "to", 2),
        Column("effect", "in deviations", 2),
        *([Column("odds_ratio", "odds ratio", 2)] if odds else []), Column("size", "size"), Column("words", "in words"),
    ]  # fmt: skip
    title = f"Differential functioning: each {options.of} between groups of {options.between!r}, at equal level"
    notes = [
        f"{found[0].method} test within strata of {STUDIED[options.of]}s of equal level; Holm over {len(found):,} "
        "tests; sizes A negligible, B, C large; 95% intervals.",
    ]
    notes += [f"{len(rows) - len(shown):,} more rows; --top 0 shows all."] if len(rows) > len(shown) else []
    few = len({one.studied for one in found})
    if few < 5:
        notes.append(
            f"The level rests on {few} {_PLURAL[options.of]} only: where they differ in exactness, groups of unlike "
            "quality may look as if they differed at equal level."
        )
    return Page([Table(title, columns, cells, notes)], {"differential_functioning": rows})


MORE_VIEWS: dict[str, View] = {"clusters": clusters_view, "influence": influence_view, "dif": dif_view}
