"""What a reader must know before trusting a coefficient on these ratings: the signs, seen from the coefficient."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from accord.coefficients.coefficient import DEFAULTS, Coefficient
from accord.coefficients.kappa import PairKappa
from accord.coefficients.options import Options
from accord.coefficients.registry import (
    COEFFICIENTS,
    COHEN_KAPPA_LINEAR,
    COHEN_KAPPA_QUADRATIC,
    KENDALL_TAU_B,
    CoefficientSpec,
)
from accord.records import dataclass
from accord.reliability.signs import amount, copies, kappa_order, sorted_columns, use_of_values
from accord.reliability.signs.amount import FEW_UNTIED, SCARCE_ITEMS
from accord.reliability.signs.evidence import Evidence
from accord.reliability.signs.observation import Observation
from accord.words import counted, steady

__all__ = [
    "ORDER_IGNORED",
    "SIGNS",
    "Caution",
    "Sign",
    "cautions_about",
    "cautions_for",
    "few_shared_caution",
    "gamma_caution",
    "not_taken",
]

_MOSTLY_TIED = 0.25
ORDER_IGNORED = "ignores the order of the values: a near miss counts like a far one; read a weighted one beside it"

_HAVE_WEIGHTS = f"ask for {COHEN_KAPPA_LINEAR} or {COHEN_KAPPA_QUADRATIC}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A check of the ratings, the coefficients whose meaning it changes, and how, in words that follow its message."""

    code: str
    check: Callable[[Evidence], Iterator[Observation]]
    concerns: Callable[[CoefficientSpec], bool]
    consequence: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The coefficients it concerns."""
        return tuple(key for key, spec in COEFFICIENTS.items() if self.concerns(spec))


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence, and the coefficients it belongs to."""

    code: str
    text: str
    concerns: Callable[[CoefficientSpec], bool]


def _any(spec: CoefficientSpec) -> bool:
    return True


def _beyond_chance(spec: CoefficientSpec) -> bool:
    return spec.family != "agreement"


def _chance_by_marginals(spec: CoefficientSpec) -> bool:
    """Kappas and alpha, whose chance term grows with a prevalent value."""
    return spec.family in ("kappa", "alpha") and not spec.coefficient.resists_prevalence


# A table should look like one.
# fmt: off
SIGNS = {sign.code: sign for sign in (
    Sign(code="no_shared_items", check=amount.no_shared_items, concerns=_any),
    Sign(code="one_value", check=use_of_values.one_value, concerns=_beyond_chance,
         consequence="undefined is not perfect"),
    Sign(code="sorted_raters", check=sorted_columns.sorted_raters, concerns=lambda spec: spec.identity,
         consequence="what depends on who rated is an artefact"),
    Sign(code="one_sided_raters", check=sorted_columns.one_sided_raters, concerns=lambda spec: spec.identity),
    Sign(code="duplicated_raters", check=copies.duplicated_raters, concerns=_any,
         consequence="a copy agrees by itself and raises the value"),
    Sign(code="identical_raters", check=copies.identical_raters, concerns=_any),
    Sign(code="constant_raters", check=use_of_values.constant_raters,
         concerns=lambda spec: spec.pairwise and _beyond_chance(spec),
         consequence="no such rater can agree beyond chance"),
    Sign(code="few_items", check=amount.few_items, concerns=_any),
    Sign(code="little_overlap", check=amount.little_overlap, concerns=_any),
    Sign(code="prevalence", check=use_of_values.prevalence, concerns=_chance_by_marginals,
         consequence="chance agreement is high (prevalence paradox); read Gwet's AC1 beside it"),
    Sign(code="ceiling", check=use_of_values.ceiling, concerns=lambda spec: spec.family in ("order", "correlation"),
         consequence="the order of items that hardly differ is luck, however well raters agree"),
    Sign(code="unequal_habits", check=use_of_values.unequal_habits,
         concerns=lambda spec: spec.family == "kappa" and spec.identity,
         consequence="unequal habits raise this coefficient above Fleiss' κ (bias paradox)"),
    Sign(code="kappa_order", check=kappa_order.kappa_order,
         concerns=lambda spec: spec.family == "kappa" and spec.pairwise and _beyond_chance(spec),
         consequence="do not rank raters or models by it (Delgado and Tibau 2019); read agreement beside it"),
)}
# fmt: on


