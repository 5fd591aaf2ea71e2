"""How long the work of a rater takes and what it costs: every page and plan asks here, so that all say the same."""

from collections.abc import Iterable

from accord.design.study import StudySettings

__all__ = ["expected_seconds", "paid_minutes", "pay_of"]


def expected_seconds(settings: StudySettings, scenario: str) -> float:
    """What the study expects one screen of a scenario to take; of practice, as any screen."""
    own = next((one.seconds_per_item for one in settings.scenarios if one.key == scenario), None)
    return own or settings.cost.seconds_per_item


def paid_minutes(settings: StudySettings, seconds: float | Iterable[float]) -> float:
    """Time of one rater: on screens, and once what comes around them (guidelines, practice, questions)."""
    spent = seconds if isinstance(seconds, int | float) else sum(seconds)
    return spent / 60 + settings.cost.minutes_fixed


def pay_of(settings: StudySettings, minutes: float) -> float:
    """What so many minutes cost, in the currency of the study."""
    return minutes / 60 * settings.cost.per_hour
