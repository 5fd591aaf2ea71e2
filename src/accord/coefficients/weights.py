"""Agreement weights: how much credit two different values get, 1 for the same and at least 0."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from accord.arrays import Floats
from accord.design.scale import Scale
from accord.errors import OptionError

__all__ = ["SET_WEIGHTS", "WEIGHTS", "both_ways", "checked_matrix", "require_known", "said_of_own", "weight_matrix"]

_KEPT = 100


def require_known(name: str) -> None:
    """Refuse a name of weights that there are not."""
    if name not in WEIGHTS and name not in SET_WEIGHTS:
        known = ", ".join([*WEIGHTS, *SET_WEIGHTS])
        raise OptionError(f"There are no weights named {name!r}. Known: {known}, or a matrix of your own.")


def weight_matrix(weights: str | Floats, scale: Scale, *, symmetric: bool = True) -> Floats:
    """The (values, values) weights by name, or the user's own matrix after a check.

    Two raters told apart may have weights that are not ``symmetric``: what the first takes for good and the second for
    bad is then another error than the reverse. Where raters are not told apart a pair counts both ways, so that a
    matrix W and (W + W')/2 give the same value: the second is what they get.
    """
    if not isinstance(weights, str):
        own = checked_matrix(weights, len(scale))
        return both_ways(own) if symmetric else own
    if weights in SET_WEIGHTS:
        return _set_weights(weights, scale)
    require_known(weights)
    if weights != "identity" and not scale.level.has_order and not scale.is_numeric:
        raise OptionError(
            f"{weights.capitalize()} weights need values in an order, but these labels have none. Declare it, for "
            "example scale 'bad<fair<good', or use identity weights."
        )
    return _named(weights, scale.numbers) if len(scale) <= _KEPT else WEIGHTS[weights](scale.array)


@lru_cache(maxsize=64)
def _named(weights: str, numbers: tuple[float, ...]) -> Floats:
    """Kept, as many coefficients ask for the same few; not to be written to."""
    matrix = WEIGHTS[weights](np.array(numbers, dtype=np.float64))
    matrix.setflags(write=False)
    return matrix


def both_ways(matrix: Floats) -> Floats:
    """What a matrix is where every pair of ratings counts in both orders: (W + W')/2, symmetric."""
    return np.asarray((matrix + matrix.T) / 2)


def said_of_own(matrix: Floats, what: str) -> str:
    """That a matrix of the user's is used, and what becomes of its sides where raters are not told apart."""
    own = np.asarray(matrix)
    words = f"{what} by a matrix of the user's own"
    if own.shape == own.T.shape and np.allclose(own, own.T):
        return words
    return f"{words}, which is not symmetric: a pair of ratings counts both ways, so its two sides are averaged"


def checked_matrix(matrix: Floats, values: int) -> Floats:
    """A user's own weights: square, 1 on the diagonal, between 0 and 1."""
    own = np.asarray(matrix, dtype=np.float64)
    reasons = []
    if own.shape != (values, values):
        reasons.append(f"it must have {values} rows and {values} columns, one for each value of the scale")
    elif not np.allclose(np.diag(own), 1) or own.min() < 0 or own.max() > 1:
        reasons.append("it must hold 1 on the diagonal and numbers from 0 to 1 elsewhere")
    if reasons:
        raise OptionError(f"The matrix of weights cannot be used: {'; '.join(reasons)}.")
    return own


def _differences(numbers: Floats) -> Floats:
    return np.abs(np.subtract.outer(numbers, numbers))


def _span(numbers: Floats) -> float:
    span = float(numbers.max() - numbers.min()) if len(numbers) else 0.0
    return span or 1.0


def _identity(numbers: Floats) -> Floats:
    return np.eye(len(numbers))


def _linear(numbers: Floats) -> Floats:
    r""":math:`1 - |c-k| / (\max - \min)`."""
    return 1 - _differences(numbers) / _span(numbers)


def _quadratic(numbers: Floats) -> Floats:
    r""":math:`1 - (c-k)^2 / (\max - \min)^2`."""
    return 1 - np.square(_differences(numbers) / _span(numbers))


def _radical(numbers: Floats) -> Floats:
    r""":math:`1 - \sqrt{|c-k| / (\max - \min)}`."""
    return 1 - np.sqrt(_differences(numbers) / _span(numbers))


def _ordinal(numbers: Floats) -> Floats:
    r"""Gwet's ordinal weights: :math:`1 - \binom{|i-j|+1}{2} / \binom{q}{2}` on positions i, j."""
    apart = _differences(np.arange(len(numbers), dtype=np.float64))
    most = len(numbers) * (len(numbers) - 1) / 2
    return 1 - (apart + 1) * apart / 2 / (most or 1.0)


def _ratio(numbers: Floats) -> Floats:
    r""":math:`1 - [(c-k)/(c+k)]^2 / [(\max-\min)/(\max+\min)]^2`."""
    if len(numbers) and numbers.min() < 0:
        raise OptionError("Ratio weights need values of zero or more; this scale has negative ones.")
    sums = np.add.outer(numbers, numbers)
    relative = np.divide(_differences(numbers), sums, out=np.zeros(sums.shape), where=sums > 0)
    most = _span(numbers) / (numbers.max() + numbers.min()) if len(numbers) > 1 else 1.0
    weights: Floats = 1 - np.square(relative / most)
    return weights


def _bipolar(numbers: Floats) -> Floats:
    r""":math:`1 - b_{ck} / \max b`, :math:`b_{ck} = (c-k)^2 / ((c + k - 2\min)(2\max - c - k))`, as irrCAC has it."""
    sums = np.add.outer(numbers, numbers)
    room = (sums - 2 * numbers.min(initial=np.inf)) * (2 * numbers.max(initial=-np.inf) - sums)
    apart = np.divide(np.square(_differences(numbers)), room, out=np.zeros(sums.shape), where=room > 0)
    return np.asarray(1 - apart / (apart.max(initial=0.0) or 1.0))


WEIGHTS: dict[str, Callable[[Floats], Floats]] = {
    "identity": _identity,
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
    "radical": _radical,
    "ratio": _ratio,
    "bipolar": _bipolar,
}


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    together = one | other
    return len(one & other) / len(together) if together else 1.0


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    size = len(one) + len(other)
    return 2 * len(one & other) / size if size else 1.0


def _masi(one: frozenset[str], other: frozenset[str]) -> float:
    """Passonneau's measure of agreement on set-valued items: Jaccard times a factor for how sets lie."""
    if one == other:
        monotonicity = 1.0
    elif one <= other or other <= one:
        monotonicity = 2 / 3
    elif one & other:
        monotonicity = 1 / 3
    else:
        monotonicity = 0.0
    return _jaccard(one, other) * monotonicity


SET_WEIGHTS: dict[str, Callable[[frozenset[str], frozenset[str]], float]] = {
    "jaccard": _jaccard,
    "dice": _dice,
    "masi": _masi,
}


def _set_weights(name: str, scale: Scale) -> Floats:
    if not any(isinstance(value, frozenset) for value in scale.values):
        raise OptionError(
            f"{name.capitalize()} is for sets of labels, but each rating here is a single value. "
            "Where a cell holds several labels, say what separates them, for example separator '|'."
        )
    sets: Sequence[frozenset[str]] = [
        value if isinstance(value, frozenset) else frozenset({str(value)}) for value in scale.values
    ]
    likeness = SET_WEIGHTS[name]
    return np.array([[likeness(one, other) for other in sets] for one in sets], dtype=np.float64)
