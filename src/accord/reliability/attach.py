"""Give each computed coefficient its interval: the way of each by the rule, those from sums together."""

from collections.abc import Mapping, Sequence

from accord import sizes
from accord.coefficients.compute import Computed, compute
from accord.coefficients.features import View
from accord.coefficients.registry import CoefficientSpec, coefficient
from accord.coefficients.sums import statistic_of_view
from accord.errors import NotEnoughDataError
from accord.inference.bootstrap import Progress
from accord.inference.interval import Interval
from accord.ratings.counts import CountSource
from accord.reliability.believable import believable
from accord.reliability.plan import Draws, Plan, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import Attached, over_items
from accord.reliability.units import Units
from accord.reliability.ways import Case, Way, way_of

__all__ = ["attach", "interval_alone"]


def attach(
    source: CountSource,
    specs: Sequence[CoefficientSpec],
    computed: Mapping[str, Computed],
    request: Request,
    view: View,
    progress: Progress | None = None,
) -> dict[str, Attached]:
    """An interval and a standard error by key; empty ones where there are none."""
    units = Units.of(source, view, request.plan)
    cases = [Case(spec, computed[spec.key], source, view, request.options, request.plan, units) for spec in specs]
    given: dict[str, Attached] = {}
    together: dict[tuple[Way, int], list[Case]] = {}
    for case in cases:
        way = way_of(case)
        if way.make is not None:
            given[case.spec.key] = way.make(case)
        else:
            # The normal limit draws sums, so there each coefficient has draws of its own.
            apart = len(together) if _draws_sums(case, way) else 0
            together.setdefault((way, apart), []).append(case)
    for (way, _), some in together.items():
        if way.together is not None:
            made = way.together(some)
        else:
            resample = _over_items if units.document is None else _over_documents
            made = resample(some, way.replicates, progress)
        for case, found in zip(some, made, strict=True):
            given[case.spec.key] = case.analytic if found.interval is None else found
    return {spec.key: believable(spec, given[spec.key], computed[spec.key]) for spec in specs}


def interval_alone(source: CountSource, key: str, unit: Unit = Unit.ITEM) -> Interval | None:
    """The default 95 % interval of one coefficient over items or documents: no cautions, nothing else is computed."""
    request = Request(plan=Plan(resample=unit))
    view, spec = View.of(source), coefficient(key)
    try:
        found = {key: compute(source, key, request.options, request.plan.confidence, view)}
    except NotEnoughDataError:
        return None
    return attach(source, [spec], found, request, view)[key].interval


def _draws_sums(case: Case, way: Way) -> bool:
    many = not sizes.are_drawn_exactly(len(case.view.codes), way.replicates)
    return way.together is None and (case.plan.draws is Draws.NORMAL or (case.plan.draws is Draws.AUTO and many))


def _over_items(cases: Sequence[Case], replicates: int, progress: Progress | None) -> list[Attached]:
    first, plan = cases[0], cases[0].plan
    statistic = statistic_of_view(first.view, [case.spec.key for case in cases], first.options)
    weights = None
    if plan.draws is Draws.POISSON:
        weights = lambda number: first.source.draws(seed=plan.seed, replicates=number)  # noqa: E731
    return over_items(statistic, plan, replicates, weights=weights, progress=progress)


def _over_documents(cases: Sequence[Case], _: int, progress: Progress | None) -> list[Attached]:
    """Documents drawn whole; how often is told by their number, not by that of the items."""
    units, plan = cases[0].units, cases[0].plan
    attached = []
    for case in cases:
        statistic = units.clustered(statistic_of_view(units.view, [case.spec.key], case.options))
        replicates = _document_replicates(case, *statistic.features.shape)
        attached += over_items(statistic, plan, replicates, unit="documents", progress=progress)
    return attached


def _document_replicates(case: Case, documents: int, width: int) -> int:
    if not case.plan.wants_bootstrap or case.insists:
        return case.replicates
    return sizes.affordable_replicates(documents, width, case.spec.coefficient.costs_tables)
