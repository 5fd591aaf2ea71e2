"""Give each computed coefficient its interval: the way of each by the rule, those from sums together."""

from collections.abc import Mapping, Sequence

import numpy as np

from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.registry import CoefficientSpec
from accord.coefficients.sums import statistic_of_view
from accord.errors import OptionError
from accord.inference.bootstrap import EXACT_CELLS, Progress
from accord.ratings.counts import CountSource, ItemValueCounts, Patterns, laid_out
from accord.reliability.believable import believable
from accord.reliability.plan import Draws, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import Attached, by_document, over_items
from accord.reliability.ways import Case, affordable_replicates, way_of

__all__ = ["attach"]


def attach(
    source: CountSource,
    specs: Sequence[CoefficientSpec],
    computed: Mapping[str, Computed],
    request: Request,
    view: View,
    progress: Progress | None = None,
) -> dict[str, Attached]:
    """An interval and a standard error by key; empty ones where there are none."""
    cases = [Case(spec, computed[spec.key], source, view, request.options, request.plan) for spec in specs]
    given: dict[str, Attached] = {}
    together: dict[tuple[int, int], list[Case]] = {}
    for case in cases:
        way = way_of(case)
        if way.make is not None:
            given[case.spec.key] = way.make(case)
        else:
            # The normal limit draws sums, so there each coefficient has draws of its own.
            apart = len(together) if _draws_sums(case, way.replicates) else 0
            together.setdefault((way.replicates, apart), []).append(case)
    for (replicates, _), some in together.items():
        resample = _over_documents if request.plan.resample is Unit.DOCUMENT else _over_items
        for case, found in zip(some, resample(some, replicates, progress), strict=True):
            given[case.spec.key] = case.analytic if found.interval is None else found
    return {spec.key: believable(spec, given[spec.key], computed[spec.key]) for spec in specs}


def _draws_sums(case: Case, replicates: int) -> bool:
    many = len(case.view.codes) * replicates > EXACT_CELLS
    return case.plan.draws is Draws.NORMAL or (case.plan.draws is Draws.AUTO and many)


def _over_items(cases: Sequence[Case], replicates: int, progress: Progress | None) -> list[Attached]:
    first, plan = cases[0], cases[0].plan
    statistic = statistic_of_view(first.view, [case.spec.key for case in cases], first.options)
    weights = None
    if plan.draws is Draws.POISSON:
        weights = lambda number: first.source.draws(seed=plan.seed, replicates=number)  # noqa: E731
    return over_items(statistic, plan, replicates, weights=weights, progress=progress)


def _over_documents(cases: Sequence[Case], _: int, progress: Progress | None) -> list[Attached]:
    """Documents drawn whole; how often is told by their number, not by that of the items."""
    first, plan = cases[0], cases[0].plan
    found = first.source.by_document()
    if found is None:
        raise OptionError(
            "These ratings name no documents, so documents cannot be resampled. Map the column (--map document=COLUMN) "
            "or resample items."
        )
    if found.named:
        patterns = Patterns(found.rows.astype(np.int32), found.multiplicity)
    else:
        patterns = laid_out(ItemValueCounts(found.rows, found.multiplicity))
    view = View(patterns, first.view.scale)
    attached = []
    for case in cases:
        statistic = by_document(statistic_of_view(view, [case.spec.key], case.options), found.document)
        replicates = _document_replicates(case, *statistic.features.shape)
        attached += over_items(statistic, plan, replicates, unit="documents", progress=progress)
    return attached


def _document_replicates(case: Case, documents: int, width: int) -> int:
    if not case.plan.wants_bootstrap or case.insists:
        return case.replicates
    return affordable_replicates(documents, width, case.spec.coefficient.costs_tables)
