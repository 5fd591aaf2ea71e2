"""Do automatic metrics go with human scores? Correlations with intervals, of systems and of segments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ColumnError, NotEnoughDataError
from accord.inference.interval import Interval
from accord.ratings.counts import Floats
from accord.ratings.table import Factor, Ratings

__all__ = ["MetricCorrelation", "metric_columns", "metric_correlations"]

KINDS = ("pearson", "spearman", "kendall")
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """One metric against the human scores of one criterion, by system or by segment."""

    criterion: str
    metric: str
    level: str
    kind: str
    units: int
    value: float
    interval: Interval | None

    def to_dict(self) -> dict[str, object]:
        return {
            "criterion": self.criterion, "metric": self.metric, "level": self.level, "kind": self.kind,
            "units": self.units, "value": self.value,
            "interval": self.interval.to_dict() if self.interval else None,
        }  # fmt: skip


def metric_columns(ratings: Ratings, asked: Sequence[str] = ()) -> dict[str, Floats]:
    """The columns asked for, or every column of the user's own that holds numbers only and differs between items."""
    from accord.ratings.table import OPTIONAL_COLUMNS

    names = list(asked) or [name for name in ratings.columns if name not in OPTIONAL_COLUMNS]
    found = {}
    for name in names:
        if name not in ratings.columns:
            known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
            raise ColumnError(f"There is no column {name!r} with the scores of a metric. Columns: {known}.")
        numbers = _numbers(ratings.columns[name])
        if numbers is not None and len(np.unique(numbers[~np.isnan(numbers)])) > 1:
            found[name] = numbers
        elif asked:
            raise ColumnError(f"The column {name!r} does not hold numbers that differ, so nothing goes with it.")
    if not found:
        raise ColumnError(
            "No column holds the scores of a metric. Put them beside the ratings, one number an item, and name the "
            "column with --metric."
        )
    return found


def _numbers(factor: Factor) -> Floats | None:
    try:
        names = np.array([float(name) for name in factor.names] + [np.nan])
    except ValueError:
        return None
    return names[factor.codes]


def metric_correlations(
    ratings: Ratings,
    metrics: Sequence[str] = (),
    *,
    replicates: int = 2_000,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> tuple[MetricCorrelation, ...]:
    """Pearson, Spearman and Kendall (τ-b) of each metric with the mean human score, criterion by criterion.

    A segment is an item; a system's score is the mean of its segments'. Intervals resample the units that
    are correlated (segments, or systems) and are percentiles.
    """
    found: list[MetricCorrelation] = []
    for group in ratings.split(("criterion",) if "criterion" in ratings.columns else ()):
        part = group.ratings
        if not part.level.has_order:
            continue
        for name, numbers in metric_columns(part, metrics).items():
            for level, human, metric in _units(part, numbers):
                if len(human) >= _FEWEST:
                    found += [
                        _correlated(group.by.get("criterion", ""), name, level, kind, human, metric, replicates, rng,
                                    confidence)
                        for kind in KINDS
                    ]  # fmt: skip
    if not found:
        raise NotEnoughDataError("A correlation needs at least three items with both a human score and a metric.")
    return tuple(found)


def _units(ratings: Ratings, metric: Floats) -> list[tuple[str, Floats, Floats]]:
    human, machine = _means(ratings.item.codes, ratings.scores, metric, ratings.items)
    both = ~np.isnan(human + machine)
    units = [("segment", human[both], machine[both])]
    system = ratings.columns.get("system")
    if system is not None and len(system.names) >= 2:
        owner = np.full(ratings.items, -1)
        owner[ratings.item.codes] = system.codes
        kept = both & (owner >= 0)
        units.append(("system", *_means(owner[kept], human[kept], machine[kept], len(system.names))))
    return units


def _means(codes: NDArray[np.integer], human: Floats, metric: Floats, size: int) -> tuple[Floats, Floats]:
    counts = np.bincount(codes, minlength=size).astype(np.float64)
    counts[counts == 0] = np.nan
    known = ~np.isnan(metric)
    of_metric = np.bincount(codes[known], minlength=size).astype(np.float64)
    of_metric[of_metric == 0] = np.nan
    return (
        np.bincount(codes, weights=human, minlength=size) / counts,
        np.bincount(codes[known], weights=metric[known], minlength=size) / of_metric,
    )


def _correlated(
    criterion: str, name: str, level: str, kind: str, human: Floats, metric: Floats, replicates: int,
    rng: np.random.Generator, confidence: float,
) -> MetricCorrelation:  # fmt: skip
    value = _correlation(kind, human, metric)
    # Kendall compares every two units: many of them are estimated from fewer replicates.
    count = max(200, min(replicates, 20_000_000 // max(len(human) * (len(human) if kind == "kendall" else 8), 1)))
    draws = np.array([
        _correlation(kind, human[rows], metric[rows])
        for rows in rng.integers(0, len(human), size=(count, len(human)))
    ])  # fmt: skip
    defined = draws[~np.isnan(draws)]
    interval = None
    if len(defined) and not np.isnan(value):
        low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
        interval = Interval(
            low=float(low), high=float(high), level=confidence, method=f"bootstrap over {level}s, percentile",
            replicates=count, undefined=count - len(defined),
        )  # fmt: skip
    return MetricCorrelation(criterion, name, level, kind, len(human), value, interval)


def _correlation(kind: str, x: Floats, y: Floats) -> float:
    if len(np.unique(x)) < 2 or len(np.unique(y)) < 2:
        return float("nan")
    if kind == "kendall":
        from scipy.stats import kendalltau

        return float(kendalltau(x, y).statistic)
    if kind == "spearman":
        from scipy.stats import rankdata

        x, y = rankdata(x), rankdata(y)
    return float(np.corrcoef(x, y)[0, 1])
