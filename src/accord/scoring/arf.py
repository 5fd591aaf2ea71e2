"""The ARF interval: what one score and a guess fixed beforehand say about the true value."""

from enum import StrEnum
from math import exp, expm1, inf, isfinite, log, log1p, sinh, sqrt, tanh

from accord.errors import OptionError
from accord.quantiles import ndtr
from accord.words import steady

__all__ = ["Law", "alpha_of_k", "half_width_factor", "require_alpha"]

_LARGEST = 340.0
"""Largest exponent that still leaves sinh finite; k is .5 to the last digit long before."""


class Law(StrEnum):
    """What is assumed of the scores around the true value."""

    NORMAL = "normal"
    UNKNOWN = "unknown"

    @property
    def words(self) -> str:
        return "normal distribution" if self is Law.NORMAL else "unknown distribution, symmetric with one peak"


def require_alpha(alpha: float) -> float:
    """The error probability of a single score: it must lie above 0 and not above one half."""
    if not (isfinite(alpha) and 0 < alpha <= 0.5):
        raise OptionError(
            f"One score cannot carry a confidence of {steady(1 - alpha):.4g} (alpha {steady(alpha):.4g}): the ARF "
            "interval needs "
            "0 < alpha <= 0.5. Ask for a confidence of at least 0.5 and below 1; 0.75 to 0.8 is the usual compromise."
        )
    return alpha


def half_width_factor(alpha: float, law: Law = Law.NORMAL) -> float:
    r"""The factor k of the interval :math:`(y + \hat\mu)/2 \pm k |y - \hat\mu|` at error probability alpha.

    For an unknown law, symmetric with one peak, the uniform law is the worst case:

    .. math:: k = \frac{1 - \alpha + \sqrt{1 - 2\alpha}}{2\alpha}

    For the normal law k is the solution of :func:`alpha_of_k`. It is never below one half: a
    narrower interval would miss a true value that lies far from both numbers with certainty.

    Examples
    --------
    >>> round(half_width_factor(0.2), 3), round(half_width_factor(0.2, Law.UNKNOWN), 3)
    (2.312, 3.936)
    """
    require_alpha(alpha)
    if law is Law.UNKNOWN:
        return (1 - alpha + sqrt(1 - 2 * alpha)) / (2 * alpha)
    if alpha == 0.5:
        return 0.5
    from scipy.optimize import brentq

    # In u = ln(1/A) the equation is smooth from alpha near 0 (u near 0) to alpha near one half.
    lowest = alpha * 1e-3
    u = brentq(lambda u: _normal_alpha(u) - alpha, lowest, _LARGEST, xtol=1e-15, rtol=1e-14)
    return 1 / (2 * tanh(u / 2))


def alpha_of_k(k: float, law: Law = Law.NORMAL) -> float:
    r"""The largest probability, over all true values and spreads, that the interval with this k misses.

    With :math:`A = (2k-1)/(2k+1)` it is :math:`(1 - A^2)/2` for an unknown law. For the normal law the
    worst distance of the guess is :math:`\delta^2 = 4 \ln(1/A) / (A^{-2} - A^2)` standard deviations and

    .. math:: \alpha = \Phi(\delta / A) - \Phi(\delta A)

    Below k = 1/2 the interval misses with certainty in the worst case: the result is 1.
    """
    if k < 0.5:
        return 1.0
    if k == 0.5:
        return 0.5
    if k == inf:
        return 0.0
    u = log1p(2 / (2 * k - 1))
    if law is Law.UNKNOWN:
        return -expm1(-2 * u) / 2
    return _normal_alpha(min(u, _LARGEST))


def _normal_alpha(u: float) -> float:
    """The error probability of the normal law at A = exp(-u)."""

    delta = sqrt(2 * u / sinh(2 * u))
    farther = exp(log(delta) + u)
    return float(ndtr(farther) - ndtr(delta * exp(-u)))
