"""Whether systems differ by their MQM scores: the same raters, the same segments, documents drawn anew."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from accord.arrays import distinct
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError
from accord.records import dataclass
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.scoring.mqm import SegmentMqm
from accord.scoring.mqm_means import scores_of
from accord.scoring.ranking.rank import FEW_DOCUMENTS, NO_DOCUMENTS, few_shared, rank_segments
from accord.scoring.ranking.result import Ranking
from accord.scoring.ranking.segments import SegmentScores
from accord.words import counted

__all__ = ["MqmDifferences", "mqm_differences"]

_TWO = 2
NO_SHARED = (
    "Whether they differ was not tested, as they share no segment: name what they share in a column segment, or give "
    "one item the same name for all systems."
)
OTHER_RATERS = (
    "Whether they differ was not tested, as raters judged different systems: a strict rater and a poor system look "
    "alike. Let the same raters judge all systems of a segment."
)


def too_few(shared: str) -> str:
    return (
        f"Whether they differ was not tested, as they share only {shared}: it takes {FEWEST_DOCUMENTS} at least, "
        "better ten or more."
    )


@dataclass(frozen=True, slots=True)
class MqmDifferences:
    """Every pair of systems with its test, or in words why there is none."""

    ranking: Ranking | None
    reason: str = ""
    cautions: tuple[str, ...] = ()


def mqm_differences(segments: Sequence[SegmentMqm], level: float = 0.95) -> MqmDifferences:
    """Every pair of systems on the segments that both have, documents as the unit of chance, Holm over pairs.

    Scores of a rater are compared with scores of the same rater only: where most raters saw a segment in the version
    of one system, nothing is tested. Where documents are of unequal length they count as in ``accord rank``, which
    holds its level; a mean over segments would not.
    """
    if len({one.system for one in segments}) < _TWO:
        return MqmDifferences(None)
    shared = [f"{one.document}\0{one.segment or one.item}" for one in segments]
    data = scores_of(segments, shared)
    if np.isfinite(data.scores).sum(axis=0).max() < _TWO:
        return MqmDifferences(None, NO_SHARED)
    seen = np.unique(np.stack([data.row_segment, data.row_rater, data.row_system]), axis=1)
    if (np.unique(seen[:2], axis=1, return_counts=True)[1] > 1).mean() < 1 / 2:
        return MqmDifferences(None, OTHER_RATERS)
    if (most := _most_shared(data)) < FEWEST_DOCUMENTS:
        return MqmDifferences(None, too_few(counted(most, "document" if data.clustered else "segment")))
    try:
        ranking = rank_segments(data, direction=Direction.HIGH, level=level)
    except NotEnoughDataError as error:
        return MqmDifferences(None, f"Whether they differ was not tested. {error}")
    return MqmDifferences(ranking, cautions=_cautions(ranking))


def _cautions(ranking: Ranking) -> tuple[str, ...]:
    """What to know of the tests; those of the ranking are also about intervals that are not shown here."""
    fewest = min(pair.documents for pair in ranking.pairs)
    said = () if ranking.documents else (NO_DOCUMENTS,)
    few = (few_shared(fewest, "documents" if ranking.documents else "segments"),) if fewest < FEW_DOCUMENTS else ()
    return (*said, *few)


def _most_shared(data: SegmentScores) -> int:
    """The documents that the two systems with most in common share."""
    present = np.isfinite(data.scores)
    pairs = combinations(range(len(data.systems)), 2)
    return max(len(distinct(data.document[present[one] & present[two]])) for one, two in pairs)
