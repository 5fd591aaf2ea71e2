"""When to stop refining a guideline: the last round against the one before it (papers 001 and 002)."""

from enum import StrEnum
from math import exp, isnan, nan, pi, sqrt

from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ConditionComparison
from accord.comparisons.difference import Difference
from accord.comparisons.own_interval import with_ends
from accord.quantiles import ndtri
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["StopRule", "Verdict", "stop_rule"]

FIRM = 0.8
"""What Krippendorff asks of α for firm conclusions: from there on another round is a luxury."""
WORTH = 0.05
"""The smallest gain in a coefficient for which another round is worth its cost, unless said otherwise."""

_SURE = 3
"""An end must lie so many of its Monte-Carlo errors beyond a mark: else another seed could say otherwise."""


class Verdict(StrEnum):
    """What the last round says about another one."""

    GO_ON = "go on"
    STOP = "stop"
    NO_GAIN = "no gain"
    UNDECIDED = "undecided"
    ENOUGH = "enough"


_ANOTHER = {
    Verdict.GO_ON: "Another round may gain more",
    Verdict.STOP: "Agreement fell",
    Verdict.NO_GAIN: "Whether another revision would help is open",
    Verdict.UNDECIDED: "Whether another round is worth it is open",
    Verdict.ENOUGH: "Another round is not needed",
}


@dataclass(frozen=True, slots=True)
class StopRule(PlainData):
    """The verdict for one criterion, and why in words."""

    criterion: str
    verdict: Verdict
    words: str
    why: str = ""

    @property
    def sentence(self) -> str:
        """What follows for another round, where the change itself was told already."""
        return f"{_ANOTHER[self.verdict]}: {self.why}."


def stop_rule(last: ConditionComparison, *, worth: float = WORTH) -> StopRule:
    """Go on while the last round gained clearly, go back where it lost; say where it gained less than is worth having.

    That one revision did not help says nothing of another one: the interval is about the two rounds that it
    compares. Between the two the data do not say, and more items would.
    """
    change = last.differences[0]
    names = f"from {last.first.name} to {last.second.name}"

    def rule(verdict: Verdict, told: str, why: str) -> StopRule:
        return StopRule(last.criterion, verdict, f"{told}{why}", why)

    if change.interval is None or isnan(change.value):
        why = f" ({change.method})" if change.method.startswith("no test") else ""
        return rule(Verdict.UNDECIDED, "", f"the change {names} has no interval{why}")
    ends = f"{steady(change.value):+.3f} [{steady(change.interval.low):+.3f}, {steady(change.interval.high):+.3f}]"
    by_alpha = change.what == COEFFICIENTS[KRIPPENDORFF_ALPHA].title
    reached, own = (last.second.values.get(KRIPPENDORFF_ALPHA, nan), last.second.ends) if by_alpha else (nan, None)
    rises, falls = (change.is_shown and sign * change.value > 0 for sign in (1, -1))
    if rises and own is not None and own.low >= FIRM:
        told = f"{change.what} still rises {names} ({ends}), but "
        return rule(Verdict.ENOUGH, told, f"{with_ends(reached, own)} is above .8 already")
    if rises and own is not None and reached >= FIRM:
        # Another round would be paid for what more units of this one show.
        few = f"{last.second.items} items do not show yet that it reaches .8: more {_units(change)} could, not "
        told = f"α of {last.second.name} is {with_ends(reached, own)}, and {few}another round"
        return rule(Verdict.UNDECIDED, f"{change.what}: {ends}; ", told)
    if rises:
        # Without a target one would go on for ever: what is still lacking is said, where α has an interval.
        lacking = f", and α of {with_ends(reached, own)} is not shown to reach .8" if own is not None else ""
        return rule(Verdict.GO_ON, f"{change.what}: {ends}; ", f"agreement still rises {names}{lacking}")
    if falls:
        return rule(
            Verdict.STOP, f"{change.what} {names} fell by {ends}: ", f"go back to the guideline of {last.first.name}"
        )
    told = f"{change.what} {names} changed by {ends}"
    if change.interval.high + _SURE * _end_error(change) < worth:
        return rule(Verdict.NO_GAIN, f"{told}: ", f"this one did not raise agreement by {worth:g} or more")
    return rule(
        Verdict.UNDECIDED, f"{told}{change.doubt}: ", "neither a gain nor its absence is shown; rate more items"
    )


def _units(change: Difference) -> str:
    return "documents" if change.unit == "documents" else "items"


def _end_error(change: Difference) -> float:
    """How far another seed moves the end of the interval: the standard error of a quantile of normal draws.

    Only the bootstrap over items draws its ends; the jackknife has no random part.
    """
    if change.interval is None or change.unit != "items" or change.replicates < 1:
        return 0.0
    share = (1 - change.interval.level) / 2
    z = -float(ndtri(share))
    spread = (change.interval.high - change.interval.low) / (2 * z)
    return spread * sqrt(share * (1 - share) / change.replicates) / (exp(-z * z / 2) / sqrt(2 * pi))
