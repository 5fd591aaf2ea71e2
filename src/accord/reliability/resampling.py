"""Intervals and standard errors for a bundle of coefficients, by the unit that the plan resamples."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError
from accord.inference.bootstrap import (
    Progress,
    Resampled,
    bootstrap,
    normal_limit,
    poisson_bootstrap,
    quadratic_bootstrap,
)
from accord.inference.clusters import clustered
from accord.inference.interval import Interval
from accord.inference.intervals import bca_intervals, percentile_intervals
from accord.inference.jackknife import Jackknife, jackknife, jackknife_of
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import Patterns
from accord.reliability.plan import Draws, IntervalKind, Plan

__all__ = [
    "AFFORDABLE",
    "FEWEST_RATERS",
    "Attached",
    "Weights",
    "affordable_replicates",
    "from_jackknife",
    "from_left_out",
    "over_documents",
    "over_items",
    "over_pairs_of_raters",
    "over_raters",
    "with_items",
]

AFFORDABLE = 2e9
"""Products (patterns x features x replicates) of a second or two."""
_STEPS = (10_000, 2_000, 1_000)
_LEAST_UNITS = 2
FEWEST_RATERS = 3
"""Under this many, leaving one out leaves nothing to compare."""


Weights = Callable[[int], Iterable[Integers]]
"""For a number of replicates, how often each pattern occurs in each: (patterns, some replicates) at a time."""


_NO_WIDTH = 1e-7


@dataclass(frozen=True, slots=True)
class Attached:
    """What a resampling adds to a value."""

    interval: Interval | None = None
    standard_error: float | None = None
    reason: str = ""
    """Why there is no interval, or what must be known of it, where the ratings themselves are the cause."""

    @property
    def caution(self) -> tuple[str, ...]:
        """The reason, and what is said where many resamples had no value, or all of them the same one."""
        told = (self.reason,) if self.reason else ()
        if self.interval and self.interval.undefined > 0.01 * self.interval.replicates:
            share = f"{self.interval.undefined:,} of {self.interval.replicates:,} resamples"
            return (*told, f"undefined in {share}: the interval describes the others only")
        if self.interval and self.interval.high - self.interval.low < _NO_WIDTH:
            drawn = "every resample gives" if self.interval.replicates else "any other draw would give"
            same = f"{drawn} the same value, so the interval has no width and says nothing of the error"
            return (*told, same)
        return told


def affordable_replicates(statistic: SumStatistic, budget: float = AFFORDABLE) -> int:
    """10,000 replicates where patterns are few, fewer where they are many, 0 where even 1,000 take long.

    The rule looks at sizes only, never at a clock: the same ratings give the same interval everywhere.
    """
    patterns, features = statistic.features.shape
    return next((number for number in _STEPS if patterns * max(features, 1) * number <= budget), 0)


def over_items(
    statistic: SumStatistic,
    plan: Plan,
    *,
    unit: str = "items",
    budget: float = AFFORDABLE,
    weights: Weights | None = None,
    progress: Progress | None = None,
) -> list[Attached]:
    """BCa by default; the jackknife where it is asked for or where a bootstrap would take long.

    ``weights`` gives how often each pattern occurs in replicates by Poisson weights, where the plan asks for these.
    """
    if statistic.multiplicity.sum() < _LEAST_UNITS:
        return [Attached()] * len(statistic.names)
    left_out = jackknife(statistic, unit)
    replicates = plan.replicates or affordable_replicates(statistic, budget)
    if plan.draws is not Draws.AUTO:
        replicates = plan.replicates or _STEPS[-1]
    if not plan.wants_bootstrap or not replicates:
        return from_jackknife(left_out, plan)
    rng = np.random.default_rng(plan.seed)
    if weights is not None:
        resampled = poisson_bootstrap(statistic, weights(replicates), replicates=replicates, progress=progress)
    elif plan.draws is Draws.NORMAL:
        resampled = normal_limit(statistic, replicates=replicates, rng=rng, unit=unit)
    else:
        exact = plan.draws is Draws.EXACT
        resampled = bootstrap(statistic, replicates=replicates, rng=rng, unit=unit, exact=exact, progress=progress)
    if plan.interval is IntervalKind.PERCENTILE:
        intervals = percentile_intervals(resampled, plan.confidence)
    else:
        intervals = bca_intervals(resampled, left_out.values, left_out.accelerations, plan.confidence)
    return _joined(intervals, left_out.standard_errors, resampled, left_out.values)


def from_left_out(values: Floats, left_out: Floats, multiplicity: Integers, plan: Plan) -> list[Attached]:
    """The jackknife from values that were computed with each item left out: (patterns, statistics)."""
    return from_jackknife(Jackknife(values, left_out, multiplicity), plan)


def from_jackknife(left_out: Jackknife, plan: Plan) -> list[Attached]:
    """Intervals and standard errors of a jackknife."""
    intervals = left_out.intervals(plan.confidence, highest=1.0)
    return [
        Attached(interval, _number(error)) for interval, error in zip(intervals, left_out.standard_errors, strict=True)
    ]


def _joined(
    intervals: tuple[Interval | None, ...], errors: Floats, resampled: Resampled, values: Floats
) -> list[Attached]:
    """The jackknife's standard error, or the spread of the replicates where the jackknife has none."""
    attached = []
    for interval, error, draws, value in zip(intervals, errors, resampled.draws.T, values, strict=True):
        defined = draws[~np.isnan(draws)]
        if np.isnan(value):
            attached.append(Attached())
        elif np.isnan(error) and len(defined) > 1:
            attached.append(Attached(interval, float(defined.std(ddof=1))))
        else:
            attached.append(Attached(interval, _number(error)))
    return attached


