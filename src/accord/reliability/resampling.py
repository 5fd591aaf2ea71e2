"""Intervals and standard errors for a bundle of coefficients, by the unit that the plan resamples."""

from collections.abc import Callable, Iterable

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided
from accord.coefficients.coefficient import Coefficient
from accord.coefficients.features import View
from accord.coefficients.item_kappa import Agreement
from accord.coefficients.kendall_w import KendallW
from accord.coefficients.options import Options
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.sums import statistic_of
from accord.errors import NotEnoughDataError
from accord.inference.bootstrap import (
    Progress,
    Resampled,
    bootstrap,
    normal_limit,
    poisson_bootstrap,
    quadratic_bootstrap,
)
from accord.inference.dyads import dyadic_interval
from accord.inference.fisher_jackknife import crossed_intervals, fisher_intervals
from accord.inference.interval import Interval
from accord.inference.intervals import bca_intervals, percentile_intervals, t_interval
from accord.inference.jackknife import Jackknife, jackknife, jackknife_of
from accord.inference.statistic import SumStatistic
from accord.records import dataclass
from accord.reliability.plan import Draws, IntervalKind, Plan, Unit
from accord.words import steady

__all__ = [
    "FEWEST_RATERS",
    "NO_PAIRS",
    "Attached",
    "Weights",
    "floor_of",
    "from_jackknife",
    "left_out_of",
    "over_items",
    "over_raters",
    "over_raters_alone",
    "raters_left_out",
    "with_items",
]

NO_PAIRS = "no interval over pairs of raters: the coefficient is no mean over pairs; ask for --resample rater"
_LEAST_UNITS = 2
FEWEST_RATERS = 3
"""Under this many, leaving one out leaves nothing to compare."""
_DRAWN_RATERS = 5
"""From here on raters can be drawn with replacement; fewer are left out one by one."""
_RATER_REPLICATES = 10_000


Weights = Callable[..., Iterable[Integers]]
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
            same = f"{drawn} the same value, so the interval has no width and says nothing about the error"
            return (*told, same)
        return told


def over_items(
    statistic: SumStatistic,
    plan: Plan,
    replicates: int,
    *,
    unit: str = "items",
    weights: Weights | None = None,
    progress: Progress | None = None,
) -> list[Attached]:
    """BCa, or percentiles if these are asked for, from so many replicates; the jackknife if there are none.

    ``weights`` gives how often each pattern occurs in replicates by Poisson weights, where the plan asks for these.
    """
    if statistic.multiplicity.sum() < _LEAST_UNITS:
        return [Attached()] * len(statistic.names)
    left_out = jackknife(statistic, unit)
    if not replicates:
        return from_jackknife(left_out, plan)
    rng = np.random.default_rng(plan.seed)
    if weights is not None:
        resampled = poisson_bootstrap(
            statistic, weights(replicates=replicates), replicates=replicates, progress=progress
        )
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


def left_out_of(coefficient: Coefficient, view: View, options: Options, value: float) -> Jackknife:
    """Each item left out: exactly where the coefficient knows how, else from the sums."""
    without = coefficient.without_item(view, options)
    if without is None:
        return jackknife(statistic_of(view, {"": coefficient}, options))
    return Jackknife(np.array([value]), without[:, None], view.multiplicity)


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
        elif np.isnan(error):
            attached.append(Attached(interval, float(defined.std(ddof=1)) if len(defined) > 1 else None))
        else:
            attached.append(Attached(interval, float(error)))
    return attached


def _number(error: float) -> float | None:
    return None if np.isnan(error) else float(error)


def over_raters(
    coefficient: Coefficient, view: View, options: Options, value: float, plan: Plan, *,
    by_unit: Jackknife | None = None, units: float | None = None,
) -> Attached:  # fmt: skip
    """Each rater left out once, or drawn again: no rater is ever compared with a copy of himself.

    Over raters and items (or documents: ``by_unit``, and how many of equal size they are worth) the two variances are
    added: both are then a sample.
    """
    if view.raters < FEWEST_RATERS:
        return Attached()
    if isinstance(coefficient, PairCoefficient):
        drawn = plan.resample is Unit.RATER and plan.draws_raters and view.raters >= _DRAWN_RATERS
        if drawn or plan.resample is Unit.PAIR:
            square = coefficient.of_pairs(view, options).matrix(view.raters)
            if drawn:
                return _over_pairs_of_raters(square, plan)
            if _pairs_share_few_raters(square):
                return _over_pairs(square, value, plan)
    elif plan.resample is Unit.PAIR:
        return Attached(reason=NO_PAIRS)
    by_rater, floor = raters_left_out(coefficient, view, options, value), floor_of(coefficient)
    if plan.resample in (Unit.RATER, Unit.PAIR):
        return over_raters_alone(by_rater, plan, floor)[0]
    try:
        found = left_out_of(coefficient, view, options, value) if by_unit is None else by_unit
    except NotEnoughDataError:
        return Attached()
    return with_items(by_rater, found.standard_errors, units or found.units, plan, found.unit, floor)[0]


