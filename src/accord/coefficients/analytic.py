"""Analytic standard errors and intervals, where the literature has one for a coefficient."""

from dataclasses import dataclass

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients import icc, kappa
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.pairwise import PairValues, cohen_errors
from accord.coefficients.variance import GWET_VARIANCE, alpha_error, gwet_error
from accord.inference.interval import Interval

__all__ = ["Analytic", "analytic_of_items", "analytic_of_pair", "cohen_interval_ends", "interval_by_t"]

_GWET = "analytic, Gwet's variance over items, Student's t"
_FLEISS = "analytic, Fleiss-Cohen-Everitt variance over items, normal"
_SCOTT = "analytic, Gwet's variance over items, normal"
_ASYMPTOTIC = "analytic, asymptotic standard error over items, normal"
_FISHER = "analytic, Fisher's z over items"
_PAIR_METHODS = {
    "cohen_kappa": _FLEISS, "cohen_kappa_linear": _FLEISS, "cohen_kappa_quadratic": _FLEISS, "scott_pi": _SCOTT,
    "gamma": _ASYMPTOTIC, "kendall_tau_b": _ASYMPTOTIC,
    "pearson": _FISHER, "spearman": _FISHER + " (Bonett and Wright)", "lin_ccc": _FISHER + " (Lin)",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Analytic:
    """A standard error, on the coefficient's own scale, and an interval; None where there is none."""

    standard_error: float | None
    interval: Interval | None


NONE = Analytic(None, None)


def cohen_interval_ends(tables: Floats | Integers, weights: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Both ends of the normal interval of Cohen's kappa for each table (..., values, values)."""
    from scipy.special import ndtri

    value = kappa.cohen(tables, weights).value
    reach = float(ndtri(1 - (1 - confidence) / 2)) * cohen_errors(tables, weights)
    return value - reach, value + reach


def _interval(low: float, high: float, confidence: float, method: str) -> Interval | None:
    if np.isnan(low) or np.isnan(high):
        return None
    return Interval(low=float(low), high=float(high), level=confidence, method=method)


def analytic_of_pair(key: str, found: PairValues, confidence: float) -> Analytic:
    """For a single pair of raters; a mean over pairs has no analytic interval."""
    if len(found.value) != 1 or key not in _PAIR_METHODS:
        return NONE
    value, error = float(found.value[0]), float(found.error[0])
    if np.isnan(value) or np.isnan(error):
        return NONE
    low, high = (float(end[0]) for end in found.limits(confidence))
    if found.on_z:
        return Analytic((1 - value**2) * error, _interval(low, high, confidence, _PAIR_METHODS[key]))
    return Analytic(error, _interval(low, high, confidence, _PAIR_METHODS[key]))


def analytic_of_items(key: str, view: View, value: float, options: Options, confidence: float) -> Analytic:
    """For coefficients computed over all raters at once."""
    if key in icc.FORMS:
        return _of_anova(key, view, confidence)
    if key not in GWET_VARIANCE and key != "krippendorff_alpha":
        return NONE
    error = alpha_error(view, options) if key == "krippendorff_alpha" else gwet_error(key, view, options)
    items = float(view.multiplicity @ (view.per_item >= 1))
    if np.isnan(value) or np.isnan(error):
        return NONE
    lowest = 0.0 if key in ("percent_agreement", "weighted_agreement") else -1.0
    share = f", finite-population correction {options.sampled_share:g}" if options.sampled_share else ""
    return Analytic(error, interval_by_t(value, error, items, confidence, _GWET + share, lowest))


def interval_by_t(
    value: float, error: float, items: float, confidence: float, method: str, lowest: float = -1.0
) -> Interval | None:
    """Value ± t(items - 1) x error, within what the coefficient can be."""
    from scipy.special import stdtrit

    reach = float(stdtrit(items - 1, 1 - (1 - confidence) / 2)) * error
    return _interval(max(value - reach, lowest), min(value + reach, 1.0), confidence, method)


def _of_anova(key: str, view: View, confidence: float) -> Analytic:
    low, high = icc.icc_interval(key, icc.anova_of_view(view), confidence)
    named = "Feldt" if key == "cronbach_alpha" else "McGraw and Wong"
    return Analytic(None, _interval(low, high, confidence, f"analytic, F distribution over items ({named})"))
