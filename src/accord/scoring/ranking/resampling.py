"""Tests of paired differences that may also take the rater as a unit of chance: cluster-robust variances."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from accord.arrays import Floats, Integers
from accord.scoring.ranking.document_tests import DocumentTest
from accord.scoring.ranking.segments import SegmentScores

__all__ = ["ResamplingUnit", "clustered_test"]


class ResamplingUnit(StrEnum):
    """What another evaluation would draw anew."""

    DOCUMENT = "document"
    RATER = "rater"
    BOTH = "document-and-rater"


@dataclass(frozen=True, slots=True)
class _Parts:
    """Rows of one comparison: what each adds to the difference's error, and the clusters it belongs to."""

    influence: Floats
    document: Integers
    rater: Integers
    difference: float


def clustered_test(data: SegmentScores, first: Integers, second: Integers | None, unit: ResamplingUnit) -> DocumentTest:
    r"""Mean differences of pairs of systems (or means of systems, without ``second``) with rater as a unit of chance.

    Each rating adds its distance from its system's mean, weighted as it enters the difference of segment
    means. Summed within a cluster and squared, that gives the variance over documents, over raters, and over both
    crossed; documents and raters together have

    .. math:: V = V_{document} + V_{rater} - V_{document \times rater},

    but never less than either alone. t has as many degrees of freedom as the fewer of both have, less one.

    References
    ----------
    Cameron, A. C., Gelbach, J. B., Miller, D. L. (2011). Robust inference with multiway clustering.
    """
    from scipy.special import stdtr

    rows = [np.flatnonzero(data.row_system == system) for system in range(len(data.systems))]
    others: list[int | None] = list(second.tolist()) if second is not None else [None] * len(first)
    found = [_one(data, rows, int(a), b, unit) for a, b in zip(first.tolist(), others, strict=True)]
    difference, error, freedom, units = (np.array(part, dtype=np.float64) for part in zip(*found, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(freedom, -np.abs(difference / error))
    p = np.where(error == 0, np.where(difference == 0, 1.0, 2.0 ** (1.0 - units)), p)
    p = np.where(units < 2, np.nan, p)
    return DocumentTest(difference, error, np.asarray(p, dtype=np.float64), units.astype(np.int64), freedom)


def _one(
    data: SegmentScores, rows: list[Integers], a: int, b: int | None, unit: ResamplingUnit
) -> tuple[float, float, float, int]:
    """Difference, its standard error, degrees of freedom, and the number of units (the fewer, of two kinds)."""
    parts = _parts(data, rows, a, b)
    if not len(parts.influence):
        return float("nan"), float("nan"), 1.0, 0
    raters, documents = _variance(parts.influence, parts.rater), _variance(parts.influence, parts.document)
    if unit is ResamplingUnit.RATER:
        return parts.difference, float(np.sqrt(raters[0])), max(raters[1] - 1.0, 1.0), raters[1]
    both = _variance(parts.influence, parts.document * (int(parts.rater.max()) + 1) + parts.rater)
    variance = max(documents[0] + raters[0] - both[0], documents[0], raters[0])
    fewest = min(documents[1], raters[1])
    return parts.difference, float(np.sqrt(variance)), max(fewest - 1.0, 1.0), fewest


def _parts(data: SegmentScores, rows: list[Integers], a: int, b: int | None) -> _Parts:
    systems = [a] if b is None else [a, b]
    shared = np.asarray(~np.isnan(data.scores[systems]).any(axis=0))
    n = max(int(shared.sum()), 1)
    influences, places, difference = [], [], 0.0
    for system, sign in zip(systems, (1.0, -1.0), strict=False):
        own = rows[system][shared[data.row_segment[rows[system]]]]
        if not len(own):
            continue
        segment = data.row_segment[own]
        weight = 1.0 / (np.bincount(segment, minlength=len(shared))[segment] * n)
        mean = float(weight @ data.row_score[own])
        influences.append(sign * weight * (data.row_score[own] - mean))
        places.append(own)
        difference += sign * mean
    own = np.concatenate(places) if places else np.zeros(0, dtype=np.int64)
    influence = np.concatenate(influences) if influences else np.zeros(0)
    return _Parts(influence, data.document[data.row_segment[own]], data.row_rater[own], difference)


def _variance(influence: Floats, cluster: Integers) -> tuple[float, int]:
    """Sum of squared cluster totals, corrected for the number of clusters; 0 where rounding alone is left."""
    _, code = np.unique(cluster, return_inverse=True)
    totals = np.bincount(np.asarray(code).reshape(-1), influence)
    clusters = len(totals)
    squares = float(np.square(totals).sum())
    if squares < 1e-18 * float(np.square(influence).sum()):
        squares = 0.0
    return (clusters / (clusters - 1) * squares if clusters > 1 else 0.0), clusters
