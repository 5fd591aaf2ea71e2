"""When to stop refining a guideline: the last round against the one before it (papers 001 and 002)."""

from enum import StrEnum
from math import isnan, nan

from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ConditionComparison
from accord.comparisons.own_interval import with_ends
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["StopRule", "Verdict", "stop_rule"]

FIRM = 0.8
"""What Krippendorff asks of α for firm conclusions: from there on another round is a luxury."""
WORTH = 0.05
"""The smallest gain in a coefficient for which another round is worth its cost, unless said otherwise."""


class Verdict(StrEnum):
    """What the last round says about another one."""

    GO_ON = "go on"
    STOP = "stop"
    UNDECIDED = "undecided"
    ENOUGH = "enough"


_ANOTHER = {
    Verdict.GO_ON: "Another round may gain more",
    Verdict.STOP: "Another round is not worth it",
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
    """Stop when the last round cannot have gained as much as is worth having; go on while it gained clearly.

    Raters who still part then do so for reasons that a guideline does not reach: human variability is
    no fault to be levelled. Between the two the data do not say, and more items would.
    """
    change = last.differences[0]
    names = f"from {last.first.name} to {last.second.name}"

    def rule(verdict: Verdict, told: str, why: str) -> StopRule:
        return StopRule(last.criterion, verdict, f"{told}{why}", why)

    if change.interval is None or isnan(change.value):
        why = f" ({change.method})" if change.method.startswith("no test") else ""
        return rule(Verdict.UNDECIDED, "", f"the change {names} has no interval{why}")
    ends = f"{change.value:+.3f} [{change.interval.low:+.3f}, {change.interval.high:+.3f}]"
    by_alpha = change.what == COEFFICIENTS[KRIPPENDORFF_ALPHA].title
    reached, own = (last.second.values.get(KRIPPENDORFF_ALPHA, nan), last.second.ends) if by_alpha else (nan, None)
    rises, falls = (change.is_shown and sign * change.value > 0 for sign in (1, -1))
    if rises and own is not None and own.low >= FIRM:
        told = f"{change.what} still rises {names} ({ends}), but "
        return rule(Verdict.ENOUGH, told, f"{with_ends(reached, own)} is above .8 already")
    if rises:
        # Without a target one would go on for ever: what is still lacking is said, where α has an interval.
        lacking = f", and α of {with_ends(reached, own)} is not shown to reach .8" if own is not None else ""
        return rule(Verdict.GO_ON, f"{change.what}: {ends}; ", f"agreement still rises {names}{lacking}")
    if falls:
        return rule(
            Verdict.STOP, f"{change.what} {names} fell by {ends}: ", f"go back to the guideline of {last.first.name}"
        )
    told = f"{change.what} {names} changed by {ends}"
    if change.interval.high < worth:
        return rule(Verdict.STOP, f"{told}: ", f"a gain of {worth:g} is ruled out; what is left is variability")
    return rule(
        Verdict.UNDECIDED, f"{told}{change.doubt}: ", "neither a gain nor its absence is shown; rate more items"
    )
