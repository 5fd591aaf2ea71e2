"""Whether an interval may be believed: that of a mean over pairs of raters may be one of another number."""

from accord.coefficients.compute import Computed
from accord.reliability.resampling import Attached
from accord.reliability.signs.amount import SCARCE_ITEMS
from accord.words import counted

__all__ = ["misplaced"]

_LOST_WITH_ONE = 3
"""Pairs that share fewer items mostly have no value, or none but 0, once an item is left out."""


def misplaced(found: Attached, computed: Computed) -> str:
    """Why the interval of a mean over pairs is that of another number; empty where it may be believed.

    Few items make the value of a pair biased, and a pair that shares one or two items loses its value with an item:
    the mean without the item is then one over other pairs. The interval is that of another number in both cases.
    """
    shared = computed.parts.get("median_shared_items")
    if shared is None or not (shared < computed.items or shared < _LOST_WITH_ONE):
        return ""
    if found.interval is None or "over items" not in found.interval.method:
        return ""
    if not _misses(found, computed.value, shared):
        return ""
    return (
        f"no interval: half of the pairs of raters share {counted(int(shared), 'item')} or fewer; an item "
        "left out then changes which pairs have a value, and shifts the mean more than other items would"
    )


def _misses(found: Attached, value: float, shared: float) -> bool:
    """Whether an interval misses its value, or is that of a jackknife of pairs that vanish, centred well beside it."""
    if found.interval is None or value not in found.interval or shared < _LOST_WITH_ONE:
        return True
    if shared >= SCARCE_ITEMS or not found.interval.method.startswith("jackknife"):
        return False
    error = found.standard_error or 0.0
    above = found.interval.high - value
    return value - found.interval.low < error or (above < error and found.interval.high < 1)
