r"""The jackknife on Fisher's z scale: what covers for few units, for raters, and for raters and items together.

A coefficient that ends at 1 has a skewed distribution near it; :math:`z = \operatorname{artanh}` straightens it. Each
unit is left out once, the spread of the z values gives the error, and the ends are :math:`\tanh(z \pm t\,s_z)`.
A share has a floor at 0 instead of -1: it is stretched to -1 to 1 first, so that z is half its logit.
"""

from math import atanh, sqrt, tanh

import numpy as np

from accord.arrays import Floats
from accord.inference.interval import Interval
from accord.inference.jackknife import Jackknife
from accord.quantiles import stdtrit
from accord.words import steady

__all__ = ["crossed_intervals", "fisher_intervals"]

_NEAR_ONE = 0.9999
_NO_SPREAD = 1e-9


def fisher_intervals(
    left_out: Jackknife, level: float = 0.95, units: float | None = None, floor: Floats | float = -1.0
) -> tuple[Interval | None, ...]:
    """One interval a statistic: t with the (effective) number of units less one.

    None where a value without some unit is undefined, or where no unit makes a difference: nothing is known then.
    """
    effective = max(float(left_out.units if units is None else units), 2.0)
    floors, errors = np.broadcast_to(floor, left_out.values.shape).tolist(), _errors(left_out, floor)
    method = f"jackknife over {left_out.unit} on Fisher's z, t({steady(effective - 1):,.4g})"
    return tuple(
        _around(value, error, effective - 1, level, method, least)
        for value, error, least in zip(left_out.values.tolist(), errors.tolist(), floors, strict=True)
    )


def crossed_intervals(
    by_rater: Jackknife, item_errors: Floats, items: float, level: float = 0.95, unit: str = "items",
    floor: Floats | float = -1.0,
) -> tuple[Interval | None, ...]:  # fmt: skip
    r"""Raters and items are both a sample: :math:`V_r + V_i`, with degrees of freedom by Satterthwaite.

    ``item_errors`` are standard errors over items on the statistics' own scale; here they are put on the z scale. The
    variance that raters and items share is not taken off: with it the interval held the truth too rarely with ten
    raters and was no narrower with three (docs/explanation/promises.md).
    """
    raters = by_rater.units
    method = f"jackknife over raters and {unit} on Fisher's z"
    made: list[Interval | None] = []
    floors = np.broadcast_to(floor, by_rater.values.shape).tolist()
    for value, rater_error, own, least in zip(
        by_rater.values.tolist(), _errors(by_rater, floor), item_errors, floors, strict=True
    ):
        steep = (1 - min(abs(_stretched(value, least)), _NEAR_ONE) ** 2) * (1 - least) / 2
        first, second = float(rater_error) ** 2, (float(own) / steep) ** 2
        bottom = first**2 / (raters - 1) + second**2 / max(items - 1, 1)
        freedom = max((first + second) ** 2 / bottom, 1.0) if bottom > 0 else 1.0
        made.append(_around(value, sqrt(first + second), freedom, level, f"{method}, t({steady(freedom):,.3g})", least))
    return tuple(made)


def _stretched(value: float, floor: float) -> float:
    """From the floor and 1 to -1 and 1."""
    return 2 * (value - floor) / (1 - floor) - 1


def _errors(left_out: Jackknife, floor: Floats | float) -> Floats:
    """The jackknife's standard errors of z."""
    stretched = 2 * (left_out.left_out - floor) / (1 - floor) - 1
    z = np.arctanh(np.clip(stretched, -_NEAR_ONE, _NEAR_ONE))
    mean = left_out.multiplicity @ z / left_out.units
    spread = left_out.multiplicity @ np.square(z - mean)
    return np.asarray(np.sqrt((left_out.units - 1) / left_out.units * spread))


def _around(value: float, error: float, freedom: float, level: float, method: str, floor: float) -> Interval | None:
    if np.isnan(value + error) or error < _NO_SPREAD or abs(value) > 1:
        return None
    z = atanh(min(max(_stretched(value, floor), -_NEAR_ONE), _NEAR_ONE))
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    low, high = (floor + (1 - floor) * (tanh(end) + 1) / 2 for end in (z - reach, z + reach))
    return Interval(low=min(low, value), high=max(high, value), level=level, method=method)
