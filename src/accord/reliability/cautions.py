"""What a reader must know before trusting a coefficient on these ratings, in plain sentences."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.coefficients.features import View
from accord.coefficients.registry import CoefficientSpec
from accord.design.scale import Scale, Value
from accord.ratings.counts import CountSource, Facts, Patterns
from accord.words import counted

__all__ = [
    "FEW_ITEMS", "SCARCE_ITEMS", "Caution", "Evidence", "cautions_about", "cautions_for", "few_shared_caution",
    "gamma_caution",
]  # fmt: skip

FEW_ITEMS = 30
"""Under this many items with two ratings an interval is rough."""
SCARCE_ITEMS = 10
"""Under this many a coefficient says little."""
_PREVALENT = 0.8
_BIASED = 0.2
_LITTLE_OVERLAP = 0.5
_SORTED_SHARE = 0.99
_TELLING_ITEMS = 20
_MANY_RATERS = 200
_GLANCE = 1000
_FEW_UNTIED = 30
_MOSTLY_TIED = 0.25


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence, and the coefficients it belongs to."""

    code: str
    text: str
    concerns: Callable[[CoefficientSpec], bool]


class Evidence:
    """What cautions look at, counted once: patterns seen as shares, rows and pairs of raters."""

    def __init__(self, facts: Facts, view: View, source: CountSource, *, weighted: bool = False) -> None:
        self.facts = facts
        self.weighted = weighted
        self.patterns = Patterns(view.codes, view.multiplicity)
        self.names = source.rater_names()
        self.marginals = source.marginals().counts.astype(np.float64)

    @property
    def scale(self) -> Scale:
        return self.facts.scale

    @property
    def tells_raters_apart(self) -> bool:
        """Whether the columns of the patterns are raters, and few enough to be compared."""
        return bool(self.patterns.codes.shape[1] == len(self.names) <= _MANY_RATERS)

    @cached_property
    def shares(self) -> Floats:
        """Share of each value in all ratings."""
        total = self.marginals.sum(axis=0)
        return np.asarray(total / max(total.sum(), 1))

    @cached_property
    def telling(self) -> NDArray[np.bool_]:
        """Patterns in which two ratings differ."""
        codes, none = self.patterns.codes, len(self.scale)
        lowest, highest = np.full(len(codes), none), np.full(len(codes), -1)
        for column in codes.T:  # rows are short: a column at a time is many times faster
            np.minimum(lowest, np.where(column >= 0, column, none), out=lowest)
            np.maximum(highest, column, out=highest)
        return np.asarray(highest > lowest)

    def value_name(self, place: int) -> str:
        return _shown(self.scale.values[place])


def cautions_for(evidence: Evidence) -> list[Caution]:
    """All cautions about these ratings, most serious first."""
    if evidence.facts.pairable == 0:
        return [Caution("no_overlap", "no item has two ratings, so nothing can be compared", _any)]
    checks = (
        _one_value, _sorted_raters, _copied_raters, _constant_raters, _few_items, _little_overlap, _prevalence, _bias,
        _order_ignored,
    )  # fmt: skip
    return [caution for check in checks for caution in check(evidence)]


def cautions_about(spec: CoefficientSpec, cautions: Iterable[Caution]) -> tuple[str, ...]:
    """The sentences that belong to one coefficient."""
    return tuple(caution.text for caution in cautions if caution.concerns(spec))


def few_shared_caution(parts: dict[str, float]) -> tuple[str, ...]:
    """A mean over pairs of raters of whom most share few items says little, however many items there are."""
    shared = parts.get("median_shared_items", np.inf)
    if shared >= SCARCE_ITEMS:
        return ()
    return (
        f"half of the pairs of raters share {counted(int(shared), 'item')} or fewer: the value of such a pair is "
        "mostly chance; read krippendorff_alpha, which takes all ratings of an item together",
    )


