"""How the interval of a mean shrinks with the number of segments: sampling simulated from real segment scores."""

from collections.abc import Sequence
from math import isnan, nan
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from accord.errors import NotEnoughDataError, OptionError
from accord.records import dataclass
from accord.scoring.sheet import Row, read_sheet

__all__ = ["SEGMENT_SETS", "SampledSet", "sample_segment_sets", "segment_scores_of"]

SEGMENT_SETS = (10, 20, 30, 50, 100, 150, 200, 300, 500)


@dataclass(frozen=True, slots=True)
class SampledSet:
    """Means of many sets of so many segments: their centre, spread and the central interval."""

    segments: int
    mean: float
    deviation: float
    low: float
    high: float
    below: float = nan
    """Share of the sets whose mean lies below the threshold."""

    @property
    def width(self) -> float:
        return self.high - self.low


def sample_segment_sets(
    scores: Sequence[float] | NDArray[np.float64], rng: np.random.Generator, *,
    sizes: Sequence[int] = SEGMENT_SETS, level: float = 0.95, replicates: int = 5_000, threshold: float = nan,
) -> tuple[SampledSet, ...]:  # fmt: skip
    """Draw sets of segments with replacement and see how far their means scatter.

    Segments are drawn one by one. Where they come in documents their scores are alike within a
    document, and real sets of whole documents scatter more than shown here.
    """
    pool = np.asarray(scores, dtype=np.float64)
    pool = np.sort(pool[np.isfinite(pool)])  # a seed draws the same whatever segment comes first
    if len(pool) < 2:
        raise NotEnoughDataError(f"Sampling needs the scores of at least two segments; there are {len(pool)}.")
    if any(size < 1 for size in sizes) or replicates < 100 or not 0 < level < 1:
        raise OptionError(
            "Sampling needs sets of at least 1 segment, at least 100 replicates and a level between 0 and 1."
        )
    tail = (1 - level) / 2
    made = []
    for size in sizes:
        means = np.empty(replicates)
        step = max(1, 2_000_000 // size)
        for start in range(0, replicates, step):
            stop = min(start + step, replicates)
            means[start:stop] = pool[rng.integers(len(pool), size=(stop - start, size))].mean(axis=1)
        low, high = np.quantile(means, [tail, 1 - tail])
        below = nan if isnan(threshold) else float((means < threshold).mean())
        made.append(SampledSet(size, float(means.mean()), float(means.std(ddof=1)), float(low), float(high), below))
    return tuple(made)


_KEY = ("document", "segment", "item")


def segment_scores_of(path: str | Path) -> tuple[list[float], int]:
    """The score of each segment of a sheet, and how many ratings they are made of.

    Where raters are named, several ratings of one segment are one score, their mean: raters of a segment are no further
    segments. Without raters each row is a segment.
    """
    sheet = read_sheet(path, wanted=("score", "rater", "system", "criterion", *_KEY))
    sheet.require("score")
    for column in ("system", "criterion"):
        names = sorted({row.text(column) for row in sheet.rows if row.text(column)})
        if len(names) > 1:
            several = {"system": "systems", "criterion": "criteria"}[column]
            raise OptionError(
                f"{sheet.source} holds several {several} ({', '.join(names[:4])}), but segments are drawn from the "
                "scores of one. Keep the rows of one of them."
            )
    scores = {place: score for place, score in enumerate(sheet.numbers("score")) if score is not None}
    if "rater" not in sheet.columns or not {"item", "segment"} & set(sheet.columns):
        return [*scores.values()], len(scores)
    together: dict[tuple[str, ...], list[float]] = {}
    for place, score in scores.items():
        together.setdefault(_segment(sheet.rows[place]), []).append(score)
    return [fmean(own) for own in together.values()], len(scores)


def _segment(row: Row) -> tuple[str, ...]:
    return tuple(row.text(column) for column in _KEY)
