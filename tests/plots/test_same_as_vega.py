"""What we draw is what Vega draws of the same specification: every mark in its place, in its colour, none more."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import vl_convert

from accord.plots import judges, plan, raters, ratings, reliability, scores
from accord.plots.theme import GRID
from plots.samples import every_chart

MORE = {
    "score-history": scores.score_history(
        ["one", "two", "three", "four"], [80, 84.25, 79, 91], [None, 80, 82.1, 81.1, 83.5],
        ["PASS", "FAIL", "left out", "PASS"], title="The mean rises", threshold=82),
    "score-intervals-with-values": scores.score_intervals(
        ["a", "b"], [3, 4], [2, 3.5], [4, 6], title="Two", values=[[1, 3, 5], [4, 4]]),
    "expected-widths": plan.expected_widths(
        [plan.Widths(name, [50, 100, 400], [2, 3], np.array([[0.3, 0.2], [0.2, 0.15], [0.1, 0.08]]), (100, 0.18))
         for name in ("adequacy", "fluency")], title="Widths", axis="width"),
    "bars": judges.bar_chart("Shares", "share", [("a", "judge", 0.2), ("a", "people", 0.3), ("b", "judge", 0.5)]),
    "met": judges.met_chart("judge", ["1", "2"], [[0.9, 0.1], [0.3, 0.7]]),
    "differences": reliability.intervals(
        ["a", "b"], [-0.2, 0.1], [-0.3, 0], [0, 0.3], title="Two differences", domain=None),
    "drift-of-many": raters.drift(
        {f"rater {place}": (range(1, 11), np.linspace(0, 0.1 * place, 10)) for place in range(12)},
        title="One of twelve", across="tenth", axis="difference", marked="rater 3"),
    "many-raters": ratings.ratings_per_item(
        [f"a rather long name of an item {place}" for place in range(40)],
        {f"rater {place}": [float((place * at) % 7) for at in range(40)] for place in range(9)},
        title="Nine raters", axis="fluency"),
    "fine-matrix": raters.pair_matrix(
        [f"r{place}" for place in range(20)], np.add.outer(np.arange(20), np.arange(20)) / 40,
        np.full((20, 20), 5), title="Twenty raters", axis="κ"),
}  # fmt: skip
"""Charts that the gallery does not show."""
SAMPLES = {**every_chart(), **MORE}
SVG = "{http://www.w3.org/2000/svg}"
NEAR = 1.01
"""Vega moves words and hairlines to whole pixels."""
NUMBER = r"-?[\d.]+(?:e-?\d+)?"


def _numbers(text: str) -> list[float]:
    return [float(one) for one in re.findall(NUMBER, text)]


def _moved(element: ET.Element) -> tuple[float, float]:
    found = re.match(rf"translate\(({NUMBER}),({NUMBER})\)", element.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def _corners(path: str) -> list[float]:
    """Left, top, right and bottom of a path of straight strokes."""
    if found := re.fullmatch(rf"M({NUMBER}),({NUMBER})h({NUMBER})v({NUMBER})h{NUMBER}Z", path):
        x, y, wide, high = (float(one) for one in found.groups())
        across, up = [x, x + wide], [y, y + high]
    else:
        across, up = _numbers(path)[::2], _numbers(path)[1::2]
    return [min(across), min(up), max(across), max(up)]


def _mark(element: ET.Element) -> tuple[str, list[float], str] | None:
    """Kind, place and colour of a mark, in the words of either program."""
    x, y = _moved(element)
    tag, colour = element.tag.removeprefix(SVG), element.get("fill", "none")
    if colour == "none":
        colour = element.get("stroke", "")
    if tag == "text":
        # Letters are placed by their feet.
        return f"text {element.text}", [x + float(element.get("x", 0)), y + float(element.get("y", 0))], colour
    if tag == "circle":
        return "circle", [float(element.get(name)) for name in ("cx", "cy", "r")], colour
    if tag == "rect":
        left, top, wide, high = (float(element.get(name)) for name in ("x", "y", "width", "height"))
        return "shape", [left, top, left + wide, top + high], colour
    if tag == "line":
        x1, y1, x2, y2 = (float(element.get(name, 0)) for name in ("x1", "y1", "x2", "y2"))
        return "line", [x + min(x1, x2), y + min(y1, y2), x + max(x1, x2), y + max(y1, y2)], colour
    path = element.get("d")
    if "A" in path:
        return "circle", [x, y, _numbers(path)[0]], colour
    kind = "shape" if "Z" in path else "line"
    return kind, [a + b for a, b in zip(_corners(path), (x, y, x, y), strict=True)], colour


def _of_vega(svg: str) -> list[tuple[str, list[float], str]]:
    groups = [one for one in ET.fromstring(svg).iter(f"{SVG}g") if "role-mark" in one.get("class", "")]
    found = [element for group in groups for element in group if element.tag != f"{SVG}g"]
    return [_mark(element) for element in found if element.tag != f"{SVG}text" or element.text]


def _of_ours(svg: str) -> list[tuple[str, list[float], str]]:
    whole = ET.fromstring(svg)
    legends = {element for group in whole.iter(f"{SVG}g") if group.get("class") == "legend" for element in group}
    marks = [one for one in whole.iter() if "data-words" in one.attrib or one.tag == f"{SVG}path"]
    return [_mark(element) for element in marks if element not in legends]


def _rgb(colour: str) -> list[int]:
    if colour.startswith("rgb"):
        return [int(one) for one in _numbers(colour)]
    if colour.startswith("#"):
        return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return {"white": [255, 255, 255], "black": [0, 0, 0]}[colour]


def _is_same(one: tuple[str, list[float], str], other: tuple[str, list[float], str]) -> bool:
    return (
        one[0] == other[0]
        and all(abs(a - b) <= NEAR for a, b in zip(one[1], other[1], strict=True))
        and all(abs(a - b) <= 6 for a, b in zip(_rgb(one[2]), _rgb(other[2]), strict=True))
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_every_mark_stands_where_vega_puts_it_in_the_colour_vega_gives_it(name):
    chart = SAMPLES[name]
    ours, vegas = _of_ours(chart.to_svg()), _of_vega(vl_convert.vegalite_to_svg(dict(chart.spec)))
    # Vega draws the points of a line twice where they have shapes, so that marks are not counted.
    assert [mark for mark in vegas if not any(_is_same(mark, own) for own in ours)] == []
    assert [own for own in ours if not any(_is_same(mark, own) for mark in vegas)] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_hairlines_stand_at_the_numbers_that_vega_chooses(name):
    def places(svg: str) -> dict[str, list[float]]:
        lines = [line for line in ET.fromstring(svg).iter(f"{SVG}line") if line.get("stroke") == GRID]
        found = [place for _, place, _ in map(_mark, lines)]
        upright = {round(left, 1) for left, top, right, bottom in found if left == right}
        level = {round(top, 1) for left, top, right, bottom in found if top == bottom}
        return {"upright": sorted(upright), "level": sorted(level)}

    ours, vegas = places(SAMPLES[name].to_svg()), places(vl_convert.vegalite_to_svg(dict(SAMPLES[name].spec)))
    assert ours == {way: pytest.approx(found, abs=0.51) for way, found in vegas.items()}
