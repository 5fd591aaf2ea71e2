"""Normal, Student and other distributions without loading a library for them: a fifth of a second for one number.

The names are those of scipy.special, which takes over where there are many numbers.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from accord.arrays import Floats

__all__ = [
    "bdtr",
    "bdtrc",
    "chdtrc",
    "chdtri",
    "digamma",
    "fdtri",
    "median_of",
    "nctdtr",
    "ndtr",
    "ndtri",
    "of_sample",
    "polygamma",
    "stdtr",
    "stdtrit",
]

_MOST = 1_000
"""So many numbers are found one by one, each in 2 to 40 µs; for more, scipy is loaded, which takes 0.2 s."""
_MOST_NORMAL = 200_000
"""The same of the normal distribution, whose share takes 0.5 µs."""
_STEPS = 60
_LAST_DIGIT = 4e-16
_TINY = 1e-300
_SPENT = 1e-18
_FAR = 15.0
_BERNOULLI = tuple(enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6), 1))
"""Numbers of the asymptotic series of ln Γ and its derivatives, exact to the last digit from _FAR on."""
_LARGE = 50.0
_MOST_FREEDOM = 2e6
"""Degrees of freedom of F up to which all but the last five digits are right; scipy is loaded beyond."""
_LARGEST_SHIFT = 20.0
"""Beyond it the weights of the series of a shifted distribution begin too small; scipy is loaded."""
_NEARLY_NORMAL = 5000.0
"""Degrees of freedom from which on a quantile is that of the normal distribution and five terms."""


def of_sample(values: Floats, *shares: float) -> list[float]:
    """The numbers below which these shares of a sample lie, between two of its values on the straight line.

    The same to the last digit as ``numpy.quantile``, which loads masked arrays: 25 ms for the first interval.
    """
    ordered, last = np.sort(values), len(values) - 1
    found = []
    for share in shares:
        place = share * last
        below = min(max(math.floor(place), 0), last)
        low, high, part = float(ordered[below]), float(ordered[min(below + 1, last)]), place - below
        found.append(low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part))
    return found


def median_of(values: Any) -> float:
    """The median; that of numpy loads masked arrays."""
    ordered = np.sort(values)
    if not len(ordered) or np.isnan(ordered[-1]):
        return math.nan
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def ndtr(x: Any) -> Any:
    """The share of a standard normal distribution below x."""
    return _each("ndtr", _normal_share, x, most=_MOST_NORMAL)


def ndtri(share: Any) -> Any:
    """The number below which this share of a standard normal distribution lies."""
    return _each("ndtri", _normal_quantile, share)


def stdtr(freedom: Any, t: Any) -> Any:
    """The share of Student's distribution below t."""
    return _each("stdtr", _student_share, freedom, t)


def stdtrit(freedom: Any, share: Any) -> Any:
    """The number below which this share of Student's distribution lies."""
    return _each("stdtrit", _student_quantile, freedom, share)


def bdtr(successes: Any, trials: Any, probability: Any) -> Any:
    """The probability of at most so many successes."""
    return _each("bdtr", lambda k, n, p: 1 - _binomial_beyond(k, n, p), successes, trials, probability)


def bdtrc(successes: Any, trials: Any, probability: Any) -> Any:
    """The probability of more successes than so many."""
    return _each("bdtrc", _binomial_beyond, successes, trials, probability)


def chdtrc(freedom: Any, x: Any) -> Any:
    """The share of the chi-squared distribution above x."""
    return _each("chdtrc", lambda n, x: _gamma_beyond(n / 2, x / 2), freedom, x)


def chdtri(freedom: Any, share: Any) -> Any:
    """The number above which this share of the chi-squared distribution lies."""
    return _each("chdtri", _chi_squared_quantile, freedom, share)


def digamma(x: Any) -> Any:
    """The derivative of ln Γ, for x above 0."""
    return _each("digamma", _digamma, x)


def polygamma(order: int, x: Any) -> Any:
    """A derivative of the digamma function, for x above 0; ours are the first and the second."""
    if order not in (1, 2):
        import scipy.special

        return scipy.special.polygamma(order, x)
    return _each("polygamma", lambda _, x: (_trigamma if order == 1 else _tetragamma)(x), order, x)


def fdtri(top: float, bottom: float, share: float) -> Any:
    """The number below which this share of the F distribution lies."""
    if not (0 < share < 1 and min(top, bottom) > 0 and max(top, bottom) <= _MOST_FREEDOM):
        import scipy.special

        return scipy.special.fdtri(top, bottom, share)
    return np.float64(_f_quantile(float(top), float(bottom), float(share)))


def nctdtr(freedom: float, shift: float, t: float) -> Any:
    """The share below t of Student's distribution that is shifted by so many standard errors."""
    if not (0 <= shift <= _LARGEST_SHIFT and t > 0 and freedom > 0):
        import scipy.special

        return scipy.special.nctdtr(freedom, shift, t)
    return np.float64(_shifted_share(float(freedom), float(shift), float(t)))


