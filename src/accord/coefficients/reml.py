r"""Intraclass correlations of incomplete ratings by a mixed model: items and raters random, fitted by REML.

.. math:: y_{ij} = \mu + a_i + b_j + e_{ij}, \quad a_i \sim N(0, \sigma_a^2),\ b_j \sim N(0, \sigma_b^2),\
          e_{ij} \sim N(0, \sigma_e^2)

All ratings enter and none is imputed; ratings may be missing at random. The one-way forms leave out :math:`b`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord.arrays import Codes, Floats, Integers
from accord.coefficients.anova import Form
from accord.coefficients.incomplete import IncompleteIcc, ratings_per_item
from accord.design.scale import Scale
from accord.inference.interval import Interval
from accord.quantiles import ndtri
from accord.records import dataclass

__all__ = ["Components", "fit_components", "mixed_icc"]

_METHOD = "analytic, mixed model by REML, delta method on the log odds"
_STEP = 1e-3
_NONE = 1e-8


@dataclass(frozen=True, slots=True)
class Components:
    """Variances between items, between raters and of the residual."""

    items: float
    raters: float
    residual: float


class _Likelihood:
    """Twice the negative restricted log-likelihood, from sums over patterns: O(patterns x raters^2) a call."""

    def __init__(self, scores: Floats, given: Floats, times: Floats) -> None:
        self.given, self.times = given, times
        self.number = given.sum(axis=1)
        self.count = float(times @ self.number)
        mean = float(times @ scores.sum(axis=1)) / self.count
        scores = (scores - mean) * given
        self.spread = float(times @ np.square(scores).sum(axis=1)) / self.count
        scores = scores / np.sqrt(self.spread or 1.0)
        self.total, self.squares = scores.sum(axis=1), float(times @ np.square(scores).sum(axis=1))
        self.by_rater, self.rated = times @ scores, times @ given

    def parts(self, items: float, raters: float) -> tuple[float, float]:
        """Log determinants and the residual sum of squares, at variances in units of the residual one."""
        shrink = items / (1 + items * self.number) * self.times
        among = np.diag(self.rated) - (self.given * shrink[:, None]).T @ self.given
        ones = self.rated - (shrink * self.number) @ self.given
        sums = self.by_rater - (shrink * self.total) @ self.given
        mixed = np.eye(len(ones)) + raters * among
        solved = np.linalg.solve(mixed, np.stack((ones, sums), axis=1))
        one_one = self.count - float(shrink @ self.number**2) - raters * float(ones @ solved[:, 0])
        one_y = -float(shrink @ (self.number * self.total)) - raters * float(ones @ solved[:, 1])
        y_y = self.squares - float(shrink @ self.total**2) - raters * float(sums @ solved[:, 1])
        logs = float(self.times @ np.log1p(items * self.number)) + float(np.linalg.slogdet(mixed)[1]) + np.log(one_one)
        return logs, y_y - one_y**2 / one_one

    def profiled(self, items: float, raters: float) -> float:
        logs, rest = self.parts(items, raters)
        return float(logs + (self.count - 1) * np.log(max(rest, 1e-300)))

    def whole(self, logs: Floats) -> float:
        """At the logarithms of the three variances."""
        items, raters, residual = np.exp(logs)
        determinants, rest = self.parts(items / residual, raters / residual)
        return float(determinants + (self.count - 1) * logs[2] + rest / residual)


def _likelihood(codes: Codes, multiplicity: Integers, scale: Scale) -> _Likelihood:
    rated = (codes >= 0).any(axis=1)
    codes, times = codes[rated], multiplicity[rated].astype(np.float64)
    given = (codes >= 0).astype(np.float64)
    scores = np.append(scale.array, 0.0)[codes] * given
    return _Likelihood(scores, given, times)


def fit_components(codes: Codes, multiplicity: Integers, scale: Scale, *, one_way: bool = False) -> Components:
    """The variances with the highest restricted likelihood; a variance may be 0."""
    likelihood = _likelihood(codes, multiplicity, scale)
    found = _fitted(likelihood, one_way)
    return Components(*(float(part * likelihood.spread) for part in found))


def _fitted(likelihood: _Likelihood, one_way: bool) -> Floats:
    from scipy.optimize import minimize

    width = 1 if one_way else 2

    def aim(ratios: Floats) -> float:
        return likelihood.profiled(*np.append(ratios, 0.0)[:2])

    def best(of: Callable[[Floats], float], starts: Sequence[Any]) -> Any:
        bounds, options = [(0.0, 1e6)] * width, {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500}
        tried = [minimize(of, start, method="L-BFGS-B", bounds=bounds, options=options) for start in starts]  # type: ignore[call-overload]
        return min(tried, key=lambda one: one.fun)

    def by_roots(starts: Sequence[Any]) -> Floats:
        return np.asarray(np.square(best(lambda roots: aim(np.square(roots)), starts).x))

    ratios = by_roots([[1.0] * width, [0.2] * width, [3.0] * width])
    if not ratios.all():
        # A root of 0 is a standstill even where the likelihood rises from there; the ratio itself is none.
        ratios = by_roots([np.sqrt(ratios), np.sqrt(best(aim, [ratios]).x)])
    both = np.append(ratios, 0.0)[:2]
    residual = likelihood.parts(*both)[1] / (likelihood.count - 1)
    return np.array([*(both * residual), residual])


def _value(form: Form, parts: Floats, k: float) -> float:
    items, raters, residual = parts
    error = residual + (raters if form.absolute else 0.0)
    whole = items + (error / k if form.of_mean else error)
    return float(items / whole) if whole > 0 else float("nan")


def mixed_icc(
    codes: Codes, multiplicity: Integers, scale: Scale, form: Form, confidence: float = 0.95
) -> IncompleteIcc:
    """One of the six forms; k is the effective number of ratings an item."""
    per_item = (codes >= 0).sum(axis=1)
    items = int(multiplicity[per_item >= 1].sum())
    likelihood = _likelihood(codes, multiplicity, scale)
    if items < 2 or not (per_item >= 2).any() or likelihood.spread == 0:
        return IncompleteIcc(float("nan"), None, items)
    k = ratings_per_item(per_item, multiplicity)
    found = _fitted(likelihood, form.one_way)
    parts = dict(zip(("items", "raters", "residual"), (found * likelihood.spread).tolist(), strict=True))
    named = {f"variance_{name}": float(part) for name, part in parts.items() if name != "raters" or not form.one_way}
    return IncompleteIcc(
        _value(form, found, k),
        _interval(likelihood, form, found, k, confidence),
        items,
        {"ratings_per_item": k, **named},
    )


def _interval(likelihood: _Likelihood, form: Form, found: Floats, k: float, confidence: float) -> Interval | None:
    """From the curvature of the likelihood in the logarithms of the variances; None where one is 0."""
    from scipy.special import expit, logit

    free = [place for place in range(3) if found[place] > _NONE]
    value = _value(form, found, k)
    if 0 not in free or not 0 < value < 1:
        return None

    def odds(logs: Floats) -> float:
        return float(logit(_value(form, _placed(logs), k)))

    def aim(logs: Floats) -> float:
        return likelihood.whole(np.log(np.maximum(_placed(logs), 1e-30)))

    def _placed(logs: Floats) -> Floats:
        parts = np.zeros(3)
        parts[free] = np.exp(logs)
        return parts

    at = np.log(found[free])
    slope = _gradient(odds, at)
    curvature = _hessian(aim, at) / 2
    variance = float(slope @ np.linalg.pinv(curvature) @ slope)
    if not variance > 0:
        return None
    reach = float(ndtri((1 + confidence) / 2)) * variance**0.5
    low, high = (float(expit(logit(value) + sign * reach)) for sign in (-1, 1))
    return Interval(low=low, high=high, level=confidence, method=_METHOD)


def _gradient(of: Callable[[Floats], float], at: Floats) -> Floats:
    steps = np.eye(len(at)) * _STEP
    return np.array([(of(at + step) - of(at - step)) / (2 * _STEP) for step in steps])


def _hessian(of: Callable[[Floats], float], at: Floats) -> Floats:
    steps = np.eye(len(at)) * _STEP
    rows = [
        [(of(at + a + b) - of(at + a - b) - of(at - a + b) + of(at - a - b)) / (4 * _STEP**2) for b in steps]
        for a in steps
    ]
    return np.array(rows)
