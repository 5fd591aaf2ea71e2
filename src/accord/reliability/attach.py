"""Give each computed coefficient the interval that the plan asks for, or the best one there is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.order import WEIGHTS
from accord.coefficients.order_summary import LEFT_OUT_KEYS, left_out_of
from accord.coefficients.pairwise import pairwise
from accord.coefficients.ranking import has_few_values, w_left_out
from accord.coefficients.registry import CoefficientSpec
from accord.coefficients.sums import statistic_of_view
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.bootstrap import Progress
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import CountSource, DocumentCounts, ItemValueCounts, Patterns
from accord.reliability.anonymous import laid_out
from accord.reliability.plan import Draws, IntervalKind, Plan, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import (
    AFFORDABLE,
    Attached,
    Weights,
    from_left_out,
    over_documents,
    over_items,
    over_pairs_of_raters,
    over_raters,
)
from accord.reliability.wide import believable, is_wide, wide_mean

__all__ = ["attach"]

_FEW_RATERS = 5
_FEW_PATTERNS = 400
_TABLES_COST = 10
_SHARES_CELLS = 5_000_000


@dataclass(frozen=True, slots=True)
class _Job:
    """What resampling needs to know of a group."""

    source: CountSource
    view: View
    options: Options
    plan: Plan
    progress: Progress | None

    @property
    def patterns(self) -> Patterns:
        return Patterns(self.view.codes, self.view.multiplicity)

    def statistic(self, specs: Sequence[CoefficientSpec], patterns: Patterns | None = None) -> SumStatistic:
        view = self.view if patterns is None else View(patterns, self.view.scale)
        return statistic_of_view(view, [spec.key for spec in specs], self.options)


def attach(
    source: CountSource,
    specs: Sequence[CoefficientSpec],
    computed: Mapping[str, Computed],
    request: Request,
    view: View,
    progress: Progress | None = None,
) -> dict[str, Attached]:
    """An interval and a standard error by key; empty ones where there are none."""
    plan = request.plan
    given = {spec.key: _analytic(computed[spec.key]) for spec in specs}
    if plan.interval is IntervalKind.NONE:
        return {spec.key: Attached() for spec in specs}
    wanting = [spec for spec in specs if not np.isnan(computed[spec.key].value)]
    if plan.interval is IntervalKind.ANALYTIC:
        wanting = [spec for spec in wanting if given[spec.key].interval is None]
    elif plan.resample is not Unit.ITEM:
        given = {spec.key: Attached() for spec in specs}
    job = _Job(source, view, request.options, plan, progress)
    wide = [spec for spec in wanting if is_wide(spec.key, view, plan)]
    given |= {spec.key: wide_mean(spec, job.source, view, request, computed[spec.key].value) for spec in wide}
    wanting = [spec for spec in wanting if spec not in wide and not _has_better(spec, job, given[spec.key])]
    ordering = [spec for spec in wanting if _by_leaving_out(spec, job)]
    given |= {spec.key: _left_out(spec, job, computed[spec.key].value) for spec in ordering}
    for bundle in _bundles([spec for spec in wanting if spec not in ordering], job):
        for spec, found in zip(bundle, _resampled(job, bundle), strict=True):
            if found.interval is not None or given[spec.key].interval is None:
                given[spec.key] = found
    return {spec.key: believable(spec, given[spec.key], computed[spec.key]) for spec in specs}


def _has_better(spec: CoefficientSpec, job: _Job, given: Attached) -> bool:
    """Conger's kappa has an interval that costs little where shares of each rater are too many to resample."""
    cells = len(job.view.codes) * job.view.raters * job.view.values
    over_items = job.plan.resample is Unit.ITEM and job.plan.replicates is None and given.interval is not None
    return spec.key == "conger_kappa" and over_items and cells > _SHARES_CELLS


def _analytic(computed: Computed) -> Attached:
    return Attached(computed.interval, computed.standard_error)


def _bundles(specs: Sequence[CoefficientSpec], job: _Job) -> list[list[CoefficientSpec]]:
    """Coefficients that can be resampled, those that need large tables apart from the others."""
    possible = [spec for spec in specs if _resamplable(spec, job)]
    tables = [spec for spec in possible if _needs_tables(spec)]
    others = [spec for spec in possible if spec not in tables]
    return [bundle for bundle in (others, tables) if bundle]


