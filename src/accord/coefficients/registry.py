"""The one table of coefficients: command line, docs, report and validity checks read it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from warnings import warn

from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.anova import Form
from accord.coefficients.coefficient import Coefficient
from accord.coefficients.correlation import LinConcordance, Pearson
from accord.coefficients.icc import CronbachAlpha, IntraclassCorrelation
from accord.coefficients.item_kappa import Agreement, BrennanPrediger, CongerKappa, FleissKappa, GwetAC
from accord.coefficients.kappa import CohenKappa, LightKappa, ScottPi
from accord.coefficients.kendall_w import KendallW
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.ranks import Gamma, KendallTauA, KendallTauB, KendallTauC, Spearman
from accord.coefficients.references import REFERENCES
from accord.design.nearest import did_you_mean
from accord.design.scale import Level
from accord.errors import OptionError
from accord.ratings.counts import Facts
from accord.records import dataclass

__all__ = [
    "ANY_NUMBER", "CATEGORIES", "COEFFICIENTS", "COHEN_KAPPA", "COHEN_KAPPA_LINEAR", "COHEN_KAPPA_QUADRATIC",
    "CONGER_KAPPA", "CRONBACH_ALPHA", "DISTANCES", "FLEISS_KAPPA", "GAMMA", "GWET_AC1", "ICC_1", "ICC_1K", "ICC_A1",
    "ICC_AK", "ICC_CK", "KENDALL_TAU_B", "KRIPPENDORFF_ALPHA", "LIGHT_KAPPA", "LIN_CCC", "PEARSON",
    "PERCENT_AGREEMENT", "SCOTT_PI", "SPEARMAN", "WEIGHTED_AGREEMENT", "CoefficientSpec", "coefficient",
]  # fmt: skip

KRIPPENDORFF_ALPHA = "krippendorff_alpha"
COHEN_KAPPA = "cohen_kappa"
COHEN_KAPPA_LINEAR = "cohen_kappa_linear"
FLEISS_KAPPA = "fleiss_kappa"
PERCENT_AGREEMENT = "percent_agreement"
GWET_AC1 = "gwet_ac1"
ICC_A1 = "icc_a1"
ICC_AK = "icc_ak"
ICC_1K = "icc_1k"
WEIGHTED_AGREEMENT = "weighted_agreement"
COHEN_KAPPA_QUADRATIC = "cohen_kappa_quadratic"
LIGHT_KAPPA = "light_kappa"
CONGER_KAPPA = "conger_kappa"
SCOTT_PI = "scott_pi"
ICC_1 = "icc_1"
ICC_CK = "icc_ck"
CRONBACH_ALPHA = "cronbach_alpha"
GAMMA = "gamma"
KENDALL_TAU_B = "kendall_tau_b"
SPEARMAN = "spearman"
PEARSON = "pearson"
LIN_CCC = "lin_ccc"
"""Keys that other rooms need by name: to lead with one, or to offer a few."""
ENTRY_POINT = "accord.coefficients"
ANY_NUMBER = range(2, 10**9)
THREE_OR_MORE = range(3, 10**9)
ALL_LEVELS = frozenset(Level)
ORDERED = frozenset({Level.ORDINAL, Level.INTERVAL, Level.RATIO})
DISTANCES = frozenset({Level.INTERVAL, Level.RATIO})
CATEGORIES = frozenset({Level.NOMINAL, Level.ORDINAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientSpec:
    """All that the rest of the program may ask about one coefficient.

    ``scales`` are the keys of the scales of interpretation that belong to it; ``identity`` says that it
    tells raters apart, and so means nothing where the columns of an item were sorted; ``parts`` names what every value
    of it comes with; ``reference`` is a key of :mod:`accord.coefficients.references`, or of the publication that
    ``citation`` gives in full; ``on_request`` says that it is computed only for those who name it, and
    ``any_level_with_own_weights`` that it fits any scale once the user gives weights that need no order. ``symbol`` is
    what a sentence calls it where everybody knows it by a letter; ``in_counts`` the formula for a table of counts;
    ``package`` is filled in where another one offers the row.
    """

    key: str
    title: str
    family: str
    coefficient: Coefficient
    levels: frozenset[Level]
    raters: range = ANY_NUMBER
    missing_ok: bool
    missing_rule: str
    undefined_when: str
    reference: str
    citation: str = ""
    formula: str
    in_counts: str = ""
    peers: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    identity: bool = False
    on_request: bool = False
    any_level_with_own_weights: bool = False
    symbol: str = ""
    package: str = ""

    @property
    def publication(self) -> str:
        """Where it was published, in full."""
        return self.citation or REFERENCES[self.reference]

    @property
    def pairwise(self) -> bool:
        """Whether it is a mean over pairs of raters and has a matrix of pairs."""
        return isinstance(self.coefficient, PairCoefficient)

    @property
    def by_metric(self) -> bool:
        """Whether the metric of alpha is its."""
        return isinstance(self.coefficient, KrippendorffAlpha)

    @property
    def rests_on_untied(self) -> bool:
        """Whether only pairs of items that neither rater ties enter the value."""
        return isinstance(self.coefficient, Gamma)

    @property
    def draws_raters(self) -> bool:
        """Whether its own interval takes the raters, too, for a sample: absolute and one-way ICC."""
        of = self.coefficient
        return isinstance(of, IntraclassCorrelation) and (of.form.absolute or of.form.one_way)

    def objections(self, facts: Facts, name: str = "this scale") -> list[str]:
        """Why these ratings do not fit, in plain words; empty if they do."""
        reasons = []
        level = facts.scale.level
        if level not in self.levels:
            reasons.append(f"needs {_either(self.levels)} scale, but {name} is {level}")
        if facts.raters not in self.raters:
            wanted = f"{self.raters.start} or more" if len(self.raters) > 1 else f"exactly {self.raters.start}"
            reasons.append(f"takes {wanted} raters, but there {'is' if facts.raters == 1 else 'are'} {facts.raters}")
        if not facts.complete and not self.missing_ok:
            reasons.append("needs every rating, but some are missing")
        return reasons


Spec = CoefficientSpec


def _either(levels: frozenset[Level]) -> str:
    *others, last = (str(level) for level in Level if level in levels)
    names = f"{', '.join(others)} or {last}" if others else last
    return f"{'an' if names[0] in 'aeiou' else 'a'} {names}"


# A table should look like one.
# fmt: off
_ITEM_WISE = (
    "item by item as in Gwet (2014), not pooled: an item counts by the ratings it has, "
    "items with one rating only inform the chance term")
_PAIRS = "each pair of raters is compared on the items both rated; the value is the mean over pairs that have one"
_LISTWISE = "only items that every rater rated are used (listwise); the options anova and mixed use all ratings"
_KAPPA_SCALES = ("landis_koch", "fleiss", "altman", "cicchetti")
_ICC_SCALES = ("koo_li", "cicchetti")
_ORDER_SCALES = ("rosenthal",)
_CATEGORIES = "the categories are the declared scale, else the values that occur"
_ONE_VALUE = "all ratings have the same value: nothing could have been disagreed on"
_ONE_UNDECLARED = (
    "all ratings have the same value and the categories are not declared: nothing could have been disagreed on")
_AGREED = ("observed", "expected")
_ORDERED_PAIRS = ("concordant", "discordant", "untied")
_MEAN = "with more than two raters the mean over pairs of raters"
_W = r"\kappa = \frac{p_o - p_e}{1 - p_e},\quad "
_PO = r"p_o = \frac{1}{n'} \sum_i \sum_k \frac{r_{ik}(r^*_{ik} - 1)}{r_i (r_i - 1)}"


def _cohen(
    key: str,
    title: str,
    weights: str,
    levels: frozenset[Level],
    reference: str,
    peers: tuple[str, ...],
    in_counts: str = "",
) -> Spec:
    return Spec(
        key=key, title=title, family="kappa", coefficient=CohenKappa(weights, takes_own=weights == "identity"),
        levels=levels, missing_ok=True, missing_rule=_PAIRS,
        undefined_when="in every pair both raters use one and the same value throughout",
        reference=reference,
        formula=_W + r"p_o = \sum_{ij} w_{ij} p_{ij},\ p_e = \sum_{ij} w_{ij} p_{i\cdot} p_{\cdot j}",
        in_counts=in_counts, peers=peers, scales=_KAPPA_SCALES, identity=True, parts=_AGREED,
        conventions=(_MEAN, f"{weights} weights", "a pair in which chance agreement is 1 has no value and is left out"))


def _icc(
    key: str, title: str, form: Form, what: str, formula: str, peers: tuple[str, ...], also_undefined: str = "",
    rivals: str = "",
) -> Spec:
    return Spec(
        key=key, title=title, family="icc", coefficient=IntraclassCorrelation(form), levels=DISTANCES, missing_ok=True,
        missing_rule=_LISTWISE, undefined_when="the items do not differ: their means have no variance" + also_undefined,
        reference="mcgraw1996", formula=formula, peers=peers, scales=_ICC_SCALES,
        identity=not form.one_way,
        conventions=(what, f"interval by F distributions after McGraw and Wong (1996){rivals} on complete items"))


def _tau(
    key: str, title: str, tau: Coefficient, undefined_when: str, formula: str, peers: tuple[str, ...], convention: str
) -> Spec:
    return Spec(
        key=key, title=title, family="order", coefficient=tau, levels=ORDERED, missing_ok=True, missing_rule=_PAIRS,
        undefined_when=undefined_when, reference="kendall1945", formula=formula, peers=peers, scales=_ORDER_SCALES,
        identity=True, parts=_ORDERED_PAIRS, conventions=(_MEAN, convention), on_request=True)


COEFFICIENTS = {spec.key: spec for spec in (
    Spec(
        key=PERCENT_AGREEMENT, title="Percent agreement", family="agreement",
        coefficient=Agreement(weighted=False), levels=CATEGORIES, missing_ok=True, missing_rule=_ITEM_WISE,
        undefined_when="no item has two ratings", reference="gwet2014", formula=_PO,
        peers=("irrCAC pa.coeff.raw", "irr::agree (all raters equal, another quantity)"),
        conventions=("the mean share of agreeing pairs of ratings, not the share of items all agree on",
                     "not corrected for chance")),
    Spec(
        key=WEIGHTED_AGREEMENT, title="Weighted agreement", family="agreement",
        coefficient=Agreement("linear"), levels=ORDERED, missing_ok=True, missing_rule=_ITEM_WISE,
        undefined_when="no item has two ratings", reference="gwet2014", formula=_PO,
        peers=("irrCAC pa.coeff.raw with weights",), any_level_with_own_weights=True,
        conventions=("linear weights 1 - |c-k| / (max - min) by default", "not corrected for chance")),
    _cohen(COHEN_KAPPA, "Cohen's κ", "identity", CATEGORIES, "cohen1960",
           ("irr::kappa2", "psych::cohen.kappa", "sklearn.metrics.cohen_kappa_score"),
           "κ = (N Σ nᵢᵢ − Σ nᵢ. n.ᵢ) / (N² − Σ nᵢ. n.ᵢ), of N items nᵢᵢ on which both give the value i, nᵢ. and n.ᵢ "
           "to which the one and the other give it"),
    _cohen(COHEN_KAPPA_LINEAR, "Cohen's κ, linear weights", "linear", ORDERED, "cohen1968",
           ("irr::kappa2(weight='equal')", "sklearn cohen_kappa_score(weights='linear')")),
    _cohen(COHEN_KAPPA_QUADRATIC, "Cohen's κ, quadratic weights", "quadratic", ORDERED, "cohen1968",
           ("irr::kappa2(weight='squared')", "psych::cohen.kappa weighted", "sklearn weights='quadratic'")),
    Spec(
        key=LIGHT_KAPPA, title="Light's κ", family="kappa", coefficient=LightKappa(), levels=CATEGORIES,
        missing_ok=True,
        missing_rule="only items that every rater rated are used",
        undefined_when="in every pair both raters use one and the same value throughout",
        reference="light1971", formula=r"\kappa = \binom{r}{2}^{-1} \sum_{g<h} \kappa_{gh}",
        peers=("irr::kappam.light",), scales=_KAPPA_SCALES, raters=THREE_OR_MORE, identity=True,
        parts=_AGREED,
        conventions=("the mean of Cohen's κ over pairs of raters, on items all rated", "identity weights")),
    Spec(
        key=CONGER_KAPPA, title="Conger's κ", family="kappa", coefficient=CongerKappa(), levels=CATEGORIES,
        missing_ok=True, missing_rule=_ITEM_WISE + "; each rater's shares come from the items of that rater",
        undefined_when=_ONE_VALUE, reference="conger1980",
        formula=_W + r"p_e = \frac{1}{r(r-1)} \sum_{g \ne h} \sum_{kl} w_{kl}\, p_{gk} p_{hl}",
        peers=("irr::kappam.fleiss(exact=TRUE)", "irrCAC conger.kappa.raw", "nltk multi_kappa"),
        scales=_KAPPA_SCALES, identity=True,
        parts=_AGREED, conventions=("chance from each rater's own shares, averaged over pairs of raters",)),
    Spec(
        key=FLEISS_KAPPA, title="Fleiss' κ", family="kappa", coefficient=FleissKappa(),
        levels=CATEGORIES, missing_ok=True, missing_rule=_ITEM_WISE, undefined_when=_ONE_VALUE, reference="fleiss1971",
        formula=_W + r"p_e = \sum_{kl} w_{kl}\,\pi_k \pi_l,\ \pi_k = \frac{1}{n}\sum_i \frac{r_{ik}}{r_i}",
        peers=("irr::kappam.fleiss", "irrCAC fleiss.kappa.raw", "statsmodels fleiss_kappa", "nltk pi"),
        scales=_KAPPA_SCALES,
        parts=_AGREED, conventions=("with missing ratings item-wise as in Gwet, not pooled",)),
    Spec(
        key=SCOTT_PI, title="Scott's π", family="kappa", coefficient=ScottPi(), levels=CATEGORIES, raters=range(2, 3),
        missing_ok=True, missing_rule=_PAIRS, undefined_when=_ONE_VALUE, reference="scott1955",
        formula=_W + r"p_e = \sum_k \left(\frac{p_{k\cdot} + p_{\cdot k}}{2}\right)^2",
        peers=("irrCAC scott2.table",), scales=_KAPPA_SCALES,
        parts=_AGREED, conventions=(_MEAN, "chance from the pooled shares of the two raters")),
    Spec(
        key=KRIPPENDORFF_ALPHA, title="Krippendorff's α", symbol="α", family="alpha", coefficient=KrippendorffAlpha(),
        levels=ALL_LEVELS, missing_ok=True,
        missing_rule="items with fewer than two ratings are left out, others weigh by the ratings they have",
        undefined_when=_ONE_VALUE, reference="krippendorff2011",
        formula=r"\alpha = 1 - \frac{D_o}{D_e},\quad D_o = \frac{1}{n} \sum_{ck} o_{ck}\,\delta^2_{ck},\ "
                r"D_e = \frac{1}{n(n-1)} \sum_{ck} n_c n_k\,\delta^2_{ck}",
        peers=("irr::kripp.alpha", "irrCAC krippen.alpha.raw", "krippendorff.alpha (Python)"), scales=("krippendorff",),
        conventions=("the metric is that of the level of the scale unless another is named",
                     "ordinal is Krippendorff's own metric on the ratings' ranks, not Gwet's ordinal weights"),
        parts=("observed_disagreement", "expected_disagreement")),
    Spec(
        key=GWET_AC1, title="Gwet's AC1", family="kappa", coefficient=GwetAC(weighted=False),
        levels=CATEGORIES, missing_ok=True, missing_rule=_ITEM_WISE,
        undefined_when=_ONE_UNDECLARED, reference="gwet2008",
        formula=_W + r"p_e = \frac{1}{q-1} \sum_k \pi_k (1-\pi_k)", peers=("irrCAC gwet.ac1.raw",),
        scales=_KAPPA_SCALES, parts=_AGREED, conventions=(_CATEGORIES,)),
    Spec(
        key="gwet_ac2", title="Gwet's AC2", family="kappa", coefficient=GwetAC("quadratic"),
        levels=ORDERED, missing_ok=True, missing_rule=_ITEM_WISE,
        undefined_when=_ONE_UNDECLARED, reference="gwet2014",
        formula=_W + r"p_e = \frac{\sum_{kl} w_{kl}}{q(q-1)} \sum_k \pi_k (1-\pi_k)",
        peers=("irrCAC gwet.ac1.raw with weights",), scales=_KAPPA_SCALES,
        parts=_AGREED, conventions=(_CATEGORIES, "quadratic weights by default")),
    Spec(
        key="brennan_prediger", title="Brennan-Prediger", family="kappa",
        coefficient=BrennanPrediger(),
        levels=CATEGORIES, missing_ok=True, missing_rule=_ITEM_WISE, undefined_when=_ONE_UNDECLARED,
        reference="brennan1981", formula=_W + r"p_e = \frac{1}{q^2} \sum_{kl} w_{kl}",
        peers=("irrCAC bp.coeff.raw", "nltk S", "Bennett's S", "free-marginal κ"), scales=_KAPPA_SCALES,
        parts=_AGREED, conventions=(_CATEGORIES,)),
    _icc(ICC_1, "ICC(1)", Form(one_way=True),
         "each item may have raters of its own; one-way random",
         r"\frac{MS_R - MS_W}{MS_R + (k-1) MS_W}",
         ("ICC(1,1) of Shrout and Fleiss", "psych ICC1", "pingouin ICC1")),
    _icc(ICC_A1, "ICC(A,1)", Form(absolute=True),
         "absolute agreement of single ratings, two-way random",
         r"\frac{MS_R - MS_E}{MS_R + (k-1) MS_E + \frac{k}{n}(MS_C - MS_E)}",
         ("ICC(2,1) of Shrout and Fleiss", "psych ICC2", "pingouin ICC2")),
    _icc("icc_c1", "ICC(C,1)", Form(),
         "consistency of single ratings, two-way", r"\frac{MS_R - MS_E}{MS_R + (k-1) MS_E}",
         ("ICC(3,1) of Shrout and Fleiss", "psych ICC3", "pingouin ICC3")),
    _icc(ICC_1K, "ICC(1,k)", Form(one_way=True, of_mean=True),
         "reliability of the mean of k ratings, one-way random", r"\frac{MS_R - MS_W}{MS_R}",
         ("ICC(1,k) of Shrout and Fleiss", "psych ICC1k")),
    _icc(ICC_AK, "ICC(A,k)", Form(absolute=True, of_mean=True),
         "absolute agreement of the mean of k raters, two-way random",
         r"\frac{MS_R - MS_E}{MS_R + (MS_C - MS_E)/n}", ("ICC(2,k) of Shrout and Fleiss", "psych ICC2k"),
         "; or single ratings scatter so much more than the items that the variance below the line is not above 0",
         " as irr and irrNA in R (psych and pingouin take its degrees of freedom from ICC(A,1))"),
    _icc(ICC_CK, "ICC(C,k)", Form(of_mean=True),
         "consistency of the mean of k raters, two-way", r"\frac{MS_R - MS_E}{MS_R}",
         ("ICC(3,k) of Shrout and Fleiss", "psych ICC3k")),
    Spec(
        key="kendall_w", title="Kendall's W", family="order", coefficient=KendallW(), levels=ORDERED, missing_ok=True,
        missing_rule="only items that every rater rated are used", undefined_when="every rater ties all items",
        reference="kendall1939",
        formula=r"W = \frac{12 \sum_i R_i^2 - 3 m^2 n (n+1)^2}{m^2 n (n^2-1) - m \sum_g T_g}",
        peers=("irr::kendall(correct=TRUE)",), identity=True, conventions=("corrected for ties",)),
    Spec(
        key=CRONBACH_ALPHA, title="Cronbach's α", family="icc", coefficient=CronbachAlpha(),
        levels=DISTANCES, missing_ok=True, missing_rule="only items that every rater rated are used",
        undefined_when="the items do not differ: their means have no variance", reference="cronbach1951",
        formula=r"\alpha = \frac{k}{k-1}\left(1 - \frac{\sum_g s_g^2}{s_T^2}\right) = \frac{MS_R - MS_E}{MS_R}",
        peers=("psych::alpha", "pingouin.cronbach_alpha"), identity=True,
        conventions=("equal to ICC(C,k)", "interval after Feldt (1965)")),
    Spec(
        key=GAMMA, title="Goodman-Kruskal γ", symbol="γ", family="order", coefficient=Gamma(), levels=ORDERED,
        missing_ok=True, missing_rule=_PAIRS, undefined_when="no two items are untied by both raters",
        reference="goodman1954",
        formula=r"\gamma = \frac{C - D}{C + D}", peers=("DescTools::GoodmanKruskalGamma", "SAS FREQ GAMMA"),
        scales=_ORDER_SCALES, identity=True, parts=_ORDERED_PAIRS,
        conventions=(_MEAN, "tied pairs are ignored: the number of untied pairs belongs to the value")),
    Spec(
        key=KENDALL_TAU_B, title="Kendall's τ-b", symbol="τ-b", family="order", coefficient=KendallTauB(),
        levels=ORDERED, missing_ok=True, missing_rule=_PAIRS, undefined_when="in every pair a rater ties all items",
        reference="kendall1945", formula=r"\tau_b = \frac{C - D}{\sqrt{(n_0-n_1)(n_0-n_2)}}",
        peers=("scipy.stats.kendalltau",), scales=_ORDER_SCALES, identity=True, parts=_ORDERED_PAIRS,
        conventions=(_MEAN,)),
    _tau("kendall_tau_a", "Kendall's τ-a", KendallTauA(), "in every pair both raters tie all items",
         r"\tau_a = \frac{C - D}{n(n-1)/2}", ("DescTools::KendallTauA",),
         "tied pairs of items count as neither concordant nor discordant"),
    _tau("kendall_tau_c", "Stuart's τ-c", KendallTauC(), "in every pair a rater gives all items one value",
         r"\tau_c = \frac{2m(C - D)}{n^2(m-1)}", ("scipy.stats.kendalltau(variant='c')", "DescTools::StuartTauC"),
         "m is the smaller number of different values that a rater of the pair gave"),
    Spec(
        key=SPEARMAN, title="Spearman's ρ", symbol="ρ", family="correlation", coefficient=Spearman(), levels=ORDERED,
        missing_ok=True, missing_rule=_PAIRS, undefined_when="in every pair a rater gives all items one value",
        reference="spearman1904", formula=r"\rho = r(\mathrm{rank}\,x, \mathrm{rank}\,y)",
        peers=("scipy.stats.spearmanr", "irr::meanrho (by Fisher's z)"), scales=_ORDER_SCALES, identity=True,
        conventions=(_MEAN, "mid-ranks for ties")),
    Spec(
        key=PEARSON, title="Pearson's r", symbol="r", family="correlation",
        coefficient=Pearson(), levels=DISTANCES, missing_ok=True,
        missing_rule=_PAIRS,
        undefined_when="in every pair a rater gives all items one value", reference="pearson1896",
        formula=r"r = \frac{s_{12}}{s_1 s_2}", peers=("scipy.stats.pearsonr", "irr::meancor (by Fisher's z)"),
        scales=_ORDER_SCALES, identity=True,
        conventions=(_MEAN, "plain mean over pairs, not by Fisher's z")),
    Spec(
        key=LIN_CCC, title="Lin's concordance", family="correlation",
        coefficient=LinConcordance(), levels=DISTANCES, missing_ok=True, missing_rule=_PAIRS,
        undefined_when="all ratings have the same value", reference="lin1989",
        formula=r"\rho_c = \frac{2 s_{12}}{s_1^2 + s_2^2 + (\bar x_1 - \bar x_2)^2}",
        peers=("DescTools::CCC", "epiR::epi.ccc"), identity=True,
        conventions=(_MEAN, "variances over n as in Lin (1989)")),
)}
# fmt: on


def _is_offered() -> bool:
    """Whether a package that is installed may offer rows: a look into files, before what reads them is loaded.

    By names alone and not by paths, as every start looks: 3 instead of 8 ms where 160 packages are installed.
    """
    for place in {place or "." for place in sys.path}:
        with suppress(OSError):  # an archive, or no folder at all
            for name in os.listdir(place):  # noqa: PTH208
                if name.endswith(("dist-info", "egg-info")) and _mentions(f"{place}/{name}/entry_points.txt"):
                    return True
    return False


def _mentions(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return ENTRY_POINT.encode() in file.read()
    except OSError:  # most packages have none
        return False


def _from_outside() -> Iterator[CoefficientSpec]:
    """Rows that other packages offer by the entry point ``accord.coefficients``: one, or several at once.

    A row that cannot be had is warned about and left out: the coefficients of the house work without it.
    """
    if not _is_offered():
        return
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINT):
        try:
            found = point.load()
            rows = (found,) if isinstance(found, CoefficientSpec) else tuple(found)
            if odd := [row for row in rows if not isinstance(row, CoefficientSpec)]:
                raise TypeError(f"{odd[0]!r} is no CoefficientSpec")
        except Exception as error:
            warn(f"The coefficient {point.name!r} of {point.value} is left out: {error}", RuntimeWarning, stacklevel=2)
            continue
        for row in rows:
            if wrong := _what_is_wrong(row):
                words = f"The coefficient {row.key!r} of {point.value} is left out: {wrong}."
                warn(words, RuntimeWarning, stacklevel=2)
            else:
                yield replace(row, package=point.dist.name if point.dist else point.value)


def _what_is_wrong(row: CoefficientSpec) -> str:
    """Why the rest of the program could not tell of a row from outside; "" if it can."""
    if row.key in COEFFICIENTS:
        return "there is one of that name"
    if not row.citation and row.reference not in REFERENCES:
        return f"the reference {row.reference!r} is not known here, so the row needs a citation in full"
    families = {spec.family for spec in COEFFICIENTS.values()}
    if row.family not in families:
        return f"there is no family {row.family!r}{did_you_mean(row.family, families)}"
    scales = {scale for spec in COEFFICIENTS.values() for scale in spec.scales}
    if strange := [scale for scale in row.scales if scale not in scales]:
        return f"there is no scale of interpretation {strange[0]!r}{did_you_mean(strange[0], scales)}"
    return ""


COEFFICIENTS |= {spec.key: spec for spec in _from_outside()}


def coefficient(key: str) -> CoefficientSpec:
    """The row of the coefficient of this key, or of this name as people write it; or an error with the nearest one."""
    if key in COEFFICIENTS:
        return COEFFICIENTS[key]
    from accord.coefficients.names import family_named, key_named

    if family := family_named(key):
        raise OptionError(f"Several coefficients are called {key!r}: say {', '.join(family.keys)}. {family.when}")
    if not (named := key_named(key)):
        raise OptionError(f"There is no coefficient {key!r}{did_you_mean(key, COEFFICIENTS)}")
    return COEFFICIENTS[named]
