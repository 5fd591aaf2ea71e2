"""The one table of coefficients: command line, docs, report and validity checks read it."""

from dataclasses import dataclass

from accord.agreement import formulas, kappa
from accord.agreement.formulas import Builder
from accord.design.scale import Level
from accord.errors import OptionError, UnsuitableCoefficientError
from accord.ratings.counts import Facts

__all__ = ["ANY_NUMBER", "COEFFICIENTS", "CoefficientSpec", "coefficient", "require_suitable", "suitable"]

ANY_NUMBER = range(2, 10**9)
ALL_LEVELS = frozenset(Level)
ORDERED = frozenset({Level.ORDINAL, Level.INTERVAL, Level.RATIO})
DISTANCES = frozenset({Level.INTERVAL, Level.RATIO})
CATEGORIES = frozenset({Level.NOMINAL, Level.ORDINAL})
NOMINAL = frozenset({Level.NOMINAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientSpec:
    """All that the rest of the program may ask about one coefficient.

    ``scales`` are the keys of the scales of interpretation that belong to it; ``identity`` says that it
    tells raters apart, and so means nothing where the columns of an item were sorted.
    """

    key: str
    title: str
    family: str
    build: Builder
    levels: frozenset[Level]
    raters: range = ANY_NUMBER
    missing_ok: bool
    missing_rule: str
    undefined_when: str
    reference: str
    formula: str
    peers: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    weights: str = ""
    conventions: tuple[str, ...] = ()
    identity: bool = False
    pairwise: bool = False

    def objections(self, facts: Facts, name: str = "this scale") -> list[str]:
        """Why these ratings do not fit, in plain words; empty if they do."""
        reasons = []
        level = facts.scale.level
        if level not in self.levels:
            reasons.append(f"needs a {_either(self.levels)} scale, but {name} is {level}")
        if facts.raters not in self.raters:
            wanted = "2 or more" if self.raters == ANY_NUMBER else f"exactly {self.raters.start}"
            reasons.append(f"takes {wanted} raters, but there are {facts.raters}")
        if not facts.complete and not self.missing_ok:
            reasons.append("needs every rating, but some are missing")
        return reasons


def _either(levels: frozenset[Level]) -> str:
    return " or ".join(level for level in Level if level in levels)


# A table should look like one.
# fmt: off
_ITEM_WISE = (
    "item by item as in Gwet (2014), not pooled: an item counts by the ratings it has, "
    "items with one rating only inform the chance term")
_PAIRS = "each pair of raters is compared on the items both rated"
_KAPPA_SCALES = ("landis_koch", "fleiss", "altman", "cicchetti")

COEFFICIENTS = {spec.key: spec for spec in (
    CoefficientSpec(
        key="percent_agreement", title="Percent agreement", family="agreement",
        build=formulas.agreement_only("identity"), levels=CATEGORIES, missing_ok=True, missing_rule=_ITEM_WISE,
        undefined_when="no item has two ratings", reference="gwet2014",
        formula=r"p_o = \frac{1}{n'} \sum_i \sum_k \frac{r_{ik}(r_{ik} - 1)}{r_i (r_i - 1)}"),
    CoefficientSpec(
        key="cohen_kappa", title="Cohen's κ", family="kappa",
        build=formulas.cohen("identity"), levels=CATEGORIES, missing_ok=True, missing_rule=_PAIRS,
        undefined_when="both raters of every pair use one and the same value throughout", reference="cohen1960",
        formula=r"\kappa = \frac{p_o - p_e}{1 - p_e},\ p_e = \sum_k p_{k\cdot}\, p_{\cdot k}",
        scales=_KAPPA_SCALES, identity=True, pairwise=True),
    CoefficientSpec(
        key="fleiss_kappa", title="Fleiss' κ", family="kappa",
        build=formulas.item_wise(kappa.fleiss, "identity"), levels=CATEGORIES, missing_ok=True,
        missing_rule=_ITEM_WISE, undefined_when="all ratings have the same value", reference="fleiss1971",
        formula=r"\kappa = \frac{p_o - p_e}{1 - p_e},\ p_e = \sum_{kl} w_{kl}\,\pi_k \pi_l",
        scales=_KAPPA_SCALES, weights="identity"),
    CoefficientSpec(
        key="krippendorff_alpha", title="Krippendorff's α", family="alpha",
        build=formulas.krippendorff, levels=ALL_LEVELS, missing_ok=True,
        missing_rule="items with fewer than two ratings are left out, others weigh by the ratings they have",
        undefined_when="all ratings have the same value", reference="krippendorff2011",
        formula=r"\alpha = 1 - (n-1) \frac{\sum_{ck} o_{ck} \delta^2_{ck}}{\sum_{ck} n_c n_k \delta^2_{ck}}",
        scales=("krippendorff",)),
)}
# fmt: on


def coefficient(key: str) -> CoefficientSpec:
    """The row of this coefficient, or an error that lists the keys there are."""
    if key not in COEFFICIENTS:
        raise OptionError(f"There is no coefficient {key!r}. Known: {', '.join(COEFFICIENTS)}.")
    return COEFFICIENTS[key]


def suitable(facts: Facts) -> list[CoefficientSpec]:
    """Coefficients that fit these ratings, in the order of the table."""
    return [spec for spec in COEFFICIENTS.values() if not spec.objections(facts)]


def require_suitable(key: str, facts: Facts, name: str = "this scale") -> CoefficientSpec:
    """The spec, or an error that says why it does not fit and what would."""
    spec = coefficient(key)
    if reasons := spec.objections(facts, name):
        alternatives = ", ".join(other.key for other in suitable(facts)) or "none"
        raise UnsuitableCoefficientError(
            f"{spec.title} {'; it '.join(reasons)}.\nCoefficients that fit: {alternatives}."
        )
    return spec
