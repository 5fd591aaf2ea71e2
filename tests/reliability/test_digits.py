"""A printed number never contradicts what is said of it: it gets more decimals where two would."""

from types import SimpleNamespace

import pytest

from accord.inference.interval import Interval
from accord.reliability.digits import decisive_digits


@pytest.mark.parametrize(("value", "low", "high", "digits"), [
    (0.71, 0.60, 0.81, 2), (0.71, 0.6661, 0.81, 3), (0.60, 0.5, 0.6662, 3), (0.85, 0.7996, 0.9, 4),
    (0.2, 0.003, 0.4, 3), (-0.2, -0.4, -0.003, 3), (0.7, 0.66664, 0.8, 4), (0.0, 0.0, 0.0, 2),
])  # fmt: skip
def test_two_decimals_unless_they_would_cross_a_mark(value, low, high, digits):
    ends = Interval(low=low, high=high, method="bootstrap")
    assert decisive_digits(SimpleNamespace(value=value, interval=ends)) == digits


def test_without_an_interval_the_value_alone_decides():
    assert decisive_digits(SimpleNamespace(value=0.5, interval=None)) == 2
    assert decisive_digits(SimpleNamespace(value=float("nan"), interval=None)) == 2
