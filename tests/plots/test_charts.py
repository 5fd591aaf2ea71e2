"""Every chart draws, says its finding, and gives its numbers to those who cannot see it."""

import xml.etree.ElementTree as ET

import pytest

from accord.errors import OptionError
from accord.plots import reliability, theme
from accord.plots.chart import FORMATS
from plots.samples import every_chart

SAMPLES = every_chart()
SVG = "{http://www.w3.org/2000/svg}"


def _texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_chart_draws_its_title_and_keeps_its_numbers_as_a_table(name):
    chart = SAMPLES[name]
    assert chart.title.split()[0] in " ".join(_texts(chart.to_svg()))
    assert chart.rows
    assert all(set(row) & set(chart.headings) for row in chart.rows)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_themed_chart_leaves_the_colour_of_its_words_to_the_page(name):
    svg = SAMPLES[name].to_svg(themed=True)
    assert "var(--ink)" in svg
    assert theme.INK not in svg


@pytest.mark.parametrize("ending", FORMATS)
def test_a_chart_can_be_written_in_every_form(ending, tmp_path):
    target = tmp_path / f"chart{ending}"
    SAMPLES["intervals"].save(target)
    start = target.read_bytes()[:5]
    assert (
        start
        == {".svg": b"<svg ", ".png": b"\x89PNG\r", ".pdf": b"%PDF-", ".html": b"<!doc", ".json": b'{\n "c'}[ending]
    )


def test_an_unknown_form_is_refused_in_words(tmp_path):
    with pytest.raises(OptionError, match=r"cannot be written as 'chart.bmp'.*\.svg"):
        SAMPLES["intervals"].save(tmp_path / "chart.bmp")


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
    pairs = [frozenset((row["one"], row["other"])) for row in SAMPLES["pair-matrix"].rows]
    assert len(pairs) == len(set(pairs)) == 15
