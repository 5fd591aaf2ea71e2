"""Forget a rater: who it was goes, what was judged stays under the pseudonym."""

from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from accord.errors import InputError
from accord.records import dataclass
from accord.server.models import QuestionnaireAnswer, Rater, RaterState, Remark
from accord.server.models_organiser import ApiToken
from accord.server.questionnaire import ABOUT_YOU

__all__ = ["Forgotten", "forget"]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed, and what stays."""

    rater: str
    answers: int
    comments: int
    sessions: int
    judgements: int
    files: int

    def __str__(self) -> str:
        removed = f"{self.answers} answers about the person, {self.comments} comments and {self.sessions} log-ins"
        told = f"{self.rater}: {removed} are removed; {self.judgements:,} judgements stay under the pseudonym."
        if self.files:
            # Others' words stood in them too, so each is made again without this rater's.
            told += f" Reports and tables that the server had kept ({self.files}) are removed: make them again."
        return told


def forget(name: str, *, comments: bool = True) -> Forgotten:
    """Remove all that says who this rater is: the link, the platform's id, answers about the person, log-ins.

    Files that were made before hold these words too, so they go as well.
    ``comments`` also removes what the rater wrote in free words, as it may name people.
    """
    from accord.server.models import Judgement
    from accord.server.organiser.jobs import remove_made

    with transaction.atomic():
        # Held: what is being written for this rater is there before, and removed, or finds the rater paused.
        rater = Rater.objects.select_for_update().filter(pseudonym=name).first()
        if rater is None:
            raise InputError(f"There is no rater {name!r}.")
        about = QuestionnaireAnswer.objects.filter(rater=rater, scenario=ABOUT_YOU)
        answers, _ = about.delete()
        written = Remark.objects.filter(rater=rater).exclude(text="") if comments else Remark.objects.none()
        removed = written.update(text="", answer="")
        rater.invitation_hash = rater.crowd_id = None
        rater.crowd_session = rater.language = rater.label = ""
        rater.owner, rater.entrance = uuid4(), None
        rater.state = RaterState.PAUSED
        rater.save()
        ApiToken.objects.filter(rater=rater, revoked_at=None).update(revoked_at=timezone.now())
        ended, judgements = _end_sessions(rater), Judgement.objects.filter(task__rater=rater).count()
    return Forgotten(name, answers, removed, ended, judgements, remove_made())


def _end_sessions(rater: Rater) -> int:
    ended = 0
    for session in Session.objects.all().iterator():
        if session.get_decoded().get("rater") == rater.pk:
            session.delete()
            ended += 1
    return ended
