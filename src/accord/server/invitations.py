"""Raters come in by invitation: each gets the next free place of the plan and the tasks of that place."""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accord.errors import InputError
from accord.server.closing import is_closed
from accord.server.handing_out import current_plan, group_of, name_of, places, tasks_of
from accord.server.kept_plan import keep_plan
from accord.server.kept_study import keep_study
from accord.server.models import CrowdEntrance, Rater, Task
from accord.server.one_at_a_time import give_out_in_turn
from accord.server.study import current
from accord.server.tokens import new_token, token_hash

__all__ = [
    "NoPlaceLeftError",
    "fewer_words",
    "free_places",
    "invite_raters",
    "join_crowd",
    "open_entrance",
    "places",
    "why_nobody_new",
]


class NoPlaceLeftError(InputError):
    """The plan has no place for one more rater."""


def free_places() -> int:
    """Places of the plan that nobody has yet."""
    return places() - Rater.objects.filter(slot__lt=places()).count()


def why_nobody_new() -> str:
    """Why nobody could come in, and how places become free, for whoever invites; '' where somebody could."""
    if free_places() > 0:
        return ""
    words = _(
        "All %(n)d places of the plan are given out, so nobody could come in. Somebody can take the place of a rater "
        "who left; more places need a copy of the study that plans more raters."
    )
    return words % {"n": places()}


def invite_raters(number: int) -> list[tuple[Rater, str]]:
    """New raters with their tokens, as many as there are places; the tokens are returned here and kept nowhere."""
    with transaction.atomic():
        give_out_in_turn()
        if why := why_nobody_new():
            raise NoPlaceLeftError(why)
        # Fewer than asked for are filled, and whoever asked says so.
        tokens = [new_token() for _ in range(min(number, free_places()))]
        return _invited(tokens)


def fewer_words(asked: int, made: int) -> str:
    """What to say where the plan had fewer places than were asked for; empty if it had enough."""
    if made >= asked:
        return ""
    return _("The plan had %(made)d places left, so %(made)d of %(asked)d invitations were made.") % {
        "made": made,
        "asked": asked,
    }


def _invited(tokens: Sequence[str]) -> list[tuple[Rater, str]]:
    return list(zip(_new_raters([{"invitation_hash": token_hash(token)} for token in tokens]), tokens, strict=True))


def open_entrance(completion_code: str = "", completion_address: str = "", full_code: str = "") -> str:
    """A link for a recruiting platform; returns its token. Refused where nobody could come in by it.

    ``full_code`` is what somebody reads who comes when no place is left.
    """
    # Where places of those who fall silent are handed on by themselves, one may be free whenever somebody comes.
    if current().settings.assignment.hand_on_after is None and (why := why_nobody_new()):
        raise NoPlaceLeftError(why)
    token = new_token()
    CrowdEntrance.objects.create(
        token_hash=token_hash(token), completion_code=completion_code, completion_address=completion_address,
        full_code=full_code,
    )  # fmt: skip
    return token


def join_crowd(entrance: CrowdEntrance, person: str, session: str) -> Rater:
    """The rater this person already is, or a new one: in a place that somebody left, else in the next free one."""
    from accord.server.replacing import takes_over

    with transaction.atomic():
        if (known := Rater.objects.filter(crowd_id=person).first()) is None:
            give_out_in_turn()
            # The same person may have come a moment before, by another click.
            known = Rater.objects.filter(crowd_id=person).first()
        if known is not None:
            return known
        if is_closed():
            raise NoPlaceLeftError(_("The study is closed and takes nobody new. Thank you for your interest."))
        fields = {"crowd_id": person, "crowd_session": session, "entrance": entrance}
        return takes_over(fields) or _new_raters([fields])[0]


def _new_raters(fields: Sequence[Mapping[str, object]]) -> list[Rater]:
    """All of them or none; a thousand come in with a few queries."""
    if is_closed():
        raise InputError(_("The study is closed: nobody can be invited to it. Open it again first."))
    with transaction.atomic():
        slots = _next_slots(len(fields))
        raters = Rater.objects.bulk_create(
            [
                Rater(pseudonym=name_of(slot), slot=slot, group=group_of(slot), **more)
                for slot, more in zip(slots, fields, strict=True)
            ]
        )
        for slot, rater in zip(slots, raters, strict=True):
            Task.objects.bulk_create(tasks_of(slot, rater))
        keep_plan()
        keep_study()
    return raters


def _next_slots(number: int) -> list[int]:
    """One after the other the first free place of the group that has fewest raters, so that groups fill evenly."""
    groups = current_plan().groups
    taken = set(Rater.objects.filter(slot__lt=len(groups)).values_list("slot", flat=True))
    filled = Counter(groups[slot] for slot in taken)
    free: dict[str, deque[int]] = defaultdict(deque)
    for slot, group in enumerate(groups):
        if slot not in taken:
            free[group].append(slot)
    if number > sum(map(len, free.values())):
        raise NoPlaceLeftError(_("All places of this study are taken. Thank you for your interest."))
    found = []
    for _turn in range(number):
        group = min((name for name in free if free[name]), key=lambda name: (filled[name], free[name][0]))
        filled[group] += 1
        found.append(free[group].popleft())
    return found