def _needs_tables(spec: CoefficientSpec) -> bool:
    """Order is read from a table of each pair of raters, which costs more than the sums themselves."""
    return spec.family == "order" or spec.key == "spearman"


def _resamplable(spec: CoefficientSpec, job: _Job) -> bool:
    """Where every item is compared with every other, only few items, or when the user insists."""
    try:
        formula = spec.build(job.view, job.options)
    except NotEnoughDataError:
        return False
    insists = job.plan.replicates is not None or job.plan.interval in (IntervalKind.BCA, IntervalKind.PERCENTILE)
    return insists or WEIGHTS not in formula.blocks or len(job.view.codes) <= _FEW_PATTERNS


def _by_leaving_out(spec: CoefficientSpec, job: _Job) -> bool:
    """Order on a fine scale: leaving out every item in turn is exact and quick, drawing items again is neither.

    So is Kendall's W on any scale, where nothing is drawn.
    """
    if spec.key not in LEFT_OUT_KEYS or job.plan.resample is not Unit.ITEM:
        return False
    if job.plan.wants_bootstrap:
        return not _resamplable(spec, job)
    if spec.key == "kendall_w" and has_few_values(job.patterns, job.view.values):
        return True
    try:
        return WEIGHTS in spec.build(job.view, job.options).blocks
    except NotEnoughDataError:
        return True


def _left_out(spec: CoefficientSpec, job: _Job, value: float) -> Attached:
    if spec.key == "kendall_w" and has_few_values(job.patterns, job.view.values):
        without = w_left_out(job.patterns, job.view.values, value)
    else:
        without = left_out_of(job.patterns, job.view.order, spec.key, value)
    return from_left_out(np.array([value]), without[:, None], job.view.multiplicity, job.plan)[0]


def _resampled(job: _Job, bundle: Sequence[CoefficientSpec]) -> list[Attached]:
    plan = job.plan
    if plan.resample is Unit.ITEM:
        budget = AFFORDABLE / _TABLES_COST if any(_needs_tables(spec) for spec in bundle) else AFFORDABLE
        weights = _poisson_weights(job) if plan.draws is Draws.POISSON else None
        return over_items(job.statistic(bundle), plan, budget=budget, weights=weights, progress=job.progress)
    if plan.resample is Unit.DOCUMENT:
        return _by_document(job, bundle)
    found = over_raters(
        lambda patterns: job.statistic(bundle, patterns), job.patterns, plan,
        and_items=plan.resample is Unit.RATER_AND_ITEM,
    )  # fmt: skip
    if plan.resample is Unit.RATER and plan.wants_bootstrap and job.patterns.codes.shape[1] >= _FEW_RATERS:
        return [_pair_bootstrap(job, spec) if spec.pairwise else each for spec, each in zip(bundle, found, strict=True)]
    return found


def _poisson_weights(job: _Job) -> Weights:
    """Poisson weights of the items, summed where the ratings lie."""
    source: Any = job.source
    if not hasattr(source, "draws"):
        raise OptionError(
            "Poisson weights are hashed from the names of items, and these counts name none. Leave the way to draw out."
        )
    return lambda replicates: source.draws(seed=job.plan.seed, replicates=replicates)


def _pair_bootstrap(job: _Job, spec: CoefficientSpec) -> Attached:
    """A mean over pairs of raters is a quadratic form in the raters: they can be drawn with replacement."""
    return over_pairs_of_raters(
        pairwise(job.source, spec.key, job.options).matrix(job.patterns.codes.shape[1]), job.plan
    )


def _by_document(job: _Job, bundle: Sequence[CoefficientSpec]) -> list[Attached]:
    source: Any = job.source
    found: DocumentCounts | None = source.by_document() if hasattr(source, "by_document") else None
    if found is None:
        raise OptionError(
            "These ratings name no documents, so documents cannot be resampled. Map the column (--map document=COLUMN) "
            "or resample items."
        )
    if found.named:
        patterns = Patterns(found.rows.astype(np.int32), found.multiplicity)
    else:
        patterns = laid_out(ItemValueCounts(found.rows, found.multiplicity))
    return over_documents(job.statistic(bundle, patterns), found.document, job.plan, job.progress)
