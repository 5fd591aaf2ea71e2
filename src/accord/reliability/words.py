"""What is said of the estimates of one group, found when somebody reads it: cautions, notes, signatures."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from accord.coefficients.alpha_noise import RaterNoise, noise_of_raters
from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.registry import KRIPPENDORFF_ALPHA, CoefficientSpec
from accord.inference.interval import Interval
from accord.ratings.counts import CountSource, Facts, Patterns
from accord.records import dataclass
from accord.reliability.cautions import (
    Caution,
    cautions_about,
    cautions_for,
    few_shared_caution,
    gamma_caution,
    not_taken,
)
from accord.reliability.estimate import NARROW, Estimate
from accord.reliability.plan import IntervalKind
from accord.reliability.question import other_raters, question_of
from accord.reliability.request import Origin, Request, signature
from accord.reliability.resampling import FEWEST_RATERS, Attached
from accord.reliability.signs.amount import FEW_ITEMS, rated_once
from accord.reliability.signs.evidence import PatternEvidence
from accord.words import counted

__all__ = ["Words"]

_LEFT_OUT = "practice, items that check the rater, or a later occasion of the same rater and item"
_NAMELESS = "who gave which score is not counted here, so there is no interval over raters"
_NO_WHOLE_ITEM = "no item was rated by all raters, and only such items are used"
_INCOMPLETE = (_NO_WHOLE_ITEM, f"{_NO_WHOLE_ITEM}; icc_missing anova or mixed takes all ratings")
_ALL_CREDITED = (
    "by the matrix of weights that was given no two values that meet disagree, so that agreement by chance is 1 too; "
    "give values that differ less credit than 1"
)


@dataclass(frozen=True)
class Words:
    """All that was computed of one group; ``insisted`` is what speaks against coefficients asked for by name."""

    facts: Facts
    source: CountSource
    view: View
    specs: Sequence[CoefficientSpec]
    computed: Mapping[str, Computed]
    attached: Mapping[str, Attached]
    insisted: Mapping[str, tuple[str, ...]]
    request: Request
    by: Mapping[str, str]
    pool: bool
    fine: bool

    def estimate(self, spec: CoefficientSpec, origin: Callable[[], Origin]) -> Estimate:
        """The value and interval of a coefficient, with all that is said of it."""
        facts, computed, attached = self.facts, self.computed[spec.key], self.attached[spec.key]
        conventions = (*spec.conventions, *computed.conventions)
        if usual := spec.coefficient.weights:
            taken = spec.coefficient.weights_taken(self.request.options)
            if not (isinstance(taken, str) and taken == usual):
                conventions = tuple(one for one in conventions if one != f"{usual} weights")
            categories = "declared" if facts.scale.declared else "that occur"
            conventions += (f"categories: the {len(facts.scale)} values {categories}",)
        interval, unit = attached.interval, self.request.plan.resample
        return Estimate(
            coefficient=spec.key, title=spec.title, value=computed.value, interval=interval,
            standard_error=attached.standard_error, items=computed.items, raters=facts.raters, parts=computed.parts,
            conventions=conventions, cautions=partial(self.cautions, spec),
            signature=lambda: signature(spec, self.request, interval, origin(), self.by),
            question=partial(question_of, spec, unit, interval, computed.items, facts.raters),
            rater_noise=partial(self.noise, spec, interval),
        )  # fmt: skip

    @cached_property
    def _about_all(self) -> list[Caution]:
        """The cautions about all coefficients."""
        if self.fine:
            return []
        patterns = Patterns(self.view.codes, self.view.multiplicity)
        marginals = self.source.marginals().counts
        evidence = PatternEvidence(self.facts, patterns, self.source.rater_names(), marginals)
        return cautions_for(evidence, self.specs, self.request.options)

    def cautions(self, spec: CoefficientSpec) -> tuple[str, ...]:
        """Those about one coefficient, what speaks against it first."""
        against = (f"does not fit: {reason}" for reason in self.insisted.get(spec.key, ()))
        return (*against, *self._own_cautions(spec, self.computed[spec.key], self.attached[spec.key]))

    def _own_cautions(self, spec: CoefficientSpec, computed: Computed, attached: Attached) -> tuple[str, ...]:
        undefined_value = bool(np.isnan(computed.value))
        own = cautions_about(spec, [one for one in self._about_all if undefined_value or one.code != "one_value"])
        if 0 < computed.items < self.facts.pairable and not spec.pairwise:
            own += _few_complete(computed, self.facts)
        if (asked := self.request.asked) and spec.key in asked:
            own += not_taken(spec, asked, self.request.options)
        if undefined_value:
            if any(caution.code == "no_shared_items" for caution in self._about_all):
                return own
            return (f"undefined: {self._why_undefined(spec, computed)}", *own)
        if undefined := int(computed.parts.get("undefined_pairs", 0)):
            pairs = counted(undefined, "pair of raters has no value and is", "pairs of raters have no value and are")
            own += (f"{pairs} left out of the mean",)
        if "median_shared_items" in computed.parts:
            own += few_shared_caution(computed.parts)
        if attached.interval is None and attached.reason:
            return (*attached.caution, *own)
        untied = "untied" in computed.parts and spec.rests_on_untied
        return (*own, *(gamma_caution(computed.parts) if untied else ()), *attached.caution)

    def _why_undefined(self, spec: CoefficientSpec, computed: Computed) -> str:
        if not computed.items:
            return _INCOMPLETE[spec.family == "icc"]
        matrix = spec.coefficient.weights_taken(self.request.options)
        if not isinstance(matrix, str) and not any(one.code == "one_value" for one in self._about_all):
            return _ALL_CREDITED
        return spec.undefined_when

    def noise(self, spec: CoefficientSpec, interval: Interval | None) -> RaterNoise | None:
        """What the interval of alpha owes to few raters, where it is wide enough to be asked about."""
        is_wide = interval is not None and interval.width > NARROW and not (self.pool or self.fine)
        if not is_wide or spec.key != KRIPPENDORFF_ALPHA or self.request.plan.resample.of_raters:
            return None
        return noise_of_raters(self.view, self.request.options)

    def notes(self, left_out: int, unit_note: str, *, nameless: bool) -> tuple[str, ...]:
        """What must be known of the group as a whole."""
        found = [f"{left_out:,} ratings are left out: {_LEFT_OUT}"] if left_out else []
        found += rated_once(self.facts.items, self.facts.pairable)
        found += [unit_note] if unit_note else []
        found += [_NAMELESS] if nameless else [*self._not_drawn(), *self._without_interval()]
        if self.pool or self.fine:
            return tuple(found)
        values = {spec.key: (self.computed[spec.key], self.attached[spec.key]) for spec in self.specs}
        return (*found, *other_raters(self.view, self.request, values))

    def _not_drawn(self) -> list[str]:
        """Which coefficients have a jackknife though the user asked for resamples."""
        kind = self.request.plan.interval
        if kind not in (IntervalKind.BCA, IntervalKind.PERCENTILE):
            return []
        made = ((spec.key, self.attached[spec.key].interval) for spec in self.specs)
        keys = [key for key, interval in made if interval is not None and interval.method.startswith("jackknife")]
        if not keys:
            return []
        why = "there are too many items and pairs of raters to draw again"
        return [f"interval {kind} was asked for, but {', '.join(keys)} got the jackknife: {why}"]

    def _without_interval(self) -> list[str]:
        """Why some coefficients have none, where they do not say it themselves."""
        plan = self.request.plan
        if plan.resample.of_raters and self.facts.raters < FEWEST_RATERS:
            return [f"there are {self.facts.raters} raters: too few to resample raters, so there is no interval"]
        lacking = {
            spec.key: self.computed[spec.key].items
            for spec in self.specs
            if self.attached[spec.key].interval is None
            and not self.attached[spec.key].reason
            and not np.isnan(self.computed[spec.key].value)
        }
        if not lacking or plan.interval is IntervalKind.NONE or self.facts.pairable < 2:
            return []
        why = "on so fine a scale it takes long; ask for interval bca"
        fewest = min(lacking.values())
        if fewest < FEW_ITEMS:
            why = f"{counted(fewest, 'item')} cannot carry one"
        return [f"no interval for {', '.join(lacking)}: {why}"]


def _few_complete(computed: Computed, facts: Facts) -> tuple[str, ...]:
    """Said where a coefficient that needs whole items rests on few of them."""
    if computed.items >= FEW_ITEMS and 2 * computed.items >= facts.pairable:
        return ()
    items = counted(computed.items, "item was", "items were")
    return (f"only {items} rated by all raters, of {facts.pairable:,} that two or more rated; the others are not used",)
