"""The way of ratings from a data frame to alpha with its interval stays short."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from profile_path import passed

MOST_FILES, MOST_FUNCTIONS = 40, 180


def test_a_rating_passes_few_files_and_functions_on_its_way_to_alpha():
    found = passed()
    assert len({file for file, _ in found}) <= MOST_FILES
    assert len(found) <= MOST_FUNCTIONS
    assert ("coefficients/alpha.py", "KrippendorffAlpha.of_view") in found
