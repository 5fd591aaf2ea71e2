"""Who may write is asked where it is written: meanwhile a rater may have been paused, or forgotten.

A request that waits for the writer was let in by what was true before. SQLite has one writer at a time, so inside its
transaction nothing changes any more. PostgreSQL has many: there the row of the rater is held until all is written.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from accord.errors import InputError
from accord.server.models import Rater, RaterState

__all__ = ["StoppedError", "held", "of_these_may_write"]


class StoppedError(InputError):
    """A rater who was paused or forgotten before the words were written."""

    def __init__(self) -> None:
        super().__init__("This rater is paused.")


def of_these_may_write(raters: Collection[Any]) -> set[Any]:
    """Which of these raters (keys) may work; none of them is paused or forgotten before this transaction ends."""
    rows = Rater.objects.select_for_update(no_key=True).filter(pk__in=raters).exclude(state=RaterState.PAUSED)
    # In one order: of two transactions none then waits for a row while it keeps from the other what that waits for.
    return set(rows.order_by("pk").values_list("pk", flat=True))


@contextmanager
def held(rater: Rater) -> Iterator[Rater]:
    """A transaction in which the rater stays as they are now; what was read before may be old."""
    with transaction.atomic():
        if not of_these_may_write([rater.pk]):
            raise StoppedError
        rater.refresh_from_db()
        yield rater
