"""Charts on and beside each size at which they are drawn otherwise, and all rows of those that have many.

``tests/recorded/chart_marks`` has a file for each. A chart that is to change changes its file: run
``python tests/plots/test_chart_marks.py``, look at the chart, read the difference, and keep it if every line is meant.
"""

from collections import defaultdict
from math import nan
from pathlib import Path

import numpy as np
import pytest

from accord.plots import comparisons, context, judges, raters, ratings, reliability, scores
from accord.plots.chart import Chart
from accord.plots.of_table import chart_of_tables
from accord.tables.table import Column, Table
from plots.samples import every_chart
from recorded_answers import _lines, differences

RECORDS = Path(__file__).parents[1] / "recorded" / "chart_marks"
FIRST = 3
"""Rows that are recorded as they are; of all together the sums of their numbers."""


def names(count, letter="r"):
    return [f"{letter}{place:02}" for place in range(count)]


def severity(count):
    effects = [((place * 7) % count) / 10 - 1 for place in range(count)]
    lows, highs = [one - 0.5 for one in effects], [one + 0.25 for one in effects]
    return raters.severity(names(count), effects, lows, highs, title="Severity")


def pair_matrix(count, gap=False):
    values = np.array([[((i * j + i + j) % 10) / 10 for j in range(count)] for i in range(count)])
    if gap:
        values[0, 1] = values[1, 0] = nan
    counts = np.arange(count * count).reshape(count, count)
    return raters.pair_matrix(names(count), values, counts, title="Pairs", axis="kappa", subtitle="Of all.")


def drift(count, marked=""):
    series = {name: ([1, 2, 3], [0.1 * place, nan, -0.1]) for place, name in enumerate(names(count))}
    return raters.drift(series, title="Drift", across="week", axis="change", marked=marked)