def floor_of(coefficient: Coefficient) -> float:
    """The least value that a coefficient may have: 0 of a share of agreement, -1 of what is corrected for chance."""
    return 0.0 if isinstance(coefficient, Agreement | KendallW) else -1.0


def _pairs_share_few_raters(square: Floats) -> bool:
    """Whether pairs are nearly units of their own. Where most raters are in several, a rater is the unit of pairs too:
    with each rater left out 100 items of 5 raters held the truth in .93 of studies, by the variance of pairs in .81."""
    known = ~np.isnan(square) & ~np.eye(len(square), dtype=bool)
    return bool(known.sum() / 2 < known.any(axis=1).sum())


def _over_pairs(square: Floats, value: float, plan: Plan) -> Attached:
    """Other pairs of raters of the same kind."""
    interval, error = dyadic_interval(square, value, plan.confidence)
    if interval is None:
        return Attached(reason="no interval over pairs of raters: fewer than three pairs have a value, or all the same")
    return Attached(interval, error)


def raters_left_out(coefficient: Coefficient, view: View, options: Options, value: float) -> Jackknife:
    """Each rater left out once."""
    if isinstance(coefficient, PairCoefficient):
        left_out = _without_raters(coefficient.of_pairs(view, options).matrix(view.raters))
    else:
        fewer = (view.without_rater(rater) for rater in range(view.raters))
        left_out = np.array([coefficient.of_view(one, options)["value"] for one in fewer])
    return jackknife_of(np.array([value]), left_out[:, None], "raters")


def _without_raters(square: Floats) -> Floats:
    """The mean over the pairs that are left when each rater is left out."""
    apart = square.copy()
    np.fill_diagonal(apart, np.nan)
    defined, known = ~np.isnan(apart), np.nan_to_num(apart)
    left, pairs = known.sum() / 2 - known.sum(axis=1), defined.sum() / 2 - defined.sum(axis=1)
    return divided(left, pairs)


def over_raters_alone(by_rater: Jackknife, plan: Plan, floor: Floats | float = -1.0) -> list[Attached]:
    """Each rater left out: on Fisher's z scale unless the plain jackknife is asked for."""
    if not plan.is_free:
        return from_jackknife(by_rater, plan)
    intervals = fisher_intervals(by_rater, plan.confidence, floor=floor)
    return [Attached(one, _number(error)) for one, error in zip(intervals, by_rater.standard_errors, strict=True)]


def with_items(
    by_rater: Jackknife,
    item_errors: Floats,
    items: float,
    plan: Plan,
    unit: str = "items",
    floor: Floats | float = -1.0,
) -> list[Attached]:
    """The variances over raters and over items (or documents) added: both are then a sample."""
    errors = np.hypot(by_rater.standard_errors, item_errors)
    if plan.is_free:
        intervals = crossed_intervals(by_rater, item_errors, items, plan.confidence, unit, floor)
    else:
        freedom = max(min(by_rater.units, items) - 1, 1)
        method = f"jackknife over raters and {unit}, t({steady(freedom):,.4g})"
        intervals = tuple(
            t_interval(float(value), float(error), freedom, level=plan.confidence, method=method)
            for value, error in zip(by_rater.values, errors, strict=True)
        )
    return [
        Attached(interval, float(error)) if interval else Attached()
        for interval, error in zip(intervals, errors, strict=True)
    ]


def _over_pairs_of_raters(values: Floats, plan: Plan) -> Attached:
    """A bootstrap over raters of a mean over pairs: ``values`` (raters, raters), nan where undefined."""
    defined = ~np.isnan(values)
    forms = np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)])
    rng = np.random.default_rng(plan.seed)

    def mean(sums: Floats) -> Floats:
        undefined = np.full((len(sums), 1), np.nan)
        return np.asarray(np.divide(sums[:, :1], sums[:, 1:], out=undefined, where=sums[:, 1:] > 0))

    resampled = quadratic_bootstrap(forms, mean, replicates=plan.replicates or _RATER_REPLICATES, rng=rng)
    interval = percentile_intervals(resampled, plan.confidence)[0]
    draws = resampled.draws[~np.isnan(resampled.draws)]
    return Attached(interval, float(draws.std(ddof=1)) if len(draws) > 1 else None)
