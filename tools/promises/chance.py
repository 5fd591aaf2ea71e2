"""Raters at exactly chance who mostly give one value: what is said of them, and does the interval hold 0?

On a rare value such raters hardly ever meet, so a bootstrap of what was seen knows no agreement on it: at 95/5, 2
raters and 200 items the interval of α lay below 0 in .58 of studies, and with 5 raters and 60 items above 0 in .24,
before both ends were taken with what might have been seen.
"""

from collections.abc import Callable

import numpy as np

import accord
from promises.agreement import _NAMES, _REPLICATES, _read, guessing
from promises.promise import Promise

__all__ = ["PROMISES"]

_DESIGNS = (
    ((0.95, 0.05), 2, 200),
    ((0.95, 0.05), 3, 100),
    ((0.95, 0.05), 2, 500),
    ((0.95, 0.05), 5, 60),
    ((0.95, 0.05), 5, 1000),
    ((0.9, 0.1), 2, 60),
    ((0.9, 0.05, 0.05), 3, 60),
    ((0.9, 0.05, 0.05), 5, 20),
)
_KAPPA = ("cohen_kappa", ((0.95, 0.05), 2, 200))


def _estimate(
    key: str, shares: tuple[float, ...], raters: int, items: int, rng: np.random.Generator
) -> accord.Estimate:
    """The estimate of a study in which every rating is a guess; a study without a value is drawn again."""
    draw = guessing(raters, shares, 1.0)
    while True:
        ratings = _read(draw(items, rng), "nominal", len(shares))
        found = accord.agreement(ratings, coefficients=key, replicates=_REPLICATES, seed=int(rng.integers(2**31)))[key]
        if not np.isnan(found.value):
            return found


def _promise(
    key: str, design: tuple[tuple[float, ...], int, int], name: str, nominal: float, must: float,
    kept: Callable[[accord.Interval], bool],
) -> Promise:  # fmt: skip
    shares, raters, items = design

    def hold(rng: np.random.Generator) -> bool:
        interval = _estimate(key, shares, raters, items, rng).interval
        return interval is not None and kept(interval)

    words = "/".join(f"{100 * share:.0f}" for share in shares)
    what = f"raters at chance, values {words}, {raters} raters, {items} items"
    return Promise(name.format(_NAMES[key]), "`agree`", what, nominal, must, hold, quick=3)


PROMISES: tuple[Promise, ...] = (
    *(_promise("krippendorff_alpha", design, "not said to agree less than by chance: {}", 0.975, 0.96,
               lambda interval: interval.high >= 0) for design in _DESIGNS),
    *(_promise(key, design, "{}, 95 % interval", 0.95, 0.92 if design[2] < 30 else 0.93,
               lambda interval: 0 in interval) for key, design in (*(("krippendorff_alpha", one) for one in _DESIGNS),
                                                                    _KAPPA)),
)  # fmt: skip
