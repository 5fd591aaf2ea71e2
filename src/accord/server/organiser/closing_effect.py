"""What closing a study does to its numbers: whom the rules leave out once no more work can come."""

from collections.abc import Sequence

from accord.ratings.codebook import LeftOut
from accord.records import dataclass
from accord.server.organiser.changing import Change, changes_of, too_many
from accord.server.organiser.quality import RULES
from accord.server.organiser.raters import rater_checks
from accord.server.organiser.ratings import collect, excluded_raters, left_out_now
from accord.server.organiser.snapshot import latest_snapshot
from accord.server.organiser.watched import work_so_far
from accord.server.organiser.who_counts import NOBODY_LEFT, broken_rules, who_counts
from accord.server.study import current

__all__ = ["Closing", "Leaving", "effect_of_closing", "whom_closing_concerns"]


@dataclass(frozen=True, slots=True)
class Leaving:
    """A rater who counts until the study is closed, and the rule that leaves them out then."""

    rater: str
    why: str


@dataclass(frozen=True, slots=True)
class Closing:
    """How many it concerns, whom closing leaves out, whom it counts again, and each number now and after."""

    invited: int
    finished: int
    leaving: Sequence[Leaving]
    again: Sequence[str]
    """Left out now, and counted when nobody else would be left."""
    needed: Sequence[str]
    """They break a rule and count then, because nobody would be left without them."""
    changes: Sequence[Change]
    too_many: bool
    """Whether there are too many judgements to compute the numbers while a page waits."""


def effect_of_closing() -> Closing:
    """Whom it concerns and what changes in each number, for the study this request is about."""
    leaving, again, needed = whom_closing_concerns()
    concerns = bool(leaving or again)
    changes = changes_of([one.rater for one in leaving], again) if concerns and not too_many() else []
    counted = work_so_far(latest_snapshot())
    finished = sum(rater.has_finished for rater in counted.raters)
    return Closing(counted.invited, finished, leaving, again, needed, changes, concerns and too_many())


def _why(one: LeftOut) -> str:
    known = RULES.get(one.rule)
    return f"{known.title}: {one.reason}" if known else one.reason


def whom_closing_concerns() -> tuple[list[Leaving], list[str], list[str]]:
    """Raters whom the rules leave out once nobody is at work any more, who count again then, and who must count."""
    if too_many():
        counted = work_so_far(latest_snapshot())
        checks = rater_checks(counted)
        after = broken_rules(checks, counted.raters, is_over=True)
        out_now = {check.rater for check in broken_rules(checks, counted.raters).finished}
        found = [check for check in after.finished if check.rater not in out_now]
        first = {check.rater: Leaving(check.rater, f"{check.title}: {check.words}") for check in reversed(found)}
        needed = sorted({check.rater for check in after.needed})
        return list(reversed(first.values())), sorted(out_now & set(needed)), needed
    now = set(left_out_now())
    told = who_counts(current(), collect().criteria, is_over=True)
    leaving = [Leaving(one.rater, _why(one)) for one in told.left_out if one.rater not in now]
    again = sorted(now - {one.rater for one in told.left_out} - set(excluded_raters()))
    return leaving, again, sorted(one.rater for one in told.counted if one.reason.endswith(NOBODY_LEFT))
