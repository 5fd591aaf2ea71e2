"""Which interval a coefficient gets: the one rule, from units, patterns and the coefficient alone.

What else was asked for never matters: a coefficient has the same interval alone and among all. :func:`_by_itself` is
read from the top, and the first line that applies is taken; what it leaves open is made from sums, for all coefficients
that take the same way at once, which changes nothing but the time. To add a method, write a function from a
:class:`Case` to an :class:`Attached` (pure numbers belong to :mod:`accord.inference`) and put a line above the one that
it should come before; the method is named by the interval itself, and so by the signature.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from accord import sizes
from accord.coefficients import blocks
from accord.coefficients.compute import Computed, compute
from accord.coefficients.features import View
from accord.coefficients.item_kappa import Agreement
from accord.coefficients.options import Options
from accord.coefficients.registry import CoefficientSpec, coefficient
from accord.coefficients.sums import statistic_of_view
from accord.errors import NotEnoughDataError
from accord.inference.bootstrap import Progress
from accord.inference.interval import Interval
from accord.ratings.counts import CountSource
from accord.records import dataclass
from accord.reliability.believable import misplaced
from accord.reliability.plan import Draws, IntervalKind, Plan, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import Attached, Weights, from_jackknife, left_out_of, over_items, over_raters
from accord.reliability.unasked import (
    COARSE,
    FEW_AGREED,
    FEW_DISPUTED,
    FEW_UNITS,
    by_approximation,
    by_fisher,
    by_pseudo_items,
    by_wilson,
    left_out_units,
    shares_too_little,
)
from accord.reliability.units import Units, too_few

__all__ = ["Case", "attach", "interval_alone"]

ITEMS_ONLY = (
    "no interval: an intraclass correlation of incomplete ratings has one by its formula only, which is about items; "
    "--resample item (resample='item') gives it, as if items were independent"
)


@dataclass(frozen=True)
class Case:
    """One coefficient on one group of ratings: all that the rule may look at."""

    spec: CoefficientSpec
    computed: Computed
    view: View
    options: Options
    plan: Plan
    units: Units
    draws: Weights

    @property
    def of_whole(self) -> "Case":
        """The same where no items are but those that every rater rated: by themselves they have the same interval."""
        if self.view.is_complete or not self.spec.coefficient.is_resampled(self.view, self.options):
            return self
        rows = self.view.complete > 0
        return replace(
            self,
            view=self.view.whole,
            units=self.units.whole,
            draws=lambda **asked: (drawn[rows] for drawn in self.draws(**asked)),
        )

    @property
    def has_few(self) -> bool:
        """Whether a bootstrap would hold the truth too rarely: few units, or few items on which raters differ.

        Or few on which they agree on another value than the most frequent one.
        Where many items are too wide to be drawn, the jackknife takes the bias of pairs that share few off by itself.
        """
        units = self.effective if self.has_sums else self.units.effective
        one_sided = self.view.values <= COARSE and self.units.agreed_on_rare < FEW_AGREED
        return units < FEW_UNITS or self.units.disputed < FEW_DISPUTED or one_sided

    @cached_property
    def shared(self) -> int | None:
        """How many items half of the pairs of raters share at most; None unless it is a mean over pairs with gaps."""
        found = self.computed.parts.get("median_shared_items") if self.spec.pairwise else None
        return None if found is None or found >= self.units.items else int(found)

    @property
    def effective(self) -> float:
        """Units that the value rests on: those a pair of raters shares, or those it says if it does not use all."""
        used = self.computed.items if self.shared is None else self.shared
        return self.units.effective * min(used / max(self.units.items, 1), 1.0)

    @property
    def analytic(self) -> Attached:
        """The interval that the value came with; it is one over items."""
        if self.plan.resample is not Unit.ITEM:
            return Attached()
        return Attached(self.computed.interval, self.computed.standard_error)

    @property
    def insists(self) -> bool:
        """Whether the user asked for replicates, however long they take."""
        return self.plan.replicates is not None or self.plan.draws is not Draws.AUTO

    @cached_property
    def width(self) -> int | None:
        """How many features an item has; None where it cannot be resampled from sums."""
        try:
            features = self.spec.coefficient.features(self.view, self.options)
        except NotEnoughDataError:
            return None
        asked = self.insists or self.plan.interval in (IntervalKind.BCA, IntervalKind.PERCENTILE)
        compares = any(block is blocks.WEIGHTS for block in features)
        if compares and not asked and not sizes.are_compared_unasked(len(self.view.codes)):
            return None
        return sum(block.width(self.view) for block in features)

    @cached_property
    def replicates(self) -> int:
        """Of a bootstrap over items; 0 for the jackknife."""
        if self.width is None or not self.plan.wants_bootstrap:
            return 0
        if self.insists:
            return self.plan.replicates or sizes.FEWEST_REPLICATES
        return sizes.affordable_replicates(len(self.view.codes), self.width, self.spec.coefficient.costs_tables)

    @property
    def is_wide(self) -> bool:
        """Whether leaving items out exactly is better than laying the features out.

        30 raters x 400 items x 4 values: kappa 0.9 ms instead of 7 ms, gamma 1 ms instead of 96 ms.
        """
        coefficient = self.spec.coefficient
        if not coefficient.leaves_out:
            return False
        if self.width is None:
            return True
        cells = len(self.view.codes) * coefficient.full_width(self.view, self.options)
        if self.insists:
            return cells > sizes.BLOCK_CELLS
        return not sizes.is_affordable(cells, sizes.FEWEST_REPLICATES, coefficient.costs_tables)

    @property
    def has_sums(self) -> bool:
        """Whether sums of features are resampled."""
        return self.width is not None and not self.is_wide

    @property
    def is_too_wide(self) -> bool:
        """Documents whose features cannot be laid out, and too many to leave each out."""
        return not self.has_sums and not sizes.are_left_out_apart(self.units.number)


def attach(
    source: CountSource,
    specs: Sequence[CoefficientSpec],
    computed: Mapping[str, Computed],
    request: Request,
    view: View,
    progress: Progress | None = None,
) -> dict[str, Attached]:
    """An interval and a standard error by key; empty ones where there are none."""
    units, draws = Units.of(source, view, request.plan), partial(source.draws, seed=request.plan.seed)
    given: dict[str, Attached] = {}
    together: dict[tuple[_Way, int, int, bool], list[Case]] = {}
    for spec in specs:
        case = Case(spec, computed[spec.key], view, request.options, request.plan, units, draws)
        if spec.coefficient.whole_only:
            case = case.of_whole
        found = _by_itself(case)
        if found is None:
            together.setdefault((*_way_of_sums(case, len(together)), case.units is units), []).append(case)
        else:
            given[spec.key] = found
    for (way, replicates, *_), cases in together.items():
        made = way(cases) if way is not by_resampling else by_resampling(cases, replicates, progress)
        for case, found in zip(cases, made, strict=True):
            given[case.spec.key] = case.analytic if found.interval is None else found
    return {spec.key: _believed(spec, given[spec.key], computed[spec.key]) for spec in specs}


def _believed(spec: CoefficientSpec, found: Attached, computed: Computed) -> Attached:
    """A mean over pairs keeps no interval that misses it; any other coefficient keeps it, with a word."""
    if found.interval is None or found.reason or np.isnan(computed.value):
        return found
    if spec.pairwise and (reason := misplaced(found, computed)):
        return Attached(reason=reason)
    if computed.value in found.interval:
        return found
    ends = f"{found.interval} ({found.interval.method})"
    return replace(found, reason=f"the value lies outside its interval {ends}: do not rely on either")


def interval_alone(source: CountSource, key: str, unit: Unit = Unit.ITEM) -> Interval | None:
    """The default 95 % interval of one coefficient over items or documents: no cautions, nothing else is computed."""
    request = Request(plan=Plan(resample=unit))
    view, spec = View.of(source), coefficient(key)
    try:
        found = {key: compute(source, key, request.options, request.plan.confidence, view)}
    except NotEnoughDataError:
        return None
    return attach(source, [spec], found, request, view)[key].interval


def _by_itself(case: Case) -> Attached | None:
    """The interval of a coefficient that needs no other; None where it is made from sums."""
    plan, icc = case.plan, case.spec.family == "icc"
    if plan.interval is IntervalKind.NONE or np.isnan(case.computed.value):
        return Attached()
    if _has_formula(case):
        return case.analytic
    documents = None if case.units.document is None else case.units.number
    if plan.is_free and (reason := too_few(case.computed.items, documents)):
        return Attached(reason=reason)
    if icc and not case.spec.coefficient.is_resampled(case.view, case.options):
        return case.analytic if plan.resample is Unit.ITEM else Attached(reason=ITEMS_ONLY)
    if plan.resample.of_raters:
        return _by_raters(case)
    if plan.is_free and case.shared is not None and (reason := shares_too_little(case.shared)):
        return Attached(reason=reason)
    if plan.is_free and case.spec.package and not case.is_too_wide:
        # Nobody has measured how far its draws lie from the truth, so the bias is taken off: Bangdiwala's B of 45 items
        # by five raters was held in .91 of studies, by BCa in .76, with pseudo-items in .41.
        return from_jackknife(left_out_units(case), plan)[0]
    if plan.is_free and isinstance(case.spec.coefficient, Agreement):
        return by_wilson(case)
    if plan.is_free and icc and case.analytic.interval is not None:
        return case.analytic  # by F distributions, better than any bootstrap of few items
    if plan.is_free and case.has_few:
        if not icc and 2 <= case.view.values <= COARSE and case.has_sums:
            return None  # what did not occur must be thought of
        if case.units.document is None or not case.is_too_wide:
            return by_fisher(case)
    if case.has_sums:
        return None
    if plan.resample is Unit.DOCUMENT:
        return _refused(case) if case.is_too_wide else by_fisher(case)
    if case.is_wide:
        left_out = left_out_of(case.spec.coefficient, case.view, case.options, case.computed.value)
        return from_jackknife(left_out, plan)[0]
    return case.analytic


_Way = Callable[..., list[Attached]]


def _way_of_sums(case: Case, others: int) -> tuple[_Way, int, int]:
    """How sums are resampled, with how many replicates, and a number of its own if it cannot share its draws."""
    if case.plan.is_free and case.has_few:
        return by_pseudo_items, 0, 0
    if case.plan.is_free and sizes.has_many(case.units.effective, case.units.disputed):
        return by_approximation, 0, 0
    # The normal limit draws sums, so there each coefficient has draws of its own.
    many = case.plan.draws is Draws.AUTO and not sizes.are_drawn_exactly(len(case.view.codes), case.replicates)
    return by_resampling, case.replicates, others if many or case.plan.draws is Draws.NORMAL else 0


def by_resampling(cases: Sequence[Case], replicates: int, progress: Progress | None) -> list[Attached]:
    """From so many replicates of sums; documents are drawn whole, how often is told by their own number."""
    first, plan, units = cases[0], cases[0].plan, cases[0].units
    if units.document is None:
        statistic = statistic_of_view(first.view, [case.spec.key for case in cases], first.options)
        drawn = first.draws if plan.draws is Draws.POISSON else None
        return over_items(statistic, plan, replicates, weights=drawn, progress=progress)
    alike: dict[tuple[int, int], list[Case]] = {}
    for place, case in enumerate(cases):
        count = _replicates_of_documents(case) if plan.wants_bootstrap and not case.insists else replicates
        # Draws of so many documents are the same for all; sums drawn from their normal limit are each one's own.
        shared = plan.draws is not Draws.NORMAL and sizes.are_drawn_exactly(units.documents, count)
        alike.setdefault((count, 0 if shared else place + 1), []).append(case)
    found: dict[str, Attached] = {}
    for (count, _), some in alike.items():
        keys = [case.spec.key for case in some]
        statistic = units.statistic(keys, first.options)
        made = over_items(statistic, plan, count, unit="documents", progress=progress)
        found |= zip(keys, made, strict=True)
    return [found[case.spec.key] for case in cases]


def _replicates_of_documents(case: Case) -> int:
    coefficient = case.spec.coefficient
    width = coefficient.width(case.units.view, case.options)
    return sizes.affordable_replicates(case.units.documents, width, coefficient.costs_tables)


def _has_formula(case: Case) -> bool:
    """The user wants a formula, or the features are too many for what they would add to one."""
    if case.plan.resample is not Unit.ITEM:
        return False
    wanted, most = case.plan.interval is IntervalKind.ANALYTIC, case.spec.coefficient.most_cells
    if not wanted and most < np.inf and case.plan.replicates is None:
        wanted = len(case.view.codes) * (case.width or 0) > most
    return wanted and case.computed.interval is not None


def _refused(case: Case) -> Attached:
    pairs = f"{len(case.view.pairs[0]):,} pairs of raters on {len(case.view.codes):,} different items"
    return Attached(reason=f"no interval: {pairs} are too large a table to resample the unit {case.plan.resample}")


def _by_raters(case: Case) -> Attached:
    asked = case.spec.coefficient, case.view, case.options, case.computed.value, case.plan
    if case.plan.resample is not Unit.RATER_AND_DOCUMENT:
        return over_raters(*asked)
    if case.is_too_wide:
        return _refused(case)
    return over_raters(*asked, by_unit=left_out_units(case), units=case.units.effective)
