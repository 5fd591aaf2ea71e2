"""Whether a study takes judgements: it runs until somebody closes it, and can be opened again."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accord.errors import InputError
from accord.server.models_organiser import StudyEvent
from accord.server.prepared import every

__all__ = [
    "PartClosedError",
    "StudyClosedError",
    "change_study",
    "ending",
    "is_closed",
    "refuse_closed_study",
    "study_state",
]

_RUNNING = "running"
_STATES: dict[str, str] = {
    StudyEvent.Action.CLOSE: "closed",
    StudyEvent.Action.REOPEN: _RUNNING,
    StudyEvent.Action.ARCHIVE: "archived",
    StudyEvent.Action.TAKE_BACK: "closed",
}
"""What each action leads to; the last one counts."""
_ALLOWED: dict[str, tuple[str, ...]] = {
    _RUNNING: (StudyEvent.Action.CLOSE,),
    "closed": (StudyEvent.Action.REOPEN, StudyEvent.Action.ARCHIVE),
    "archived": (StudyEvent.Action.TAKE_BACK,),
}


class StudyClosedError(InputError):
    """The study takes nothing now. It may open again, so whoever sent this keeps it."""

    why = "closed"


class PartClosedError(StudyClosedError):
    """The same of one phase; the rest of the work goes on."""

    why = "part"


def study_state() -> str:
    """running, closed or archived."""
    events = every(StudyEvent, ("id", "action"))
    return _STATES[events[-1].action] if events else _RUNNING


def is_closed() -> bool:
    """Whether the study takes no judgements at the moment; an archived one is closed."""
    return study_state() != _RUNNING


def ending() -> StudyEvent | None:
    """The event by which the study takes no more judgements; None where it takes them."""
    return StudyEvent.objects.last() if is_closed() else None


def change_study(action: str, by: str) -> str:
    """Close, reopen, archive or take back from the archive; what was collected stays. Gives the new state."""
    with transaction.atomic():
        state = study_state()
        if action not in _ALLOWED[state]:
            can = " or ".join(StudyEvent.Action(one).label.lower() for one in _ALLOWED[state])
            raise InputError(f"The study is {state}. What can be done with it now: {can}.")
        StudyEvent.objects.create(action=action, by=by)
    return _STATES[action]


def refuse_closed_study(made: datetime) -> None:
    """Raise where the study is closed, unless the answer was made before somebody closed it."""
    if not is_closed():
        return
    closed = StudyEvent.objects.filter(action=StudyEvent.Action.CLOSE).last()
    if closed is None or made >= closed.at:
        raise StudyClosedError(_("The study is closed. All you did before is saved."))
