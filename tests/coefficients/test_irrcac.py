"""Values, standard errors and intervals with gaps against irrCAC: its recorded output."""

from pathlib import Path

import pytest

import accord
from accord.coefficients.compute import compute
from accord.coefficients.options import Options
from accord.coefficients.weights import weight_matrix
from accord.ratings.counting import count_source

FOLDER = Path(__file__).parents[1] / "recorded" / "second_programs"
KEYS = {"gwet": "gwet_ac2", "fleiss": "fleiss_kappa", "krippendorff": "krippendorff_alpha", "conger": "conger_kappa",
        "bp": "brennan_prediger"}  # fmt: skip
ROWS = [line.split() for line in (FOLDER / "irrcac.txt").read_text().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[1]}, {row[0]}")
def test_values_errors_and_intervals_with_gaps_are_those_of_irrcac(row):
    weights, name, *numbers = row
    ratings = accord.read(FOLDER / "gaps.csv", level="ordinal", scale="1..5")
    distances = 1 - weight_matrix(weights, ratings.scale)
    found = compute(count_source(ratings), KEYS[name], Options(weights=weights, metric=distances))
    value, error, low, high = (float(number) for number in numbers)
    assert found.value == pytest.approx(value, abs=1e-9)
    if name == "krippendorff":
        # The port's error of alpha is not that of R's irrCAC, which test_reference_numbers.py compares with.
        return
    assert found.standard_error == pytest.approx(error, abs=1e-9)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)
