"""Charts of a judge: agreement beside people's, corrected scores beside its own, and effects in score points."""

from collections.abc import Sequence
from typing import Any

from accord.errors import OptionError
from accord.plots.chart import Chart
from accord.plots.reliability import intervals

__all__ = ["agreement_chart", "effect_chart", "score_chart"]


def agreement_chart(name: str, beside: Sequence[Any]) -> Chart:
    """Each coefficient of the judge with people, and among people."""
    points = [
        (f"{one.title}, {who}", value, interval)
        for one in beside
        for who, value, interval in (
            ("judge", one.judge, one.judge_interval),
            ("people", one.people, one.people_interval),
        )
    ]
    return _drawn(points, f"How far {name} agrees with people, and people with each other", "coefficient")


def score_chart(name: str, measure: str, scores: Sequence[tuple[str, Any]]) -> Chart:
    """Corrected scores with their intervals."""
    points = [(system or "all", one.mean, one.interval) for system, one in scores]
    return _drawn(points, f"Scores of {name}, corrected by people", measure)


def effect_chart(name: str, title: str, effects: Sequence[Any]) -> Chart:
    """Effects with their intervals."""
    return _drawn([(one.name, one.value, one.interval) for one in effects], f"{title}: {name}", "score points")


def _drawn(points: Sequence[tuple[str, float, Any]], title: str, axis: str) -> Chart:
    known = [(name, value, interval) for name, value, interval in points if interval is not None]
    if not known:
        raise OptionError("There is nothing to draw: no number of this part has an interval.")
    ends = None if min(one.low for _, _, one in known) < 0 else (0.0, 1.02 * max(one.high for _, _, one in known))
    return intervals(
        [name for name, _, _ in known],
        [value for _, value, _ in known],
        [one.low for _, _, one in known],
        [one.high for _, _, one in known],
        title=title,
        axis=axis,
        domain=ends,
    )
