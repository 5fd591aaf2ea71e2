"""Squared distances of values, for the metrics of Krippendorff's alpha that do not depend on the ratings."""

from collections.abc import Callable

import numpy as np

from accord.arrays import Floats, distinct
from accord.coefficients.weights import SET_WEIGHTS, both_ways, weight_matrix
from accord.design.scale import Scale
from accord.errors import OptionError

__all__ = ["METRICS", "squared_distances"]


def squared_distances(metric: str | Floats, scale: Scale) -> Floats:
    """Squared distance of every two values, for the metrics that do not depend on the ratings.

    A matrix of the user's holds what the formula calls delta squared, and is used as it stands: so the matrix of a
    metric gives what its name gives, and one with two sides what the mean of both gives.
    """
    if not isinstance(metric, str):
        own = np.asarray(metric, dtype=np.float64)
        if own.shape != (len(scale), len(scale)) or np.diag(own).any() or own.min() < 0:
            raise OptionError(
                f"The matrix of disagreements must be {len(scale)} x {len(scale)}, 0 on the diagonal and nowhere "
                "negative."
            )
        return both_ways(own)
    if metric in SET_WEIGHTS:
        # As in nltk the unlikeness of two sets takes the place of the squared distance.
        return 1 - weight_matrix(metric, scale)
    if metric not in METRICS:
        known = ", ".join(("ordinal", *METRICS, *SET_WEIGHTS))
        raise OptionError(f"There is no metric named {metric!r} for alpha. Known: {known}.")
    return METRICS[metric](scale.array, scale)


def _nominal(numbers: Floats, _: Scale) -> Floats:
    return 1 - np.eye(len(numbers))


def _interval(numbers: Floats, _: Scale) -> Floats:
    return np.square(np.subtract.outer(numbers, numbers))


def _ratio(numbers: Floats, _: Scale) -> Floats:
    sums = np.add.outer(numbers, numbers)
    apart = np.subtract.outer(numbers, numbers)
    return np.square(np.divide(apart, sums, out=np.zeros(sums.shape), where=sums != 0))


def _circular(numbers: Floats, scale: Scale) -> Floats:
    r""":math:`[\sin(\pi (c-k)/U)]^2` with U the length of the circle: the ends of the scale plus one step."""
    low = scale.low if scale.low is not None else numbers.min(initial=np.inf)
    high = scale.high if scale.high is not None else numbers.max(initial=-np.inf)
    steps = np.diff(distinct(numbers))
    around = high - low + (steps.min() if len(steps) else 1.0)
    return np.square(np.sin(np.pi * np.subtract.outer(numbers, numbers) / around))


def _bipolar(numbers: Floats, scale: Scale) -> Floats:
    r""":math:`(c-k)^2 / ((c + k - 2 c_{min})(2 c_{max} - c - k))`: the same step weighs more near the two poles."""
    low = scale.low if scale.low is not None else numbers.min(initial=np.inf)
    high = scale.high if scale.high is not None else numbers.max(initial=-np.inf)
    sums = np.add.outer(numbers, numbers)
    room = (sums - 2 * low) * (2 * high - sums)
    return np.divide(np.square(np.subtract.outer(numbers, numbers)), room, out=np.zeros(sums.shape), where=room > 0)


METRICS: dict[str, Callable[[Floats, Scale], Floats]] = {
    "nominal": _nominal,
    "interval": _interval,
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
