"""How far everybody is: a few GROUP BYs in the database, whatever the number of judgements."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Max, Sum

from accord.design.working_time import expected_seconds, paid_minutes, pay_of
from accord.records import dataclass
from accord.server.models import Judgement, Rater, RaterKind, RaterState
from accord.server.models_organiser import Again, Decision, PhaseEvent
from accord.server.organiser.ratings import READ_AT_ONCE, left_out_now
from accord.server.organiser.work import ScreenCount, screen_counts
from accord.server.phases import closed_phases
from accord.server.serving import carried
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.taken_back import optional_questions, taken_back_rows
from accord.words import steady

__all__ = ["Kept", "Progress", "RaterProgress", "Share", "counted_for", "progress"]

_FRESH = 2.0
_SLOW = 0.3
_ENOUGH = 5
"""Screens from which on a rater has a pace."""
_HASTY = 0.2
"""Below this share of the declared time a pace is noted."""
_COSTS = 10
"""A slow count is kept for so many times as long as it took."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many screens."""

    name: str
    done: int
    tasks: int
    closed: bool = False

    @property
    def percent(self) -> int:
        return 100 * self.done // self.tasks if self.tasks else 0


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """One rater: work done, time, pay, and where the rater stands."""

    name: str
    group: str
    state: str
    excluded: bool
    done: int
    tasks: int
    judgements: int
    minutes: float
    """On screens."""
    cost: float
    last: datetime | None
    paid: float = 0.0
    """Minutes that are paid: on screens, and once those around them."""
    planned: float = 0.0
    """Minutes that the study expects of all the screens of this rater, with those around them."""
    expected: float = 0.0
    """Seconds that the study expects of one screen of this rater."""
    left: int = 0
    """Screens that were open when somebody else took the place: nobody's work any more."""
    replaced_by: str = ""
    """Who took the place, if somebody did."""

    @property
    def has_finished(self) -> bool:
        """Whether nothing is left that this rater could do; a place that somebody else took is not theirs to finish."""
        return not self.replaced_by and (
            self.state == RaterState.FINISHED or (self.state == RaterState.PAUSED and 0 < self.tasks == self.done)
        )

    @property
    def seconds_per_screen(self) -> float | None:
        return 60 * self.minutes / self.done if self.done else None

    @property
    def is_hasty(self) -> bool:
        """Far faster than the study expects; others may be as fast, so that no finding compares them."""
        own = self.seconds_per_screen
        return own is not None and self.done >= _ENOUGH and own < _HASTY * self.expected

    @property
    def pace(self) -> str:
        """The own pace beside the declared one, in words for a report."""
        return (
            f"{self.name} {steady(self.seconds_per_screen or 0):.1f} s a screen instead of {steady(self.expected):.0f}"
        )


@dataclass(frozen=True)
class Progress:
    """Everybody and everything, counted at one moment."""

    raters: tuple[RaterProgress, ...]
    scenarios: tuple[Share, ...]
    phases: tuple[Share, ...]
    judgements: int
    currency: str

    @cached_property
    def groups(self) -> tuple[Share, ...]:
        found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for rater in self.raters:
            found[rater.group][0] += rater.done
            found[rater.group][1] += rater.tasks
        return tuple(Share(name, counts[0], counts[1]) for name, counts in found.items())

    @property
    def invited(self) -> int:
        """People who have a place of the plan; whoever gave it up has none."""
        return sum(not rater.replaced_by for rater in self.raters)

    @property
    def hasty(self) -> tuple[RaterProgress, ...]:
        """Raters who take far less time than the study expects."""
        return tuple(rater for rater in self.raters if rater.is_hasty)

    @property
    def done(self) -> int:
        return sum(rater.done for rater in self.raters)

    @property
    def tasks(self) -> int:
        return sum(rater.tasks for rater in self.raters)

    @property
    def percent(self) -> int:
        return 100 * self.done // self.tasks if self.tasks else 0

    @property
    def hours(self) -> float:
        """Hours that are paid so far; ``cost`` is what they cost."""
        return sum(rater.paid for rater in self.raters) / 60

    @property
    def planned_hours(self) -> float:
        """As the study declares it, for everybody who is invited."""
        return sum(rater.planned for rater in self.raters) / 60

    @property
    def cost(self) -> float:
        return sum(rater.cost for rater in self.raters)


Counted = TypeVar("Counted")


class Kept(Generic[Counted]):
    """The last count. One that was slow to make is handed out once more while the next is made beside it."""

    def __init__(self) -> None:
        self.key: object = None
        self.until = 0.0
        self.cost = 0.0
        self.value: Counted | None = None
        self.making = threading.Lock()

    def get(self, key: object, make: Callable[[], Counted]) -> Counted:
        if self.value is None or self.key != key:
            return self._make_and_keep(key, make)
        if time.monotonic() > self.until:
            if self.cost < _SLOW:
                return self._make_and_keep(key, make)
            if self.making.acquire(blocking=False):
                threading.Thread(target=carried(self._beside), args=(key, make), daemon=True).start()
        return self.value

    def _make_and_keep(self, key: object, make: Callable[[], Counted]) -> Counted:
        start = time.monotonic()
        value = make()
        self.cost = time.monotonic() - start
        self.value, self.key, self.until = value, key, time.monotonic() + max(_FRESH, _COSTS * self.cost)
        return value

    def _beside(self, key: object, make: Callable[[], Counted]) -> None:
        try:
            self._make_and_keep(key, make)
        finally:
            self.making.release()
            connection.close()


