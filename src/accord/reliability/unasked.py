"""The intervals given unasked: those that hold the truth as often as they say, for few items and one-sided ones too.

docs/explanation/promises.md has what each was measured to hold, docs/explanation/intervals.md the reasons.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.coefficients.features import View
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.sums import statistic_of_view
from accord.inference.approximate import approximate_intervals
from accord.inference.bootstrap import Resampled
from accord.inference.fisher_jackknife import fisher_intervals
from accord.inference.interval import Interval
from accord.inference.jackknife import Jackknife, jackknife, jackknife_of
from accord.inference.proportion import wilson_interval
from accord.inference.pseudo_items import (
    bayesian_bootstrap,
    bayesian_intervals,
    doubtful_patterns,
    hopeful_patterns,
    hull,
    pseudo_patterns,
)
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import Patterns
from accord.reliability.resampling import Attached, left_out_of
from accord.reliability.units import FEWEST_ITEMS
from accord.words import counted, steady

if TYPE_CHECKING:
    from accord.reliability.ways import Case

__all__ = [
    "COARSE",
    "FEW_AGREED",
    "FEW_DISPUTED",
    "FEW_UNITS",
    "by_approximation",
    "by_fisher",
    "by_pseudo_items",
    "by_wilson",
    "left_out_units",
    "shares_too_little",
]

FEW_UNITS = 60
"""Under this many a bootstrap holds the truth too rarely."""
FEW_DISPUTED = 10
"""Under this many items on which raters differ too, however many items there are."""
FEW_AGREED = 10
"""Under this many items too on which raters agree on another value than the most frequent one."""
COARSE = 12
"""Values up to which pseudo-items stand for what might have been seen."""
_RAISED = ", upper end raised by the bias of pairs"
_WORTH_A_WORD = 0.25
"""A bias of so many standard errors is said."""
_REPLICATES = 5_000


def shares_too_little(shared: int) -> str:
    """Why a mean over pairs of raters, half of whom share so few items, can carry no interval; empty where it can.

    The value of a pair from few items is biased, and a mean over many such pairs is biased as much: five raters, three
    an item, five grades, quadratic kappa .57 was .45 in the mean at 20 items.
    """
    if shared >= FEWEST_ITEMS:
        return ""
    return (
        f"no interval: half of the pairs of raters share {counted(shared, 'item')} or fewer; from so few the "
        "value of a pair is biased, the mean of many as much, and an interval around it would miss the truth"
    )


def _raised(case: "Case", interval: Interval | None, left_out: Jackknife) -> tuple[Interval | None, str]:
    """An interval of a mean over pairs with gaps, its upper end raised by the jackknife's bias, and a word about it.

    The lower end stays: with both ends moved, three values 90/5/5 were held in .85 of studies instead of .95.
    """
    bias = float(left_out.estimates[0] - left_out.values[0])
    if case.shared is None or interval is None or not bias > 0:
        return interval, ""
    raised = replace(
        interval, high=max(interval.high, min(interval.high + bias, 1.0)), method=f"{interval.method}{_RAISED}"
    )
    if not bias > _WORTH_A_WORD * left_out.standard_errors[0]:
        return raised, ""
    pairs = f"half of the pairs of raters share {counted(case.shared, 'item')} or fewer"
    return raised, (
        f"too low by about {steady(bias):.2g}: {pairs}, and from few items the value of a pair lies low on average; "
        "Krippendorff's α takes missing ratings without this"
    )


def by_wilson(case: "Case") -> Attached:
    """The mean share of agreeing pairs: Wilson's interval with its variance over the units."""
    left_out = left_out_units(case)
    error = float(left_out.standard_errors[0])
    interval = wilson_interval(
        case.computed.value, error, case.units.effective, level=case.plan.confidence, unit=case.units.word
    )
    return Attached(interval, None if np.isnan(error) else error)


