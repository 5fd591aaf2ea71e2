"""The docs have a page for every coefficient, as the registry tells it."""

import runpy
from pathlib import Path

import pytest

from accord.coefficients.registry import COEFFICIENTS
from accord.reliability.interpretation import INTERPRETATION_SCALES

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "make_coefficient_pages.py"))


@pytest.mark.parametrize(("path", "text"), TOOL["pages"]().items(), ids=lambda part: getattr(part, "stem", ""))
def test_the_committed_page_is_what_the_registry_says(path, text):
    assert path.read_text(encoding="utf-8") == text, "run tools/make_coefficient_pages.py"


def test_no_page_speaks_of_a_coefficient_that_is_gone():
    assert {path.stem for path in (TOOL["DOCS"] / "coefficients").glob("*.md")} == set(COEFFICIENTS)


@pytest.mark.parametrize("spec", COEFFICIENTS.values(), ids=lambda spec: spec.key)
def test_every_coefficient_has_its_publication_and_known_scales(spec):
    assert spec.publication.endswith(".")
    assert set(spec.scales) <= set(INTERPRETATION_SCALES)
