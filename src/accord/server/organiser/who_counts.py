"""Who counts: whoever finished and breaks a rule is left out of every number, unless an organiser decides otherwise.

The rules are those that study.toml declares, and the gate of direct assessment where copies were spoilt.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Min

from accord.ratings.codebook import LeftOut
from accord.ratings.leaving_out import COUNTED_AGAIN
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.gate_exclusions import GATE
from accord.server.closing import is_closed
from accord.server.collected_rows import decided_raters
from accord.server.models import Task
from accord.server.models_organiser import Decision
from accord.server.organiser.quality import INCOMPLETE, Check, checks_of
from accord.server.organiser.work import Worker, work_of_people
from accord.server.phases import gates
from accord.server.study import PRACTICE, LoadedStudy

__all__ = ["NOBODY_LEFT", "BrokenRules", "WhoCounts", "broken_rules", "has_rules", "rated_by", "who_counts"]

NOBODY_LEFT = "every rater who counts breaks a rule, so nobody would be left without them"
"""Stands in the reason of a rater who breaks a rule and counts because everybody breaks one."""


@dataclass(frozen=True, slots=True)
class BrokenRules:
    """Raters about whom nobody decided and who break a rule; one entry per rater and rule."""

    finished: list[Check]
    """They are left out."""
    at_work: list[Check]
    """They count: the rest of their work may change what a rule sees, so nobody is left out by surprise."""
    needed: list[Check]
    """They have finished and count all the same: without them nobody would be left."""


@dataclass(frozen=True, slots=True)
class WhoCounts:
    """Raters whom rules leave out, and raters who break a rule and count all the same; one entry each."""

    left_out: tuple[LeftOut, ...]
    counted: tuple[LeftOut, ...]


def has_rules(study: LoadedStudy) -> bool:
    """Whether a rule could leave somebody out."""
    return bool(study.settings.exclusions or study.settings.controls.degraded)


def broken_rules(
    checks: Mapping[str, list[Check]],
    work: Iterable[Worker],
    *,
    rated: Collection[str] | None = None,
    is_over: bool | None = None,
) -> BrokenRules:
    """Whom the rules concern, those who have finished apart from those who are still at work.

    ``rated`` are the raters of whom there are ratings; else whoever has done a screen.
    ``is_over`` asks as if the study were closed; else it is looked up.
    """
    decided, work = decided_raters(), list(work)
    found = _broken(checks, [name for name in checks if name not in decided])
    # Nobody is at work on a study that is closed: no more work will change what a rule sees.
    unfinished = (
        set() if (is_closed() if is_over is None else is_over) else {one.name for one in work if one.done < one.tasks}
    )
    open_work = unfinished & {check.rater for check in found}
    had_finished = _had_finished(open_work)
    at_work = [
        check
        for check in found
        # Whoever had finished before more was opened is not to be blamed for what is open now.
        if check.rater in open_work and (check.rater not in had_finished or check.rule == INCOMPLETE)
    ]
    finished = [check for check in found if check not in at_work]
    gone = {name for name, one in decided.items() if one.action == Decision.Action.EXCLUDE}
    counting = (set(rated) if rated is not None else {one.name for one in work if one.done}) - gone
    # A rule that nobody passes says more about the rule or the copies than about the raters.
    if counting <= {check.rater for check in finished}:
        return BrokenRules([], at_work, needed=finished)
    return BrokenRules(finished, at_work, needed=[])


def _had_finished(names: Collection[str]) -> set[str]:
    """Who had done all there was before the phases opened in which screens are left: they broke the rule then.

    Material that is opened later counts nobody again whom a rule left out.
    """
    known = gates()
    moments = {gate.phase.key: gate.event.at if gate.event is not None else gate.opens for gate in known}
    later = {phase: moment for phase, moment in moments.items() if moment is not None}
    if not names or not later:
        return set()
    closed = {gate.phase.key for gate in known if not gate.is_open}
    tasks = Task.objects.filter(rater__pseudonym__in=names).exclude(role=PRACTICE)
    first_answers = tasks.annotate(first=Min("judgements__received_at"))
    left: dict[str, set[str]] = defaultdict(set)
    answered: dict[str, list[tuple[str, datetime]]] = defaultdict(list)
    for rater, phase, first in first_answers.values_list("rater__pseudonym", "phase", "first"):
        if first is not None:
            answered[rater].append((phase, first))
        elif phase not in closed:
            left[rater].add(phase)
    return {
        rater
        for rater, phases in left.items()
        if phases <= set(later)
        and answered[rater]
        and all(at < min(later[one] for one in phases) for phase, at in answered[rater] if phase not in phases)
    }


def who_counts(study: LoadedStudy, criteria: Mapping[str, Ratings], *, is_over: bool | None = None) -> WhoCounts:
    """What the rules say of the raters of these ratings, one criterion each; ``is_over`` as in ``broken_rules``."""
    work = work_of_people(study)
    checks = checks_of(study, criteria, work)
    broken = broken_rules(checks, work, rated=rated_by(criteria), is_over=is_over)
    decided = decided_raters()
    counted = [_left_out(check, "still at work") for check in _once(broken.at_work)]
    kept = [name for name, one in decided.items() if one.action == Decision.Action.INCLUDE and name in checks]
    for check in _once(_broken(checks, kept)):
        one = decided[check.rater]
        counted.append(_left_out(check, f"{COUNTED_AGAIN} {one.at.date().isoformat()}: {one.reason}"))
    counted += [_left_out(check, NOBODY_LEFT) for check in _once(broken.needed)]
    return WhoCounts(tuple(map(_left_out, _once(broken.finished))), tuple(counted))


def rated_by(criteria: Mapping[str, Ratings]) -> set[str]:
    """The raters of these ratings."""
    return {name for ratings in criteria.values() for name in ratings.rater.names}


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
