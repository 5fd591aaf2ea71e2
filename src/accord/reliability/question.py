"""The question that an interval answers, in words, and whether another one would be answered quite differently."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from accord import sizes
from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.registry import COEFFICIENTS, CoefficientSpec
from accord.coefficients.sums import statistic_of_view
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.inference.jackknife import Jackknife
from accord.quantiles import chdtri
from accord.ratings.counts import Patterns
from accord.reliability.plan import Unit
from accord.reliability.request import Request
from accord.reliability.resampling import FEWEST_RATERS, Attached, left_out_of, raters_left_out
from accord.words import counted, steady

__all__ = ["about_lead", "other_raters", "question_of"]

_MATTERS = 1.3
"""How many times as wide the interval must become before a note is worth its line."""
_CHANCE = 0.05
"""How often raters who are alike may seem to differ."""


def question_of(spec: CoefficientSpec, unit: Unit, interval: Interval | None, items: int, raters: int) -> str:
    """As "other items, these 2 raters"; empty without an interval."""
    if interval is None:
        return ""
    these = f"these {counted(raters, 'rater')}"
    if unit is Unit.RATER:
        return f"other raters, these {counted(items, 'item')}"
    if unit is Unit.PAIR:
        return f"other pairs of raters, these {counted(items, 'item')}"
    if unit is Unit.RATER_AND_ITEM:
        return "other items and other raters"
    if unit is Unit.RATER_AND_DOCUMENT:
        return "other documents and other raters"
    if unit is Unit.DOCUMENT:
        return f"other documents, {these}"
    if spec.family == "icc" and "analytic" in interval.method and spec.draws_raters:
        return "other items and other raters"
    return f"other items, {these}"


def other_raters(view: View, request: Request, values: Mapping[str, tuple[Computed, Attached]]) -> tuple[str, ...]:
    """Said where these raters differ so much that other raters would matter, which the interval does not tell."""
    plan = request.plan
    if plan.resample not in (Unit.ITEM, Unit.DOCUMENT) or view.raters < FEWEST_RATERS:
        return ()
    if not sizes.are_left_out_for_a_note(view.raters, int(np.count_nonzero(view.codes >= 0))):
        return ()
    told = [key for key, (found, added) in values.items() if added.interval and not np.isnan(found.value)]
    key = _typical([COEFFICIENTS[key] for key in told])
    if not key or not plan.is_free:
        return ()
    try:
        wider = _widened(key, view, request, *values[key])
    except NotEnoughDataError:
        return ()
    if not wider >= _MATTERS:
        return ()
    return (
        f"these raters differ, so for other raters too the interval of {COEFFICIENTS[key].title} would be about "
        f"{steady(wider):.1f} times as wide: --resample rater-and-{plan.resample}",
    )


def about_lead(note: str, lead: str) -> str:
    """The same note where another coefficient leads: that its interval would be wider, without a number of its own."""
    found = _OF_ONE.search(note)
    if found is None or found[1] == lead:
        return note
    return note[: found.start()] + "the interval would be wider" + note[found.end() :]


_OF_ONE = re.compile(r"the interval of (.+) would be about [\d.]+ times as wide")


def _typical(specs: Sequence[CoefficientSpec]) -> str:
    """The coefficient that is asked for all: alpha, which fits any level and any gaps, or the first beyond chance."""
    beyond = [spec for spec in specs if spec.family != "agreement" and not spec.draws_raters]
    return next((spec.key for spec in beyond if spec.by_metric), beyond[0].key if beyond else "")


def _widened(key: str, view: View, request: Request, told: Computed, added: Attached) -> float:
    """The standard error over raters and items (or documents) as a multiple of that over items alone.

    Raters who are alike seem to differ by the noise of their single ratings, which is in the variance over items
    already. It is taken off: the variance with each rating left out.
    """
    coefficient, plan = COEFFICIENTS[key].coefficient, request.plan
    if coefficient.whole_only and coefficient.is_resampled(view, request.options):
        view = view.whole
    raters = float(raters_left_out(coefficient, view, request.options, told.value).standard_errors[0])
    if plan.resample is Unit.DOCUMENT:
        items = added.standard_error or 0.0
    else:
        items = float(left_out_of(coefficient, view, request.options, told.value).standard_errors[0])
    if not raters >= 0 or not items > 0:
        return float("nan")
    noise = _variance_of_ratings(key, view, request)
    if not raters**2 > noise * float(chdtri(view.raters - 1, _CHANCE)) / (view.raters - 1):
        return 1.0
    return float(np.sqrt(1 + (raters**2 - noise) / items**2))


def _variance_of_ratings(key: str, view: View, request: Request) -> float:
    """The jackknife with every single rating left out."""
    row, rater = view.placed
    without = view.codes[row]
    without[np.arange(len(row)), rater] = -1
    times = np.concatenate((view.multiplicity, np.zeros(len(row), dtype=np.int64)))
    both = View(Patterns(np.concatenate((view.codes, without)), times), view.scale)
    statistic = statistic_of_view(both, [key], request.options)
    whole = times.astype(np.float64) @ statistic.features
    moved = statistic.features[len(view.codes) :] - statistic.features[row]
    left_out = Jackknife(np.array([np.nan]), statistic.evaluate(whole + moved), view.multiplicity[row])
    return float(left_out.standard_errors[0]) ** 2
