"""Raters come in by invitation: each gets the next free place of the plan and the tasks of that place."""

from collections import Counter

from django.db import transaction
from django.utils.translation import gettext as _

from accord.errors import InputError
from accord.server.handing_out import group_of, name_of, places, tasks_of
from accord.server.models import CrowdEntrance, Rater, Task
from accord.server.tokens import new_token, token_hash

__all__ = ["NoPlaceLeftError", "free_places", "invite_raters", "join_crowd", "open_entrance", "places"]


class NoPlaceLeftError(InputError):
    """The plan has no place for one more rater."""


def free_places() -> int:
    """Places of the plan that nobody has yet."""
    return places() - Rater.objects.count()


def invite_raters(number: int) -> list[tuple[Rater, str]]:
    """New raters with their tokens; the tokens are returned here and kept nowhere."""
    with transaction.atomic():
        return [_invite() for _ in range(number)]


def _invite() -> tuple[Rater, str]:
    token = new_token()
    return _new_rater(invitation_hash=token_hash(token)), token


def open_entrance(completion_code: str = "", completion_address: str = "") -> str:
    """A link for a recruiting platform; returns its token."""
    token = new_token()
    CrowdEntrance.objects.create(
        token_hash=token_hash(token), completion_code=completion_code, completion_address=completion_address
    )
    return token


def join_crowd(entrance: CrowdEntrance, person: str, session: str) -> Rater:
    """The rater this person already is, or a new one in the next free place."""
    with transaction.atomic():
        known = Rater.objects.filter(crowd_id=person).first()
        return known or _new_rater(crowd_id=person, crowd_session=session, entrance=entrance)


def _new_rater(**fields: object) -> Rater:
    slot = _next_slot()
    if slot is None:
        raise NoPlaceLeftError(_("All places of this study are taken. Thank you for your interest."))
    rater = Rater.objects.create(pseudonym=name_of(slot), slot=slot, group=group_of(slot), **fields)
    Task.objects.bulk_create(tasks_of(slot, rater))
    return rater


def _next_slot() -> int | None:
    """The first free place of the group that has fewest raters, so that groups fill evenly."""
    taken = set(Rater.objects.values_list("slot", flat=True))
    filled = Counter(group_of(slot) for slot in taken)
    free = [slot for slot in range(places()) if slot not in taken]
    return min(free, key=lambda slot: (filled[group_of(slot)], slot), default=None)
