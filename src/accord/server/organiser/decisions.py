"""Decide about a rater, with a reason, reversibly: pause, ask to redo, leave out of the analysis, take back."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from accord.errors import InputError
from accord.server.models import Rater, RaterState, Task
from accord.server.models_organiser import Again, Decision
from accord.server.organiser.ratings import excluded_raters, left_out_now
from accord.server.study import PRACTICE

__all__ = ["decide", "give_again"]

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
        decision = Decision.objects.create(rater=rater, action=action, reason=reason.strip(), by=by, rule=rule)
        if action == Decision.Action.PAUSE:
            _set_state(rater, RaterState.PAUSED)
        elif action == Decision.Action.RESUME:
            _set_state(rater, RaterState.ACTIVE if rater.started_at else RaterState.INVITED)
        elif action == Decision.Action.REDO:
            answered = rater.tasks.exclude(role=PRACTICE).filter(judgements__isnull=False, repeated=None).distinct()
            give_again(rater, list(answered.order_by("order")))
    return decision


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
            role=task.role, occasion=task.occasion, phase=f"round-{turn.number + 1}" if turn else task.phase,
        )  # fmt: skip
        Again.objects.create(task=copy, original=task, round=turn)
    if tasks and rater.state == RaterState.FINISHED:
        rater.state, rater.finished_at = RaterState.ACTIVE, None
        rater.save(update_fields=["state", "finished_at"])
    return len(tasks)