_KEPT: defaultdict[str, Kept[Progress]] = defaultdict(Kept)
"""One for each study of this server, by folder."""


def progress(*, fresh: bool = True, screens: Iterable[ScreenCount] | None = None) -> Progress:
    """Count now, of ``screens`` if they were counted before, or take a count that is seconds old."""
    study = current()
    if fresh:
        return _count(study, screens)
    return _KEPT[str(study.study.folder)].get(counted_for(study), lambda: _count(study))


def counted_for(study: LoadedStudy) -> tuple[Any, ...]:
    """What a count belongs to: what an organiser does must show at once, whatever the judgements cost to count."""
    return study.study.folder, *(table.objects.count() for table in (Decision, Rater, PhaseEvent, Again))


def _count(study: LoadedStudy, screens: Iterable[ScreenCount] | None = None) -> Progress:
    shares: dict[str, dict[Any, list[int]]] = {
        name: defaultdict(lambda: [0, 0]) for name in ("rater", "scene", "phase")
    }
    closed = closed_phases()
    expected: dict[Any, float] = defaultdict(float)
    left: dict[Any, int] = defaultdict(int)
    for rater, scenario, phase, done, tasks, _, undone in screen_counts(study) if screens is None else screens:
        # What nobody can do yet is not counted as work to do.
        counted = [("phase", phase)] if phase in closed else [("rater", rater), ("scene", scenario), ("phase", phase)]
        for name, key in counted:
            shares[name][key][0] += done
            shares[name][key][1] += tasks
        if phase not in closed:
            left[rater] += undone
            expected[rater] += tasks * expected_seconds(study.settings, scenario)
    answers = _answers(study)
    titles = {key: scenario.title or key for key, scenario in study.scenarios.items()}
    return Progress(
        tuple(_raters(study, shares["rater"], answers, expected, left)),
        tuple(Share(titles.get(key, key), counts[0], counts[1]) for key, counts in shares["scene"].items()),
        tuple(Share(key or "first", counts[0], counts[1], key in closed) for key, counts in shares["phase"].items()),
        sum(answers.values()),
        study.settings.cost.currency,
    )


_ANSWERS = """
SELECT t.rater_id, COUNT(*)
FROM (SELECT task_id, criterion, place FROM server_judgement EXCEPT {taken_back}) AS answers
JOIN server_task t ON t.id = answers.task_id JOIN server_rater r ON r.id = t.rater_id AND r.kind = %s
WHERE t.role <> %s GROUP BY 1
"""


def _answers(study: LoadedStudy) -> dict[Any, int]:
    """Questions that people have answered, by rater: a correction is no second answer, and practice is none."""
    optional = optional_questions(study)
    with connection.cursor() as cursor:
        statement = _ANSWERS.format(taken_back=taken_back_rows(optional))
        cursor.execute(statement, [*optional, RaterKind.HUMAN.value, PRACTICE])
        return dict(cursor.fetchall())


def _raters(
    study: LoadedStudy,
    done: dict[Any, list[int]],
    answers: Mapping[Any, int],
    expected: Mapping[Any, float],
    left: Mapping[Any, int],
) -> Iterable[RaterProgress]:
    rows = Judgement.objects.order_by().values_list("task__rater").annotate(Sum("seconds"), Max("received_at"))
    spent = {row[0]: row[1:] for row in rows}
    excluded = left_out_now(READ_AT_ONCE)
    settings = study.settings
    # Whoever waits for a phase to open has nothing to do; the questions after the work come when all phases are done.
    asks_afterwards = settings.questionnaire is not None and not closed_phases()
    for rater in Rater.people.select_related("replaced_by"):
        seconds, last = spent.get(rater.pk, (0.0, None))
        paid = paid_minutes(settings, seconds) if last else 0.0
        yield RaterProgress(
            rater.pseudonym, rater.group, _state(rater, done[rater.pk], asks_afterwards),
            rater.pseudonym in excluded, done[rater.pk][0], done[rater.pk][1],
            answers.get(rater.pk, 0), seconds / 60, pay_of(settings, paid), last, paid,
            paid_minutes(settings, expected.get(rater.pk, 0.0)),
            expected.get(rater.pk, 0.0) / max(1, done[rater.pk][1]), left.get(rater.pk, 0),
            rater.replaced_by.pseudonym if rater.replaced_by else "",
        )  # fmt: skip


def _state(rater: Rater, screens: Sequence[int], asks_afterwards: bool) -> str:
    """Where a rater stands: whoever answered the last screen has finished, whether or not they saw the last page."""
    done, tasks = screens
    is_through = rater.state == RaterState.ACTIVE and 0 < tasks == done and rater.replaced_by is None
    return RaterState.FINISHED.value if is_through and not asks_afterwards else rater.state
