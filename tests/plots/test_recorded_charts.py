"""Every chart is drawn as it was when somebody looked at it: its numbers, its marks, its words, its sizes.

``tests/recorded/charts`` has a file for each. A chart that is to change changes its file: run
``python tests/plots/test_recorded_charts.py``, look at the chart (``docs/gallery.md`` has most of them), read the
difference, and keep it if every line of it is meant.
"""

from pathlib import Path
from types import SimpleNamespace as Made

import numpy as np
import pytest

from accord.errors import OptionError
from accord.plots import comparisons, judges, raters, ratings, reliability, scores, theme
from accord.plots.chart import Chart
from accord.plots.of_table import chart_of_tables
from accord.plots.plan import Widths, expected_widths
from accord.tables.table import Column, Table
from plots.samples import every_chart
from recorded_answers import _lines, differences

RECORDS = Path(__file__).parents[1] / "recorded" / "charts"
RECORDED = sorted({path.stem for path in RECORDS.glob("*.txt")} - {"theme"})
MOST = 12
"""Rows of data that are recorded of each kind: the first, and how many there are."""


def more_charts() -> dict[str, Chart]:
    """What the samples do not show: charts of judges, of plans and of tables, and the other side of each choice."""
    agreed = [
        Made(
            title="κ",
            judge=0.4,
            judge_interval=Made(low=0.3, high=0.5),
            people=0.6,
            people_interval=Made(low=0.5, high=0.7),
        ),
        Made(title="α", judge=0.2, judge_interval=None, people=0.7, people_interval=Made(low=-0.1, high=0.9)),
    ]
    effects = [
        Made(name="length", value=0.5, interval=Made(low=0.25, high=0.75)),
        Made(name="order", value=1.5, interval=Made(low=1, high=2)),
    ]
    mean = Made(mean=3.5, interval=Made(low=3, high=4))
    widths = np.array([[0.4, 0.3], [0.3, 0.2]])
    panels = [Widths(name, (10, 20), (2, 3), widths, (15, 0.35)) for name in ("adequacy", "fluency")]
    table = Table(
        "Changes",
        [Column("system", "system"), Column("low", "low"), Column("value", "value"), Column("high", "high")],
        [
            {"system": "A", "low": 0.1, "value": 0.2, "high": 0.3},
            {"system": "B", "low": None, "value": 0.5, "high": None},
        ],
    )
    below = Table("Means", [Column("n", "n"), Column("mean", "mean")], [{"n": 3, "mean": -0.5}, {"n": 4, "mean": 1.5}])
    items = [f"s{place}" for place in range(4)]
    return {
        "judge-agreement": judges.agreement_chart("gpt", agreed),
        "judge-scores": judges.score_chart("gpt", "adequacy", [("", mean), ("B", mean)]),
        "judge-effects": judges.effect_chart("gpt", "What moves it", effects),
        "judge-bars": judges.bar_chart(
            "Shares", "share", [("a", "judge", 0.25), ("a", "people", 0.75), ("b", "judge", 1)]
        ),
        "judge-bars-alone": judges.bar_chart("Shares", "share", [("a", "judge", 0.25)], subtitle="of one"),
        "judge-met": judges.met_chart("gpt", ["no", "yes"], [[0.9, 0.1], [0.25, 0.75]]),
        "plan": expected_widths(panels, title="Widths", axis="expected width", subtitle="200 studies"),
        "plan-alone": expected_widths(panels[:1], title="Widths", axis="expected width"),
        "of-table": chart_of_tables([Table("Words", [Column("a", "a")], [{"a": "x"}]), table]),
        "of-table-below-nought": chart_of_tables([below]),
        "quadrants-unmarked": comparisons.quadrants(
            items, [1.0, -1.0, 1.0, -1.0], [1.0, 1.0, -1.0, -1.0], title="One in each", across_axis="x", up_axis="y"
        ),
        "ratings-with-gaps": ratings.ratings_per_item(
            items, {"A": [1.0, 2.0, None, 4.0], "B": [None, 2.0, 3.0, 4.0]}, title="Gaps", axis="adequacy"
        ),
        "ratings-of-many": ratings.ratings_per_item(
            [f"s{i}" for i in range(90)],
            {f"r{r}": [float((i * r) % 5) for i in range(90)] for r in range(14)},
            title="Many",
            axis="adequacy",
        ),
        "drift-of-one": raters.drift(
            {"a": ([1, 2], [0.0, 0.1]), "b": ([1, 2], [0.0, -0.1])},
            title="b",
            across="tenth",
            axis="change",
            marked="b",
        ),
        "intervals-in-points": reliability.intervals(
            ["one", "two"], [40.0, 55.0], [30.0, 50.0], [50.0, 60.0], title="Scores", axis="points", domain=(0.0, 60.0)
        ),
        "scores-without-threshold": scores.score_intervals(["one"], [70.0], [60.0], [80.0], title="One score"),
    }


def charts() -> dict[str, Chart]:
    """Made anew for each test, so that every test is seen to run what it looks at."""
    return every_chart() | more_charts()


def told(chart: Chart) -> str:
    """The chart as lines; of long lists of rows the first are told, and their number."""
    spec = _shortened(
        {"title": chart.title, "note": chart.note, "headings": chart.headings, "rows": chart.rows, **chart.spec}
    )
    spec.pop("config")  # the same for all, and told by itself
    return "\n".join(_lines(spec))


def themed() -> str:
    return "\n".join(_lines({"config": theme.config(), "variables": theme.VARIABLES}))


def _shortened(data):
    if isinstance(data, dict):
        return {key: _shortened(part) for key, part in data.items()}
    if isinstance(data, list | tuple | np.ndarray):
        parts = [_shortened(part) for part in list(data)[:MOST]]
        return parts if len(data) <= MOST else [*parts, {"and so on": len(data)}]
    return data.item() if isinstance(data, np.generic) else data


@pytest.mark.parametrize("name", RECORDED)
def test_a_chart_is_drawn_as_it_was_recorded(name):
    changed = differences(told(charts()[name]), (RECORDS / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n"))
    assert not changed, "\n".join(changed[:20])


def test_the_theme_of_all_charts_is_the_one_recorded():
    assert not differences(themed(), (RECORDS / "theme.txt").read_text(encoding="utf-8").rstrip("\n"))
    assert all(chart.spec["config"] == theme.config() for chart in charts().values())


def test_every_record_is_that_of_a_chart():
    assert {path.stem for path in RECORDS.glob("*.txt")} == {"theme", *charts()}


def test_what_has_no_numbers_is_said_in_words():
    for draw in (
        lambda: judges.bar_chart("t", "x", []),
        lambda: judges.points_chart("t", "x", [("a", 1.0, None)]),
        lambda: chart_of_tables([Table("t", [Column("a", "a")], [{"a": "x"}])]),
    ):
        with pytest.raises(OptionError, match="There is nothing to draw"):
            draw()


if __name__ == "__main__":
    RECORDS.mkdir(exist_ok=True)
    (RECORDS / "theme.txt").write_text(themed() + "\n", encoding="utf-8")
    for name, chart in charts().items():
        (RECORDS / f"{name}.txt").write_text(told(chart) + "\n", encoding="utf-8")
