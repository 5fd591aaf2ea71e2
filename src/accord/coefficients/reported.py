"""The table of what to report: a few coefficients by level, raters and use of the ratings, with the reason in words."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import isnan

from accord.coefficients.registry import (
    CATEGORIES,
    COEFFICIENTS,
    COHEN_KAPPA,
    COHEN_KAPPA_QUADRATIC,
    CONGER_KAPPA,
    CRONBACH_ALPHA,
    DISTANCES,
    FLEISS_KAPPA,
    GAMMA,
    GWET_AC1,
    ICC_1,
    ICC_1K,
    ICC_A1,
    ICC_AK,
    ICC_CK,
    KENDALL_TAU_B,
    KRIPPENDORFF_ALPHA,
    LIGHT_KAPPA,
    LIN_CCC,
    PEARSON,
    PERCENT_AGREEMENT,
    SCOTT_PI,
    SPEARMAN,
    WEIGHTED_AGREEMENT,
)
from accord.design.scale import Level
from accord.records import dataclass

__all__ = ["ORDERS", "REPORTED", "SHOWN", "Reported", "Use", "equal_by_definition", "reported", "unfit_use"]

SHOWN = 3
"""So many coefficients are reported."""
ORDERS = (GAMMA, SPEARMAN, KENDALL_TAU_B)
"""Which coefficient says whether raters order the items alike: the first that there is."""


class Use(StrEnum):
    """What ratings are used for."""

    RANKING = "ranking"
    SCORES = "scores"
    LABELS = "labels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What to report of ratings of these levels, by so many raters, used in this way; no ``use`` is any.

    ``keys`` come in the order of preference, more than are shown, as some have no value with missing ratings.
    ``pairs`` are the coefficients by which two raters are compared.
    """

    levels: frozenset[Level]
    use: Use | None
    two_raters: bool | None = None
    keys: tuple[str, ...]
    pairs: tuple[str, ...]
    why: str

    def reason(self, shown: Sequence[str]) -> str:
        """Why these are reported, without the clause about one that is not shown; without α nothing varies."""
        if self.keys[0] == KRIPPENDORFF_ALPHA not in shown:
            return _NOTHING_VARIES
        absent = tuple(name for name, key in _CALLED.items() if key not in shown)
        return "; ".join(clause for clause in self.why.split("; ") if not clause.startswith(absent))

    def told(self, values: Mapping[str, float], deciding: str = "") -> set[str]:
        """Those of these coefficients whose intervals are told: the first that have a value, and one of order.

        Where columns were sorted, those that do not ask who rated stand in for the others. Alpha is asked how much
        wider its interval were with other raters.
        """
        keys = [key for key in dict.fromkeys((deciding, *self.keys)) if key in values and not isnan(values[key])]
        orders = [key for key in ORDERS if key in values]
        beside = orders[: 2 if orders[:1] == keys[:1] else 1]
        return {*keys[:SHOWN], *(key for key in keys if not COEFFICIENTS[key].identity), *beside, KRIPPENDORFF_ALPHA}

    def fits(self, level: Level, raters: int, use: Use | None) -> bool:
        return level in self.levels and self.use is use and self.two_raters in (None, raters == 2)


_CALLED = {
    "α": KRIPPENDORFF_ALPHA,
    "percent agreement": PERCENT_AGREEMENT,
    "γ": GAMMA,
    "AC1": GWET_AC1,
    "Cohen's κ": COHEN_KAPPA,
    "Fleiss' κ": FLEISS_KAPPA,
    "ICC(A,1)": ICC_A1,
    "ICC(A,k)": ICC_AK,
    "ICC(1)": ICC_1,
    "ICC(1,k)": ICC_1K,
    "r shows": PEARSON,
}
"""What a clause of a reason begins with that is about one coefficient."""
_NOTHING_VARIES = "where all ratings are the same, no coefficient can tell agreement from chance"
_NOMINAL, _ORDINAL = frozenset({Level.NOMINAL}), frozenset({Level.ORDINAL})
_LABELS = (
    "α takes any number of raters and missing ratings; percent agreement shows what it rests on; "
    "{} is what most papers print"
)
_SAME = "only the same value counts as agreement, a near miss does not; AC1 is moved less by a frequent value"
_ORDER = "only the order of the items counts: τ-b allows for ties, γ leaves them out, α says how far values agree too"
_MEANS = (
    "α takes any number of raters and missing ratings; ICC(A,1) is about one rating; ICC(A,k) is about the mean of all "
    "raters, which scores are made of; ICC(1) is about one rating, by raters who change from item to item; ICC(1,k) is "
    "about the mean of such raters; r shows whether raters go up and down together, however strict they are"
)

