"""Whether an interval may be believed: that of a mean over pairs of raters may be one of another number."""

from dataclasses import replace

import numpy as np

from accord.coefficients.compute import Computed
from accord.coefficients.registry import CoefficientSpec
from accord.reliability.resampling import Attached
from accord.reliability.signs.amount import SCARCE_ITEMS
from accord.words import counted

__all__ = ["believable"]

_LOST_WITH_ONE = 3
"""Pairs that share fewer items mostly have no value, or none but 0, once an item is left out."""


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
        return Attached(
            reason=(
                f"no interval: half of the pairs of raters share {counted(int(shared or 0), 'item')} or fewer; an item "
                "left out then changes which pairs have a value, and shifts the mean more than other items would"
            )
        )
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
