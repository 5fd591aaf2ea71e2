"""Decide about a rater, with a reason, reversibly: pause, ask to redo, leave out of the analysis, take back."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from accord.errors import InputError
from accord.ratings.guideline_rounds import phase_after
from accord.server.models import Rater, RaterState, Task
from accord.server.models_organiser import UNDO, Again, Decision
from accord.server.organiser.ratings import excluded_raters, left_out_now
from accord.server.study import PRACTICE

__all__ = ["ask_again", "decide", "give_again", "undo"]

_MEANINGS = {
    Decision.Action.PAUSE: "paused", Decision.Action.RESUME: "resumed", Decision.Action.REDO: "asked to redo",
    Decision.Action.EXCLUDE: "left out", Decision.Action.INCLUDE: "counted again",
}  # fmt: skip


def decide(rater: Rater, action: str, reason: str, by: str, rule: str = "") -> Decision:
    """Record the decision and carry it out; without a reason nothing is decided."""
    if action not in Decision.Action.values:
        raise InputError(f"{action!r} cannot be decided. Choose one of: {', '.join(Decision.Action.values)}.")
    if not reason.strip():
        raise InputError("Give a reason: it is part of the record and of the report.")
    with transaction.atomic():
        rater = Rater.objects.select_for_update().get(pk=rater.pk)
        _refuse_what_is_so_already(rater, Decision.Action(action))
        if action in (Decision.Action.RESUME, Decision.Action.REDO) and rater.replaced_by is not None:
            raise InputError(f"The place of {rater.pseudonym} was given to {rater.replaced_by.pseudonym}.")
        decision = Decision.objects.create(rater=rater, action=action, reason=reason.strip(), by=by, rule=rule)
        if action == Decision.Action.PAUSE:
            _set_state(rater, RaterState.PAUSED)
        elif action == Decision.Action.RESUME:
            _set_state(rater, RaterState.ACTIVE if rater.started_at else RaterState.INVITED)
        elif action == Decision.Action.REDO:
            answered = rater.tasks.exclude(role=PRACTICE).filter(judgements__isnull=False, repeated=None).distinct()
            give_again(rater, list(answered.order_by("order")))
    return decision


def undo(decision: Decision, by: str) -> Decision:
    """Take a decision back, as long as nothing else was decided about the rater since."""
    rater = decision.rater
    with transaction.atomic():
        last = Decision.objects.filter(rater=rater).order_by("id").last()
        if last is None or last.pk != decision.pk:
            raise InputError(f"Something else was decided about {rater.pseudonym} since: decide on the rater's page.")
        told = f"Undone: {decision.reason}"
        if decision.action == Decision.Action.PAUSE:
            return decide(rater, Decision.Action.RESUME, told, by)
        if decision.action == Decision.Action.RESUME:
            return decide(rater, Decision.Action.PAUSE, told, by)
        if decision.action not in (Decision.Action.EXCLUDE, Decision.Action.INCLUDE):
            raise InputError("This cannot be undone: the screens are handed out already.")
        return Decision.objects.create(rater=rater, action=UNDO, reason=told, by=by, rule=decision.rule)


def ask_again(rater: Rater, tasks: Any, reason: str, by: str, name: str) -> Decision:
    """Hand out the screens of one item once more, with a reason; the first answers stay beside the new ones."""
    if not reason.strip():
        raise InputError("Give a reason: it is part of the record and of the report.")
    with transaction.atomic():
        rater = Rater.objects.select_for_update().get(pk=rater.pk)
        given = list(tasks.filter(rater=rater, repeated=None).exclude(role=PRACTICE).order_by("order"))
        if not given:
            raise InputError(f"{rater.pseudonym} has nothing of {name} to judge again, or was asked already.")
        told = f"{name} again: {reason.strip()}"
        made = Decision.objects.create(rater=rater, action=Decision.Action.REDO, reason=told, by=by)
        give_again(rater, given)
    return made


def _refuse_what_is_so_already(rater: Rater, action: Decision.Action) -> None:
    paused = rater.state == RaterState.PAUSED
    so_already = {
        Decision.Action.PAUSE: paused, Decision.Action.RESUME: not paused,
        # Whom a rule leaves out may be left out by decision too: it holds whatever the rule will see.
        Decision.Action.EXCLUDE: rater.pseudonym in excluded_raters(),
        Decision.Action.INCLUDE: rater.pseudonym not in left_out_now(),
        Decision.Action.REDO: not rater.tasks.filter(judgements__isnull=False, repeated=None).exists(),
    }[action]  # fmt: skip
    if so_already:
        words = "has nothing to redo" if action == Decision.Action.REDO else f"is already {_already(action)}"
        raise InputError(f"{rater.pseudonym} {words}.")


def _already(action: Decision.Action) -> str:
    return {"resume": "at work", "include": "counted"}.get(action, _MEANINGS[action])


def _set_state(rater: Rater, state: RaterState) -> None:
    rater.state = state
    rater.save(update_fields=["state"])


def give_again(rater: Rater, tasks: Sequence[Task], round_number: int | None = None) -> int:
    """Hand these tasks out once more, after the rater's last; old judgements stay where they are."""
    from accord.server.models_organiser import Round

    turn = Round.objects.get(number=round_number) if round_number is not None else None
    after = rater.tasks.aggregate(last=Max("order"))["last"] or 0
    for place, task in enumerate(tasks, start=1):
        copy = Task.objects.create(
            rater=rater, order=after + place, scenario=task.scenario, document=task.document, item=task.item,
            systems=task.systems, texts=task.texts, altered=task.altered, condition=task.condition, batch=task.batch,
            role=task.role, occasion=task.occasion, phase=phase_after(turn.number) if turn else task.phase,
        )  # fmt: skip
        Again.objects.create(task=copy, original=task, round=turn)
    if tasks and rater.state == RaterState.FINISHED:
        rater.state, rater.finished_at = RaterState.ACTIVE, None
        rater.save(update_fields=["state", "finished_at"])
    return len(tasks)
