"""What the report says of each criterion first: the estimate that decides, and the sentence its interval allows."""

from collections.abc import Collection, Mapping, Sequence
from math import isnan

from accord.diagnosis.finding import Severity
from accord.ratings.apart import ROUNDS
from accord.records import dataclass
from accord.reliability.answer import answer_of
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import scales_for
from accord.reliability.measured_again import MeasuredAgain, leading_of, measured_again, newest_words
from accord.reliability.result import GroupReliability
from accord.reliability.rounds_apart import rounds_apart
from accord.reliability.sentences import VERDICTS, Evidence, more_of
from accord.reporting.analysis import Analysis, part_name
from accord.reporting.verdicts import IN_DOUBT, JUDGEMENTS, REACHED, Judgements
from accord.sentences import chosen

__all__ = ["Doubt", "Headline", "headlines", "headlines_of", "leading"]

Doubt = tuple[Mapping[str, str], Collection[str]]


@dataclass(frozen=True, slots=True)
class Headline:
    """The deciding estimate of a criterion, over all parts that are kept apart, and what it allows to say."""

    name: str
    group: GroupReliability
    estimate: Estimate
    rounds: str = ""
    """What the rounds show one by one, where they differ clearly and the estimate combines them."""
    in_doubt: bool = False
    """Whether a grave finding says that this coefficient cannot be trusted."""
    again: MeasuredAgain | None = None
    """What was measured again after a guideline round, and what was before it."""

    @property
    def about(self) -> str:
        """The name in a sentence: which measurement it is, ``again`` says beside it."""
        return part_name(_beside(self.group.by), "") if self.is_measurement else self.name

    @property
    def is_measurement(self) -> bool:
        """Whether it is one of several measurements of the same items, and no mean over them."""
        return self.again is not None and not self.group.combined

    @property
    def verdict(self) -> str:
        """The key of the verdict, '' where the coefficient has no scale."""
        found = chosen(VERDICTS, Evidence(lead=self.estimate))
        return found.key if found else ""

    @property
    def judgements(self) -> Judgements:
        if self.in_doubt and self.verdict in REACHED:
            return IN_DOUBT
        return JUDGEMENTS["undefined" if self.absent else self.verdict]

    @property
    def absent(self) -> str:
        """Why a coefficient without a scale stands in for the one to report, which has no value; else ''."""
        return "" if scales_for(self.estimate.coefficient) else answer_of(self.group).absent

    def words(self, *, short: bool = False) -> str:
        """What ``accord agree`` says after the number; '' where it says nothing."""
        seen = Evidence(lead=self.estimate)
        found = chosen(VERDICTS, seen)
        return found.said(seen, short=short) if found else ""

    def more(self) -> str:
        """How many more items would narrow the interval, as ``accord agree`` says it; '' where none is needed."""
        # Rounds that differ show that α does not stay where it is, which such a forecast supposes.
        return "" if self.rounds else more_of(Evidence(lead=self.estimate))


def leading(group: GroupReliability) -> Estimate | None:
    """The coefficient that a plan of analysis declares, else the first that ``accord agree`` reports."""
    return group[group.deciding] if group.deciding in group else answer_of(group).lead


def headlines(analysis: Analysis) -> list[Headline]:
    grave = (one for one in analysis.diagnosis.findings if one.severity is not Severity.NOTE)
    return headlines_of(analysis.reliability.groups, [(one.by, one.invalidates) for one in grave])


def headlines_of(groups: Sequence[GroupReliability], doubts: Sequence[Doubt] = ()) -> list[Headline]:
    """One a criterion: the newest measurement of most items, else the combined α of its parts, else each part's.

    ``doubts`` are the parts in which something grave was found, each with the coefficients not to be trusted there.
    """
    combined = {group.by.get("criterion", "") for group in groups if group.combined}
    leads = [group for group in groups if group.combined or group.by.get("criterion", "") not in combined]
    # A part without a value is in no number that combines parts, so nothing in it speaks against one.
    empty = [group.by for group in groups if all(isnan(one.value) for one in group.estimates)]
    shown = (each for group in leads for each in (group.combined and leading_of(group, groups)) or [group])
    found = ((group, leading(group)) for group in shown)
    return [
        Headline(
            _name(group, again),
            group,
            one,
            rounds_apart(group, groups, one.coefficient),
            any(
                one.coefficient in keys and _is_within(part, group.by) and not (group.combined and _is_one(part, empty))
                for part, keys in doubts
            ),
            again,
        )
        for group, one in found
        if one is not None
        for again in (measured_again(group, groups, one.coefficient),)
    ]


def _name(group: GroupReliability, again: MeasuredAgain | None) -> str:
    if again is None or group.combined:
        return part_name(group.by, "")
    return ", ".join(filter(None, (part_name(_beside(group.by), ""), newest_words(group.by))))


def _beside(by: Mapping[str, str]) -> dict[str, str]:
    return {column: name for column, name in by.items() if column not in ROUNDS}


def _is_within(part: Mapping[str, str], group: Mapping[str, str]) -> bool:
    """Whether a part is the group's own, or one of those that it combines."""
    return all(part.get(column, name) == name for column, name in group.items())


def _is_one(part: Mapping[str, str], groups: Sequence[Mapping[str, str]]) -> bool:
    """Whether it is one of these groups, which do not name a criterion that is the only one."""
    return any(dict(part) in (dict(by), {"criterion": part.get("criterion", ""), **by}) for by in groups)
