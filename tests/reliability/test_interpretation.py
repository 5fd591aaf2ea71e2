"""A value is read on a named scale, only as far as its interval shows."""

import numpy as np
import pytest

import accord
from accord.errors import OptionError
from accord.inference.interval import Interval
from accord.reliability.interpretation import INTERPRETATION_SCALES, interpret, scales_for


def _interval(low: float, high: float = 1.0) -> Interval:
    return Interval(low=low, high=high, method="made up")


@pytest.mark.parametrize(
    ("scale", "value", "band"),
    [
        ("landis_koch", -0.01, "poor"), ("landis_koch", 0.0, "slight"), ("landis_koch", 0.2, "slight"),
        ("landis_koch", 0.21, "fair"), ("landis_koch", 0.41, "moderate"), ("landis_koch", 0.61, "substantial"),
        ("landis_koch", 0.8, "substantial"), ("landis_koch", 0.81, "almost perfect"),
        ("landis_koch", 1.0, "almost perfect"),
        ("krippendorff", 0.66, "not reliable"), ("krippendorff", 0.667, "tentative"),
        ("krippendorff", 0.8, "reliable"),
        ("rosenthal", 0.05, "negligible"), ("rosenthal", 0.1, "small"), ("rosenthal", 0.3, "medium"),
        ("rosenthal", 0.5, "large"), ("rosenthal", 0.7, "very large"),
        ("fleiss", 0.39, "poor"), ("fleiss", 0.4, "fair to good"), ("fleiss", 0.75, "fair to good"),
        ("fleiss", 0.76, "excellent"),
        ("altman", 0.2, "poor"), ("altman", 0.61, "good"), ("altman", 0.81, "very good"),
        ("koo_li", 0.5, "moderate"), ("koo_li", 0.75, "good"), ("koo_li", 0.9, "good"),
        ("koo_li", 0.91, "excellent"),
        ("cicchetti", 0.4, "fair"), ("cicchetti", 0.6, "good"), ("cicchetti", 0.75, "excellent"),
        ("fleiss", 0.1 + 0.1 + 0.1 + 0.1, "fair to good"),
    ],
)  # fmt: skip
def test_every_boundary_has_one_band(scale, value, band):
    assert interpret("any", _interval(value), 30, [scale])[0].at_least == band


def test_a_scale_is_read_only_for_the_coefficients_it_belongs_to():
    assert [scale.key for scale in scales_for("krippendorff_alpha")] == ["krippendorff"]
    assert [scale.key for scale in scales_for("gamma")] == ["rosenthal"]
    assert [scale.key for scale in scales_for("icc_a1")] == ["koo_li", "cicchetti"]
    assert [scale.key for scale in scales_for("cohen_kappa")] == ["landis_koch", "fleiss", "altman", "cicchetti"]
    assert scales_for("percent_agreement") == ()


def test_a_reading_is_that_of_the_lower_end_and_names_its_scale():
    reading = interpret("fleiss_kappa", _interval(0.45, 0.85), 40)[0]
    assert str(reading) == "at least moderate on the scale of Landis and Koch (1977), by its 95% interval"
    assert reading.to_dict()["words"] == "at least moderate"


def test_the_lowest_band_is_no_achievement():
    reading = interpret("krippendorff_alpha", _interval(0.5, 0.9), 40)[0]
    assert reading.words == "not shown to reach .667"
    assert reading.to_dict()["reach"] == 2 / 3
    assert interpret("fleiss_kappa", _interval(-0.1, 0.3), 40)[0].words == "not shown to reach 0"


def test_an_interval_that_never_leaves_the_lowest_band_shows_that_band():
    assert interpret("krippendorff_alpha", _interval(-0.2, 0.6), 40)[0].words == "not reliable"
    assert interpret("gamma", _interval(-0.05, 0.05), 40)[0].words == "negligible"
    assert interpret("gamma", _interval(-0.6, 0.05), 40)[0].words == "not shown to reach .1"


@pytest.mark.parametrize("scale", INTERPRETATION_SCALES)
def test_there_is_no_word_without_an_interval_or_from_fewer_than_thirty_items(scale):
    assert interpret("any", None, 100, [scale]) == ()
    assert interpret("any", _interval(0.9), 29, [scale]) == ()
    assert len(interpret("any", _interval(0.9), 30, [scale])) == 1


def test_a_correlation_that_may_have_either_sign_shows_no_size():
    plus, minus, either = (
        interpret("gamma", _interval(*ends), 30)[0] for ends in ((0.35, 0.6), (-0.6, -0.35), (-0.6, 0.6))
    )
    assert (plus.words, minus.words) == ("at least medium", "at least medium, negative")
    assert (minus.reversed, plus.reversed, either.reversed) == (True, False, False)
    assert either.words == "not shown to reach .1"


def test_an_undefined_value_is_not_interpreted():
    same = accord.agreement(np.ones((40, 2)), coefficients="krippendorff_alpha")["krippendorff_alpha"]
    assert np.isnan(same.value)
    assert same.interpretations == ()


def test_an_unknown_scale_names_those_there_are():
    with pytest.raises(OptionError, match="Known: landis_koch, krippendorff"):
        interpret("fleiss_kappa", _interval(0.5), 40, ["landis"])


def test_an_estimate_is_read_by_its_own_interval():
    table = np.random.default_rng(4).normal(0, 2, (30, 1)) + np.random.default_rng(5).normal(0, 1, (30, 3))
    estimate = accord.agreement(table, coefficients="icc_a1", interval="analytic")["icc_a1"]
    assert estimate.interpretations == interpret("icc_a1", estimate.interval, 30)