def gamma_caution(parts: dict[str, float]) -> tuple[str, ...]:
    """Gamma ignores ties: said where few pairs of items are left. ``parts`` are sums over pairs of raters."""
    untied = parts["untied"]
    if untied < _FEW_UNTIED:
        return (f"rests on {untied:,.0f} untied pairs of items only, as gamma ignores ties",)
    tied = 1 - untied / parts["compared"]
    if tied > 1 - _MOSTLY_TIED:
        return (f"ignores {tied:.0%} of the pairs of items because they are tied; see kendall_tau_b",)
    return ()


def _any(spec: CoefficientSpec) -> bool:
    return True


def _kappa(spec: CoefficientSpec) -> bool:
    return spec.family in ("kappa", "alpha") and spec.key not in ("gwet_ac1", "gwet_ac2", "brennan_prediger")


def _uses_identity(spec: CoefficientSpec) -> bool:
    return spec.identity


def _one_value(evidence: Evidence) -> Iterator[Caution]:
    if np.count_nonzero(evidence.shares) == 1:
        name = evidence.value_name(int(evidence.shares.argmax()))
        text = f"every rating is {name}: nothing varies, so agreement beyond chance is undefined, not perfect"
        yield Caution("one_value", text, lambda spec: spec.family != "agreement")


def _sorted_raters(evidence: Evidence) -> Iterator[Caution]:
    """Columns of raters that never fall (or never rise) along a row are ranks, not people."""
    scale, raters = evidence.scale, len(evidence.names)
    if not (scale.level.has_order or scale.is_numeric) or not evidence.tells_raters_apart or raters < 2:
        return
    codes, weights = evidence.patterns.codes, evidence.patterns.multiplicity
    means = evidence.marginals @ np.arange(len(scale)) / np.maximum(evidence.marginals.sum(axis=1), 1)
    highest, falls = np.full(len(codes), -1), np.zeros(len(codes), dtype=bool)
    for rater in np.argsort(means, kind="stable"):
        falls |= (codes[:, rater] >= 0) & (codes[:, rater] < highest)
        np.maximum(highest, codes[:, rater], out=highest)
    differing = int(weights[evidence.telling].sum())
    rising = int(weights[evidence.telling & ~falls].sum())
    if differing >= _TELLING_ITEMS and rising >= _SORTED_SHARE * differing:
        if raters == 2:
            text = (
                f"{evidence.names[int(means.argmax())]} is the higher one in {rising:,} of the {differing:,} items "
                "where the two raters differ: either the columns were sorted or one rater is always more generous"
            )
        else:
            text = (
                f"the ratings of {rising:,} of {differing:,} items that differ rise from column to column: they look "
                "sorted, so a rater column is a rank and not a person, and what depends on who rated is an artefact"
            )
        yield Caution("sorted_raters", text, _uses_identity)


