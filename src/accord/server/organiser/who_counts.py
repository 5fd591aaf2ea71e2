"""Who counts: whoever finished and breaks a rule is left out of every number, unless an organiser decides otherwise.

The rules are those that study.toml declares, and the gate of direct assessment where copies were spoilt.
"""

from collections.abc import Iterable, Mapping, Sequence

from accord.ratings.codebook import LeftOut
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.gate_exclusions import GATE
from accord.server.collected_rows import decided_raters
from accord.server.models_organiser import Decision
from accord.server.organiser.quality import Check, checks_of
from accord.server.organiser.work import Worker, work_of_people
from accord.server.study import LoadedStudy

__all__ = ["BrokenRules", "WhoCounts", "broken_rules", "has_rules", "who_counts"]


@dataclass(frozen=True, slots=True)
class BrokenRules:
    """Raters about whom nobody decided and who break a rule; one entry per rater and rule."""

    finished: list[Check]
    """They are left out."""
    at_work: list[Check]
    """They count: the rest of their work may change what a rule sees, so nobody is left out by surprise."""


@dataclass(frozen=True, slots=True)
class WhoCounts:
    """Raters whom rules leave out, and raters who break a rule and count all the same; one entry each."""

    left_out: tuple[LeftOut, ...]
    counted: tuple[LeftOut, ...]


def has_rules(study: LoadedStudy) -> bool:
    """Whether a rule could leave somebody out."""
    return bool(study.settings.exclusions or study.settings.controls.degraded)


def broken_rules(checks: Mapping[str, list[Check]], work: Iterable[Worker]) -> BrokenRules:
    """Whom the rules concern, those who have finished apart from those who are still at work."""
    decided = decided_raters()
    open_work = {one.name for one in work if one.done < one.tasks}
    found = _broken(checks, [name for name in checks if name not in decided])
    return BrokenRules(
        [check for check in found if check.rater not in open_work],
        [check for check in found if check.rater in open_work],
    )


def who_counts(study: LoadedStudy, criteria: Mapping[str, Ratings]) -> WhoCounts:
    """What the rules say of the raters of these ratings, one criterion each."""
    work = work_of_people(study)
    checks = checks_of(study, criteria, work)
    broken = broken_rules(checks, work)
    decided = decided_raters()
    finished = _once(broken.finished)
    raters = {name for ratings in criteria.values() for name in ratings.rater.names}
    gone = {name for name, one in decided.items() if one.action == Decision.Action.EXCLUDE}
    counted = [_left_out(check, "still at work") for check in _once(broken.at_work)]
    kept = [name for name, one in decided.items() if one.action == Decision.Action.INCLUDE and name in checks]
    for check in _once(_broken(checks, kept)):
        one = decided[check.rater]
        counted.append(_left_out(check, f"counted again on {one.at.date().isoformat()}: {one.reason}"))
    if raters - gone <= {check.rater for check in finished}:
        # A rule that nobody passes says more about the rule or the copies than about the raters.
        counted += [_left_out(check, "nobody would be left") for check in finished]
        finished = []
    return WhoCounts(tuple(map(_left_out, finished)), tuple(counted))


def _broken(checks: Mapping[str, list[Check]], names: Iterable[str]) -> list[Check]:
    found: dict[tuple[str, str], Check] = {}
    for name in names:
        for check in checks[name]:
            if check.failed and (check.declared or check.rule == GATE):
                found.setdefault((name, check.rule), check)
    return list(found.values())


def _once(checks: Sequence[Check]) -> list[Check]:
    """The first of each rater."""
    first: dict[str, Check] = {}
    for check in checks:
        first.setdefault(check.rater, check)
    return list(first.values())


def _left_out(check: Check, besides: str = "") -> LeftOut:
    seen = f"{check.criterion}: {check.words}" if check.criterion else check.words
    return LeftOut(
        rater=check.rater, rule=check.rule, reason="; ".join(filter(None, (seen, besides))), declared=check.declared
    )
