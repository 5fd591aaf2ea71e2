"""Logistic regression for any number of classes: scores in, a probability of each class out."""

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.records import dataclass

__all__ = ["Logistic", "fit_logistic"]


@dataclass(frozen=True, slots=True)
class Logistic:
    """A fitted model. ``classes`` are the codes it was shown; any other has probability 0."""

    classes: NDArray[np.int64]
    centre: Floats
    spread: Floats
    coefficients: Floats
    """(predictors + 1, classes), the intercepts first."""

    def probabilities(self, predictors: Floats, size: int) -> Floats:
        """(rows, size): the probability of each class code below ``size``."""
        found = np.zeros((len(predictors), size))
        found[:, self.classes] = _softmax(_design((predictors - self.centre) / self.spread) @ self.coefficients)
        return found


def fit_logistic(predictors: Floats, labels: NDArray[np.int64], ridge: float = 1.0) -> Logistic:
    """Multinomial logistic regression on standardised predictors.

    Minimises the negative log likelihood plus half of ``ridge`` times the squared coefficients; intercepts
    are free. The penalty keeps coefficients finite where scores separate the classes.
    """
    from scipy.optimize import minimize

    centre, spread = predictors.mean(axis=0), predictors.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    design = _design((predictors - centre) / spread)
    classes, codes = np.unique(labels, return_inverse=True)
    target = (codes[:, None] == np.arange(len(classes))).astype(np.float64)
    penalised = np.ones((design.shape[1], 1))
    penalised[0] = 0

    def loss(flat: Floats) -> tuple[float, Floats]:
        coefficients = flat.reshape(design.shape[1], -1)
        shares = _softmax(design @ coefficients)
        kept = penalised * coefficients
        value = -np.log(np.maximum((shares * target).sum(axis=1), 1e-300)).sum() + ridge / 2 * np.square(kept).sum()
        gradient: Floats = design.T @ (shares - target) + ridge * kept
        return float(value), gradient.ravel()

    start = np.zeros(design.shape[1] * len(classes))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"gtol": 1e-6, "ftol": 1e-12, "maxiter": 1_000})
    return Logistic(classes, centre, spread, found.x.reshape(design.shape[1], -1))


def _design(predictors: Floats) -> Floats:
    return np.column_stack([np.ones(len(predictors)), predictors])


def _softmax(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = grown / grown.sum(axis=1, keepdims=True)
    return shares
