"""Tests of paired differences that treat the document, not the segment, as the unit of chance."""

from collections.abc import Callable
from functools import cached_property
from math import isqrt

import numpy as np

from accord.arrays import Floats, Integers
from accord.inference.moderated import moderated
from accord.quantiles import stdtr, stdtrit
from accord.records import dataclass

__all__ = [
    "DocumentSums", "DocumentTest", "document_sums", "document_variances", "segment_t", "sign_flips", "tested",
    "weighted_t",
]  # fmt: skip

_ENUMERATE = 12
_LEAST_P = 1e-300
_MOST_STEPS = 60
_NEAR = 1e-13
_CELLS = 20_000_000


@dataclass(frozen=True)
class DocumentSums:
    """Sum, number and squares within the document of the differences of each document: arrays (..., documents)."""

    sums: Floats
    counts: Floats
    within: Floats

    @cached_property
    def means(self) -> Floats:
        """Mean difference of each document, nan where it has none."""
        return np.asarray(
            np.divide(self.sums, self.counts, out=np.full(self.sums.shape, np.nan), where=self.counts > 0)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTest:
    """Mean difference, standard error, two-sided p-value, number of units and degrees of freedom of each comparison.

    ``documents`` counts raters where they are the unit of chance, and the fewer of both where both are. Then
    ``share`` of the variance is that over raters, which has ``rater_freedom``.
    """

    difference: Floats
    error: Floats
    p: Floats
    documents: Integers
    freedom: Floats
    share: Floats | float = 0.0
    rater_freedom: Floats | float = 1.0

    def reach(self, level: float) -> Floats:
        """Half-width of the interval of each difference."""
        return critical(np.full(len(self.error), 1 - level), self.freedom, self.share, self.rater_freedom) * self.error


def document_sums(differences: Floats, document: Integers, documents: int) -> DocumentSums:
    """Differences (comparisons, segments), nan where a segment is not shared, summed within documents.

    Every document has at least one segment.
    """
    order = np.argsort(document, kind="stable")
    starts = np.searchsorted(document[order], np.arange(documents))
    ordered = differences[..., order]
    shared = ~np.isnan(ordered)
    sums = np.add.reduceat(np.where(shared, ordered, 0.0), starts, axis=-1)
    counts = np.add.reduceat(shared.astype(np.float64), starts, axis=-1)
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    squares = np.square(np.where(shared, ordered - means[..., document[order]], 0.0))
    return DocumentSums(sums, counts, np.add.reduceat(squares, starts, axis=-1))


def document_variances(data: DocumentSums) -> tuple[float, float]:
    r"""What a document's mean difference varies by: :math:`\tau^2 + \sigma^2 / n`, both pooled over all comparisons.

    :math:`\sigma^2` is the variance of differences within documents; :math:`\tau^2`, that of the documents' own
    differences, is what the document means vary by more than :math:`\sigma^2 / n` explains.
    """
    present = data.counts > 0
    documents = present.sum(axis=-1)
    inside = float((data.counts - 1)[present].sum())
    sigma2 = float(data.within.sum()) / inside if inside > 0 else 0.0
    centred = np.where(present, data.means - _mean(data.means, present)[..., None], 0.0)
    between = float(np.maximum(documents - 1, 0).sum())
    if between == 0:
        return sigma2, 0.0
    shorter = np.divide(1.0, data.counts, out=np.zeros_like(data.counts), where=present).sum(axis=-1)
    explained = sigma2 * float((shorter * (documents - 1) / np.maximum(documents, 1)).sum())
    return sigma2, max((float(np.square(centred).sum()) - explained) / between, 0.0)


def weighted_t(data: DocumentSums, weights: Floats, *, borrow: bool) -> DocumentTest:
    r"""Student's t on document means with weights w, scaled to a mean of 1:

    .. math:: v = \frac{\sum w (m - \delta)^2}{D - 1}, \qquad se = \sqrt{v / \sum w}

    on D - 1 degrees of freedom; with equal weights it is the paired t-test on document means. With ``borrow``
    the variances of all comparisons are moderated (:func:`accord.inference.moderated.moderated`). Where every
    document shows one and the same difference the standard error is 0, and p is that of the sign test over documents.
    """
    documents = (data.counts > 0).sum(axis=-1)
    means = np.where(data.counts > 0, data.means, 0.0)
    total = weights.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = weights * (documents / total)[..., None]
        difference = (scaled * means).sum(axis=-1) / documents
        squares = (scaled * np.square(means - difference[..., None])).sum(axis=-1)
        size = (scaled * np.square(means)).sum(axis=-1)
        variance = np.where(squares <= 1e-18 * size, 0.0, squares) / (documents - 1)
    freedom = np.maximum(documents - 1.0, 0.0)
    variance = np.where(documents < 2, np.nan, variance)
    if borrow:
        most = (_systems_of(len(difference)) - 1) * freedom
        made = moderated(variance, freedom)
        variance, freedom = made.variances, np.minimum(made.freedom, most)
    error = np.sqrt(variance / np.maximum(documents, 1))
    return tested(difference, error, documents, freedom)


def segment_t(data: DocumentSums) -> DocumentTest:
    """Student's t of the mean over segments, documents of any length as clusters (a ratio estimator).

    It keeps its level only where documents are of about one length: a few long ones decide everything.
    """
    documents = (data.counts > 0).sum(axis=-1)
    n = data.counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = data.sums.sum(axis=-1) / n
        residual = data.sums - data.counts * difference[..., None]
        scale = np.abs(data.sums).max(axis=-1) + 1e-300
        squares = np.square(residual).sum(axis=-1)
        squares = np.where(squares < (1e-9 * scale) ** 2, 0.0, squares)
        error = np.sqrt(documents / (documents - 1) * squares) / n
    return tested(difference, error, documents, documents - 1.0)


def tested(
    difference: Floats, error: Floats, units: Integers, freedom: Floats, share: Floats | float = 0.0,
    rater_freedom: Floats | float = 1.0,
) -> DocumentTest:  # fmt: skip
    """The test of each difference; without any spread it is the sign test over its units."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = two_sided(difference / error, freedom, share, rater_freedom)
    p = np.where(error == 0, np.where(difference == 0, 1.0, 2.0 ** (1.0 - units)), p)
    p = np.asarray(np.where(units < 2, np.nan, p), dtype=np.float64)
    return DocumentTest(
        difference=difference, error=error, p=p, documents=units, freedom=freedom, share=share,
        rater_freedom=rater_freedom,
    )  # fmt: skip


def critical(p: Floats, freedom: Floats, share: Floats | float = 0.0, other: Floats | float = 1.0) -> Floats:
    """Cochran's critical value: that of each variance's own t, weighted by the share of the variance."""

    tail = np.maximum(p / 2, _LEAST_P)
    own = -stdtrit(np.maximum(freedom, 1.0), tail)
    if np.all(np.asarray(share) == 0):
        return np.asarray(own)
    return np.asarray((1 - np.asarray(share)) * own - np.asarray(share) * stdtrit(other, tail))


def two_sided(t: Floats, freedom: Floats, share: Floats | float = 0.0, other: Floats | float = 1.0) -> Floats:
    """p of t on ``freedom`` degrees of freedom, of which ``share`` of the variance has only ``other``."""
    size = np.abs(t)
    own = np.asarray(2 * stdtr(np.maximum(freedom, 1.0), -size))
    if np.all(np.asarray(share) == 0):
        return own
    return _between(own, np.asarray(2 * stdtr(other, -size)), lambda p: critical(p, freedom, share, other) / size)


def _between(one: Floats, two: Floats, ratio: Callable[[Floats], Floats]) -> Floats:
    """p at which a critical value just reaches t: between the p of each of its two parts, where ``ratio`` is 1.

    By the rule of false position (Illinois) on logarithms, in which both tails are nearly straight.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (np.log(np.clip(end, _LEAST_P, 1.0)) for end in (np.minimum(one, two), np.maximum(one, two)))
        above, below = (np.log(ratio(np.exp(end))) for end in (low, high))
        middle, moved = high, np.zeros(high.shape)
        for _ in range(_MOST_STEPS):
            straight = high - below * (high - low) / (below - above)
            middle = np.where(np.isnan(straight), high, np.clip(straight, low, high))
            found = np.log(ratio(np.exp(middle)))
            if not np.any((np.abs(found) > _NEAR) & (high - low > _NEAR)):
                break
            up = found > 0
            # An end that stays twice counts half, so that both ends move.
            below = np.where(up, np.where(moved > 0, below / 2, below), found)
            above = np.where(up, found, np.where(moved < 0, above / 2, above))
            low, high, moved = np.where(up, middle, low), np.where(up, high, middle), np.where(up, 1.0, -1.0)
    return np.asarray(np.where(np.isnan(one + two), np.nan, np.exp(middle)))


def _mean(values: Floats, present: np.ndarray) -> Floats:
    n = present.sum(axis=-1)
    total = np.where(present, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(total, n, out=np.zeros_like(total), where=n > 0))


def _systems_of(pairs: int) -> int:
    """How many systems so many pairs come from."""
    return (1 + isqrt(1 + 8 * pairs)) // 2


def sign_flips(adds: Floats, rng: np.random.Generator, replicates: int = 10_000) -> Floats:
    """Two-sided p by flipping the sign of what whole documents add to each difference (comparisons, documents).

    Every flip is tried where there are few documents. Valid if a document's difference is symmetric about 0 when
    the systems are equal. The smallest possible p is 2 / 2^documents. nan where nothing was compared.
    """
    documents = adds.shape[-1]
    observed = np.abs(np.nansum(adds, axis=-1)) - 1e-9 * (np.abs(np.nan_to_num(adds)).sum(axis=-1) + 1e-300)
    shared = ~np.isnan(adds).all(axis=-1)
    flipped = np.nan_to_num(adds).T
    if documents <= _ENUMERATE:
        codes = np.arange(2 ** (documents - 1))
        signs = 1.0 - 2.0 * ((codes[:, None] >> np.arange(documents)) & 1)
        p = (np.abs(signs @ flipped) >= observed).mean(axis=0)
    else:
        reached = np.zeros(len(observed))
        step = max(1, _CELLS // documents)
        for start in range(0, replicates, step):
            signs = 1.0 - 2.0 * rng.integers(2, size=(min(step, replicates - start), documents), dtype=np.int8)
            reached += (np.abs(signs @ flipped) >= observed).sum(axis=0)
        p = (reached + 1) / (replicates + 1)
    return np.asarray(np.where(shared, p, np.nan))
