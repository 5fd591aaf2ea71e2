"""One group of ratings: which coefficients fit, their values, intervals, readings and cautions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord import sizes
from accord.coefficients.alpha_noise import noise_of_raters
from accord.coefficients.compute import Computed, compute
from accord.coefficients.features import View
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.pool import conger_of_pool, is_of_marginals
from accord.coefficients.pool_correlation import is_of_coincidences
from accord.coefficients.registry import KRIPPENDORFF_ALPHA, CoefficientSpec
from accord.errors import NotEnoughDataError
from accord.inference.bootstrap import Progress
from accord.ratings.counts import CountSource, Facts, Patterns
from accord.reliability.anonymous import Anonymous, Summed
from accord.reliability.cautions import Caution, cautions_about, cautions_for, few_shared_caution, gamma_caution
from accord.reliability.estimate import NARROW, Estimate
from accord.reliability.matrix import PairMatrix
from accord.reliability.plan import IntervalKind, Unit
from accord.reliability.pool_correlations import pool_correlation, pool_correlation_interval
from accord.reliability.pool_raters import pool_intervals
from accord.reliability.question import other_raters, question_of
from accord.reliability.request import Origin, Request, signature
from accord.reliability.resampling import FEWEST_RATERS, Attached
from accord.reliability.result import GroupReliability
from accord.reliability.signs.amount import FEW_ITEMS, rated_once
from accord.reliability.signs.evidence import PatternEvidence
from accord.reliability.suitability import choose
from accord.reliability.units import settled_unit
from accord.reliability.ways import attach
from accord.words import counted

__all__ = ["group_reliability"]


def group_reliability(
    source: CountSource,
    request: Request,
    origin: Origin,
    *,
    by: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> GroupReliability:
    """All that can be said of the agreement in one part of the ratings."""
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
    attached = _attached(seen, found, computed, request, view, progress, pool=pool, fine=fine)
    nameless = attached is None
    attached = attached or {}
    attached |= {key: _analytic_of(computed[key], request) for key in computed if key not in attached}
    cautions = [] if fine else cautions_for(_evidence(facts, view, seen), found, request.options)
    estimates = tuple(
        _estimate(spec, computed[spec.key], attached[spec.key], facts, request, origin, by or {}, (
            *(f"does not fit: {reason}" for reason in choice.insisted.get(spec.key, ())),
            *_all_cautions(spec, computed[spec.key], attached[spec.key], cautions, facts),
        ))
        for spec in found
    )  # fmt: skip
    lacking = [
        one
        for one in estimates
        if one.interval is None and not np.isnan(one.value) and not attached[one.coefficient].reason
    ]
    return GroupReliability(
        by=dict(by or {}), items=facts.items, raters=facts.raters, ratings=facts.ratings, level=str(facts.scale.level),
        values=len(facts.scale), unsuitable={**choice.unsuitable, **refused, **failed}, guesses=facts.scale.guesses,
        estimates=estimates if pool or fine else _with_noise(estimates, view, request),
        matrices=_matrices(view, source.rater_names(), found, request) if request.pairs else (),
        notes=(
            *(_left_out(source.left_out) if source.left_out else ()), *rated_once(facts.items, facts.pairable),
            *((unit_note,) if unit_note else ()),
            *((_NAMELESS,) if nameless else _notes(facts, request, lacking)),
            *(() if pool or fine else other_raters(view, request, estimates)),
        ),
    )  # fmt: skip


def _evidence(facts: Facts, view: View, source: CountSource) -> PatternEvidence:
    patterns = Patterns(view.codes, view.multiplicity)
    return PatternEvidence(facts, patterns, source.rater_names(), source.marginals().counts)


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


_NAMELESS = "who gave which score is not counted here, so there is no interval over raters"
_NO_VALUES = "needs counts of each value, but the values are too many to be listed; only sums are counted"
_TOO_MANY = "tells raters apart, but {raters:,} raters are too many for tables of each with each"


def _left_out(count: int) -> tuple[str, ...]:
    words = "practice, items that check the rater, or a later occasion of the same rater and item"
    return (f"{count:,} ratings are left out: {words}",)


def _notes(facts: Facts, request: Request, lacking: Sequence[Estimate]) -> tuple[str, ...]:
    plan = request.plan
    if plan.resample.of_raters and facts.raters < FEWEST_RATERS:
        return (f"there are {facts.raters} raters: too few to resample raters, so there is no interval",)
    if lacking and plan.interval is not IntervalKind.NONE and facts.pairable > 1:
        why = "on so fine a scale it takes long; ask for interval bca"
        fewest = min(one.items for one in lacking)
        if fewest < FEW_ITEMS:
            why = f"{counted(fewest, 'item')} cannot carry one"
        return (f"no interval for {', '.join(one.coefficient for one in lacking)}: {why}",)
    return ()


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
    return values, failed


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
        return attach(source, specs, computed, request, view, progress)
    together = [spec for spec in specs if is_of_coincidences(spec)]
    given = {spec.key: pool_correlation_interval(spec, computed[spec.key], source, view, request) for spec in together}
    rest = [spec for spec in specs if spec not in together]
    if not request.plan.resample.of_raters:
        alike = [spec for spec in rest if not spec.identity]
        return given | attach(source, alike, computed, request, view, progress)
    parts = source.by_rater()
    return None if parts is None else given | pool_intervals(source, parts, rest, computed, request, view)


def _analytic_of(computed: Computed, request: Request) -> Attached:
    """The interval a value came with, where it is one over items and one is wanted."""
    plan = request.plan
    if plan.interval is IntervalKind.NONE or plan.resample is not Unit.ITEM:
        return Attached()
    return Attached(computed.interval, computed.standard_error)


_NO_WHOLE_ITEM = "no item was rated by all raters, and only such items are used"
_INCOMPLETE = (_NO_WHOLE_ITEM, f"{_NO_WHOLE_ITEM}; icc_missing anova or mixed takes all ratings")


def _all_cautions(
    spec: CoefficientSpec, computed: Computed, attached: Attached, cautions: Sequence[Caution], facts: Facts
) -> tuple[str, ...]:
    undefined_value = bool(np.isnan(computed.value))
    told = [caution for caution in cautions if undefined_value or caution.code != "one_value"]
    own = cautions_about(spec, told)
    if 0 < computed.items < facts.pairable and not spec.pairwise:
        own += _few_complete(computed, facts)
    if undefined_value:
        if any(caution.code == "no_shared_items" for caution in cautions):
            return own
        return (f"undefined: {spec.undefined_when if computed.items else _INCOMPLETE[spec.family == 'icc']}", *own)
    if undefined := int(computed.parts.get("undefined_pairs", 0)):
        pairs = counted(undefined, "pair of raters has no value and is", "pairs of raters have no value and are")
        own += (f"{pairs} left out of the mean",)
    if "median_shared_items" in computed.parts:
        own += few_shared_caution(computed.parts)
    if attached.interval is None and attached.reason:
        return (*attached.caution, *own)
    return (
        *own,
        *(gamma_caution(computed.parts) if "untied" in computed.parts and spec.rests_on_untied else ()),
        *attached.caution,
    )


def _few_complete(computed: Computed, facts: Facts) -> tuple[str, ...]:
    """Said where a coefficient that needs whole items rests on few of them."""
    if computed.items >= FEW_ITEMS and 2 * computed.items >= facts.pairable:
        return ()
    items = counted(computed.items, "item was", "items were")
    return (f"only {items} rated by all raters, of {facts.pairable:,} that two or more rated; the others are not used",)


def _estimate(
    spec: CoefficientSpec, computed: Computed, attached: Attached, facts: Facts, request: Request, origin: Origin,
    by: Mapping[str, str], cautions: tuple[str, ...],
) -> Estimate:  # fmt: skip
    categories = "declared" if facts.scale.declared else "that occur"
    conventions = (*spec.conventions, *computed.conventions)
    if spec.coefficient.weights:
        conventions += (f"categories: the {len(facts.scale)} values {categories}",)
    return Estimate(
        coefficient=spec.key, title=spec.title, value=computed.value, interval=attached.interval,
        standard_error=attached.standard_error, items=computed.items, raters=facts.raters,
        signature=signature(spec, request, attached.interval, origin, by), parts=computed.parts,
        conventions=conventions, cautions=cautions,
        question=question_of(spec, request.plan.resample, attached.interval, computed.items, facts.raters),
    )  # fmt: skip


def _with_noise(estimates: Sequence[Estimate], view: View, request: Request) -> tuple[Estimate, ...]:
    """Alpha with what its interval owes to few raters, where that is wide enough to be asked about."""
    return tuple(
        replace(one, rater_noise=noise_of_raters(view, request.options)) if _asks_for_raters(one, request) else one
        for one in estimates
    )


def _asks_for_raters(estimate: Estimate, request: Request) -> bool:
    is_wide = estimate.interval is not None and estimate.interval.width > NARROW
    return is_wide and estimate.coefficient == KRIPPENDORFF_ALPHA and not request.plan.resample.of_raters


def _matrices(
    view: View, raters: tuple[str, ...], specs: Sequence[CoefficientSpec], request: Request
) -> tuple[PairMatrix, ...]:
    made = []
    for spec in specs:
        if isinstance(spec.coefficient, PairCoefficient):
            found = spec.coefficient.of_pairs(view, request.options)
            confidence = request.plan.confidence
            made.append(
                PairMatrix.of(found, coefficient=spec.key, title=spec.title, raters=raters, confidence=confidence)
            )
    return tuple(made)
