"""Means of MQM scores by system, with intervals over documents and raters."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Floats, distinct
from accord.inference.interval import Interval
from accord.quantiles import stdtrit
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.scoring.error_rates import ERRORS
from accord.scoring.mqm import SegmentMqm
from accord.scoring.ranking.document_tests import DocumentTest
from accord.scoring.ranking.paired import Averaging, system_means
from accord.scoring.ranking.resampling import ResamplingUnit
from accord.scoring.ranking.segments import SegmentScores

__all__ = ["grouped", "scores_of", "system_intervals"]

_TWO = 2
_WORTH_OF_USUAL = 4.0
"""The usual spread of raters counts as much as the spread of so many raters more than two: it differs by campaign."""
_FURTHEST = 5.0
"""Nothing is said beyond a factor of 150: that is no knowledge at all."""


def system_intervals(segments: Sequence[SegmentMqm], level: float = 0.95) -> dict[str, Interval | None]:
    r"""The interval of each system's mean over items: other documents and raters like these.

    Raters are drawn anew where there are three and more; of one rater the interval is about that rater. Two raters tell
    next to nothing of how raters differ (Student's t would reach from a hundredth to a hundredfold), so the usual
    spread of the logarithm of their penalties, .59, is put together with theirs. Items without a document stand for
    themselves. Penalties pile up in few documents, so it is Student's t on the logarithm of the mean penalty m,
    :math:`m \, e^{\pm t \, se / m}`, and documents of unequal length count as
    :math:`(\sum n)^2 / \sum n^2` equal ones. None where a system has fewer than four documents, or one score
    throughout: neither tells how far the mean may be off.
    """
    data = scores_of(segments, [f"{one.system}\0{one.item}" for one in segments])
    raters = len(distinct(data.row_rater))
    unit = ResamplingUnit.BOTH if raters > _TWO else ResamplingUnit.DOCUMENT
    lengths = _lengths(data)
    means = _of_unequal_documents(lengths, system_means(data, Averaging.SEGMENT, unit))
    reach = means.reach(level)
    places = "documents" if data.clustered else "items"
    method = f"Student's t over {places} and raters" if raters > _TWO else f"Student's t over {places}, this rater"
    apart = 0.0
    if raters == _TWO:
        apart = _reach_of_two(data, level)
        method = f"Student's t over {places}, and two raters with the usual spread of raters, {ERRORS.severity:g}"
    return {
        name: _interval(float(centre), float(half), apart, level, f"{method}, on the logarithm of the mean penalty")
        if np.count_nonzero(own) >= FEWEST_DOCUMENTS
        else None
        for name, centre, half, own in zip(data.systems, means.difference, reach, lengths, strict=True)
    }


def _reach_of_two(data: SegmentScores, level: float) -> float:
    """How far the log of the mean of two raters may lie from that of usual raters, by both spreads."""
    _, rater = np.unique(data.row_rater, return_inverse=True)
    counts = np.bincount(rater)
    penalties = np.maximum(-np.bincount(rater, data.row_score) / counts, 0.5 / counts)
    own = float(np.log(penalties).var(ddof=1))
    freedom = _WORTH_OF_USUAL + 1
    spread = (_WORTH_OF_USUAL * ERRORS.severity**2 + own) / freedom
    return float(stdtrit(freedom, (1 + level) / 2) * np.sqrt(spread / _TWO))


def _interval(centre: float, half: float, apart: float, level: float, method: str) -> Interval | None:
    """``half`` is on the scale of the mean, ``apart``, the part of raters, on that of its logarithm."""
    if not (np.isfinite(half) and half > 0 and centre < 0):
        return None
    factor = float(np.exp(min(np.hypot(half / -centre, apart), _FURTHEST)))
    return Interval(low=centre * factor, high=centre / factor, level=level, method=method)


def _lengths(data: SegmentScores) -> Floats:
    """The number of scored items of each system in each document."""
    present = np.isfinite(data.scores).astype(np.float64)
    return np.stack([np.bincount(data.document, own, len(data.documents)) for own in present])


def _of_unequal_documents(lengths: Floats, means: DocumentTest) -> DocumentTest:
    """The same with the freedom of as many equal documents as tell as much."""
    equal = np.square(lengths.sum(axis=1)) / np.square(lengths).sum(axis=1)
    documents = (lengths > 0).sum(axis=1)
    freedom = np.maximum(equal - 1, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        wider = np.sqrt(equal / freedom * (documents - 1) / documents)
    return replace(means, freedom=freedom, error=means.error * np.where(documents > 1, np.maximum(wider, 1.0), 1.0))


def scores_of(segments: Sequence[SegmentMqm], of_items: Sequence[str]) -> SegmentScores:
    """The scores by system and item; ``of_items`` says which item each row is about."""
    systems, system = _coded([one.system for one in segments])
    _, rater = _coded([one.rater for one in segments])
    items, item = _coded(of_items)
    documents, document = _coded([one.document or f"\0{one.item}" for one in segments])
    of_item = np.zeros(len(items), dtype=np.int64)
    of_item[item] = document
    score = np.array([one.score for one in segments], dtype=np.float64)
    shape = (len(systems), len(items))
    flat = system * shape[1] + item
    n = np.bincount(flat, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(flat, score, shape[0] * shape[1]).reshape(shape)
    means = np.divide(total, n, out=np.full(shape, np.nan), where=n > 0)
    return SegmentScores(
        systems=systems, documents=documents, document=of_item, scores=means, row_system=system, row_segment=item,
        row_rater=rater, row_score=score, notes=(), clustered=any(one.document for one in segments),
    )  # fmt: skip


def _coded(names: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    index = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return tuple(index), np.fromiter(map(index.__getitem__, names), dtype=np.int64, count=len(names))


def grouped(scores: Sequence[SegmentMqm], name: str) -> dict[str, list[SegmentMqm]]:
    """The scores of each system, or of each rater."""
    found: dict[str, list[SegmentMqm]] = {}
    for one in scores:
        found.setdefault(getattr(one, name), []).append(one)
    return found
