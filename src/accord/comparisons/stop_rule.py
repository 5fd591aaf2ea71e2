"""When to stop refining a guideline: the last round against the one before it (papers 001 and 002)."""

from enum import StrEnum
from math import isnan, nan

from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ConditionComparison
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


@dataclass(frozen=True, slots=True)
class StopRule(PlainData):
    """The verdict for one criterion, and why in words."""

    criterion: str
    verdict: Verdict
    words: str


def stop_rule(last: ConditionComparison, *, worth: float = WORTH) -> StopRule:
    """Stop when the last round cannot have gained as much as is worth having; go on while it gained clearly.

    Raters who still part then do so for reasons that a guideline does not reach: human variability is
    no fault to be levelled. Between the two the data do not say, and more items would.
    """
    change = last.differences[0]
    names = f"from {last.first.name} to {last.second.name}"
    if change.interval is None or isnan(change.value):
        why = f" ({change.method})" if change.method.startswith("no test") else ""
        return StopRule(last.criterion, Verdict.UNDECIDED, f"the change {names} has no interval{why}")
    ends = f"{change.value:+.3f} [{change.interval.low:+.3f}, {change.interval.high:+.3f}]"
    by_alpha = change.what == COEFFICIENTS[KRIPPENDORFF_ALPHA].title
    reached = last.second.values.get(KRIPPENDORFF_ALPHA, nan) if by_alpha else nan
    rises, falls = (change.is_shown and sign * change.value > 0 for sign in (1, -1))
    if rises and reached >= FIRM:
        words = f"{change.what} still rises {names} ({ends}), but {reached:.2f} is above .8 already"
        return StopRule(last.criterion, Verdict.ENOUGH, words)
    if rises:
        return StopRule(last.criterion, Verdict.GO_ON, f"{change.what} still rises {names}: {ends}")
    if falls:
        words = f"{change.what} {names} fell by {ends}: go back to the guideline of {last.first.name}"
        return StopRule(last.criterion, Verdict.STOP, words)
    if change.interval.high < worth:
        words = (
            f"{change.what} {names} changed by {ends}: a gain of {worth:g} is ruled out; what is left is variability"
        )
        return StopRule(last.criterion, Verdict.STOP, words)
    told = f"{change.what} {names} changed by {ends}{change.doubt}"
    words = f"{told}: neither a gain nor its absence is shown; rate more items"
    return StopRule(last.criterion, Verdict.UNDECIDED, words)
