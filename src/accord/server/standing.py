"""Where a rater stands: work to do, a phase to wait for, or nothing left."""

from accord.records import dataclass
from accord.server.models import Rater
from accord.server.phases import Gate, gates, open_what_is_due
from accord.server.progress import current_judgements, done_tasks, settled_questions
from accord.server.study import LoadedStudy

__all__ = ["Standing", "standing"]


@dataclass(frozen=True, slots=True)
class Standing:
    """``waits_for`` is the next phase that is closed and holds work of the rater; a reserve is not waited for."""

    has_work: bool
    waits_for: Gate | None

    @property
    def is_finished(self) -> bool:
        return not self.has_work and self.waits_for is None


def standing(study: LoadedStudy, rater: Rater) -> Standing:
    """What a rater can do now; phases that open by themselves when all is done are opened on the way."""
    found = _look(study, rater)
    if found.has_work or found.waits_for is None:
        return found
    open_what_is_due()
    return _look(study, rater)


def _look(study: LoadedStudy, rater: Rater) -> Standing:
    tasks = list(rater.tasks.all())
    answered = settled_questions(study, current_judgements([task.pk for task in tasks]))
    done = done_tasks(study, tasks, answered)
    undone = {task.phase for task in tasks if task.pk not in done}
    closed = [gate for gate in gates() if not gate.is_open]
    awaited = [gate for gate in closed if gate.phase.key in undone and not gate.phase.reserve]
    return Standing(bool(undone - {gate.phase.key for gate in closed}), awaited[0] if awaited else None)
