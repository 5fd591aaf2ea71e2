"""One look: every page reads the same tokens, words can be read in light and dark, the bar says what it draws."""

import re
from pathlib import Path

import pytest

from accord.look.bar import Bar, shared_ends
from accord.look.sheets import sheet
from accord.plots import theme

SOURCE = Path(__file__).parents[2]
WORDS = [
    ("ink", "card"), ("ink", "paper"), ("ink", "sunk"), ("soft", "card"), ("soft", "paper"), ("accent", "card"),
    ("accent", "wash"), ("on-accent", "accent"), ("good", "good-wash"), ("caution", "caution-wash"),
    ("bad", "bad-wash"),
]  # fmt: skip


def tokens(scheme):
    """Colours of the sheet by name: those for light, replaced by those for dark."""
    light, dark = sheet("tokens").split("@media", 1)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark)) if scheme == "dark" else found


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), WORDS)
def test_words_stand_out_from_their_ground(scheme, words, ground):
    colours = tokens(scheme)
    high, low = sorted((luminance(colours[words]), luminance(colours[ground])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_every_colour_has_a_dark_twin():
    light, dark = sheet("tokens").split("@media", 1)
    assert set(re.findall(r"--([\w-]+): #", light)) == set(re.findall(r"--([\w-]+): #", dark))


def test_charts_take_their_colours_from_the_sheet():
    colours = tokens("light")
    for colour, variable in theme.VARIABLES.items():
        assert colours[re.fullmatch(r"var\(--([\w-]+)\)", variable)[1]] == colour


def test_no_page_has_colours_of_its_own_for_what_the_sheet_names():
    named = set(tokens("light"))
    pages = [
        SOURCE / "src/accord/reporting/templates/report.css", SOURCE / "src/accord/server/static/accord/accord.css",
        SOURCE / "src/accord/server/static/organiser/organiser.css", SOURCE / "docs/_static/accord-docs.css",
    ]  # fmt: skip
    own: set[str] = set()
    for path in pages:
        text = path.read_text(encoding="utf-8")
        screen = text.split("@media print")[0]
        assert named & set(re.findall(r"--([\w-]+):", screen)) == set(), path.name
        used = set(re.findall(r"var\(--([\w-]+)\)", text))
        own |= set(re.findall(r"--([\w-]+):", text))
        assert used <= named | own | {"text", "ui", "mono", "radius", "float"}, path.name


def test_a_bar_places_value_and_interval_on_its_axis():
    bar = Bar(0.5, 0.25, 0.75, "0.50, 95% interval 0.25 to 0.75", (0.0, 1.0), (0.8, 2.0))
    svg = bar.to_svg()
    assert 'aria-label="0.50, 95% interval 0.25 to 0.75"' in svg
    assert 'class="range" x1="25.0%" x2="75.0%"' in svg
    assert 'class="at" x1="50.0%"' in svg
    assert svg.count('class="mark"') == 1  # a mark beyond the axis is not drawn


def test_bars_that_do_not_fit_share_a_longer_axis():
    assert shared_ends([0.2, 0.9], (0.0, 1.0)) == (0.0, 1.0)
    assert shared_ends([-0.13, 0.9], (0.0, 1.0)) == pytest.approx((-0.2, 1.0))
    low, high = shared_ends([60.0, 80.0])
    assert low < 60 < 80 < high
