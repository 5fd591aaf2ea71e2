"""Values printed in the literature, to half of their last decimal."""

import pytest

from accord.coefficients.compute import compute
from accord.coefficients.options import Options
from accord.ratings.counting import count_source
from published import Published, all_published, read_published

CASES = [(name, key) for name in all_published() for key in read_published(name).expected]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_coefficient_equals_the_printed_value(name, case):
    example = read_published(name)
    key, _, metric = case.partition(" ")
    found = compute(count_source(example.ratings), key, Options(metric=metric))
    printed = example.expected[case]
    assert found.value == pytest.approx(float(printed), abs=Published.half(printed))


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name in all_published() for key in read_published(name).interval]
)
def test_an_interval_has_the_printed_ends(name, key):
    example = read_published(name)
    interval = compute(count_source(example.ratings), key).interval
    for end, printed in zip((interval.low, interval.high), example.interval[key], strict=True):
        assert end == pytest.approx(float(printed), abs=Published.half(printed))


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name in all_published() for key in read_published(name).standard_error]
)
def test_a_standard_error_equals_the_printed_one(name, key):
    example = read_published(name)
    printed = example.standard_error[key]
    source = count_source(example.ratings)
    error = compute(source, key).standard_error
    if key == "gwet_ac1":  # printed for a contingency table, where Gwet divides by n, not by n - 1 as for raw ratings
        error *= (1 - 1 / source.facts().items) ** 0.5
    assert error == pytest.approx(float(printed), abs=Published.half(printed))