def cautions_for(evidence: Evidence, specs: Sequence[CoefficientSpec], options: Options = DEFAULTS) -> list[Caution]:
    """All cautions about these coefficients on these ratings, most serious first."""
    found = [
        Caution(sign.code, "; ".join(filter(None, (seen.message, sign.consequence))), sign.concerns)
        for sign in SIGNS.values()
        if any(sign.concerns(spec) for spec in specs)
        for seen in sign.check(evidence)
    ]
    comparable, scale = not (found and found[0].code == "no_shared_items"), evidence.scale
    if comparable and scale.level.has_order and len(scale) > 2:
        # No sign of the ratings, but a choice of the coefficient: the order of the values is given away.
        found.append(Caution("order_ignored", ORDER_IGNORED, lambda spec: _ignores_order(spec.coefficient, options)))
    named = options.weights
    if isinstance(named, str) and named not in ("", "identity") and not options.has_own_weights:
        text = f"takes no weights by name and is unweighted: {named} was not used; {_HAVE_WEIGHTS}, or give a matrix"
        found.append(Caution("weights_not_taken", text, lambda spec: _takes_a_matrix_only(spec.coefficient)))
    return found


def _ignores_order(of: Coefficient, options: Options) -> bool:
    if of.ignores_order or not of.weights:
        return of.ignores_order
    taken = of.weights_taken(options)
    return isinstance(taken, str) and taken == "identity"


def _takes_a_matrix_only(of: Coefficient) -> bool:
    return isinstance(of, PairKappa) and of.takes_own


def cautions_about(spec: CoefficientSpec, cautions: Iterable[Caution]) -> tuple[str, ...]:
    """The sentences that belong to one coefficient."""
    return tuple(caution.text for caution in cautions if caution.concerns(spec))


def not_taken(spec: CoefficientSpec, asked: Collection[str], options: Options) -> tuple[str, ...]:
    """Said of coefficients asked for by name: what was asked for beside them and is not theirs."""
    of, told = spec.coefficient, []
    weights, metric = (one if isinstance(one, str) else "the matrix given" for one in (options.weights, options.metric))
    # What takes a matrix only says so itself; weights for sets are a metric, too.
    taken = of.weighted or _takes_a_matrix_only(of) or (spec.by_metric and options.weights_are_for_sets)
    if weights not in ("", of.weights) and not taken:
        plain = of.weights in ("", "identity")
        kind = "takes no weights" if plain else f"has {of.weights} weights of its own"
        told.append(f"{kind}: {weights} was not used")
    if metric and not any(COEFFICIENTS[key].by_metric for key in asked):
        told.append(f"takes no metric: {metric} was not used")
    return tuple(told)


def few_shared_caution(parts: dict[str, float]) -> tuple[str, ...]:
    """A mean over pairs of raters of whom most share few items says little, however many items there are."""
    shared = parts["median_shared_items"]
    if shared >= SCARCE_ITEMS:
        return ()
    return (
        f"half of the pairs of raters share {counted(int(shared), 'item')} or fewer: the value of such a pair is "
        "mostly chance; read Krippendorff's α, which takes all ratings of an item together",
    )


def gamma_caution(parts: dict[str, float]) -> tuple[str, ...]:
    """Gamma ignores ties: said where few pairs of items are left. ``parts`` are sums over pairs of raters."""
    untied = parts["untied"]
    if untied < FEW_UNTIED:
        return (f"rests on {steady(untied):,.0f} untied pairs of items only, as gamma ignores ties",)
    tied = 1 - untied / parts["compared"]
    if tied > 1 - _MOSTLY_TIED:
        return (
            f"ignores {steady(tied):.0%} of the pairs of items because they are tied; see "
            f"{COEFFICIENTS[KENDALL_TAU_B].title}",
        )
    return ()
