"""How long ago something stored happened, by a clock that may have been put back since.

What was stored before that lies in the future, and nobody knows how old it is. It is taken for old, or nothing would
come of waiting until the clock has caught up.
"""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

__all__ = ["is_younger", "younger"]

_APART = timedelta(minutes=1)
"""Clocks of two machines may differ by so much, and one that is set right goes back by less."""


def is_younger(moment: datetime, age: timedelta, now: datetime | None = None) -> bool:
    """Whether something stored at this moment happened less than this long ago."""
    return -_APART <= (now or timezone.now()) - moment < age


def younger(field: str, age: timedelta) -> Q:
    """The rows of which the same is true."""
    now = timezone.now()
    return Q(**{f"{field}__gt": now - age, f"{field}__lte": now + _APART})
