"""Every chart draws, says its finding, and gives its numbers to those who cannot see it."""

import re
import xml.etree.ElementTree as ET

import altair
import numpy as np
import pytest

from accord.errors import OptionError
from accord.plots import reliability, theme
from accord.plots.chart import FORMATS
from accord.plots.raters import drift, pair_matrix
from plots.samples import NAMES, every_chart

SVG = "{http://www.w3.org/2000/svg}"


def _texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_every_sample_has_its_name():
    assert set(every_chart()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_draws_its_title_and_keeps_its_numbers_as_a_table(name):
    chart = every_chart()[name]
    assert chart.title.split()[0] in " ".join(_texts(chart.to_svg()))
    assert chart.rows
    assert all(set(row) & set(chart.headings) for row in chart.rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_is_what_the_schema_of_vega_lite_allows(name):
    # The theme's empty background is Vega's, but not in Vega-Lite's schema.
    altair.Chart.from_dict(
        {key: part for key, part in every_chart()[name].spec.items() if key != "config"}, validate=True
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_themed_chart_leaves_the_colour_of_its_words_to_the_page(name):
    svg = every_chart()[name].to_svg(themed=True)
    assert "var(--ink)" in svg
    assert theme.INK not in svg


def test_a_page_for_dark_readers_does_not_turn_the_darkest_shade_of_a_map():
    assert "var(--accent)" in every_chart()["intervals"].to_svg(themed=True)
    assert "var(--accent)" not in every_chart()["pair-matrix"].to_svg(themed=True)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_chart_can_be_written_in_every_form(ending, tmp_path):
    target = tmp_path / f"chart{ending}"
    every_chart()["intervals"].save(target)
    start = target.read_bytes()[:5]
    assert (
        start
        == {".svg": b"<svg ", ".png": b"\x89PNG\r", ".pdf": b"%PDF-", ".html": b"<!doc", ".json": b'{\n "c'}[ending]
    )


def test_an_unknown_form_is_refused_in_words(tmp_path):
    with pytest.raises(OptionError, match=r"cannot be written as 'chart.bmp'.*\.svg"):
        every_chart()["intervals"].save(tmp_path / "chart.bmp")


def test_an_undefined_coefficient_is_left_out_of_the_drawing():
    nan = float("nan")
    chart = reliability.intervals(["a", "b"], [0.5, nan], [0.4, nan], [0.6, nan], title="One of two is defined")
    assert [row["name"] for row in chart.rows] == ["a"]


def test_a_name_that_looks_like_markup_stays_text():
    name = "<script>alert(1)</script>"
    chart = reliability.intervals([name], [0.5], [0.4], [0.6], title=name)
    assert "<script" not in chart.to_svg()
    assert "<script" not in chart.to_html()


def test_the_table_under_a_matrix_names_each_pair_once():
    pairs = [frozenset((row["one"], row["other"])) for row in every_chart()["pair-matrix"].rows]
    assert len(pairs) == len(set(pairs)) == 15


def test_drift_marks_the_rater_of_its_title_among_few_and_among_many():
    for names in ("abc", "abcdefghijkl"):
        series = {name: ([1, 2], [0.0, 0.1]) for name in names}
        drawing = drift(series, title="b changes most", across="tenth", axis="difference", marked="b").to_svg()
        widths = [
            float(width) for width in re.findall(r'stroke-width="([\d.]+)"[^>]* data-words="rater: \w+"', drawing)
        ]
        assert sorted(widths)[-2] < 2 < 3 <= max(widths)


def test_a_matrix_says_what_its_blank_cells_are():
    full = np.array([[1.0, 0.5, 0.4], [0.5, 1.0, 0.3], [0.4, 0.3, 1.0]])
    holes = np.where(full == 0.3, np.nan, full)
    counts = np.full((3, 3), 9)
    notes = [pair_matrix("abc", values, counts, title="t", axis="κ").note for values in (full, holes)]
    assert notes == ["", "blank: pairs without a value"]