def _each(name: str, one: Callable[..., float], *given: Any, most: int = _MOST) -> Any:
    if all(isinstance(part, float | int) for part in given):
        return np.float64(one(*map(float, given)))
    arrays = np.broadcast_arrays(*(np.asarray(part, dtype=np.float64) for part in given))
    if arrays[0].size > most:
        import scipy.special

        return getattr(scipy.special, name)(*given)  # as they are: whole numbers stay whole
    found = [one(*numbers) for numbers in zip(*(part.ravel().tolist() for part in arrays), strict=True)]
    return np.float64(found[0]) if arrays[0].ndim == 0 else np.array(found).reshape(arrays[0].shape)


def _normal_share(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def _normal_quantile(share: float) -> float:
    if not 0 < share < 1:
        return -math.inf if share == 0 else math.inf if share == 1 else math.nan
    try:  # the same function, without exact fractions and decimals beside it
        from _statistics import _normal_dist_inv_cdf  # type: ignore[import-not-found]
    except ImportError:
        from statistics import NormalDist

        return NormalDist().inv_cdf(share)
    return float(_normal_dist_inv_cdf(share, 0.0, 1.0))


def _student_share(freedom: float, t: float) -> float:
    if math.isnan(t) or not freedom > 0:
        return math.nan
    if math.isinf(freedom) or math.isinf(t):
        return _normal_share(t)
    beyond = _beta_share(freedom / 2, 0.5, freedom / (freedom + t * t), t * t / (freedom + t * t)) / 2
    return beyond if t < 0 else 1 - beyond


@lru_cache(maxsize=4096)
def _student_quantile(freedom: float, share: float) -> float:
    """By Halley's steps from the normal quantile, in the lower tail, where nothing cancels."""
    if math.isnan(share) or not freedom > 0 or not 0 <= share <= 1:
        return math.nan
    if share in (0, 0.5, 1):
        return {0: -math.inf, 0.5: 0.0, 1: math.inf}[share]
    if share > 0.5:
        return -_student_quantile(freedom, 1 - share)
    if math.isinf(freedom):
        return _normal_quantile(share)
    t = _from_normal(_normal_quantile(share), freedom)
    if freedom > _NEARLY_NORMAL:
        return t
    if freedom < 3:
        # In heavy tails the share is about that of the Cauchy distribution, or of the one of two degrees.
        t = math.tan(math.pi * (share - 0.5)) if freedom < 1.5 else (2 * share - 1) / math.sqrt(2 * share * (1 - share))
    log_scale = -_log_beta(freedom / 2, 0.5) - math.log(freedom) / 2
    low, high = -math.inf, 0.0
    for _ in range(_STEPS):
        found = _student_share(freedom, t)
        low, high = (t, high) if found < share else (low, t)
        density = math.exp(log_scale - (freedom + 1) / 2 * math.log1p(t * t / freedom))
        step = (found - share) / density
        step /= 1 + step * (freedom + 1) * t / (2 * (freedom + t * t))
        new = t - step
        if not low < new < high:
            new = 2 * t if math.isinf(low) else (max(low, -1e300) + high) / 2
        if abs(new - t) <= _LAST_DIGIT * abs(new):
            return new
        t = new
    return t


@lru_cache(maxsize=256)
def _shifted_share(freedom: float, shift: float, t: float) -> float:
    """The series of Lenth (1989) in the incomplete beta function, until its Poisson weights are spent."""
    half, rest = shift * shift / 2, freedom / (freedom + t * t)
    even, odd = math.exp(-half), shift * math.exp(-half) / math.sqrt(2) / math.gamma(1.5)
    whole = _normal_share(-shift)
    for j in range(10_000):
        whole += even * _beta_share(j + 0.5, freedom / 2, 1 - rest, rest) / 2
        whole += odd * _beta_share(j + 1.0, freedom / 2, 1 - rest, rest) / 2
        # From here on the weights fall. What is left of 1 is no sign: it may stop short of 0 by its rounding.
        if j > half and max(even, odd) < _SPENT:
            break
        even, odd = even * half / (j + 1), odd * half / (j + 1.5)
    return whole


def _from_normal(z: float, n: float) -> float:
    """Student's quantile from the normal one by its expansion in 1/n (Abramowitz and Stegun 26.7.5)."""
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def _binomial_beyond(successes: float, trials: float, probability: float) -> float:
    k = math.floor(successes)
    if math.isnan(trials + probability) or not 0 <= probability <= 1 or k > trials:
        return math.nan
    if k < 0 or k == trials:
        return 1.0 if k < 0 else 0.0
    return _beta_share(k + 1.0, trials - k, probability, 1 - probability)


def _chi_squared_quantile(freedom: float, beyond: float) -> float:
    """By Newton's steps in the logarithm from the cube of a normal quantile (Wilson and Hilferty)."""
    if not (0 < beyond < 1 and freedom > 0):
        return 0.0 if beyond == 1 else math.inf if beyond == 0 else math.nan
    a, spread = freedom / 2, 2 / (9 * freedom)
    place = math.log(a * max(1 - spread + _normal_quantile(1 - beyond) * math.sqrt(spread), 0.01) ** 3)
    for _ in range(_STEPS):
        x = math.exp(place)
        step = (_gamma_beyond(a, x) - beyond) / math.exp(a * place - x - math.lgamma(a))
        place += max(min(step, 1.0), -1.0)
        if abs(step) <= _LAST_DIGIT * max(1.0, abs(place)):
            break
    return 2 * math.exp(place)


def _gamma_beyond(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function, by its series or its continued fraction (Lentz)."""
    if not (a > 0 and x > 0):
        return 1.0 if x == 0 or x < 0 else math.nan
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = whole = 1 / a
        for n in range(1, 10_000):
            term *= x / (a + n)
            whole += term
            if term < whole * _LAST_DIGIT:
                break
        return 1 - front * whole
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    for n in range(1, 10_000):
        b += 2
        d = 1 / _away_from_zero(-n * (n - a) * d + b)
        c = _away_from_zero(b - n * (n - a) / c)
        fraction *= d * c
        if abs(d * c - 1) < _LAST_DIGIT:
            break
    return front * fraction


@lru_cache(maxsize=256)
def _f_quantile(top: float, bottom: float, share: float) -> float:
    """By halving in the logarithm of the odds, and Newton's steps at the end."""
    a, b = top / 2, bottom / 2
    log_beta = _log_beta(a, b)

    def below(odds: float) -> float:
        return _beta_share(a, b, odds / (1 + odds), 1 / (1 + odds))

    low, high = -700.0, 700.0
    place = 0.0
    for _ in range(4 * _STEPS):
        found = below(math.exp(place))
        low, high = (place, high) if found < share else (low, place)
        # The density of the logarithm of the odds of a beta variable.
        slope = math.exp(a * place - (a + b) * (max(place, 0.0) + math.log1p(math.exp(-abs(place)))) - log_beta)
        new = place - (found - share) / slope if slope > 0 else math.nan
        new = new if low < new < high else (low + high) / 2
        if abs(new - place) <= _LAST_DIGIT * max(1.0, abs(new)):
            break
        place = new
    return math.exp(new) * bottom / top


def _beta_share(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function of x = 1 - rest by its continued fraction (Lentz)."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(b, a, rest, x)
    log_x, log_rest = (math.log1p(-two) if two < 0.5 else math.log(one) for one, two in ((x, rest), (rest, x)))
    log_front = a * log_x + b * log_rest - _log_beta(a, b)
    c, d = 1.0, 1 / (_away_from_zero(1 - (a + b) * x / (a + 1)))
    fraction = d
    for m in range(1, 10_000):
        even = a + 2 * m
        part = m * (b - m) * x / ((even - 1) * even)
        d, c = 1 / (1 + part * d or _TINY), 1 + part / c or _TINY
        fraction *= d * c
        part = -(a + m) * (a + b + m) * x / (even * (even + 1))
        d, c = 1 / (1 + part * d or _TINY), 1 + part / c or _TINY
        fraction *= d * c
        if abs(d * c - 1) < _LAST_DIGIT:
            break
    return math.exp(log_front) * fraction / a


def _log_beta(a: float, b: float) -> float:
    """ln B(a, b): what Γ(a + b) is more than the larger of the two as a series, as a difference would lose digits."""
    small, large = min(a, b), max(a, b)
    if large < _LARGE:
        return math.lgamma(small) + math.lgamma(large) - math.lgamma(small + large)
    more = (large + small - 0.5) * math.log1p(small / large) + small * math.log(large) - small
    return math.lgamma(small) - more - _stirling_rest(large + small) + _stirling_rest(large)


def _digamma(x: float) -> float:
    """By its asymptotic series, which is exact from a moderate x on, and steps of one down from there."""
    below, x = _far_up(x, 1)
    return math.log(x) - 1 / (2 * x) - sum(b / (2 * k * x ** (2 * k)) for k, b in _BERNOULLI) - below


def _trigamma(x: float) -> float:
    below, x = _far_up(x, 2)
    return 1 / x + 1 / (2 * x**2) + sum(b / x ** (2 * k + 1) for k, b in _BERNOULLI) + below


def _tetragamma(x: float) -> float:
    below, x = _far_up(x, 3)
    return -(1 / x**2 + 1 / x**3 + sum((2 * k + 1) * b / x ** (2 * k + 2) for k, b in _BERNOULLI)) - 2 * below


def _far_up(x: float, power: int) -> tuple[float, float]:
    """The first number x + n that is far enough up, and the sum of 1 / (x + i)^power of the steps to it."""
    steps = max(0, math.ceil(_FAR - x))
    return math.fsum(1 / (x + step) ** power for step in range(steps)), x + steps


def _stirling_rest(z: float) -> float:
    return 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5)


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
