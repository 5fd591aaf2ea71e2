"""Before a version of the guideline is published: what it does to the numbers of a study that is being judged."""

from django.utils.translation import gettext as _

from accord.server.guidelines import latest_number
from accord.server.invitations import free_places
from accord.server.models import Judgement, RaterKind, Task
from accord.server.organiser.changing import too_many
from accord.server.organiser.progress import progress
from accord.server.phases import closed_phases
from accord.server.study import PRACTICE

__all__ = ["what_it_parts"]


def what_it_parts() -> list[str]:
    """Which answers would be compared with which no longer; nothing while nobody has judged under this version."""
    number = latest_number()
    people = Judgement.objects.filter(task__rater__kind=RaterKind.HUMAN).exclude(task__role=PRACTICE)
    answers = people.filter(guideline__number=number).count()
    if not answers or _nobody_goes_on():
        return []
    lines = [
        _(
            "Answers under version {version}: {n}. They stay, and are kept apart from what is judged from now on: "
            "agreement is computed within each version."
        ).format(version=number, n=f"{answers:,}")
    ]
    finished = [one.name for one in progress().raters if one.tasks and one.done == one.tasks]
    if finished:
        words = _("Finished: {names}. What others judge from now on is not compared with their answers.")
        lines.append(words.format(names=", ".join(finished)))
    if not too_many() and (between := _judged_by_some(number)):
        words = _("Texts that some have judged and others have not: {n}. Their answers will stand under two versions.")
        lines.append(words.format(n=f"{between:,}"))
    return [*lines, _("If the change is one of wording only, “All numbers” can put the versions together.")]


def _nobody_goes_on() -> bool:
    """Whether all have finished and nobody else can come: no answer under another version would stand beside these."""
    own = [one for one in progress().raters if not one.replaced_by]
    return not closed_phases() and free_places() <= 0 and all(one.done == one.tasks for one in own)


def _judged_by_some(number: int) -> int:
    """How many texts have answers under this version, and wait for somebody else."""
    own = Task.objects.filter(rater__kind=RaterKind.HUMAN).exclude(role=PRACTICE)
    keys = ("scenario", "document", "item", "systems")
    done, open_ones = (
        {(*names, str(systems)) for *names, systems in tasks.values_list(*keys).distinct()}
        for tasks in (own.filter(judgements__guideline__number=number), own.filter(judgements=None))
    )
    return len(done & open_ones)
