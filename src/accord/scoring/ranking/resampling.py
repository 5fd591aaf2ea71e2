"""Tests of paired differences that may also take the rater as a unit of chance: cluster-robust variances."""

from enum import StrEnum

import numpy as np

from accord.arrays import Floats, Integers
from accord.inference.moderated import moderated
from accord.records import dataclass
from accord.scoring.ranking.document_tests import DocumentTest, tested
from accord.scoring.ranking.segments import SegmentScores

__all__ = ["ResamplingUnit", "over_raters"]


class ResamplingUnit(StrEnum):
    """What another evaluation would draw anew."""

    DOCUMENT = "document"
    RATER = "rater"
    BOTH = "document-and-rater"


@dataclass(frozen=True, slots=True)
class _RaterVariances:
    """Variance of each comparison over raters and over raters within documents, and how many raters there are."""

    raters: Floats
    crossed: Floats
    counts: Integers


def over_raters(
    data: SegmentScores, first: Integers, second: Integers | None, weights: Floats, documents: DocumentTest,
    unit: ResamplingUnit, *, borrow: bool,
) -> DocumentTest:  # fmt: skip
    r"""The same differences with rater as a unit of chance, alone or beside the document.

    Each rating adds its distance from its system's mean, weighted as it enters the difference. Summed within
    a cluster and squared, that gives the variance over raters, and over documents crossed with raters;
    documents and raters together have

    .. math:: V = V_{document} + V_{rater} - V_{document \times rater},

    but never less than either alone. The two variances have different degrees of freedom, those of documents and
    raters - 1: the critical value is the mean of the two of Student's t, weighted by the share of each variance
    (Cochran 1964). With ``borrow`` variances over raters are moderated like those over documents.

    References
    ----------
    Cameron, A. C., Gelbach, J. B., Miller, D. L. (2011). Robust inference with multiway clustering.
    Cochran, W. G. (1964). Approximate significance levels of the Behrens-Fisher test.
    """
    found = _rater_variances(data, first, second, weights, documents.difference)
    variance, crossed = found.raters, found.crossed
    freedom = np.asarray(found.counts - 1.0, dtype=np.float64)
    if borrow:
        made = moderated(variance, freedom)
        variance, freedom, crossed = made.variances, made.freedom, np.full_like(crossed, np.nanmean(crossed))
        freedom = np.minimum(freedom, (len(data.systems) - 1) * (found.counts - 1.0))
    freedom = np.maximum(freedom, 1.0)
    if unit is ResamplingUnit.RATER:
        return tested(documents.difference, np.sqrt(variance), found.counts, freedom)
    own = np.square(documents.error)
    total = np.maximum(np.maximum(own + variance - crossed, own), variance)
    share = np.divide(variance, total, out=np.zeros_like(total), where=total > 0)
    fewest = np.minimum(found.counts, documents.documents)
    return tested(documents.difference, np.sqrt(total), fewest, documents.freedom, share, freedom)


def _rater_variances(
    data: SegmentScores, first: Integers, second: Integers | None, weights: Floats, difference: Floats
) -> _RaterVariances:
    rows = [np.flatnonzero(data.row_system == system) for system in range(len(data.systems))]
    raters = int(data.row_rater.max()) + 1
    met, cell = np.unique(data.document[data.row_segment] * raters + data.row_rater, return_inverse=True)
    cells = _Cells(np.asarray(cell).reshape(-1), (met % raters).astype(np.int64), raters)
    others: list[int | None] = list(second.tolist()) if second is not None else [None] * len(first)
    found = [
        _variances_of_comparison(
            data, cells, [(rows[a], a, 1.0)] + ([] if b is None else [(rows[b], b, -1.0)]), weights[place]
        )
        for place, (a, b) in enumerate(zip(first.tolist(), others, strict=True))
    ]
    over, crossed, counts = (np.array(part) for part in zip(*found, strict=True))
    known = ~np.isnan(difference)
    return _RaterVariances(np.where(known, over, np.nan), np.where(known, crossed, np.nan), counts.astype(np.int64))


@dataclass(frozen=True, slots=True)
class _Cells:
    """Each rating's cell (a rater in a document), and each cell's rater."""

    row: Integers
    rater: Integers
    raters: int


def _variances_of_comparison(
    data: SegmentScores, cells: _Cells, sides: list[tuple[Integers, int, float]], weights: Floats
) -> tuple[float, float, int]:
    """Variances over raters and over raters in documents of one comparison, and the number of raters."""
    documents = len(data.documents)
    shared = np.asarray(~np.isnan(data.scores[[system for _, system, _ in sides]]).any(axis=0))
    lengths = np.bincount(data.document[shared], minlength=documents)
    scale = np.divide(weights, lengths, out=np.zeros(documents), where=lengths > 0) / max(weights.sum(), 1e-300)
    totals, used, size = np.zeros(len(cells.rater)), np.zeros(len(cells.rater), dtype=bool), 0.0
    for own, _, sign in sides:
        kept = own[shared[data.row_segment[own]]]
        segment = data.row_segment[kept]
        enters = scale[data.document[segment]] / np.bincount(segment, minlength=len(shared))[segment]
        influence = enters * (data.row_score[kept] - float(enters @ data.row_score[kept]))
        totals += sign * np.bincount(cells.row[kept], influence, len(totals))
        used[cells.row[kept]] = True
        size += float(np.square(influence).sum())
    taking_part = np.bincount(cells.rater, used, cells.raters) > 0
    by_rater = np.asarray(np.bincount(cells.rater, totals, cells.raters), dtype=np.float64)
    over = _variance(by_rater, int(taking_part.sum()), size)
    return over, _variance(totals, int(used.sum()), size), int(taking_part.sum())


def _variance(totals: Floats, clusters: int, size: float) -> float:
    """Sum of squared cluster totals, corrected for the number of clusters; 0 where rounding alone is left."""
    squares = float(np.square(totals).sum())
    return clusters / (clusters - 1) * squares if clusters > 1 and squares > 1e-18 * size else 0.0