def ranks(count):
    best, worst = list(range(1, count + 1)), [min(count, place + 3) for place in range(count)]
    clusters = [1 + place // 3 if place % 2 else None for place in range(count)]
    return scores.rank_intervals(
        names(count, "s"), [1 - place / 8 for place in range(count)], best, worst, clusters, title="R"
    )


def history(count, threshold=None):
    kinds = ("PASS", "FAIL", "left out", "other")
    told = [60 + (place * 13) % 30 for place in range(count)]
    means = [None, *(61 + place for place in range(count))]
    return scores.score_history(
        names(count, "e"), told, means, [kinds[place % 4] for place in range(count)], title="H", threshold=threshold
    )


def shrinking(wanted):
    return scores.shrinking_interval(
        [10, 20, 40], [0.2, 0.3, 0.4], [0.8, 0.7, 0.6], title="S", across="items", axis="kappa", wanted=wanted
    )


def per_item(items, count):
    given = {name: [float((at * 3 + place) % 7) for at in range(items)] for place, name in enumerate(names(count))}
    return ratings.ratings_per_item(names(items, "i"), given, title="I", axis="adequacy")


def used(count, categories=3):
    counts = {
        name: [(place * 5 + at) % 9 for at in range(categories)] for place, name in enumerate(reversed(names(count)))
    }
    return ratings.category_use([*"abcdefghijkl"][:categories], counts, title="U")


def boxes(pairs, groups):
    values = {name: [(place * 7) % 11 / 10 for place in range(pairs)] for name in names(groups, "g")}
    return reliability.pair_boxes(values, title="B", axis="kappa")


def intervals(low, high, domain, marks=((0.2, 0.4, 0.8), (0.4, 0.6))):
    return reliability.intervals(
        ["one", "two", "none"],
        [0.5, -0.0001, nan],
        [low, low, nan],
        [high, high, nan],
        title="I",
        domain=domain,
        marks=marks,
    )


def quadrants(*places):
    marked = names(len(places), "i")
    across, up = zip(*places, strict=True)
    return comparisons.quadrants(marked, across, up, title="Q", across_axis="x", up_axis="y", marked=marked)


def heat(count, top=0.5):
    maps = {"A": np.full((count, count), top), "B": np.where(np.eye(count) > 0, 0.25, nan)}
    return comparisons.heat_maps(names(count, "v"), maps, title="H")


def sentences(count):
    roles = ("plain", "ambiguous", "resolving")
    said = [(f"s{place}", "word " * (15 + place % 6), roles[place % 3], "note" * (place % 2)) for place in range(count)]
    return context.context_view(said, title="C", subtitle="All.")


def of_table(keys, rows):
    return chart_of_tables([Table("T", [Column(key, key) for key in keys], rows)])


MANY = {
    **{f"severity {count}": lambda count=count: severity(count) for count in (40, 41, 301)},
    **{f"pairs {count}": lambda count=count: pair_matrix(count) for count in (2, 4, 5, 14, 15, 40, 41, 43)},
    "pairs with a gap": lambda: pair_matrix(5, gap=True),
    **{f"drift {count} {one}": lambda count=count, one=one: drift(count, one)
       for count in (8, 9) for one in ("unmarked", "r03")},
    **{f"ranks {count}": lambda count=count: ranks(count) for count in (25, 26)},
    **{f"history {count}": lambda count=count: history(count, 70.5) for count in (1, 24, 25, 50)},
    "history without threshold": lambda: history(4),
    **{f"shrinking {wanted}": lambda wanted=wanted: shrinking(wanted) for wanted in (None, 0.05, 0.1, 0.15, 0.3)},
    **{f"items {items} of {count}": lambda items=items, count=count: per_item(items, count)
       for items, count in ((10, 1), (16, 2), (17, 2), (50, 2), (51, 2), (60, 4), (61, 4), (30, 12), (30, 13))},
    **{f"used {count}": lambda count=count: used(count) for count in (1, 4, 5, 12, 13, 25, 91)},
    **{f"used by 13 of {kinds}": lambda kinds=kinds: used(13, kinds) for kinds in (5, 6)},
    "used by 12 of 3": lambda: used(12, 3),
    **{f"boxes {pairs} in {groups}": lambda pairs=pairs, groups=groups: boxes(pairs, groups)
       for pairs, groups in ((60, 1), (61, 1), (60, 2), (61, 2))},
    "boxes without numbers": lambda: reliability.pair_boxes({"g": [nan], "h": [0.5]}, title="B", axis="kappa"),
    **{f"intervals from {low}": lambda low=low: intervals(low, 0.75, (-1.0, 1.0)) for low in (0.3, 0.0, -0.4, -1.5)},
    **{f"differences to {high}": lambda high=high: intervals(-0.02, high, None) for high in (0.04, 0.05, 0.6)},
    "intervals without marks": lambda: intervals(0.2, 0.75, (0.0, 2.0), ()),
    "quadrants apart": lambda: quadrants(
        (0, 0), (0, 0.18), (0, 0.19), (2.2, 0), (2.21, 0), (0, -1), (1, -2), (2, -3), (3, 4)
    ),
    **{f"heat {count}": lambda count=count: heat(count) for count in (3, 4)},
    "heat of nothing": lambda: comparisons.heat_maps(["a"], {"A": np.array([[nan]])}, title="H"),
    **{f"sentences {count}": lambda count=count: sentences(count) for count in (59, 60, 61, 1061)},
    "misread": lambda: context.misevaluation_view(
        [("i1", [("a", "RS", "adequacy", "4"), ("b", "SC", "", "2")]), ("i2", [("a", "RS", "fluency", "1")])], title="M"
    ),
    "table of changes": lambda: of_table(
        ("a", "b", "c", "score", "change", "from", "to"),
        [{"a": "x", "b": "y", "c": "z", "score": 9, "change": 0.0, "from": 0.0, "to": 0.5},
         {"a": "", "b": None, "c": "z", "score": 8, "change": 0.25, "from": nan, "to": 0.5},
         {"a": "", "b": None, "c": "z", "score": 8, "change": 0.25, "from": -0.0, "to": 0.5}],
    ),
    "table of numbers": lambda: of_table(("n", "m"), [{"n": 1, "m": 2}, {"n": None, "m": 3}, {"n": 5, "m": 4}]),
    "judge with one bar": lambda: judges.bar_chart("S", "share", [("a", "judge", 0.0), ("a", "people", 1.0)]),
}  # fmt: skip


def told(chart: Chart) -> str:
    spec = _summed({"title": chart.title, "note": chart.note, "headings": chart.headings, **chart.spec})
    spec.pop("config")
    rows = chart.table()
    return "\n".join([*_lines(spec), *_lines({"table": _summed(list(rows.rows)), "notes": list(rows.notes)})])


def _summed(data):
    """Lists of rows as their first rows and the sums of all their numbers and the lengths of all their words."""
    if isinstance(data, dict):
        return {key: _summed(part) for key, part in data.items()}
    if isinstance(data, list | tuple) and data and all(isinstance(row, dict) for row in data) and "mark" not in data[0]:
        sums = defaultdict(float)
        for place, row in enumerate(data, start=1):
            for key, cell in row.items():
                number = cell if isinstance(cell, int | float) and cell == cell else len(str(cell))
                sums[key] += place * number
        return [*map(_summed, data[:FIRST]), {"rows": len(data), **{key: f"{one:.8g}" for key, one in sums.items()}}]
    if isinstance(data, list | tuple):
        return [*map(_summed, data)]
    return data.item() if isinstance(data, np.generic) else data


def stem(name: str) -> str:
    return name.replace(" ", "-")


def made(name: str) -> str:
    lines = told(MANY[name]()).splitlines()
    # In which direction raters are sorted by a vector is the choice of the linear algebra at hand.
    return "\n".join(line for line in lines if not (name.startswith("pairs") and ".sort: " in line))


@pytest.mark.parametrize("name", MANY)
def test_a_chart_of_this_size_is_drawn_as_it_was_recorded(name):
    changed = differences(made(name), (RECORDS / f"{stem(name)}.txt").read_text(encoding="utf-8").rstrip("\n"))
    assert not changed, "\n".join(changed[:20])


def test_all_rows_of_the_sample_charts_are_those_recorded():
    known = (RECORDS / "samples.txt").read_text(encoding="utf-8").rstrip("\n")
    changed = differences(samples(), known)
    assert not changed, "\n".join(changed[:20])


def samples() -> str:
    return "\n".join(
        f"{name}: {line}"
        for name, chart in every_chart().items()
        for line in _lines(
            _summed(
                {
                    "rows": list(chart.rows),
                    "datasets": chart.spec.get("datasets", {}),
                    "data": chart.spec.get("data", {}),
                }
            )
        )
    )


def test_every_record_is_that_of_a_chart():
    assert {path.stem for path in RECORDS.glob("*.txt")} == {"samples", *map(stem, MANY)}


if __name__ == "__main__":
    RECORDS.mkdir(exist_ok=True)
    (RECORDS / "samples.txt").write_text(samples() + "\n", encoding="utf-8")
    for name in MANY:
        (RECORDS / f"{stem(name)}.txt").write_text(made(name) + "\n", encoding="utf-8")
