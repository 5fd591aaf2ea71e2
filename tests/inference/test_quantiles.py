"""The light quantiles are those of scipy."""

import numpy as np
import pytest
import scipy.special

from accord import quantiles

SHARES = np.array([1e-8, 0.001, 0.025, 0.05, 0.3, 0.4999, 0.55, 0.9, 0.975, 0.9999])
FREEDOMS = (1, 1.3, 2, 2.5, 4, 7, 29.7, 99, 999, 5001, 33_332)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_student(freedom: float) -> None:
    t = np.array([-1000.0, -50, -8, -1.96, -0.01, 0, 0.3, 2, 30])
    # scipy gives the quantile next to the middle of some degrees of freedom with nine digits only.
    np.testing.assert_allclose(quantiles.stdtrit(freedom, SHARES), scipy.special.stdtrit(freedom, SHARES), rtol=2e-9)
    np.testing.assert_allclose(quantiles.stdtr(freedom, t), scipy.special.stdtr(freedom, t), rtol=1e-11)
    np.testing.assert_allclose(quantiles.stdtr(freedom, quantiles.stdtrit(freedom, SHARES)), SHARES, rtol=1e-11)


def test_normal_and_its_ends() -> None:
    x = np.array([-30.0, -2, 0, 1.5, 8])
    np.testing.assert_allclose(quantiles.ndtr(x), scipy.special.ndtr(x), rtol=1e-12)
    np.testing.assert_allclose(quantiles.ndtri(SHARES), scipy.special.ndtri(SHARES), rtol=1e-12)
    assert quantiles.ndtri([0.0, 1.0]).tolist() == [-np.inf, np.inf] and np.isnan(quantiles.ndtri(np.nan))
    assert np.isnan(quantiles.stdtrit(0, 0.9)) and quantiles.stdtrit(np.inf, 0.975) == quantiles.ndtri(0.975)


@pytest.mark.parametrize("top", (1, 3, 9.3, 99, 999, 2000))
def test_f_and_chi_squared(top: float) -> None:
    for share in (0.001, 0.05, 0.5, 0.975):
        for bottom in (1, 3.7, 40, 998):
            assert quantiles.fdtri(top, bottom, share) == pytest.approx(
                scipy.special.fdtri(top, bottom, share), rel=1e-10
            )
        x = float(scipy.special.chdtri(top, share))
        assert quantiles.chdtri(top, share) == pytest.approx(x, rel=1e-11)
        assert quantiles.chdtrc(top, 1.1 * x) == pytest.approx(float(scipy.special.chdtrc(top, 1.1 * x)), rel=1e-10)


@pytest.mark.parametrize("small", (1, 2, 3.7, 14.3, 200))
@pytest.mark.parametrize("large", (6_664, 666_664, 1_000_000))
def test_f_of_many_degrees_of_freedom(small: float, large: float) -> None:
    for top, bottom in ((small, large), (large, small), (large, 2 * large)):
        for share in (0.005, 0.025, 0.5, 0.975):
            x = scipy.special.fdtri(top, bottom, share)
            assert quantiles.fdtri(top, bottom, share) == pytest.approx(x, rel=1e-10)


@pytest.mark.parametrize("trials", (1, 20, 1000, 33_333))
def test_binomial(trials: int) -> None:
    for k in {0, 1, trials // 2, trials - 1, trials}:
        for p in (0.0, 1e-6, 0.3, 0.9, 1.0):
            assert quantiles.bdtr(k, trials, p) == pytest.approx(float(scipy.special.bdtr(k, trials, p)), abs=1e-10)
            beyond = float(scipy.special.bdtrc(k, trials, p))
            assert quantiles.bdtrc(k, trials, p) == pytest.approx(beyond, rel=1e-8, abs=1e-280)


def test_digamma_and_its_derivatives() -> None:
    x = np.concatenate((np.geomspace(1e-6, 1e9, 60), np.arange(0.5, 40, 0.5), [1.4616321449683622]))
    np.testing.assert_allclose(quantiles.digamma(x), scipy.special.digamma(x), rtol=1e-13, atol=1e-15)
    for order in (1, 2, 3):
        np.testing.assert_allclose(quantiles.polygamma(order, x), scipy.special.polygamma(order, x), rtol=1e-13)
    assert quantiles.polygamma(1, 0.5) == pytest.approx(np.pi**2 / 2, rel=1e-15)


def test_a_shifted_distribution_ends_its_series_in_time(monkeypatch) -> None:
    asked = []
    share = quantiles._beta_share
    monkeypatch.setattr(quantiles, "_beta_share", lambda *given: asked.append(given) or share(*given))
    quantiles._shifted_share.cache_clear()
    for shift in (0.0, 0.5, 3.0, 8.3, 12.7, 19.9):
        assert quantiles.nctdtr(99, shift, 1.66) == pytest.approx(scipy.special.nctdtr(99, shift, 1.66), abs=1e-13)
    assert len(asked) < 3_000


def test_many_numbers_are_those_of_scipy_in_the_same_shape() -> None:
    shares = np.linspace(0.01, 0.99, 2_000).reshape(200, 10)
    assert np.array_equal(quantiles.ndtri(shares), scipy.special.ndtri(shares))
    assert quantiles.stdtrit(5.0, shares[:3]).shape == (3, 10)
    more, trials = np.arange(2_000) % 30 - 1.0, np.full(2_000, 30)
    few = quantiles.bdtrc(more[:30], trials[:30], 0.4)
    np.testing.assert_allclose(quantiles.bdtrc(more, trials, 0.4)[:30], few, rtol=1e-10)


@pytest.mark.parametrize("freedom", [1.0, 2.0, 9.0, 60.0, 900.0])
@pytest.mark.parametrize("shift", [0.0, 0.3, 2.0, 6.5, 18.0, 30.0])
def test_a_shifted_distribution_is_that_of_scipy(freedom: float, shift: float) -> None:
    for t in (0.01, 1.0, 1.8, 6.0, 20.0):
        expected = scipy.special.nctdtr(freedom, shift, t)
        assert quantiles.nctdtr(freedom, shift, t) == pytest.approx(expected, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("size", [1, 2, 3, 10, 999])
def test_quantiles_and_median_of_a_sample_are_those_of_numpy_to_the_last_digit(size: int) -> None:
    sample = np.random.default_rng(size).normal(size=size)
    shares = [0.0, 1e-9, 0.025, 0.31, 0.5, 0.975, 1.0]
    assert quantiles.of_sample(sample, *shares) == np.quantile(sample, shares).tolist()
    assert quantiles.median_of(sample) == np.median(sample)


def test_the_median_of_nothing_or_of_an_unknown_number_is_unknown() -> None:
    assert np.isnan(quantiles.median_of([]))
    assert np.isnan(quantiles.median_of([1.0, np.nan, 2.0]))
