"""Many tests at once: p-values adjusted so that the whole family can be read together."""

from enum import StrEnum

import numpy as np

from accord.arrays import Floats

__all__ = ["Adjustment", "adjusted"]


class Adjustment(StrEnum):
    """What is kept under control, and how."""

    NONE = "none"
    BONFERRONI = "bonferroni"
    HOLM = "holm"
    BENJAMINI_HOCHBERG = "benjamini-hochberg"
    BENJAMINI_YEKUTIELI = "benjamini-yekutieli"


def adjusted(p_values: Floats, method: Adjustment = Adjustment.HOLM) -> Floats:
    """Adjusted p-values in the order given; an undefined p stays undefined and is not counted.

    Holm and Bonferroni bound the chance of any false alarm in the family; Benjamini-Hochberg bounds the
    expected share of false alarms among the alarms for independent tests, Benjamini-Yekutieli for any.
    """
    p = np.asarray(p_values, dtype=np.float64)
    out = np.full(p.shape, np.nan)
    defined = np.flatnonzero(~np.isnan(p))
    order = defined[np.argsort(p[defined], kind="stable")]
    if len(order):
        out[order] = np.clip(_sorted_adjusted(p[order], method), 0, 1)
    return out


def _sorted_adjusted(p: Floats, method: Adjustment) -> Floats:
    tests = len(p)
    rank = np.arange(1, tests + 1)
    if method is Adjustment.NONE:
        return p
    if method is Adjustment.BONFERRONI:
        return p * tests
    if method is Adjustment.HOLM:
        return np.maximum.accumulate(p * (tests - rank + 1))
    dependence = (1 / rank).sum() if method is Adjustment.BENJAMINI_YEKUTIELI else 1.0
    return np.asarray(np.minimum.accumulate((p * tests * dependence / rank)[::-1])[::-1])
