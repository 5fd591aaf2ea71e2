"""The presets: our own procedure, and the official ones of WMT as they were run."""

from enum import StrEnum

import numpy as np

from accord.arrays import Floats
from accord.records import dataclass
from accord.scoring.ranking.segments import SegmentScores

__all__ = ["PROCEDURES", "Preset", "Procedure", "rank_sum", "shared_rank_sum", "signed_rank"]


class Preset(StrEnum):
    """Procedures by name."""

    ACCORD = "accord"
    WMT17 = "wmt17"
    WMT23 = "wmt23"
    WMT25 = "wmt25"


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """What a preset does."""

    standardise: bool
    method: str
    cautions: tuple[str, ...] = ()


_OFFICIAL = (
    "Official procedure, kept for comparison: it takes segments as independent, though those of one document are not, "
    "and does not allow for the number of pairs. Differences are found too often: conclude from the preset accord."
)
_RANK_SUM = "one-sided Mann-Whitney test over segments after sorting by score, alpha .05, no adjustment"

PROCEDURES = {
    Preset.ACCORD: Procedure(standardise=False, method=""),
    Preset.WMT17: Procedure(
        standardise=True, method=f"wmt17: z-scores of each rater, {_RANK_SUM}", cautions=(_OFFICIAL,)
    ),
    Preset.WMT23: Procedure(
        standardise=False,
        method="wmt23: raw scores, one-sided Mann-Whitney test over the segments a pair shares after sorting by score, "
        "alpha .05, no adjustment; clusters by counts of wins",
        cautions=(_OFFICIAL,),
    ),
    Preset.WMT25: Procedure(
        standardise=False,
        method="wmt25: raw scores, one-sided Wilcoxon signed-rank test over paired ratings of segments, alpha .025, "
        "no adjustment; ranks end at the first system that differs",
        cautions=(_OFFICIAL,),
    ),
}


def rank_sum(data: SegmentScores, better: int, worse: int) -> float:
    """One-sided Mann-Whitney p that ``better`` is, on the segment means of all segments each system has.

    The official pipeline writes segment means as text with 15 significant digits before it tests them. That
    decides which nearly equal means tie, and with it the third digit of p; so it is done here too.
    """
    from scipy.stats import mannwhitneyu

    first, second = (_as_written(data.scores[s][~np.isnan(data.scores[s])]) for s in (better, worse))
    return float(mannwhitneyu(first, second, alternative="greater", method="asymptotic").pvalue)


def shared_rank_sum(data: SegmentScores, better: int, worse: int) -> float:
    """One-sided Mann-Whitney p that ``better`` is, on the segment means of the segments both systems have."""
    from scipy.stats import mannwhitneyu

    both = ~np.isnan(data.scores[better] + data.scores[worse])
    if not both.any():
        return 1.0
    return float(mannwhitneyu(data.scores[better][both], data.scores[worse][both], alternative="greater").pvalue)


def _as_written(means: Floats) -> Floats:
    return np.array([float(f"{mean:.15g}") for mean in means.tolist()], dtype=np.float64)


def signed_rank(data: SegmentScores, better: int, worse: int) -> float:
    """One-sided Wilcoxon signed-rank p; each rating of one is paired with each of the other on their segment."""
    from scipy.stats import wilcoxon

    differences = _paired(data, better, worse)
    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, alternative="greater").pvalue)


def _paired(data: SegmentScores, first: int, second: int) -> Floats:
    made = []
    rows = {s: np.flatnonzero(data.row_system == s) for s in (first, second)}
    by_segment: dict[int, dict[int, list[float]]] = {}
    for system, places in rows.items():
        for segment, value in zip(data.row_segment[places].tolist(), data.row_score[places].tolist(), strict=True):
            by_segment.setdefault(segment, {}).setdefault(system, []).append(value)
    for values in by_segment.values():
        made += [a - b for a in values.get(first, ()) for b in values.get(second, ())]
    return np.array(made, dtype=np.float64)