# A table should look like one.
# fmt: off
REPORTED: tuple[Reported, ...] = (
    Reported(levels=_NOMINAL, use=None, two_raters=True, keys=(KRIPPENDORFF_ALPHA, PERCENT_AGREEMENT, COHEN_KAPPA),
             pairs=(COHEN_KAPPA,), why=_LABELS.format("Cohen's κ")),
    Reported(levels=_NOMINAL, use=None, two_raters=False, keys=(KRIPPENDORFF_ALPHA, PERCENT_AGREEMENT, FLEISS_KAPPA),
             pairs=(COHEN_KAPPA,), why=_LABELS.format("Fleiss' κ")),
    Reported(levels=_ORDINAL, use=None, keys=(KRIPPENDORFF_ALPHA, PERCENT_AGREEMENT, GAMMA, KENDALL_TAU_B),
             pairs=(COHEN_KAPPA_QUADRATIC, GAMMA),
             why="α counts a near miss less than a far one and takes missing ratings; percent agreement shows how "
                 "often raters give the same value; γ shows whether they order the items alike"),
    Reported(levels=_ORDINAL, use=Use.RANKING, keys=(KENDALL_TAU_B, GAMMA, KRIPPENDORFF_ALPHA),
             pairs=(KENDALL_TAU_B, GAMMA), why=_ORDER),
    Reported(levels=_ORDINAL, use=Use.SCORES, keys=(KRIPPENDORFF_ALPHA, WEIGHTED_AGREEMENT, COHEN_KAPPA_QUADRATIC),
             pairs=(COHEN_KAPPA_QUADRATIC,),
             why="how far apart two ratings lie counts: α and quadratic κ beyond chance, weighted agreement plainly"),
    Reported(levels=CATEGORIES - _NOMINAL, use=Use.LABELS, two_raters=True,
             keys=(COHEN_KAPPA, PERCENT_AGREEMENT, GWET_AC1), pairs=(COHEN_KAPPA,), why=_SAME),
    Reported(levels=CATEGORIES - _NOMINAL, use=Use.LABELS, two_raters=False,
             keys=(FLEISS_KAPPA, PERCENT_AGREEMENT, GWET_AC1), pairs=(COHEN_KAPPA,), why=_SAME),
    Reported(levels=DISTANCES, use=None, keys=(KRIPPENDORFF_ALPHA, ICC_A1, ICC_AK, ICC_1, ICC_1K, PEARSON),
             pairs=(LIN_CCC, PEARSON), why=_MEANS),
    Reported(levels=DISTANCES, use=Use.RANKING, keys=(SPEARMAN, KENDALL_TAU_B, ICC_CK, KRIPPENDORFF_ALPHA),
             pairs=(SPEARMAN, KENDALL_TAU_B),
             why="only the order of the items counts: ρ and τ-b for single raters, ICC(C,k) for the mean of all"),
)
# fmt: on
_USUAL = {(Level.INTERVAL, Use.SCORES), (Level.RATIO, Use.SCORES), *((Level.NOMINAL, use) for use in Use)}
"""Uses that are the usual one of a level: labels have no order and no distances, whatever they are used for."""

_EQUAL = ((COHEN_KAPPA, LIGHT_KAPPA, CONGER_KAPPA), (FLEISS_KAPPA, SCOTT_PI), (ICC_CK, CRONBACH_ALPHA))
"""Coefficients that are one number by definition on some data: for two raters, or without missing ratings."""


def reported(level: Level, raters: int, use: Use | None = None) -> Reported:
    """The row of the table for these ratings; a use that does not fit the level is taken for the usual one."""
    wanted = None if (level, use) in _USUAL else use
    if use is Use.LABELS and level in DISTANCES:
        wanted = None
    return next(row for row in REPORTED if row.fits(level, raters, wanted))


def unfit_use(level: Level, use: Use | None) -> str:
    """Why what was asked for makes no difference; empty where it does."""
    if level is Level.NOMINAL and use in (Use.RANKING, Use.SCORES):
        return f"labels have no order, so --use {use} changes nothing; declare one, for example --scale 'bad<fair<good'"
    if level in DISTANCES and use is Use.LABELS:
        return "these values are numbers, so --use labels changes nothing; --level nominal makes them labels"
    return ""


def equal_by_definition(first: str, second: str) -> bool:
    """Whether equal values of these two are no coincidence."""
    return any(first in family and second in family for family in _EQUAL)
