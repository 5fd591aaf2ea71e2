"""Which interval a coefficient gets: the one rule, from units, patterns and the coefficient alone.

What else was asked for never matters: a coefficient has the same interval alone and among all. ``RULES`` is read from
the top, and the first row that applies is taken. To add a method, write a function from a :class:`Case` to an
:class:`Attached` (pure numbers belong to :mod:`accord.inference`) and put a row above the one it should come before;
the method is named by the interval itself, and so by the signature. Ways without a function of their own are made from
sums together with all coefficients that have the same number of replicates, which changes nothing but the time; so
are ways that take several coefficients ``together``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord import sizes
from accord.coefficients import blocks
from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.item_kappa import Agreement
from accord.coefficients.options import Options
from accord.coefficients.registry import CoefficientSpec
from accord.errors import NotEnoughDataError
from accord.ratings.counts import CountSource
from accord.reliability.plan import Draws, IntervalKind, Plan, Unit
from accord.reliability.resampling import Attached, from_jackknife, left_out_of, over_raters
from accord.reliability.unasked import (
    COARSE,
    FEW_DISPUTED,
    FEW_UNITS,
    by_fisher,
    by_pseudo_items,
    by_wilson,
    left_out_units,
    says_nothing,
)
from accord.reliability.units import Units

__all__ = ["RULES", "Case", "Rule", "Way", "way_of"]


@dataclass(frozen=True)
class Case:
    """One coefficient on one group of ratings: all that the rule may look at."""

    spec: CoefficientSpec
    computed: Computed
    source: CountSource
    view: View
    options: Options
    plan: Plan
    units: Units

    @property
    def has_few(self) -> bool:
        """Whether a bootstrap would hold the truth too rarely: few units, or few items on which raters differ."""
        return self.units.effective < FEW_UNITS or self.units.disputed < FEW_DISPUTED

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
        if blocks.WEIGHTS in features and not asked and not sizes.are_compared_unasked(len(self.view.codes)):
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


@dataclass(frozen=True)
class Way:
    """How an interval is made: by a function of the case, or of all cases that take this way ``together``.

    Without either, from sums with so many replicates, 0 for the jackknife.
    """

    name: str
    make: Callable[[Case], Attached] | None = None
    replicates: int = 0
    together: Callable[[Sequence[Case]], list[Attached]] | None = None


@dataclass(frozen=True)
class Rule:
    applies: Callable[[Case], bool]
    way: Callable[[Case], Way]


def _is_undefined(case: Case) -> bool:
    return case.plan.interval is IntervalKind.NONE or bool(np.isnan(case.computed.value))


def _has_formula(case: Case) -> bool:
    """The user wants a formula, or the features are too many for what they would add to one."""
    if case.plan.resample is not Unit.ITEM:
        return False
    wanted, most = case.plan.interval is IntervalKind.ANALYTIC, case.spec.coefficient.most_cells
    if not wanted and most < np.inf and case.plan.replicates is None:
        wanted = len(case.view.codes) * (case.width or 0) > most
    return wanted and case.computed.interval is not None


def _says_nothing(case: Case) -> bool:
    return case.plan.is_free and bool(says_nothing(case))


def _is_over_raters(case: Case) -> bool:
    return case.plan.resample.of_raters


def _is_agreement(case: Case) -> bool:
    return case.plan.is_free and isinstance(case.spec.coefficient, Agreement)


def _has_f(case: Case) -> bool:
    """Intraclass correlations have an interval by F distributions, better than any bootstrap of few items."""
    return case.plan.is_free and case.spec.family == "icc" and case.analytic.interval is not None


def _is_few_and_coarse(case: Case) -> bool:
    """Few units on a scale of few values: what did not occur must be thought of."""
    if not case.plan.is_free or case.spec.family == "icc" or not 2 <= case.view.values <= COARSE:
        return False
    return case.has_few and case.width is not None and not case.is_wide


def _is_few(case: Case) -> bool:
    return case.plan.is_free and case.has_few and (case.units.document is None or not _is_too_wide(case))


def _is_too_wide(case: Case) -> bool:
    """Documents whose features cannot be laid out, and too many to leave each out."""
    return (case.is_wide or case.width is None) and not sizes.are_left_out_apart(case.units.number)


def _is_wide_by_document(case: Case) -> bool:
    return case.plan.resample is Unit.DOCUMENT and (case.is_wide or case.width is None)


def _refused(case: Case) -> Attached:
    pairs = f"{len(case.view.pairs[0]):,} pairs of raters on {len(case.view.codes):,} different items"
    return Attached(reason=f"no interval: {pairs} are too large a table to resample the unit {case.plan.resample}")


def _by_leaving_out(case: Case) -> Attached:
    found = left_out_of(case.spec.coefficient, case.view, case.options, case.computed.value)
    return from_jackknife(found, case.plan)[0]


def _by_raters(case: Case) -> Attached:
    asked = case.spec.coefficient, case.view, case.options, case.computed.value, case.plan
    if case.plan.resample is not Unit.RATER_AND_DOCUMENT:
        return over_raters(*asked)
    if _is_too_wide(case):
        return _refused(case)
    return over_raters(*asked, by_unit=left_out_units(case), units=case.units.effective)


RULES: tuple[Rule, ...] = (
    Rule(_is_undefined, lambda _: Way("none", lambda _: Attached())),
    Rule(_has_formula, lambda _: Way("analytic", lambda case: case.analytic)),
    Rule(_says_nothing, lambda _: Way("nothing to go on", lambda case: Attached(reason=says_nothing(case)))),
    Rule(_is_over_raters, lambda _: Way("raters left out or drawn", _by_raters)),
    Rule(_is_agreement, lambda _: Way("Wilson", by_wilson)),
    Rule(_has_f, lambda _: Way("F distributions", lambda case: case.analytic)),
    Rule(_is_few_and_coarse, lambda _: Way("pseudo-items", together=by_pseudo_items)),
    Rule(_is_few, lambda _: Way("Fisher's z", by_fisher)),
    Rule(_is_wide_by_document, lambda case: Way("too wide a table", _refused if _is_too_wide(case) else by_fisher)),
    Rule(lambda case: case.width is not None and not case.is_wide, lambda case: Way("sums", None, case.replicates)),
    Rule(lambda case: case.is_wide, lambda _: Way("each item left out", _by_leaving_out)),
    Rule(lambda _: True, lambda _: Way("what the value came with", lambda case: case.analytic)),
)
"""What applies, and the way that is taken; the last row always applies."""


def way_of(case: Case) -> Way:
    """The way of the first rule that applies."""
    return next(rule.way(case) for rule in RULES if rule.applies(case))
