"""Save one entry in one transaction; the same entry twice is the same acknowledgement."""

import logging
from collections.abc import Callable, Mapping
from math import inf
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, models, transaction
from django.utils import timezone

from accord.errors import InputError
from accord.records import dataclass
from accord.server.closing import refuse_closed_study
from accord.server.guidelines import latest_number
from accord.server.models import GuidelineVersion, Judgement, QuestionnaireAnswer, Rater, RaterKind, Remark, Task
from accord.server.phases import refuse_closed
from accord.server.questionnaire import check_answer
from accord.server.screens import shown_texts
from accord.server.storable import storable_time, why_not_storable
from accord.server.study import current
from accord.server.validation import check_value

__all__ = ["Outcome", "RefusedEntryError", "record", "require_consent"]

_LOG = logging.getLogger(__name__)
_LONGEST_REMARK = 5_000
_LONGEST_SECONDS = 24 * 60 * 60
_HIGHEST_REVISION = 2**31 - 1

Entry = Mapping[str, Any]


class RefusedEntryError(InputError):
    """An entry that cannot be saved, now or later."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one entry."""

    uuid: str
    status: str
    message: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"uuid": self.uuid, "status": self.status, "message": self.message}


def record(rater: Rater, entry: Any, *, is_page: bool = False) -> Outcome:
    """Check and save; a refusal says why, and only what can never be saved is refused.

    Entries stand alone: whatever one of them holds, those beside it are saved. From a page nothing is taken of a
    person who has not passed the first one.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("uuid"), str):
        return Outcome("", "refused", "An entry must be an object with a uuid.")
    try:
        # Time is no answer: seconds that are none become 0 and never cost a judgement.
        if why := why_not_storable({name: part for name, part in entry.items() if name != "seconds"}):
            raise RefusedEntryError(f"This cannot be saved: {why}.")
        require_consent(rater)
        if is_page and rater.started_at is None:
            raise RefusedEntryError("Nothing is saved before you have started: open the study's first page.")
        _kind(entry)(rater, entry)
    except InputError as error:
        return _refused(entry, str(error))
    except DataError:
        # Every check passed and the database still cannot keep it: sending it again would not help.
        _LOG.exception("The database refused an entry")
        return _refused(entry, "The database cannot keep this. Tell the organiser.")
    return Outcome(entry["uuid"], "saved")


def require_consent(rater: Rater) -> None:
    """Nothing is collected from a person who has not agreed to it, by whatever way it comes."""
    consent = None if rater.kind == RaterKind.MODEL else current().settings.consent
    if consent is not None and consent.required and rater.consent_at is None:
        raise RefusedEntryError("Nothing is saved before you have agreed to take part: open the study's first page.")


def _refused(entry: Entry, why: str) -> Outcome:
    """The rater is told to tell the organiser, who finds the reason in the log."""
    _LOG.warning("An entry was refused: %s", why)
    return Outcome(entry["uuid"], "refused", why)


def _save_judgement(rater: Rater, entry: Entry) -> None:
    study = current()
    task = _task(rater, entry)
    asked = {criterion.key: criterion for criterion in study.asked_in(task.scenario, task.item)}
    criterion = asked.get(_text(entry, "criterion"))
    if criterion is None:
        raise RefusedEntryError("This criterion is not asked on this screen.")
    systems = max(1, len(task.systems))
    place = _place(entry, None if criterion.once_per_task else systems)
    value, cannot = entry.get("value"), entry.get("cannot") is True
    if cannot:
        value = None
    elif value is not None:
        check_value(criterion, value, shown_texts(study, task, place or 0), systems)
    judgement = Judgement(
        uuid=_uuid(entry), task=task, criterion=criterion.key, place=place, value=value, cannot_judge=cannot,
        revision=_revision(entry), seconds=_seconds(entry), guideline=_guideline(entry),
        made_at=storable_time(entry.get("made"), timezone.now()),
    )  # fmt: skip
    _add(judgement, lambda known: known.task_id == task.pk)


def _save_remark(rater: Rater, entry: Entry) -> None:
    text, about = _remark_text(entry), _text(entry, "about")
    if about not in (Remark.About.ITEM, Remark.About.TEXT, Remark.About.FLAG):
        raise RefusedEntryError("A comment is about the sentence or the text: `about` is item or text, or flag.")
    remark = Remark(
        uuid=_uuid(entry), rater=rater, task=_task(rater, entry), about=about, text=text, revision=_revision(entry)
    )
    _add(remark, lambda known: known.rater_id == rater.pk)


def _save_answer(rater: Rater, entry: Entry) -> None:
    question, scenario = _text(entry, "question"), _text(entry, "scenario")
    value = check_answer(current().settings, scenario, question, entry.get("value"))
    answer = QuestionnaireAnswer(
        uuid=_uuid(entry), rater=rater, question=question, scenario=scenario, value=value, revision=_revision(entry)
    )
    _add(answer, lambda known: known.rater_id == rater.pk)


def _save_question(rater: Rater, entry: Entry) -> None:
    """A question to the organiser, of no task."""
    remark = Remark(uuid=_uuid(entry), rater=rater, about=Remark.About.QUESTION, text=_remark_text(entry))
    _add(remark, lambda known: known.rater_id == rater.pk)


def _remark_text(entry: Entry) -> str:
    text = _text(entry, "text")
    if len(text) > _LONGEST_REMARK:
        raise RefusedEntryError(f"A comment may have {_LONGEST_REMARK:,} characters.")
    return text


_KINDS: dict[str, Callable[[Rater, Entry], None]] = {
    "judgement": _save_judgement,
    "remark": _save_remark,
    "answer": _save_answer,
    "question": _save_question,
}


def _kind(entry: Entry) -> Callable[[Rater, Entry], None]:
    if (found := _KINDS.get(_text(entry, "kind"))) is None:
        raise RefusedEntryError("This kind of entry is not known.")
    return found


def _add(row: models.Model, is_own: Callable[[Any], bool]) -> None:
    """Insert, or find that it is there already; somebody else's uuid is refused."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        known = type(row)._default_manager.filter(uuid=row.uuid).first()  # type: ignore[attr-defined]
        if known is None:
            raise
        if not is_own(known):
            raise RefusedEntryError("This uuid is taken.") from None


