"""Which coefficients fit these ratings, and in words why the others do not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from accord.coefficients.coefficient import DEFAULTS
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS, CoefficientSpec
from accord.design.nearest import did_you_mean
from accord.design.scale import Level
from accord.errors import OptionError
from accord.ratings.counts import Facts

__all__ = ["Choice", "choose", "known_coefficient"]


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


def known_coefficient(key: str) -> CoefficientSpec:
    """The coefficient of this key, or an error that names the nearest one."""
    if key not in COEFFICIENTS:
        raise OptionError(f"There is no coefficient {key!r}{did_you_mean(key, COEFFICIENTS)}")
    return COEFFICIENTS[key]


def choose(asked: Iterable[str] | None, facts: Facts, name: str = "", options: Options = DEFAULTS) -> Choice:
    """The coefficients asked for, or all that fit; ``name`` is what the scale belongs to."""
    name = repr(name) if name else "this scale"
    reasons = {key: _reasons(spec, facts, name, options) for key, spec in COEFFICIENTS.items()}
    if asked is None:
        usual = [spec for spec in COEFFICIENTS.values() if not spec.on_request]
        fitting = tuple(spec for spec in usual if not reasons[spec.key])
        reasons = {spec.key: reasons[spec.key] for spec in usual}
        return Choice(fitting, unsuitable={key: why for key, why in reasons.items() if why})
    specs = tuple(known_coefficient(key) for key in dict.fromkeys(asked))
    against = {spec.key: reasons[spec.key] for spec in specs if reasons[spec.key]}
    possible = tuple(spec for spec in specs if _can_be_computed(spec, facts))
    impossible = {spec.key: reasons[spec.key] for spec in specs if spec not in possible}
    return Choice(possible, {key: why for key, why in against.items() if key not in impossible}, impossible)


def _reasons(spec: CoefficientSpec, facts: Facts, name: str, options: Options) -> tuple[str, ...]:
    """What speaks against a coefficient, in words."""
    if spec.any_level_with_own_weights and options.has_own_weights:
        return (*_too_fine(spec, facts), *_one_sided(spec, options))
    return (
        *spec.objections(facts, name), *_too_fine(spec, facts), *_unordered(spec, facts), *_one_sided(spec, options)
    )  # fmt: skip


def _one_sided(spec: CoefficientSpec, options: Options) -> tuple[str, ...]:
    """Weights that are not symmetric tell two raters apart."""
    if spec.weighted and not isinstance(options.weights, str) and not np.allclose(options.weights, options.weights.T):
        return ("needs symmetric weights, as it does not tell the two raters of a pair apart",)
    return ()


def _can_be_computed(spec: CoefficientSpec, facts: Facts) -> bool:
    """A wrong level gives a number of little meaning; a wrong number of raters gives none, unless each pair has one."""
    enough = facts.raters in spec.raters or (spec.pairwise and facts.raters > 1)
    return enough and not _too_fine(spec, facts) and not _unordered(spec, facts)


def _unordered(spec: CoefficientSpec, facts: Facts) -> tuple[str, ...]:
    """Labels stand in the order of the alphabet, which says nothing; weights refuse it in their own words."""
    if Level.NOMINAL in spec.levels or spec.weights or facts.scale.level.has_order or facts.scale.is_numeric:
        return ()
    return ("labels without an order cannot be ranked; declare it, for example scale 'bad<fair<good'",)


def _too_fine(spec: CoefficientSpec, facts: Facts) -> tuple[str, ...]:
    """Coefficients of categories compare every value with every other."""
    if spec.weights and len(facts.scale) > _MOST_CATEGORIES:
        return (f"compares categories, but {len(facts.scale):,} different values occur",)
    return ()