def _copied_raters(evidence: Evidence) -> Iterator[Caution]:
    raters = len(evidence.names)
    if not evidence.tells_raters_apart or not evidence.telling.any():
        return
    codes, weights = evidence.patterns.codes, evidence.patterns.multiplicity.astype(np.float64)
    glanced = codes[:: max(1, len(codes) // _GLANCE)]  # patterns lie in order: the first ones lack the first raters
    for first in range(raters - 1):
        glance = _both(glanced, first, np.arange(first + 1, raters))
        alike = first + 1 + np.flatnonzero(~(glance.shared & ~glance.same).any(axis=0))
        found = _both(codes, first, alike)
        equal, shared = weights @ found.same, weights @ found.shared
        for place in np.flatnonzero((equal == shared) & (equal >= _TELLING_ITEMS)):
            text = (
                f"{evidence.names[first]} and {evidence.names[alike[place]]} gave the same rating to all "
                f"{equal[place]:,.0f} items both rated: is one a copy of the other?"
            )
            yield Caution("copied_raters", text, _any)


class _Both(NamedTuple):
    """(patterns, others): whether a rater and another rated, and whether they gave the same value."""

    shared: NDArray[np.bool_]
    same: NDArray[np.bool_]


def _both(codes: NDArray[np.int32], rater: int, others: NDArray[np.intp]) -> _Both:
    one, rest = codes[:, rater, None], codes[:, others]
    return _Both((one >= 0) & (rest >= 0), (one == rest) & (one >= 0))


def _constant_raters(evidence: Evidence) -> Iterator[Caution]:
    if np.count_nonzero(evidence.shares) < 2:
        return
    used = (evidence.marginals > 0).sum(axis=1)
    rated = evidence.marginals.sum(axis=1)
    constant = [place for place in np.flatnonzero(used == 1) if rated[place] >= 2]
    if constant:
        shown = ", ".join(evidence.names[place] for place in constant[:3])
        more = f" and {len(constant) - 3} more raters" if len(constant) > 3 else ""
        text = f"{shown}{more} gave one and the same value throughout: no such rater can agree beyond chance"
        yield Caution("constant_rater", text, lambda spec: spec.family != "agreement")


def _few_items(evidence: Evidence) -> Iterator[Caution]:
    if (items := evidence.facts.pairable) < FEW_ITEMS:
        text = f"only {counted(items, 'item has', 'items have')} two or more ratings: the interval is rough"
        if items < SCARCE_ITEMS:
            text += "; so few say more as scores, each with its interval: accord score --ratings"
        yield Caution("few_items", text, _any)


def _little_overlap(evidence: Evidence) -> Iterator[Caution]:
    facts = evidence.facts
    if facts.pairable < _LITTLE_OVERLAP * facts.items:
        text = f"only {facts.pairable:,} of {facts.items:,} items have two or more ratings; the others tell nothing"
        yield Caution("little_overlap", text, _any)


def _prevalence(evidence: Evidence) -> Iterator[Caution]:
    top = int(evidence.shares.argmax())
    if _PREVALENT <= evidence.shares[top] < 1:
        text = (
            f"{evidence.value_name(top)} makes up {evidence.shares[top]:.0%} of the ratings: chance agreement is high, "
            "so the value can be low though raters mostly agree (prevalence paradox); read gwet_ac1 beside it"
        )
        yield Caution("prevalence", text, _kappa)


def _bias(evidence: Evidence) -> Iterator[Caution]:
    rated = evidence.marginals.sum(axis=1, keepdims=True)
    own = evidence.marginals / np.maximum(rated, 1)
    others = (evidence.marginals.sum(axis=0) - evidence.marginals) / np.maximum(rated.sum() - rated, 1)
    apart = np.abs(own - others).sum(axis=1) / 2
    apart[rated[:, 0] < _TELLING_ITEMS] = 0
    worst = int(apart.argmax()) if len(apart) else 0
    if len(apart) and apart[worst] >= _BIASED:
        value = int(np.abs(own[worst] - others[worst]).argmax())
        text = (
            f"raters use the values differently ({evidence.names[worst]} gives {evidence.value_name(value)} to "
            f"{own[worst, value]:.0%} of items, the others to {others[worst, value]:.0%}): unequal habits raise this "
            "coefficient against fleiss_kappa (bias paradox)"
        )
        yield Caution("bias", text, lambda spec: spec.family == "kappa" and spec.identity)


def _order_ignored(evidence: Evidence) -> Iterator[Caution]:
    def concerns(spec: CoefficientSpec) -> bool:
        return (spec.weights == "identity" or spec.key == "light_kappa") and not (spec.weighted and evidence.weighted)

    if evidence.scale.level.has_order and len(evidence.scale) > 2:
        text = "ignores the order of the values: a near miss counts like a far one; read a weighted one beside it"
        yield Caution("order_ignored", text, concerns)


def _shown(value: Value) -> str:
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(value)) + "}"
    return f"{value:g}" if isinstance(value, float | int) else repr(value)
