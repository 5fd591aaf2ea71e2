"""Every drawing has the marks that were recorded, each in its place: by kind of mark the sums of all their numbers.

``tests/recorded/drawings.txt`` has a line for each chart and kind of mark. A drawing that is to change changes it: run
``python tests/plots/test_recorded_drawings.py``, look at the chart, and keep the difference if every line is meant.
"""

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from accord.plots import plan, raters, ratings, reliability, scores
from accord.plots.svg.letters import shortened, width
from accord.plots.svg.numbers import log_ticks, nice, spelled, told
from plots.samples import every_chart
from plots.test_chart_marks import MANY

RECORD = Path(__file__).parents[1] / "recorded" / "drawings.txt"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
CHOSEN = (
    "severity 41", "drift 9 r03", "ranks 26", "history 25", "history without threshold", "shrinking 0.1",
    "items 17 of 2", "items 30 of 13", "used 5", "used 13", "boxes 61 in 2", "intervals from -0.4",
    "differences to 0.04", "quadrants apart", "heat 4", "sentences 59", "misread", "table of numbers",
    "judge with one bar",
)  # fmt: skip


def more():
    """Scales and axes that the others do not show: logarithms, large and small numbers, one value, long names."""
    widths = np.array([[0.4, 0.3], [0.3, 0.2], [0.15, 0.1]])
    panel = plan.Widths("adequacy", (30, 400, 9000), (2, 3), widths, (150, 0.35))
    long = [f"a rather long name of a system, number {place}" for place in range(3)]
    return {
        "logarithms": plan.expected_widths([panel, panel, panel], title="Widths", axis="expected width"),
        "large": scores.score_intervals(long, [12e3, 15e3, 2e4], [1e4, 14e3, 19e3], [13e3, 16e3, 21e3], title="Large"),
        "small": scores.score_intervals(
            ["a", "b"], [2e-5, 3e-5], [1e-5, 2e-5], [3e-5, 4e-5], title="S", threshold=2.5e-5
        ),
        "one value": scores.score_intervals(["a"], [3.0], [3.0], [3.0], title="One", values=[[3.0]]),
        "below": reliability.intervals(
            long, [-0.5, 0.25, 0.0], [-0.9] * 3, [0.9] * 3, title="B " * 90, subtitle="S " * 90
        ),
        "one drift": raters.drift({"a": ([1], [0.5])}, title="D", across="week", axis="change"),
        "one item": ratings.ratings_per_item(["i"], {"a": [1.0], "评": [2.0]}, title="I", axis="adequacy"),
    }


def drawn(chart, **how) -> list[str]:
    sums, counts, words = defaultdict(float), defaultdict(int), []
    for place, element in enumerate(ET.fromstring(chart.to_svg(**how)).iter(), start=1):
        kind = element.tag.partition("}")[2]
        counts[kind] += 1
        for at, name in enumerate(sorted(element.attrib), start=1):
            numbers = NUMBER.findall(element.attrib[name]) if name != "aria-label" else ()
            sums[kind, name] += sum(
                (1 + (place + at) % 7) * (1 + spot % 3) * float(one) for spot, one in enumerate(numbers)
            )
        words += [element.text.strip()] if element.text and element.text.strip() and kind == "text" else []
    lines = [f"{kind} x {count}" for kind, count in sorted(counts.items())]
    lines += [f"{kind} {name} {total:.7g}" for (kind, name), total in sorted(sums.items()) if total]
    return [*lines, "words " + " · ".join(words)]


THEMES = {
    "samples": every_chart,
    "marks": lambda: {name: MANY[name]() for name in CHOSEN},
    "more": more,
}


def lines(theme: str) -> list[str]:
    made = [f"{theme}: {name}: {line}" for name, chart in THEMES[theme]().items() for line in drawn(chart)]
    if theme == "more":
        made += [f"{theme}: untitled: {line}" for line in drawn(more()["below"], titled=False, themed=True)]
    return made


def near(one: str, other: str) -> bool:
    """The same but for the last figures of a sum."""
    parts = one.rpartition(" "), other.rpartition(" ")
    if one == other or parts[0][0] != parts[1][0]:
        return one == other
    try:
        return float(parts[0][2]) == pytest.approx(float(parts[1][2]), rel=1e-5)
    except ValueError:
        return False


@pytest.mark.parametrize("theme", THEMES)
def test_every_mark_is_drawn_where_it_was_recorded(theme):
    known = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if line.startswith(f"{theme}: ")]
    found = lines(theme)
    assert [line.rpartition(" ")[0] for line in found] == [line.rpartition(" ")[0] for line in known]
    assert [pair for pair in zip(found, known, strict=True) if not near(*pair)] == []


# As the metrics of Adobe's Helvetica print them, from the space to the tilde.
HELVETICA = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278
278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722
667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556
556 333 500 278 556 500 722 500 500 500 334 260 334 584
"""


def test_letters_are_as_wide_as_their_face_prints_them_with_room_for_a_wider_one():
    for place, printed in enumerate(map(int, HELVETICA.split())):
        assert width(chr(32 + place), 1000) == pytest.approx(1.08 * printed)
    assert width("ab", 10) == pytest.approx(2 * 10 * 1.08 * 0.556) and width("", 10) == 0
    assert width("ab", 10, bold=True) == pytest.approx(1.06 * width("ab", 10))
    assert [width(letter, 1000) for letter in ("评", "\u0301", "é", "α")] == pytest.approx([1080, 0, 648, 648])
    whole = width("abcd", 10)
    assert shortened("abcd", 10, whole) == "abcd" and shortened("abcd", 10, whole - 0.01) == "ab…"
    assert shortened("abcd", 10, 0) == "…"


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(0.13, 0.87, (0.1, 0.9)), (0, 1, (0, 1)), (-3.2, 98, (-10, 100)), (5, 5, (5, 5)), (1e-5, 9.7e-5, (1e-5, 1e-4))],
)
def test_an_axis_ends_at_round_numbers_that_hold_all_values(low, high, ends):
    assert nice(low, high) == pytest.approx(ends)


def test_numbers_on_an_axis_have_the_decimals_of_their_step_and_a_true_minus():
    assert spelled([0, 0.5, 1]) == ["0.0", "0.5", "1.0"] and spelled([0, 5, 10]) == ["0", "5", "10"]
    assert spelled([-1000, 0, 1000]) == ["−1,000", "0", "1,000"] and spelled([-0.05, 0.0]) == ["−0.05", "0.00"]
    assert spelled([0.5]) == ["0.5"] and spelled([]) == [] and spelled([0]) == ["0"] and spelled([3, 3]) == ["3", "3"]
    assert spelled([0, 0.1], "%") == ["0%", "10%"]
    assert spelled([0, 0.005], "%") == ["0.0%", "0.5%"] and spelled([1.25, 2], ".1f") == ["1.2", "2.0"]
    assert [told(one) for one in (1234.5, 9999, 10000, 12345.6, -0.00001, float("nan"), "x", True)] == [
        "1234", "9999", "10,000", "12,346", "−1e-05", "", "x", "True",
    ]  # fmt: skip
    assert [told(2.6, form) for form in ("d", ".4~g", ".2f")] == ["3", "2.6", "2.60"] and told(-0.001, ".2f") == "0.00"
    assert log_ticks(8, 30) == [8, 9, 10, 20, 30] and log_ticks(10, 11) == [10]


if __name__ == "__main__":
    RECORD.write_text("\n".join(line for theme in THEMES for line in lines(theme)) + "\n", encoding="utf-8")
