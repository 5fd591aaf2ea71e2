"""Charts of the dashboard as plain shapes: svg draws them stretched, so words and numbers stand beside them as text."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

from accord.records import dataclass
from accord.reporting.forest import thresholds
from accord.server.organiser.pace import Forecast, Pace

__all__ = ["Course", "PaceChart", "course_of", "pace_chart"]

_WIDTH, _HEIGHT = 300.0, 84.0
_FLAT = 0.1
"""A course that moved by more is not steady, however wide its interval is."""

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Course:
    """α from the first answers to the last, on an axis from 0 to 1; what lies below 0 is drawn at 0."""

    line: str
    band: str
    end: tuple[float, float]
    marks: tuple[float, ...]
    versions: tuple[float, ...]
    words: str


def course_of(points: Sequence[Plain], answers: int, versions: Sequence[Plain], coefficient: str) -> Course | None:
    """The shapes of one course; None while there is one point only, which shows no course."""
    if len(points) < 2 or not answers:
        return None

    def x(at: float) -> float:
        return round(_WIDTH * at / answers, 1)

    line = [f"{x(one['answers'])},{_height(one['value'])}" for one in points]
    known = [one for one in points if one["low"] is not None and one["high"] is not None]
    upper = [f"{x(one['answers'])},{_height(one['high'])}" for one in known]
    lower = [f"{x(one['answers'])},{_height(one['low'])}" for one in reversed(known)]
    last = points[-1]
    return Course(
        " ".join(line),
        " ".join([*upper, *lower]) if len(known) > 1 else "",
        (x(last["answers"]), _height(last["value"])),
        tuple(_height(one) for one in thresholds(coefficient)),
        tuple(x(one["answers"]) for one in versions),
        _course_in_words(points),
    )


def _height(value: float) -> float:
    return round(_HEIGHT * (1 - min(1.0, max(0.0, value))), 1)


def _course_in_words(points: Sequence[Plain]) -> str:
    """Whether the last third moved: where the last value lies outside the interval it had before.

    Steady is only what was so all along, every value within the interval of the last: a line that came down is not, nor
    is it falling where chance may explain the last third. Nothing is said of it then.
    """
    before = points[max(0, len(points) - 1 - max(1, len(points) // 3))]
    if before["low"] is None or before["high"] is None:
        return ""
    if points[-1]["value"] < before["low"]:
        return "falling"
    if points[-1]["value"] > before["high"]:
        return "rising"
    low, high = points[-1]["low"], points[-1]["high"]
    # A wide interval holds every course: what moved by as much as a reader sees is not called steady.
    near = all(abs(one["value"] - points[-1]["value"]) <= _FLAT for one in points)
    is_flat = near and low is not None and high is not None and all(low <= one["value"] <= high for one in points)
    return "steady" if is_flat else ""


@dataclass(frozen=True, slots=True)
class PaceChart:
    """Answers so far as a line that only rises, and where the forecast would take it."""

    line: str
    end: tuple[float, float]
    ghost: str
    first: datetime
    last: date


def pace_chart(pace: Pace, forecast: Forecast, done: int, tasks: int, now: datetime) -> PaceChart | None:
    """From the first answer to the last, or on to the latest day of the forecast; None before there is a line."""
    if len(pace.counts) < 2:
        return None
    step = timedelta(days=1) if pace.by_day else timedelta(hours=1)
    begin, until = pace.counts[0][0], max(pace.counts[-1][0] + step, now)
    end = until
    if forecast.first is not None:
        day = forecast.last or forecast.first
        end = max(until, timezone.make_aware(datetime.combine(day, datetime.max.time())))
    whole = pace.answers * max(1.0, tasks / done if done else 1.0)

    def at(moment: datetime, answers: float) -> tuple[float, float]:
        return (
            round(_WIDTH * (moment - begin) / (end - begin), 1),
            round(_HEIGHT * (1 - 0.92 * answers / whole), 1),
        )

    points, so_far = [at(begin, 0)], 0
    for moment, count in pace.counts:
        so_far += count
        points.append(at(min(moment + step, until), so_far))
    tip = at(until, so_far)
    ghost = ""
    if forecast.first is not None:
        finish = at(timezone.make_aware(datetime.combine(forecast.first, datetime.max.time())), whole)
        ghost = f"M{tip[0]} {tip[1]}L{finish[0]} {finish[1]}L{_WIDTH} {finish[1]}"
    return PaceChart(" ".join(f"{x},{y}" for x, y in [*points, tip]), tip, ghost, begin, timezone.localtime(end).date())
