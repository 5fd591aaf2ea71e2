"""How fast judgements come in, and when the last one may be expected."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from math import ceil, isnan, sqrt
from typing import Any

import numpy as np
from django.db.models import Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accord.quantiles import median_of, stdtrit
from accord.records import dataclass
from accord.sentences import Sentence, said_of
from accord.server.collected_rows import Moments, first_answers
from accord.server.models import Judgement, RaterKind
from accord.server.study import PRACTICE
from accord.words import steady

__all__ = ["FORECASTS", "Forecast", "Pace", "count_pace", "forecast_of"]

_LATELY = 7
"""Days whose pace is taken for the days to come."""
_FEWEST = 3
"""Days of work below which nobody can say how much days differ."""
_QUIET = 2
"""After so many days without an answer there is no pace to go by."""
_QUARTER = 15

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pace:
    """How many answers came in each hour or day, the first of each question only: a correction is no new answer."""

    by_day: bool
    counts: tuple[tuple[datetime, int], ...]
    seconds: float | None = None
    """What people took for a screen, practice aside: half of the screens took longer. None before the first."""

    @property
    def answers(self) -> int:
        return sum(count for _, count in self.counts)

    def to_plain(self) -> Plain:
        counts = [[at.isoformat(), count] for at, count in self.counts]
        return {"by_day": self.by_day, "counts": counts, "seconds": self.seconds}

    @classmethod
    def of_plain(cls, plain: Plain) -> "Pace":
        counts = tuple((datetime.fromisoformat(at), count) for at, count in plain["counts"])
        return cls(plain["by_day"], counts, plain.get("seconds"))

    @property
    def days(self) -> dict[date, int]:
        """Answers of each calendar day from the first to the last, quiet days with 0."""
        counted: dict[date, int] = {}
        for at, count in self.counts:
            day = timezone.localtime(at).date()
            counted[day] = counted.get(day, 0) + count
        if not counted:
            return {}
        first, last = min(counted), max(counted)
        every = (first + timedelta(days=place) for place in range((last - first).days + 1))
        return {day: counted.get(day, 0) for day in every}


def count_pace(given: Moments | None = None) -> Pace:
    """People's answers by the hour while a study is young, by the day later; ``given`` if they were fetched before."""
    given = first_answers()[0] if given is None else given
    if not len(given):
        return Pace(False, ())
    by_day = bool(given[-1] - given[0] > np.timedelta64(_FEWEST, "D"))
    # Every time zone is a whole number of quarters of an hour from UTC: each quarter lies in one hour, and in one day.
    quarters, counts = np.unique(given.astype("datetime64[m]").astype(np.int64) // _QUARTER, return_counts=True)
    found: dict[datetime, int] = {}
    for quarter, count in zip(quarters.tolist(), counts.tolist(), strict=True):
        at = timezone.localtime(datetime.fromtimestamp(60 * _QUARTER * quarter, UTC))
        whole = at.replace(hour=0 if by_day else at.hour, minute=0)
        found[whole] = found.get(whole, 0) + count
    return Pace(by_day, tuple(found.items()), _seconds_per_screen())


def _seconds_per_screen() -> float | None:
    """The median over screens; what a correction took is part of its screen."""
    people = Judgement.objects.filter(task__rater__kind=RaterKind.HUMAN).exclude(task__role=PRACTICE)
    spent = people.order_by().values("task").annotate(spent=Sum("seconds")).values_list("spent", flat=True)
    middle = median_of(np.fromiter(spent, dtype=np.float64))
    return None if isnan(middle) else middle


@dataclass(frozen=True, slots=True)
class Forecast:
    """When the last answer may come; ``first`` and ``last`` are days from today, None where nobody can say."""

    left: int
    """Screens that are open to somebody and not done."""
    days: int
    """Days since the first answer."""
    quiet: int
    """Days since the last answer."""
    per_day: float
    first: date | None = None
    last: date | None = None

    @property
    def window(self) -> str:
        """The days between which it ends; '' where nobody can say."""
        if self.first is None or self.last is None:
            return ""
        first, last = _day(self.first), _day(self.last)
        return first if first == last else _("{first} to {last}").format(first=first, last=last)


def _day(day: date | None) -> str:
    return date_format(day, _("j M")) if day is not None else ""


# A table should look like one.
# fmt: off
FORECASTS: tuple[Sentence[Forecast], ...] = (
    Sentence("nothing", lambda seen: not seen.days, lambda seen: _("Nobody has judged anything yet.")),
    Sentence("done", lambda seen: bool(seen.days) and not seen.left,
             lambda seen: _("Every screen handed out is done.")),
    Sentence("quiet", lambda seen: seen.left > 0 and seen.quiet >= _QUIET,
             lambda seen: _("Nobody has judged anything for {days} days; {left} screens are open.").format(
                 days=seen.quiet, left=f"{seen.left:,}")),
    Sentence("young", lambda seen: seen.left > 0 and seen.quiet < _QUIET and 0 < seen.days < _FEWEST,
             lambda seen: _("{left} screens are open. When they will be done can be said after {days} days of work."
                            ).format(left=f"{seen.left:,}", days=_FEWEST)),
    Sentence("window", lambda seen: seen.first is not None and seen.last is not None and seen.left > 0,
             lambda seen: _("{pace} answers a day. The last {left} screens should be done by {window}.").format(
                 pace=f"{steady(seen.per_day):,.0f}", left=f"{seen.left:,}", window=seen.window)),
    Sentence("not_before", lambda seen: seen.first is not None and seen.last is None and seen.left > 0,
             lambda seen: _("{pace} answers a day, but days differ so much that only the earliest end can be said: "
                            "{day}.").format(pace=f"{steady(seen.per_day):,.0f}", day=_day(seen.first))),
)
# fmt: on


def forecast_of(pace: Pace, done: int, tasks: int, today: date) -> tuple[Forecast, str]:
    """From the mean pace of the last days, with its 95% interval by Student's t; and the same in words."""
    days, left = pace.days, tasks - done
    if not days:
        empty = Forecast(left, 0, 0, 0.0)
        return empty, said_of(FORECASTS, empty)
    quiet = max(0, (today - max(days)).days)
    lately = [*days.values(), *([0] * max(0, quiet - 1))][-_LATELY:]
    mean = sum(lately) / len(lately)
    found = Forecast(left, len(days), quiet, mean)
    if left > 0 and len(days) >= _FEWEST and quiet < _QUIET and done:
        answers = left * pace.answers / done
        low, high = _ends(lately, mean)
        first = today + timedelta(days=ceil(answers / high))
        found = Forecast(
            left, len(days), quiet, mean, first, today + timedelta(days=ceil(answers / low)) if low > 0 else None
        )
    return found, said_of(FORECASTS, found)


def _ends(lately: Sequence[int], mean: float) -> tuple[float, float]:
    variance = sum((one - mean) ** 2 for one in lately) / (len(lately) - 1)
    half = float(stdtrit(len(lately) - 1, 0.975)) * sqrt(variance / len(lately))
    return mean - half, mean + half
