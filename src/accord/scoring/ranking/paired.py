"""All pairs of systems compared on the segments they share, documents weighed by what they can tell."""

from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations

import numpy as np

from accord.arrays import Floats, Integers, every_pair
from accord.noise import order_of
from accord.records import dataclass
from accord.scoring.ranking.document_tests import (
    DocumentSums,
    DocumentTest,
    document_sums,
    document_variances,
    segment_t,
    weighted_t,
)
from accord.scoring.ranking.resampling import ResamplingUnit, over_raters
from accord.scoring.ranking.segments import SegmentScores
from accord.words import steady

__all__ = ["Averaging", "PairedSystems", "Weighing", "compare_pairs", "system_means"]

EACH_DOCUMENT, EACH_SEGMENT = "mean over documents, each counting alike", "mean over segments, each counting alike"
BORROWING_SYSTEMS = 4
"""From so many systems on weights are estimated and variances borrow from each other; of fewer there is too little."""


class Averaging(StrEnum):
    """What a system's score is the mean of: documents by what they can tell, documents alike, or segments alike."""

    WEIGHTED = "weighted"
    DOCUMENT = "document"
    SEGMENT = "segment"


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much a document counts by its number of segments n: 1 / (tau2 + sigma2 / n), or n, or alike."""

    average: Averaging
    sigma2: float = 0.0
    tau2: float = 0.0

    @property
    def alike(self) -> bool:
        return self.average is not Averaging.SEGMENT and self.sigma2 + self.tau2 == 0

    @property
    def words(self) -> str:
        if self.average is Averaging.SEGMENT:
            return EACH_SEGMENT
        if self.alike:
            return EACH_DOCUMENT
        longer = float(self.of(np.array([10.0]))[0] / self.of(np.array([1.0]))[0])
        return (
            f"weighted mean over documents; a document of ten segments counts {steady(longer):.1f} times as much as "
            "a document of one segment"
        )

    def of(self, counts: Floats) -> Floats:
        """The weight of each document, 0 where it has no segment."""
        present = counts > 0
        if self.average is Averaging.SEGMENT:
            return counts
        if self.alike:
            return present.astype(np.float64)
        return np.where(present, 1.0 / (self.tau2 + self.sigma2 / np.where(present, counts, 1.0)), 0.0)


@dataclass(frozen=True, kw_only=True)
class PairedSystems:
    """Systems from best to worst, each alone and in pairs, better first.

    ``order`` holds the places of the systems in the data; ``alone`` and ``alone_sums`` keep those places, ``test`` and
    ``sums`` are of the pairs of ``order``. ``documents`` counts the documents that a pair shares.
    """

    order: Integers
    alone: DocumentTest
    alone_sums: DocumentSums
    test: DocumentTest
    sums: DocumentSums
    weighing: Weighing
    unit: ResamplingUnit
    sign: float
    borrow: bool

    @cached_property
    def documents(self) -> Integers:
        return np.asarray((self.sums.counts > 0).sum(axis=-1))

    @property
    def adds(self) -> Floats:
        """What each document adds to each difference: what a permutation flips; nan where it is not shared."""
        return np.asarray(self.weighing.of(self.sums.counts) * self.sums.means)


def compare_pairs(data: SegmentScores, average: Averaging, unit: ResamplingUnit, sign: float) -> PairedSystems:
    """Every system and every pair of systems, tested over documents, raters or both; ``sign`` -1 if low is good."""
    systems = len(data.systems)
    first, second = every_pair(systems)
    pairs = document_sums(sign * (data.scores[first] - data.scores[second]), data.document, len(data.documents))
    borrow = average is not Averaging.SEGMENT and systems >= BORROWING_SYSTEMS
    weighted = borrow and average is Averaging.WEIGHTED
    weighing = Weighing(average, *(document_variances(pairs) if weighted else (0.0, 0.0)))
    alone_sums = document_sums(data.scores, data.document, len(data.documents))
    alone = _tested(data, alone_sums, weighing, np.arange(systems), None, unit, borrow=False)
    order = order_of(sign * alone.difference, data.systems, highest=True, size=float(np.nanmax(np.abs(data.scores))))
    sums, left, right = _sorted_pairs(pairs, order, systems)
    test = _tested(data, sums, weighing, left, right, unit, borrow=borrow)
    return PairedSystems(
        order=order, alone=alone, alone_sums=alone_sums, test=test, sums=sums, weighing=weighing, unit=unit, sign=sign,
        borrow=borrow,
    )  # fmt: skip


def system_means(data: SegmentScores, average: Averaging, unit: ResamplingUnit) -> DocumentTest:
    """The mean of every system alone, whether or not systems share segments."""
    sums = document_sums(data.scores, data.document, len(data.documents))
    return _tested(data, sums, Weighing(average), np.arange(len(data.systems)), None, unit, borrow=False)


def _sorted_pairs(pairs: DocumentSums, order: Integers, systems: int) -> tuple[DocumentSums, Integers, Integers]:
    """The pairs in the order of the systems, better first."""
    place = np.zeros((systems, systems), dtype=np.int64)
    place[every_pair(systems)] = np.arange(len(pairs.sums))
    left, right = (np.array(side) for side in zip(*combinations(order.tolist(), 2), strict=True))
    rows = place[np.minimum(left, right), np.maximum(left, right)]
    turned = np.where(left < right, 1.0, -1.0)[:, None]
    return DocumentSums(turned * pairs.sums[rows], pairs.counts[rows], pairs.within[rows]), left, right


def _tested(
    data: SegmentScores, sums: DocumentSums, weighing: Weighing, first: Integers, second: Integers | None,
    unit: ResamplingUnit, *, borrow: bool,
) -> DocumentTest:  # fmt: skip
    weights = weighing.of(sums.counts)
    made = segment_t(sums) if weighing.average is Averaging.SEGMENT else weighted_t(sums, weights, borrow=borrow)
    if unit is ResamplingUnit.DOCUMENT:
        return made
    # Of a single document nothing varies between documents: raters alone then decide.
    known = replace(made, error=np.nan_to_num(made.error))
    return over_raters(data, first, second, weights, known, unit, borrow=borrow)