def by_fisher(case: "Case") -> Attached:
    """Each unit left out, on Fisher's z scale; nothing where no unit makes a difference."""
    left_out = left_out_units(case)
    interval = fisher_intervals(left_out, case.plan.confidence, case.effective)[0]
    error = float(left_out.standard_errors[0])
    if interval is None:
        same = f"no interval: without any one of the {case.units.word} the value stays as it is or is undefined"
        return Attached(reason=same)
    interval, told = _raised(case, interval, left_out)
    return Attached(interval, None if np.isnan(error) else error, told)


def left_out_units(case: "Case") -> Jackknife:
    """Each unit left out: each item, or each document with all its items."""
    units = case.units
    if units.document is None:
        return left_out_of(case.spec.coefficient, case.view, case.options, case.computed.value)
    if case.is_wide or case.width is None:
        coefficient = case.spec.coefficient
        if isinstance(coefficient, PairCoefficient):
            document = np.unique(units.document, return_inverse=True)[1].astype(np.int64)
            at_once = coefficient.without_units(units.view, document, case.options)
            if at_once is not None:
                return jackknife_of(np.array([case.computed.value]), at_once[:, None], units.word)
        without = [coefficient.of_view(one, case.options)["value"] for one in units.views_without_document()]
        return jackknife_of(np.array([case.computed.value]), np.array(without)[:, None], units.word)
    return jackknife(units.statistic([case.spec.key], case.options), units.word)


def by_approximation(cases: Sequence["Case"]) -> list[Attached]:
    """The ends of a bootstrap without end, for all at once."""
    units = cases[0].units
    statistic = units.statistic([case.spec.key for case in cases], cases[0].options)
    left_out = jackknife(statistic, units.word)
    intervals = approximate_intervals(statistic, left_out, cases[0].plan.confidence)
    return [
        Attached(interval, None if np.isnan(error) else float(error))
        for interval, error in zip(intervals, left_out.standard_errors, strict=True)
    ]


def by_pseudo_items(cases: Sequence["Case"]) -> list[Attached]:
    """The Bayesian bootstrap with pseudo-items, for all that take it at once: the weights are the same for each."""
    units = cases[0].units
    seen = units.view.codes, units.view.multiplicity, units.view.values
    resampled = _with_pseudo_items(cases, *pseudo_patterns(*seen))
    values = np.array([case.computed.value for case in cases])
    effective = np.array([case.effective for case in cases])
    confidence = cases[0].plan.confidence
    intervals = bayesian_intervals(resampled, values, effective, confidence)
    if units.agreed_on_rare < FEW_AGREED:
        # What hardly occurred is thought of in both ways: agreed on, and not.
        doubt = _with_pseudo_items(cases, *doubtful_patterns(*seen, units.usual))
        hope = _with_pseudo_items(cases, *hopeful_patterns(*seen, units.usual))
        ends = (bayesian_intervals(one, values, effective, confidence) for one in (doubt, hope))
        intervals = tuple(map(hull, intervals, *ends))
    errors = np.nanstd(resampled.draws, axis=0, ddof=1)
    attached = []
    for case, interval, error in zip(cases, intervals, errors, strict=True):
        told = ""
        if case.shared is not None:
            interval, told = _raised(case, interval, left_out_units(case))
        attached.append(Attached(interval, float(error) if interval else None, told))
    return attached


def _with_pseudo_items(cases: Sequence["Case"], codes: NDArray[np.int32], mass: Floats) -> Resampled:
    """Draws of the coefficients with these pseudo-items beside the items seen."""
    first = cases[0]
    units, plan, seen = first.units, first.plan, first.units.view
    times = np.concatenate((seen.multiplicity, np.zeros(len(codes), dtype=np.int64)))
    both = View(Patterns(np.concatenate((seen.codes, codes)), times), seen.scale)
    whole = statistic_of_view(both, [case.spec.key for case in cases], first.options)
    real = SumStatistic(whole.names, whole.features[: len(seen.codes)], seen.multiplicity, whole.evaluate)
    return bayesian_bootstrap(
        units.clustered(real), whole.features[len(seen.codes) :], mass, sizes=units.sizes,
        replicates=plan.replicates or _REPLICATES, rng=np.random.default_rng(plan.seed), unit=units.word,
    )  # fmt: skip
