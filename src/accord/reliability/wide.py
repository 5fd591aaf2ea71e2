"""Intervals of means over pairs of raters where patterns x pairs x values would fill the memory."""

from dataclasses import replace

import numpy as np

from accord.arrays import Floats
from accord.coefficients.batch import divided
from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.left_out_pairs import (
    PAIR_MEANS,
    WIDE_CELLS,
    light_left_out,
    pair_features,
    pair_mean_left_out,
)
from accord.coefficients.options import Options
from accord.coefficients.order import FEATURE_CELLS
from accord.coefficients.pairwise import is_fine, pairwise
from accord.coefficients.registry import CoefficientSpec
from accord.inference.jackknife import Jackknife, jackknife_of
from accord.ratings.counts import CountSource
from accord.reliability.cautions import SCARCE_ITEMS
from accord.reliability.plan import Draws, Plan, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import (
    FEWEST_RATERS,
    Attached,
    from_jackknife,
    from_left_out,
    over_pairs_of_raters,
    with_items,
)
from accord.words import counted

__all__ = ["believable", "is_wide", "wide_mean"]

_ORDER = ("gamma", "kendall_tau_b", "spearman")
_TABLES_COST = 10
_FEW_RATERS = 5
_LOST_WITH_ONE = 3
"""Pairs that share fewer items mostly have no value, or none but 0, once an item is left out."""


def is_wide(key: str, view: View, plan: Plan) -> bool:
    """Whether resampling would lay out too many features; on fine scales order has a way of its own."""
    if key not in PAIR_MEANS or len(view.pairs[0]) < 2 or (key in _ORDER and is_fine(view.raters, view.values)):
        return False
    insists = plan.replicates is not None or plan.draws is not Draws.AUTO
    most = FEATURE_CELLS if insists else WIDE_CELLS / (_TABLES_COST if key in _ORDER else 1)
    return len(view.codes) * pair_features(view, key) > most


def wide_mean(spec: CoefficientSpec, source: CountSource, view: View, request: Request, value: float) -> Attached:
    """Every item left out, or every rater: exact, from one table a pair."""
    plan, options = request.plan, request.options
    if plan.resample is Unit.ITEM:
        return from_left_out(np.array([value]), _left_out(spec.key, source, view, options, value)[:, None],
                             view.multiplicity, plan)[0]  # fmt: skip
    if plan.resample is Unit.DOCUMENT or not spec.pairwise:
        pairs = f"{len(view.pairs[0]):,} pairs of raters on {len(view.codes):,} different items"
        return Attached(reason=f"no interval: {pairs} are too large a table to resample the unit {plan.resample}")
    square = pairwise(source, spec.key, options, view).matrix(view.raters)
    if plan.resample is Unit.RATER and plan.wants_bootstrap and view.raters >= _FEW_RATERS:
        return over_pairs_of_raters(square, plan)
    if view.raters < FEWEST_RATERS:
        return Attached()
    by_rater = jackknife_of(np.array([value]), _without_raters(square)[:, None], "raters")
    if plan.resample is Unit.RATER:
        return from_jackknife(by_rater, plan)[0]
    without = _left_out(spec.key, source, view, options, value)[:, None]
    by_item = Jackknife(np.array([value]), without, view.multiplicity)
    return with_items(by_rater, by_item.standard_errors, by_item.units, plan)[0]


def _left_out(key: str, source: CountSource, view: View, options: Options, value: float) -> Floats:
    if key == "light_kappa" and not view.is_complete:
        return light_left_out(view, value)
    return pair_mean_left_out(view, key, options, source.pairs)


def _without_raters(square: Floats) -> Floats:
    """The mean over the pairs that are left when each rater is left out."""
    apart = square.copy()
    np.fill_diagonal(apart, np.nan)
    defined, known = ~np.isnan(apart), np.nan_to_num(apart)
    left, pairs = known.sum() / 2 - known.sum(axis=1), defined.sum() / 2 - defined.sum(axis=1)
    return divided(left, pairs)


def believable(spec: CoefficientSpec, found: Attached, computed: Computed) -> Attached:
    """A mean over pairs keeps no interval that misses it; any other coefficient keeps it, with a word.

    Few items make the value of a pair biased, and a pair that shares one or two items loses its value with an item:
    the mean without the item is then one over other pairs. The interval is that of another number in both cases.
    """
    interval = found.interval
    if interval is None or found.reason or np.isnan(computed.value):
        return found
    ends = f"{interval} ({interval.method})"
    shared = computed.parts.get("median_shared_items") if spec.pairwise else None
    vanishing = shared is not None and (shared < computed.items or shared < _LOST_WITH_ONE)
    if vanishing and "over items" in interval.method and _misplaced(found, computed.value, shared or 0.0):
        return Attached(reason=(
            f"no interval: half of the pairs of raters share {counted(int(shared or 0), 'item')} or fewer; an item "
            "left out then changes which pairs have a value, and shifts the mean more than other items would"
        ))  # fmt: skip
    if computed.value not in interval:
        return replace(found, reason=f"the value lies outside its interval {ends}: do not rely on either")
    return found


def _misplaced(found: Attached, value: float, shared: float) -> bool:
    """Whether an interval misses its value, or is that of a jackknife of pairs that vanish, centred well beside it."""
    if found.interval is None or value not in found.interval or shared < _LOST_WITH_ONE:
        return True
    if shared >= SCARCE_ITEMS or not found.interval.method.startswith("jackknife"):
        return False
    error = found.standard_error or 0.0
    above = found.interval.high - value
    return value - found.interval.low < error or (above < error and found.interval.high < 1)
