"""Tests of paired differences that treat the document, not the segment, as the unit of chance."""

from dataclasses import dataclass

import numpy as np

from accord.arrays import Floats, Integers

__all__ = ["DocumentSums", "DocumentTest", "document_sums", "document_t", "sign_flips"]

_ENUMERATE = 12
_CELLS = 20_000_000


@dataclass(frozen=True, slots=True)
class DocumentSums:
    """Sum and number of differences in each document: arrays (..., documents)."""

    sums: Floats
    counts: Floats


@dataclass(frozen=True, slots=True)
class DocumentTest:
    """Mean difference, standard error, two-sided p-value, number of units and degrees of freedom of each comparison.

    ``documents`` counts raters where they are the unit of chance, and the fewer of both where both are.
    """

    difference: Floats
    error: Floats
    p: Floats
    documents: Integers
    freedom: Floats


def document_sums(differences: Floats, document: Integers, documents: int) -> DocumentSums:
    """Differences (comparisons, segments), nan where a segment is not shared, summed within documents.

    Every document has at least one segment.
    """
    order = np.argsort(document, kind="stable")
    starts = np.searchsorted(document[order], np.arange(documents))
    ordered = differences[..., order]
    shared = ~np.isnan(ordered)
    sums = np.add.reduceat(np.where(shared, ordered, 0.0), starts, axis=-1)
    return DocumentSums(sums, np.add.reduceat(shared.astype(np.float64), starts, axis=-1))


def document_t(data: DocumentSums) -> DocumentTest:
    """Student's t with the document as the unit; documents may differ in length.

    The mean difference is the sum over the number of segments. Its standard error comes from the
    documents' residuals (a ratio estimator), with documents - 1 degrees of freedom. With equal documents
    it is the paired t-test on document means. Where every document shows one and the same difference the
    standard error is 0, and p is that of the sign test over documents.
    """
    from scipy.special import stdtr

    sums, counts = data.sums, data.counts
    documents = (counts > 0).sum(axis=-1)
    n = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = sums.sum(axis=-1) / n
        residual = sums - counts * difference[..., None]
        scale = np.abs(sums).max(axis=-1) + 1e-300
        squares = np.square(residual).sum(axis=-1)
        squares = np.where(squares < (1e-9 * scale) ** 2, 0.0, squares)
        error = np.sqrt(documents / (documents - 1) * squares) / n
        t = difference / error
        p = 2 * stdtr(np.maximum(documents - 1, 1), -np.abs(t))
    p = np.where(error == 0, np.where(difference == 0, 1.0, 2.0 ** (1.0 - documents)), p)
    p = np.where(documents < 2, np.nan, p)
    return DocumentTest(difference, error, np.asarray(p, dtype=np.float64), documents, documents - 1.0)


def sign_flips(data: DocumentSums, rng: np.random.Generator, replicates: int = 10_000) -> Floats:
    """Two-sided p by flipping the sign of whole documents; every flip is tried where there are few documents.

    Valid if a document's difference is symmetric about 0 when the systems are equal. The smallest
    possible p is 2 / 2^documents.
    """
    documents = data.sums.shape[-1]
    observed = np.abs(data.sums.sum(axis=-1)) - 1e-9 * (np.abs(data.sums).sum(axis=-1) + 1e-300)
    if documents <= _ENUMERATE:
        codes = np.arange(2 ** (documents - 1))
        signs = 1.0 - 2.0 * ((codes[:, None] >> np.arange(documents)) & 1)
        p = (np.abs(signs @ data.sums.T) >= observed).mean(axis=0)
    else:
        reached = np.zeros(len(observed))
        step = max(1, _CELLS // documents)
        for start in range(0, replicates, step):
            signs = 1.0 - 2.0 * rng.integers(2, size=(min(step, replicates - start), documents), dtype=np.int8)
            reached += (np.abs(signs @ data.sums.T) >= observed).sum(axis=0)
        p = (reached + 1) / (replicates + 1)
    return np.asarray(np.where(data.counts.sum(axis=-1) > 0, p, np.nan))
