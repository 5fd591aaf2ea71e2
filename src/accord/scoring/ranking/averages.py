"""What the score of a ranking is the mean of, in words, and whether plain means have another leader."""

import numpy as np

from accord.arrays import distinct
from accord.noise import order_of, ranked
from accord.scoring.ranking.paired import EACH_DOCUMENT, EACH_SEGMENT, Averaging, PairedSystems
from accord.scoring.ranking.segments import SegmentScores
from accord.words import steady

__all__ = ["other_leader", "score_words"]


def score_words(data: SegmentScores, paired: PairedSystems) -> str:
    """What a score is: where documents are not named or are equally long, weights say nothing."""
    if not data.clustered:
        return EACH_SEGMENT
    lengths = np.bincount(data.document, minlength=len(data.documents))
    if paired.weighing.average is not Averaging.SEGMENT and len(distinct(lengths)) == 1:
        return EACH_DOCUMENT
    return paired.weighing.words


def other_leader(data: SegmentScores, paired: PairedSystems) -> tuple[str, ...]:
    """Said where scores are weighted and another system has the best plain mean over documents."""
    if paired.weighing.average is not Averaging.WEIGHTED or paired.weighing.alike or not data.clustered:
        return ()
    plain = np.nanmean(np.where(paired.alone_sums.counts > 0, paired.alone_sums.means, np.nan), axis=1)
    first, best = int(paired.order[0]), int(order_of(paired.sign * plain, data.systems, highest=True)[0])
    if not np.ptp(ranked(plain)[[first, best]]):
        return ()
    leads, other = data.systems[first], data.systems[best]
    return (
        f"By plain means over documents {other} leads ({steady(plain[best]):.2f}) and not {leads} "
        f"({steady(plain[first]):.2f}); "
        "--average document ranks by these.",
    )
