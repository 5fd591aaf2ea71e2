"""The names that people and papers give to coefficients: α, Cohen's kappa, Fleiss, QWK."""

import re
from collections.abc import Iterable, Sequence

from accord.coefficients import registry
from accord.coefficients.registry import COEFFICIENTS
from accord.records import dataclass

__all__ = ["Family", "family_named", "is_weighted_somehow", "key_named", "titles_once"]


@dataclass(frozen=True, slots=True)
class Family:
    """A name that several coefficients share: which they are, and which is meant when."""

    keys: tuple[str, ...]
    when: str


def key_named(name: str) -> str:
    """The key of the coefficient that is meant by this name; '' where it is none."""
    plain = _plain(name)
    for spec in COEFFICIENTS.values():
        # The name without its author: AC2 of Gwet.
        if (
            plain in (_plain(spec.key), _plain(spec.title))
            or name.casefold() == spec.title.partition(" ")[2].casefold()
        ):
            return spec.key
    return next((key for key, names in _ALSO.items() if plain in names), "")


def family_named(name: str) -> Family | None:
    """The coefficients that share this name, as those called kappa do; None where it names one or none."""
    return _FAMILIES.get(_plain(name))


def is_weighted_somehow(name: str) -> bool:
    """Whether a weighted kappa is meant, and it is not said how it weights."""
    return _plain(name) in _WEIGHTS_NOT_SAID


def _plain(name: str) -> str:
    """A name without case, possessive, signs and accents of Greek letters: «Fleiss' κ» as «fleisskappa»."""
    spelled = name.casefold()
    for letter, word in _GREEK.items():
        spelled = spelled.replace(letter, f" {word} ")
    spelled = re.sub(r"['\u2019\u2018`]s?\b", "", spelled)
    words = [word for word in re.findall(r"[a-z0-9]+", spelled) if word not in ("coefficient", "s", "statistic", "the")]
    return "".join(words)


_GREEK = {"κ": "kappa", "α": "alpha", "π": "pi", "τ": "tau", "ρ": "rho", "γ": registry.GAMMA}
_ALSO = {
    registry.COHEN_KAPPA: ("kappa", "cohen", "cohens", "kappacohen"),
    registry.FLEISS_KAPPA: ("fleiss", "kappafleiss"),
    registry.KRIPPENDORFF_ALPHA: ("alpha", "krippendorff", "kalpha", "krippendorfs", "krippendorffs"),
    registry.SCOTT_PI: ("scott", "pi"),
    registry.PERCENT_AGREEMENT: (
        "percentageagreement", "percentageofagreement", "agreement", "rawagreement", "observedagreement",
        "simpleagreement",
    ),
    registry.PEARSON: ("pearsoncorrelation", "r"),
    registry.SPEARMAN: ("spearmancorrelation", "spearmanrank", "rho"),
    registry.GWET_AC1: ("ac1", "gwet"),
    registry.KENDALL_TAU_B: ("kendalltau", "tau", "taub"),
    registry.LIN_CCC: ("lin", "ccc", "concordance"),
    registry.COHEN_KAPPA_LINEAR: ("linearweightedkappa", "linearlyweightedkappa"),
    registry.COHEN_KAPPA_QUADRATIC: ("quadraticweightedkappa", "quadraticallyweightedkappa", "qwk"),
    registry.CRONBACH_ALPHA: ("cronbach",),
    registry.LIGHT_KAPPA: ("light",),
    registry.CONGER_KAPPA: ("conger", "multikappa"),
    registry.GAMMA: ("goodmankruskal",),
}  # fmt: skip
"""What papers call coefficients beside their names."""
_WEIGHTS_NOT_SAID = frozenset({"weightedkappa", "weightedcohenkappa", "cohenweightedkappa", "cohenkappaweighted"})
_KAPPAS = (
    registry.COHEN_KAPPA,
    registry.COHEN_KAPPA_LINEAR,
    registry.COHEN_KAPPA_QUADRATIC,
    registry.FLEISS_KAPPA,
    registry.CONGER_KAPPA,
    registry.LIGHT_KAPPA,
)
_WEIGHTED = Family(
    (registry.COHEN_KAPPA_LINEAR, registry.COHEN_KAPPA_QUADRATIC),
    "Linear weights count a miss by its distance, quadratic weights by its square: say which you report.",
)
_TAUS = Family(
    tuple(key for key in COEFFICIENTS if key.startswith(registry.KENDALL_TAU_B[:-1])),
    "τ-b allows for ties and is the usual one; τ-a does not; τ-c is for tables that are not square.",
)
_FAMILIES = {
    "kappa": Family(
        _KAPPAS,
        "For labels of two raters it is Cohen's κ, of three or more Fleiss' κ; for an order Cohen's κ with weights.",
    ),
    "icc": Family(
        tuple(key for key in COEFFICIENTS if key.startswith("icc_")),
        "ICC(A,1) is about one rating, ICC(A,k) about the mean of all raters; take C instead of A if it does not "
        "matter that a rater is strict, and ICC(1) if each item has raters of its own.",
    ),
    **dict.fromkeys(_WEIGHTS_NOT_SAID, _WEIGHTED),
    **dict.fromkeys(("tau", "kendall", "kendalltau"), _TAUS),
}
_FAMILIES["intraclasscorrelation"] = _FAMILIES["icc"]


def titles_once(titles: Iterable[str]) -> list[str]:
    """Titles for a sentence, each name once: ``Cohen's κ (unweighted, linear and quadratic weights)``.

    A title such as ``Cohen's κ, linear weights`` has a comma of its own, which reads like a slip among others.
    """
    kinds: dict[str, list[str]] = {}
    for title in dict.fromkeys(titles):
        name, _, kind = title.partition(", ")
        kinds.setdefault(name, []).append(kind)
    return [_with_kinds(name, found) for name, found in kinds.items()]


def _with_kinds(name: str, kinds: Sequence[str]) -> str:
    if len(kinds) == 1:
        return f"{name} with {kinds[0]}" if kinds[0] else name
    *first, last = (kind or "unweighted" for kind in kinds)
    return f"{name} ({', '.join(one.removesuffix(' weights') for one in first)} and {last})"
