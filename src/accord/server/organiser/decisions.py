"""Decide about a rater, with a reason, reversibly: pause, ask to redo, leave out of the analysis, take back."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from accord.errors import InputError
from accord.ratings.codebook import LeftOut
from accord.records import dataclass
from accord.server.models import Rater, RaterState, Task
from accord.server.models_organiser import Again, Decision
from accord.server.organiser.progress import Progress, progress
from accord.server.organiser.quality import Check, checks_of
from accord.server.organiser.ratings import Collected, excluded_raters
from accord.server.study import PRACTICE, LoadedStudy

__all__ = ["BrokenRules", "decide", "give_again", "rules_to_apply", "still_counted"]

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
    left_out = rater.pseudonym in excluded_raters()
    so_already = {
        Decision.Action.PAUSE: paused, Decision.Action.RESUME: not paused, Decision.Action.EXCLUDE: left_out,
        Decision.Action.INCLUDE: not left_out,
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


@dataclass(frozen=True, slots=True)
class BrokenRules:
    """Raters who break a rule that was declared before collection and still count; one entry per rater and rule."""

    finished: list[Check]
    at_work: list[Check]
    """Of raters with open work: the rest of it may change what a rule sees, so nobody is left out by surprise."""


def rules_to_apply(checks: dict[str, list[Check]], counted: Progress) -> BrokenRules:
    """Whom the declared rules concern, those who have finished apart from those who are still at work."""
    gone = excluded_raters()
    open_work = {rater.name for rater in counted.raters if rater.done < rater.tasks}
    found: dict[tuple[str, str], Check] = {}
    for name, seen in checks.items():
        for check in seen:
            if check.failed and check.declared and name not in gone:
                found.setdefault((name, check.rule), check)
    return BrokenRules(
        [check for check in found.values() if check.rater not in open_work],
        [check for check in found.values() if check.rater in open_work],
    )


def still_counted(study: LoadedStudy, collected: Collected) -> tuple[LeftOut, ...]:
    """Raters who finished, break a declared rule and count all the same, as nobody has applied it; one entry each."""
    counted = progress()
    broken: dict[str, Check] = {}
    for check in rules_to_apply(checks_of(study, collected, counted), counted).finished:
        broken.setdefault(check.rater, check)
    return tuple(
        LeftOut(rater=name, rule=one.rule, reason=_of_check(one), declared=True) for name, one in broken.items()
    )


def _of_check(check: Check) -> str:
    return f"{check.criterion}: {check.words}" if check.criterion else check.words
