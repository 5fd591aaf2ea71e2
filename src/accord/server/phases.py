"""Phases are gates: which are open, who opened them, and by which declared rule they open."""

from datetime import date, datetime, time

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accord.design.nearest import did_you_mean
from accord.design.study import Phase
from accord.errors import InputError
from accord.records import dataclass
from accord.server.closing import PartClosedError
from accord.server.collected_rows import excluded_raters
from accord.server.invitations import places
from accord.server.models import Rater, RaterState, Task
from accord.server.models_organiser import PhaseEvent
from accord.server.progress import current_judgements, done_tasks, settled_questions
from accord.server.study import current

__all__ = ["Gate", "change_phase", "closed_phases", "gates", "open_all", "open_what_is_due", "refuse_closed"]

RULE = "the declared rule"
"""Who opened a phase that opened by itself."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A phase of the study with the state it is in; ``event`` is the last time somebody opened or closed it."""

    phase: Phase
    place: int
    event: PhaseEvent | None

    @property
    def is_open(self) -> bool:
        """What was last decided by a person counts; before that the rule."""
        if self.event is not None:
            return self.event.action == PhaseEvent.Action.OPEN
        if self.phase.opens_on is not None:
            return timezone.now() >= opening_moment(self.phase.opens_on)
        return self.rule == "at-once"

    @property
    def rule(self) -> str:
        """By what it opens: at-once, organiser, finished, or date."""
        if self.phase.opens_on is not None:
            return "date"
        return self.phase.opens or ("at-once" if self.place == 0 else "organiser")

    @property
    def title(self) -> str:
        return self.phase.title or self.phase.key

    @property
    def opens(self) -> datetime | None:
        """The moment it opens by itself, if one was declared."""
        return opening_moment(self.phase.opens_on) if self.phase.opens_on is not None else None


def opening_moment(day: datetime | date) -> datetime:
    """The moment that is meant: midnight of a day, in the time zone of the server where none is written."""
    moment = day if isinstance(day, datetime) else datetime.combine(day, time.min)
    return moment if moment.tzinfo is not None else timezone.make_aware(moment)


def gates() -> tuple[Gate, ...]:
    """All phases of the study, in order; none where it has no phases."""
    phases = current().settings.phases
    if not phases:
        return ()
    last = {event.phase: event for event in PhaseEvent.objects.order_by("id")}
    return tuple(Gate(phase, place, last.get(phase.key)) for place, phase in enumerate(phases))


def closed_phases() -> frozenset[str]:
    """Keys of the phases that are closed now; tasks of no phase, and those of guideline rounds, are always open."""
    return frozenset(gate.phase.key for gate in gates() if not gate.is_open)


def refuse_closed(phase: str, made: datetime) -> None:
    """Raise where this phase is closed, unless the answer was made before somebody closed it."""
    gate = next((one for one in gates() if one.phase.key == phase), None)
    if gate is None or gate.is_open:
        return
    if gate.event is not None and made < gate.event.at:
        return
    raise PartClosedError(_("This part of the study is closed at the moment. All you did before is saved."))


def change_phase(key: str, action: str, by: str) -> Gate:
    """Open a phase or close it again; what was judged in it stays."""
    known = {gate.phase.key: gate for gate in gates()}
    if key not in known:
        words = f"The study has no phase {key!r}{did_you_mean(key, known)}" if known else "The study has no phases."
        raise InputError(words)
    if action not in PhaseEvent.Action.values:
        raise InputError(f"{action!r} cannot be done to a phase. Open it, or close it.")
    with transaction.atomic():
        gate = next(one for one in gates() if one.phase.key == key)
        if gate.is_open == (action == PhaseEvent.Action.OPEN):
            raise InputError(f"Phase {key} is {'open' if gate.is_open else 'closed'} already.")
        _record(key, PhaseEvent.Action(action), by)
    return next(one for one in gates() if one.phase.key == key)


def _record(key: str, action: PhaseEvent.Action, by: str) -> None:
    PhaseEvent.objects.create(phase=key, action=action, by=by)
    if action == PhaseEvent.Action.OPEN:
        # Who was done with all there was has work again.
        Rater.objects.filter(state=RaterState.FINISHED, tasks__phase=key).exclude(
            pk__in=Rater.objects.filter(tasks__phase=key, tasks__judgements__isnull=False)
        ).update(state=RaterState.ACTIVE, finished_at=None)


def open_all(by: str) -> None:
    """Open every phase that is closed."""
    for gate in gates():
        if not gate.is_open:
            _record(gate.phase.key, PhaseEvent.Action.OPEN, by)


def open_what_is_due() -> None:
    """Open the phases whose rule is that everybody has finished what comes before."""
    for gate in gates():
        if gate.event is None and gate.rule == "finished" and _everybody_finished(gate.place):
            with transaction.atomic():
                if not PhaseEvent.objects.filter(phase=gate.phase.key).exists():
                    _record(gate.phase.key, PhaseEvent.Action.OPEN, RULE)


def _everybody_finished(place: int) -> bool:
    """Whether all places are taken and everybody who counts has done what comes before; a reserve counts if open."""
    if Rater.objects.filter(slot__lt=places()).count() < places():
        return False
    closed = closed_phases()
    before = [one for one in current().settings.phases[:place] if not (one.reserve and one.key in closed)]
    if any(one.key in closed for one in before):
        return False
    tasks = Task.objects.filter(phase__in=[one.key for one in before], rater__in=_who_counts())
    if tasks.filter(judgements__isnull=True).exists():
        return False
    study, found = current(), list(tasks)
    answered = settled_questions(study, current_judgements([task.pk for task in found]))
    return len(done_tasks(study, found, answered)) == len(found)


def _who_counts() -> list[int]:
    """Raters who hold the others up: not those who are paused or left out."""
    gone = set(excluded_raters())
    raters = Rater.people.exclude(state=RaterState.PAUSED).values_list("pk", "pseudonym")
    return [key for key, name in raters if name not in gone]
