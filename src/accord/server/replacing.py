"""A newcomer takes the place of a rater who left: what was answered stays, what is open is handed on."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accord.errors import InputError
from accord.server.closing import is_closed
from accord.server.handing_out import current_plan, places, practice_of
from accord.server.models import Rater, RaterState, Task
from accord.server.one_at_a_time import give_out_in_turn
from accord.server.organiser.decisions import decide
from accord.server.study import PRACTICE, current
from accord.server.tokens import new_token, token_hash

__all__ = ["done_before_replacing", "gives_whole_lists", "invite_instead_of", "left_open", "takes_over"]

_WHOLE = ("crossed", "latin-square", "complementary-halves")
"""Designs in which only whole lists are balanced: a newcomer begins anew."""
_COPIES = ("degraded", "reference")


def gives_whole_lists() -> bool:
    """Whether a newcomer begins the list of the one who left anew."""
    return current_plan().design in _WHOLE


def invite_instead_of(name: str, by: str) -> tuple[Rater, str]:
    """The newcomer and the token of the invitation; the one who left is paused, the answers stay."""
    if is_closed():
        raise InputError(_("The study is closed: nobody can be invited to it. Open it again first."))
    with transaction.atomic():
        give_out_in_turn()
        gone = Rater.objects.select_for_update().filter(pseudonym=name).first()
        if gone is None:
            raise InputError(f"Nobody is invited as {name!r}, so nobody can be replaced.")
        if gone.replaced_by is not None:
            raise InputError(
                _("The place of {name} was given to {other} already.").format(
                    name=name, other=gone.replaced_by.pseudonym
                )
            )
        handed_on = left_open(gone)
        if not handed_on:
            raise InputError(_("{name} has answered everything: there is nothing to hand on.").format(name=name))
        token = new_token()
        newcomer = _took_over(gone, handed_on, {"invitation_hash": token_hash(token)}, by)
    return newcomer, token


def takes_over(fields: Mapping[str, object]) -> Rater | None:
    """Whoever comes next from a recruiting platform takes the place of somebody who left; None if nobody has.

    The study says after how many hours without an answer somebody has left. First come, and of each text no more
    raters than planned: what is open changes hands and is not handed out twice.
    """
    hours = current().settings.assignment.hand_on_after
    if hours is None:
        return None
    limit = timezone.now() - timedelta(hours=hours)
    silent = (
        Rater.people.exclude(entrance=None)
        .filter(state__in=[RaterState.INVITED, RaterState.ACTIVE], came_at__lt=limit)
        .exclude(tasks__judgements__received_at__gte=limit)
        .order_by("slot")
    )
    for gone in silent.filter(replaced_by=None).select_for_update():
        if handed_on := left_open(gone):
            return _took_over(gone, handed_on, fields, f"hand_on_after = {hours:g}")
    return None


def _took_over(gone: Rater, handed_on: Sequence[Task], fields: Mapping[str, object], by: str) -> Rater:
    newcomer = _newcomer(gone, fields)
    Rater.objects.filter(pk=gone.pk).update(replaced_by=newcomer)
    if gone.state != RaterState.PAUSED:
        decide(gone, "pause", f"left; {newcomer.pseudonym} was invited instead", by)
    Task.objects.bulk_create(practice_of(newcomer))
    if gives_whole_lists():
        Task.objects.bulk_create([_copy(task, newcomer) for task in handed_on])
    else:
        Task.objects.filter(pk__in=[task.pk for task in handed_on]).update(rater=newcomer)
    return newcomer


def _newcomer(gone: Rater, fields: Mapping[str, object]) -> Rater:
    """A rater beyond the places of the plan, in the group of the one who left."""
    slot = max(places(), *(1 + taken for taken in Rater.objects.values_list("slot", flat=True)))
    return Rater.objects.create(pseudonym=f"R{slot + 1}", slot=slot, group=gone.group, **fields)


def left_open(gone: Rater) -> list[Task]:
    """All tasks of the plan where whole lists are given, else the open ones; nothing if none is open.

    A copy that checks the rater against the own original stays where that original was answered.
    """
    tasks = list(gone.tasks.exclude(role=PRACTICE).filter(again=None).order_by("order"))
    answered = set(gone.tasks.filter(judgements__isnull=False).values_list("pk", flat=True))
    if all(task.pk in answered for task in tasks):
        return []
    if gives_whole_lists():
        return tasks
    seen = {task.item for task in tasks if task.pk in answered}
    return [
        task
        for task in tasks
        if task.pk not in answered and not (task.item in seen and (task.occasion > 1 or task.role in _COPIES))
    ]


def _copy(task: Task, newcomer: Rater) -> Task:
    return Task(
        rater=newcomer, order=task.order, scenario=task.scenario, document=task.document, item=task.item,
        systems=task.systems, texts=task.texts, altered=task.altered, phase=task.phase, condition=task.condition,
        batch=task.batch, role=task.role, occasion=task.occasion,
    )  # fmt: skip


def done_before_replacing() -> dict[str, int]:
    """By rater who was replaced: screens they had done and the newcomer does too, so many beyond the plan."""
    found = {}
    for gone in Rater.people.exclude(replaced_by=None):
        again = Task.objects.filter(rater=gone.replaced_by).exclude(role=PRACTICE).values("order")
        own = gone.tasks.exclude(role=PRACTICE).filter(judgements__isnull=False, order__in=again)
        if number := own.distinct().count():
            found[gone.pseudonym] = number
    return found
