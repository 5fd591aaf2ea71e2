"""Intervals of agreement with missing ratings: do they hold the true coefficient?

Five raters, three of whom, drawn anew, rate each item, so that two of them share 30 % of the items. The truth is the
coefficient of complete ratings: who rates what is by chance. A mean over pairs of raters is biased where pairs share
few items; Krippendorff's alpha and AC2 stand beside it.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

import accord
from promises.agreement import _NAMES, _REPLICATES, Drawer, _least, _read, _truth, graded, guessing, sliders
from promises.promise import Promise

_RATERS, _RATINGS = 5, 3
_DESIGNS: dict[str, tuple[Drawer, str, int]] = {
    "five grades": (graded(_RATERS, 0.8), "ordinal", 5),
    "five grades, most at the top": (graded(_RATERS, 0.6, 1.5), "ordinal", 5),
    "even values": (guessing(_RATERS, (1 / 3, 1 / 3, 1 / 3), 0.3), "nominal", 3),
    "values 90/5/5": (guessing(_RATERS, (0.9, 0.05, 0.05), 0.3), "nominal", 3),
    "scores 0 to 100": (sliders(_RATERS), "interval", 101),
}


@cache
def _true(what: str, key: str) -> float:
    draw, level, values = _DESIGNS[what]
    return _truth(draw, key, level, values, 20_000)


def _estimate(what: str, key: str, items: int, rng: np.random.Generator) -> accord.Estimate:
    """The estimate of a study with gaps; a study without a value is drawn again."""
    draw, level, values = _DESIGNS[what]
    while True:
        table = draw(items, rng)
        table[rng.permuted(np.tile(np.arange(_RATERS) >= _RATINGS, (items, 1)), axis=1)] = np.nan
        ratings, seed = _read(table, level, values), int(rng.integers(2**31))
        found = accord.agreement(ratings, coefficients=key, replicates=_REPLICATES, seed=seed)[key]
        if not np.isnan(found.value):
            return found


def _holds(what: str, key: str, items: int) -> Callable[[np.random.Generator], bool]:
    def hold(rng: np.random.Generator) -> bool:
        interval = _estimate(what, key, items, rng).interval
        return interval is not None and _true(what, key) in interval

    return hold


def _says_why(what: str, key: str, items: int) -> Callable[[np.random.Generator], bool]:
    """No interval is given, and why is said first."""

    def hold(rng: np.random.Generator) -> bool:
        found = _estimate(what, key, items, rng)
        return found.interval is None and found.cautions[0].startswith("no interval: half of the pairs")

    return hold


def _design(what: str, items: int) -> str:
    return f"{what}, {_RATINGS} of {_RATERS} raters an item, {items} items"


def _intervals() -> list[Promise]:
    made = [(key, "five grades", 40) for key in ("gamma", "kendall_tau_b", "spearman", "percent_agreement")]
    made += [(key, "five grades", items) for key in ("krippendorff_alpha", "gwet_ac2") for items in (20, 40)]
    made += [("cohen_kappa_quadratic", "five grades", items) for items in (40, 80)]
    made += [("cohen_kappa_quadratic", "five grades, most at the top", 40), ("cohen_kappa", "even values", 40)]
    made += [("cohen_kappa", "values 90/5/5", items) for items in (40, 80)]
    made += [(key, "scores 0 to 100", 40) for key in ("pearson", "lin_ccc")]
    return [
        Promise(f"{_NAMES[key]}, 95 % interval", "`agree`", _design(what, items), 0.95, _least(items),
                _holds(what, key, items), quick=3)
        for key, what, items in made
    ]  # fmt: skip


def _refusals() -> list[Promise]:
    name = "no interval where pairs share fewer than 10 items, and why: {}"
    return [
        Promise(name.format(_NAMES[key]), "`agree`", _design(what, 20), None, 0.98, _says_why(what, key, 20), quick=3)
        for key, what in (("cohen_kappa_quadratic", "five grades"), ("lin_ccc", "scores 0 to 100"))
    ]  # fmt: skip


PROMISES: tuple[Promise, ...] = (*_intervals(), *_refusals())
