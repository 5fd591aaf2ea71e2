"""Variances of many like comparisons that borrow from each other: empirical Bayes for few degrees of freedom."""

import numpy as np

from accord.arrays import Floats
from accord.quantiles import digamma, polygamma
from accord.records import dataclass

__all__ = ["Moderated", "moderated"]

_STEPS = 50


@dataclass(frozen=True, slots=True)
class Moderated:
    """Variances drawn towards a common one, and the degrees of freedom they then have.

    ``prior_freedom`` says how much the common variance counts: 0 not at all, infinite for nothing else.
    """

    variances: Floats
    freedom: Floats
    prior_freedom: float


def moderated(variances: Floats, freedom: Floats) -> Moderated:
    r"""Posterior variances under a scaled inverse :math:`\chi^2` law whose two parameters come from the variances.

    With :math:`e = \ln s^2 - \psi(d/2) + \ln(d/2)` of each variance on d degrees of freedom, the prior has
    :math:`\psi'(d_0/2) = \mathrm{var}(e) - \mathrm{mean}\,\psi'(d/2)` (infinite :math:`d_0` where that is not
    positive) and :math:`s_0^2 = \exp(\bar e + \psi(d_0/2) - \ln(d_0/2))`; then

    .. math:: \tilde s^2 = \frac{d_0 s_0^2 + d s^2}{d_0 + d}

    with :math:`d_0 + d` degrees of freedom, and never more than all variances have together. A variance of 0 says
    nothing about the prior and is drawn to it.

    References
    ----------
    Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential expression.
    """
    known = np.isfinite(variances) & (variances > 0) & (freedom > 0)
    if known.sum() < 2:
        return Moderated(variances, freedom, 0.0)
    half = freedom[known] / 2
    centred = np.log(variances[known]) - digamma(half) + np.log(half)
    excess = float(centred.var(ddof=1) - polygamma(1, half).mean())
    if excess > 0:
        prior = 2 * _inverse_trigamma(excess)
        common = float(np.exp(centred.mean() + digamma(prior / 2) - np.log(prior / 2)))
        drawn = (prior * common + freedom * variances) / (prior + freedom)
    else:
        prior, common = np.inf, float(np.exp(centred.mean()))
        drawn = np.full_like(variances, common)
    usable = np.isfinite(variances) & (freedom > 0)
    together = float(freedom[known].sum())
    return Moderated(
        np.where(usable, drawn, variances), np.where(usable, np.minimum(prior + freedom, together), freedom), prior
    )


def _inverse_trigamma(value: float) -> float:
    """Newton's method on 1 / psi', which is nearly a line."""
    if value > 1e7:
        return float(1 / np.sqrt(value))
    if value < 1e-6:
        return 1 / value
    found = 0.5 + 1 / value
    for _ in range(_STEPS):
        slope = float(polygamma(1, found))
        step = slope * (1 - slope / value) / float(polygamma(2, found))
        found += step
        if -step / found < 1e-8:
            break
    return found