def _number(error: float) -> float | None:
    return None if np.isnan(error) else float(error)


def over_documents(
    statistic: SumStatistic,
    documents: Integers,
    plan: Plan,
    progress: Progress | None = None,
) -> list[Attached]:
    """Documents drawn whole: items of one document are not independent; one row of features has one document."""
    if (documents < 0).any():
        without = int(statistic.multiplicity[documents < 0].sum())
        raise NotEnoughDataError(
            f"{without:,} items name no document, so documents cannot be resampled. "
            "Resample items, or fill in the document column."
        )
    by_document = clustered(statistic, documents, np.arange(len(documents)), statistic.multiplicity)
    return over_items(by_document, plan, unit="documents", progress=progress)


def over_raters(
    build: Callable[[Patterns], SumStatistic], patterns: Patterns, plan: Plan, *, and_items: bool = False
) -> list[Attached]:
    """The jackknife over raters, each left out once: no rater is ever compared with a copy of himself.

    With ``and_items`` the variances over raters and over items are added: both are then a sample.
    """
    raters = patterns.codes.shape[1]
    whole = build(patterns)
    if raters < FEWEST_RATERS:
        return [Attached()] * len(whole.names)
    left_out = np.stack([
        build(replace(patterns, codes=np.delete(patterns.codes, rater, axis=1))).values() for rater in range(raters)
    ])  # fmt: skip
    by_rater = jackknife_of(whole.values(), left_out, "raters")
    if not and_items:
        return from_jackknife(by_rater, plan)
    by_item = jackknife(whole)
    return with_items(by_rater, by_item.standard_errors, by_item.units, plan)


def with_items(by_rater: Jackknife, item_errors: Floats, items: int, plan: Plan) -> list[Attached]:
    """The variances over raters and over items added: both are then a sample."""
    errors = np.hypot(by_rater.standard_errors, item_errors)
    freedom = min(by_rater.units, items) - 1
    reach = stdtrit(freedom, (1 + plan.confidence) / 2) * errors
    method = f"jackknife over raters and items, t({freedom:,})"
    return [
        Attached()
        if np.isnan(value + width)
        else Attached(
            Interval(low=float(value - width), high=float(min(value + width, 1)), level=plan.confidence, method=method),
            float(error),
        )
        for value, width, error in zip(by_rater.values, reach, errors, strict=True)
    ]


def over_pairs_of_raters(values: Floats, plan: Plan) -> Attached:
    """A bootstrap over raters of a mean over pairs: ``values`` (raters, raters), nan where undefined."""
    defined = ~np.isnan(values)
    forms = np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)])
    rng = np.random.default_rng(plan.seed)

    def mean(sums: Floats) -> Floats:
        undefined = np.full((len(sums), 1), np.nan)
        return np.asarray(np.divide(sums[:, :1], sums[:, 1:], out=undefined, where=sums[:, 1:] > 0))

    resampled = quadratic_bootstrap(forms, mean, replicates=plan.replicates or _STEPS[0], rng=rng)
    interval = percentile_intervals(resampled, plan.confidence)[0]
    draws = resampled.draws[~np.isnan(resampled.draws)]
    return Attached(interval, float(draws.std(ddof=1)) if len(draws) > 1 else None)
