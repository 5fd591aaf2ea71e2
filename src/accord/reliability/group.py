"""One group of ratings: which coefficients fit, their values and intervals; what is said of them is in words.py."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from accord import sizes
from accord.coefficients.compute import Computed, compute
from accord.coefficients.features import View
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.pool import conger_of_pool, is_of_marginals
from accord.coefficients.pool_correlation import is_of_coincidences
from accord.coefficients.registry import CoefficientSpec
from accord.coefficients.reported import reported
from accord.errors import AccordError, NotEnoughDataError
from accord.inference.bootstrap import Progress
from accord.ratings.counting import InMemory
from accord.ratings.counts import CountSource, Facts
from accord.reliability.anonymous import Anonymous, Summed
from accord.reliability.matrix import PairMatrix
from accord.reliability.plan import IntervalKind, Unit
from accord.reliability.pool_correlations import pool_correlation, pool_correlation_interval
from accord.reliability.pool_raters import pool_intervals
from accord.reliability.request import Origin, Request
from accord.reliability.resampling import Attached
from accord.reliability.result import GroupReliability
from accord.reliability.suitability import choose
from accord.reliability.units import settled_unit
from accord.reliability.ways import attach
from accord.reliability.words import Words

__all__ = ["UNTOLD", "group_reliability"]


def group_reliability(
    source: CountSource,
    request: Request,
    origin: Callable[[], Origin],
    *,
    by: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> GroupReliability:
    """All that can be said of the agreement in one part of the ratings; words are found when somebody reads them."""
    facts = source.facts()
    unit, unit_note = settled_unit(request.plan, source)
    request = replace(request, plan=replace(request.plan, resample=unit))
    choice = choose(request.asked, facts, by.get("criterion", "") if by else "", request.options)
    pool = sizes.is_pool(facts.items, facts.raters, len(facts.scale)) or not source.has_patterns
    fine = not facts.scale.values
    seen = Anonymous(source) if pool else source
    seen = Summed.made_of(seen) if fine else seen
    view = View.of(seen)
    refused = _refused(choice.specs, facts, request, pool=pool, fine=fine) if pool or fine else {}
    specs = tuple(spec for spec in choice.specs if spec.key not in refused)
    computed, failed = _computed(seen, specs, request, view, pool=pool)
    found = [spec for spec in specs if spec.key in computed]
    told = _reported_keys(computed, facts, request) if request.told else computed.keys()
    with_interval = [spec for spec in found if spec.key in told]
    attached = _attached(seen, with_interval, computed, request, view, progress, pool=pool, fine=fine)
    nameless = attached is None
    attached = attached or {}
    attached |= {spec.key: Attached(reason=UNTOLD) for spec in found if spec.key not in told}
    attached |= {key: _analytic_of(computed[key], request) for key in computed if key not in attached}
    insisted, names = choice.insisted, dict(by or {})
    words = Words(facts, seen, view, found, computed, attached, insisted, request, names, pool=pool, fine=fine)
    group = GroupReliability(
        by=names, items=facts.items, raters=facts.raters, ratings=facts.ratings, level=str(facts.scale.level),
        values=len(facts.scale), unsuitable={**choice.unsuitable, **refused, **failed}, guesses=facts.scale.guesses,
        estimates=tuple(words.estimate(spec, origin) for spec in found),
        matrices=_matrices(view, source, found, request) if request.pairs else (),
        notes=partial(words.notes, source.left_out, unit_note, nameless=nameless),
    )  # fmt: skip
    if not isinstance(source, InMemory):
        for one in (group, *group.estimates):
            one.settled()  # a file may be gone when somebody reads the words
    return group


def _refused(
    specs: Sequence[CoefficientSpec], facts: Facts, request: Request, *, pool: bool, fine: bool
) -> dict[str, tuple[str, ...]]:
    """Coefficients that fit, but cannot be had from counts of this kind."""
    refused: dict[str, tuple[str, ...]] = {}
    if pool:
        apart = [
            spec.key for spec in specs if spec.identity and not is_of_marginals(spec) and not is_of_coincidences(spec)
        ]
        refused |= dict.fromkeys(apart, (_TOO_MANY.format(raters=facts.raters),))
    if fine:
        refused |= {spec.key: (_NO_VALUES,) for spec in specs if not _has_moments(spec, facts, request, pool)} | refused
    return refused


def _has_moments(spec: CoefficientSpec, facts: Facts, request: Request, pool: bool) -> bool:
    """Whether sums of scores suffice: alpha by the interval metric, one-way ICC on whole items."""
    whole = spec.family != "icc" or pool or facts.complete
    return whole and spec.coefficient.needs_moments_only(facts.scale.level, request.options)


def _reported_keys(computed: Mapping[str, Computed], facts: Facts, request: Request) -> Collection[str]:
    """Those whose intervals a person is told; most of the time goes into the others."""
    values = {key: one.value for key, one in computed.items()}
    return reported(facts.scale.level, facts.raters, request.use).told(values, request.deciding)


UNTOLD = "no interval: it is made where all coefficients are asked for"
_NO_VALUES = "needs counts of each value, but the values are too many to be listed; only sums are counted"
_TOO_MANY = "tells raters apart, but {raters:,} raters are too many for tables of each with each"


def _computed(
    source: CountSource, specs: Sequence[CoefficientSpec], request: Request, view: View, *, pool: bool
) -> tuple[dict[str, Computed], dict[str, tuple[str, ...]]]:
    """Values by key, and why some could not be had."""
    values: dict[str, Computed] = {}
    failed: dict[str, tuple[str, ...]] = {}
    options, confidence = request.options, request.plan.confidence
    for spec in specs:
        try:
            if pool and is_of_coincidences(spec):
                values[spec.key] = pool_correlation(spec, view, request)
            elif pool and spec.identity:
                values[spec.key] = conger_of_pool(spec, view, source.marginals(), options, confidence)
            else:
                values[spec.key] = compute(source, spec.key, options, confidence, view)
        except NotEnoughDataError as error:
            failed[spec.key] = (str(error),)
        except Exception as error:
            failed[spec.key] = (_of_package(spec, error),)
    return values, failed


def _of_package(spec: CoefficientSpec, error: Exception) -> str:
    """Whose coefficient failed, and with which error; one of the house raises it, as we want to see it."""
    if not spec.package or isinstance(error, AccordError):
        raise error
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"the package {spec.package}, which offers it, failed to compute it ({what}); report it there"


def _attached(
    source: CountSource, specs: Sequence[CoefficientSpec], computed: Mapping[str, Computed], request: Request,
    view: View, progress: Progress | None, *, pool: bool, fine: bool,
) -> dict[str, Attached] | None:  # fmt: skip
    """Intervals by key, None where raters would have to be left out and it was not counted who rated.

    Raters of a pool are left out one by one, items and documents drawn as anywhere.
    """
    if request.plan.resample.of_raters and fine:
        return None
    if not pool:
        ours = [spec for spec in specs if not spec.package]
        found = attach(source, ours, computed, request, view, progress)
        return found | {spec.key: _of_outside(source, spec, computed, request, view) for spec in specs if spec.package}
    together = [spec for spec in specs if is_of_coincidences(spec)]
    given = {spec.key: pool_correlation_interval(spec, computed[spec.key], source, view, request) for spec in together}
    rest = [spec for spec in specs if spec not in together]
    if not request.plan.resample.of_raters:
        alike = [spec for spec in rest if not spec.identity]
        return given | attach(source, alike, computed, request, view, progress)
    parts = source.by_rater()
    return None if parts is None else given | pool_intervals(source, parts, rest, computed, request, view)


def _of_outside(
    source: CountSource, spec: CoefficientSpec, computed: Mapping[str, Computed], request: Request, view: View
) -> Attached:
    """The interval of a coefficient of another package, by itself: what goes wrong in it touches no other."""
    try:
        return attach(source, [spec], computed, request, view)[spec.key]
    except Exception as error:
        return Attached(reason=f"no interval: {_of_package(spec, error)}")


def _analytic_of(computed: Computed, request: Request) -> Attached:
    """The interval a value came with, where it is one over items and one is wanted."""
    plan = request.plan
    if plan.interval is IntervalKind.NONE or plan.resample is not Unit.ITEM:
        return Attached()
    return Attached(computed.interval, computed.standard_error)


def _matrices(
    view: View, source: CountSource, specs: Sequence[CoefficientSpec], request: Request
) -> tuple[PairMatrix, ...]:
    made, raters, shown = [], source.rater_names(), source.shown_raters()
    for spec in specs:
        if isinstance(spec.coefficient, PairCoefficient):
            found = spec.coefficient.of_pairs(view, request.options)
            confidence = request.plan.confidence
            of = PairMatrix.of(found, coefficient=spec.key, title=spec.title, raters=raters, confidence=confidence)
            made.append(of.in_order_of(shown))
    return tuple(made)
