"""All that is kept of one rater, in one piece, for a person who asks."""

from typing import Any

from accord.errors import InputError
from accord.server.models import Judgement, Rater
from accord.server.models_organiser import Decision

__all__ = ["stored_about"]


def stored_about(name: str) -> dict[str, Any]:
    """Every field and every row that belongs to this rater, under the words of the page on privacy."""
    rater = Rater.objects.filter(pseudonym=name).first()
    if rater is None:
        raise InputError(f"There is no rater {name!r}.")
    judged = Judgement.objects.filter(task__rater=rater).order_by("id")
    return {
        "pseudonym": rater.pseudonym, "name_for_the_organiser": rater.label,
        "group": rater.group, "state": rater.state, "language": rater.language,
        "consent_at": rater.consent_at, "started_at": rater.started_at, "finished_at": rater.finished_at,
        "platform": {"participant": rater.crowd_id, "session": rater.crowd_session},
        "answers": list(rater.answers.values("scenario", "question", "value", "received_at")),
        "comments": list(rater.remarks.values("about", "task__item", "text", "received_at", "answer", "answered_at")),
        "decisions": list(Decision.objects.filter(rater=rater).values("action", "reason", "rule", "by", "at")),
        "judgements": list(judged.values(
            "uuid", "task__item", "task__document", "task__scenario", "criterion", "value", "cannot_judge", "revision",
            "seconds", "made_at", "received_at",
        )),
    }  # fmt: skip