def _task(rater: Rater, entry: Entry) -> Task:
    key = entry.get("task")
    found = Task.objects.filter(pk=key, rater=rater).first() if _is_whole(key) else None
    if found is None:
        raise RefusedEntryError("This is not one of your tasks.")
    made = storable_time(entry.get("made"), timezone.now())
    refuse_closed_study(made)
    if found.phase:
        refuse_closed(found.phase, made)
    return found


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _text(entry: Entry, name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        raise RefusedEntryError(f"The field {name!r} must be text.")
    return value


def _uuid(entry: Entry) -> UUID:
    try:
        return UUID(entry["uuid"])
    except ValueError:
        raise RefusedEntryError("The uuid is not valid.") from None


def _place(entry: Entry, systems: int | None) -> int | None:
    if systems is None:
        return None
    place: Any = entry.get("place")
    if place is None and systems == 1:
        return 0
    if place is None:
        raise RefusedEntryError(f"This screen shows {systems} texts: say which one with place, 0 to {systems - 1}.")
    if not _is_whole(place) or place >= systems:
        raise RefusedEntryError("This screen does not show such a text.")
    return int(place)


def _revision(entry: Entry) -> int:
    revision = entry.get("revision", 1)
    if not _is_whole(revision) or not 1 <= revision <= _HIGHEST_REVISION:
        raise RefusedEntryError("The revision must be a whole number from 1.")
    return int(revision)


def _seconds(entry: Entry) -> float:
    seconds = entry.get("seconds", 0.0)
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or seconds in (inf, -inf)
        or seconds != seconds
    ):
        return 0.0
    return float(min(max(seconds, 0.0), _LONGEST_SECONDS))


def _guideline(entry: Entry) -> GuidelineVersion:
    number = entry.get("guideline")
    found = GuidelineVersion.objects.filter(number=number).first() if _is_whole(number) else None
    return found or GuidelineVersion.objects.get(number=latest_number())
