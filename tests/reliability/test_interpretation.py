"""A value is read on a named scale, with the probability of each band."""

import numpy as np
import pytest

import accord
from accord.errors import OptionError
from accord.reliability.interpretation import INTERPRETATION_SCALES, interpret, scales_for


@pytest.mark.parametrize(
    ("scale", "value", "band"),
    [
        ("landis_koch", -0.01, "poor"), ("landis_koch", 0.0, "slight"), ("landis_koch", 0.2, "slight"),
        ("landis_koch", 0.21, "fair"), ("landis_koch", 0.41, "moderate"), ("landis_koch", 0.61, "substantial"),
        ("landis_koch", 0.8, "substantial"), ("landis_koch", 0.81, "almost perfect"),
        ("landis_koch", 1.0, "almost perfect"),
        ("krippendorff", 0.66, "not reliable"), ("krippendorff", 0.667, "tentative"),
        ("krippendorff", 0.8, "reliable"),
        ("rosenthal", 0.05, "negligible"), ("rosenthal", 0.1, "small"), ("rosenthal", -0.3, "medium"),
        ("rosenthal", 0.5, "large"), ("rosenthal", -0.7, "very large"),
        ("fleiss", 0.39, "poor"), ("fleiss", 0.4, "fair to good"), ("fleiss", 0.75, "fair to good"),
        ("fleiss", 0.76, "excellent"),
        ("altman", 0.2, "poor"), ("altman", 0.61, "good"), ("altman", 0.81, "very good"),
        ("koo_li", 0.5, "moderate"), ("koo_li", 0.75, "good"), ("koo_li", 0.9, "good"),
        ("koo_li", 0.91, "excellent"),
        ("cicchetti", 0.4, "fair"), ("cicchetti", 0.6, "good"), ("cicchetti", 0.75, "excellent"),
    ],
)  # fmt: skip
def test_every_boundary_has_one_band(scale, value, band):
    assert interpret("any", value, None, [scale])[0].band == band


def test_a_scale_is_read_only_for_the_coefficients_it_belongs_to():
    assert [scale.key for scale in scales_for("krippendorff_alpha")] == ["krippendorff"]
    assert [scale.key for scale in scales_for("gamma")] == ["rosenthal"]
    assert [scale.key for scale in scales_for("icc_a1")] == ["koo_li", "cicchetti"]
    assert [scale.key for scale in scales_for("cohen_kappa")] == ["landis_koch", "fleiss", "altman", "cicchetti"]
    assert scales_for("percent_agreement") == ()


def test_a_reading_names_its_scale_and_its_probability():
    reading = interpret("fleiss_kappa", 0.65, 0.1)[0]
    assert str(reading) == (
        "substantial with probability 0.62, at least moderate with 0.95 on the scale of Landis and Koch (1977)"
    )


def test_a_reading_without_a_standard_error_has_no_probabilities():
    reading = interpret("fleiss_kappa", 0.65, None)[0]
    assert reading.probabilities == {}
    assert str(reading) == "substantial on the scale of Landis and Koch (1977)"


@pytest.mark.parametrize("scale", INTERPRETATION_SCALES)
@pytest.mark.parametrize(("value", "error"), [(0.5, 0.2), (-0.4, 0.1), (0.9, 0.0), (1.0, 0.0), (0.0, 1.0)])
def test_probabilities_of_all_bands_add_up_to_one(scale, value, error):
    reading = interpret("any", value, error, [scale])[0]
    assert sum(reading.probabilities.values()) == pytest.approx(1)


def test_the_size_of_a_correlation_counts_whatever_its_sign():
    plus, minus = (interpret("pearson", sign * 0.45, 0.1)[0] for sign in (1, -1))
    assert plus.band == minus.band == "medium"
    assert plus.probabilities == pytest.approx(minus.probabilities)
    draws = np.random.default_rng(0).normal(0.45, 0.1, 200_000)
    medium = ((np.abs(draws) >= 0.3) & (np.abs(draws) < 0.5)).mean()
    assert plus.probabilities["medium"] == pytest.approx(medium, abs=0.005)


def test_a_boundary_met_by_rounding_error_is_still_the_boundary():
    assert interpret("any", 0.1 + 0.1 + 0.1 + 0.1, None, ["fleiss"])[0].band == "fair to good"


def test_an_undefined_value_is_not_interpreted():
    assert interpret("fleiss_kappa", float("nan"), 0.1) == ()


def test_an_unknown_scale_names_those_there_are():
    with pytest.raises(OptionError, match="Known: landis_koch, krippendorff"):
        interpret("fleiss_kappa", 0.5, 0.1, ["landis"])


def test_a_large_negative_correlation_is_never_called_large_alone():
    (reading,) = interpret("gamma", -0.6, 0.05)
    assert (reading.band, reading.words, reading.to_dict()["reversed"]) == ("large", "large, negative", True)
    assert str(reading).startswith("large, negative with probability")
    assert not interpret("gamma", 0.6, 0.05)[0].reversed
    assert not interpret("cohen_kappa", -0.6, 0.05)[0].reversed


def test_without_a_standard_error_a_reading_names_the_bands_that_the_interval_reaches():
    table = np.random.default_rng(4).normal(0, 2, (30, 1)) + np.random.default_rng(5).normal(0, 1, (30, 3))
    estimate = accord.agreement(table, coefficients="icc_a1", interval="analytic")["icc_a1"]
    reading = estimate.interpretations[0]
    low, high = (interpret("icc_a1", end, None)[0].band for end in (estimate.interval.low, estimate.interval.high))
    assert low != high
    assert reading.span == f"{low} to {high}" == reading.to_dict()["span"]
    assert f"{reading.band}, by its interval {low} to {high}, on the scale of Koo and Li (2016)" == str(reading)
    assert interpret("icc_a1", 0.8, 0.05, interval=estimate.interval)[0].span == ""
