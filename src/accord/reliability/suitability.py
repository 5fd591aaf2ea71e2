"""Which coefficients fit these ratings, and in words why the others do not."""

from collections.abc import Iterable, Mapping
from dataclasses import field

from accord.coefficients.coefficient import DEFAULTS
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS, CoefficientSpec, coefficient
from accord.design.scale import Level
from accord.ratings.counts import Facts
from accord.records import dataclass

__all__ = ["Choice", "choose"]


_MOST_CATEGORIES = 300


@dataclass(frozen=True, slots=True)
class Choice:
    """What will be computed.

    ``insisted`` holds for a coefficient that does not fit, but was asked for by name, what speaks against
    it: the reasons stay attached to its value. ``unsuitable`` holds what was left out and why.
    """

    specs: tuple[CoefficientSpec, ...]
    insisted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsuitable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def choose(asked: Iterable[str] | None, facts: Facts, name: str = "", options: Options = DEFAULTS) -> Choice:
    """The coefficients asked for, or all that fit; ``name`` is what the scale belongs to."""
    name = repr(name) if name else "this scale"
    if asked is None:
        usual = [spec for spec in COEFFICIENTS.values() if not spec.on_request]
        reasons = {spec.key: _reasons(spec, facts, name, options) for spec in usual}
        fitting = tuple(spec for spec in usual if not reasons[spec.key])
        return Choice(fitting, unsuitable={key: why for key, why in reasons.items() if why})
    specs = tuple(coefficient(key) for key in dict.fromkeys(asked))
    against = {spec.key: why for spec in specs if (why := _reasons(spec, facts, name, options))}
    # A wrong level gives a number of little meaning; a wrong number of raters none, unless each pair has one.
    possible = tuple(
        spec
        for spec in specs
        if not _hindrances(spec, facts) and (facts.raters in spec.raters or (spec.pairwise and facts.raters > 1))
    )
    computed = {spec.key for spec in possible}
    insisted = {key: why for key, why in against.items() if key in computed}
    return Choice(possible, insisted, {spec.key: against.get(spec.key, ()) for spec in specs if spec not in possible})


def _reasons(spec: CoefficientSpec, facts: Facts, name: str, options: Options) -> tuple[str, ...]:
    """What speaks against a coefficient, in words."""
    reasons: list[str] = []
    if spec.any_level_with_own_weights and options.has_own_weights:
        reasons += _hindrances(spec, facts, order=False)
    else:
        reasons += [*spec.objections(facts, name), *_hindrances(spec, facts)]
    return tuple(reasons)


def _hindrances(spec: CoefficientSpec, facts: Facts, *, order: bool = True) -> list[str]:
    """Why there can be no number: so many categories, or labels whose order is only that of the alphabet."""
    found, scale, weights = [], facts.scale, spec.coefficient.weights
    if weights and len(scale) > _MOST_CATEGORIES:
        found.append(f"compares categories, but {len(scale):,} different values occur")
    # Weights refuse labels without an order in their own words.
    ranks = Level.NOMINAL not in spec.levels and not weights
    if order and ranks and not scale.level.has_order and not scale.is_numeric:
        found.append("labels without an order cannot be ranked; declare it, for example scale 'bad<fair<good'")
    return found
