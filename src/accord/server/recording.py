"""Save entries that came together in one transaction; the same entry twice is the same acknowledgement.

What entries are checked against is read once for all of them, inside their transaction, and never kept longer: nobody
who was paused, and nothing that was closed, a moment ago is let through by what was true before.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from math import inf
from typing import Any, Protocol
from uuid import UUID

from django.db import DataError, IntegrityError, models, transaction
from django.utils import timezone, translation

from accord.errors import InputError
from accord.records import dataclass
from accord.server.closing import StudyClosedError, is_closed, refuse_closed_study
from accord.server.held import StoppedError, of_these_may_write
from accord.server.models import GuidelineVersion, Judgement, QuestionnaireAnswer, RaterKind, Remark, Task
from accord.server.phases import closed_phases, refuse_closed
from accord.server.prepared import NewRow, add, every, with_keys
from accord.server.questionnaire import check_answer
from accord.server.screens import shown_texts
from accord.server.storable import storable_time, why_not_storable
from accord.server.study import LoadedStudy, current
from accord.server.validation import as_asked, check_value

__all__ = [
    "Delivery",
    "Outcome",
    "RefusedEntryError",
    "Sender",
    "has_words",
    "record",
    "record_together",
    "recorded",
    "require_consent",
]

_LOG = logging.getLogger(__name__)
_LONGEST_REMARK = 5_000
_LONGEST_SECONDS = 24 * 60 * 60
_HIGHEST_REVISION = 2**31 - 1
_WRITTEN = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”")
_OF_A_TASK = ("id", "rater", "scenario", "item", "systems", "texts", "phase")

Entry = Mapping[str, Any]


class RefusedEntryError(InputError):
    """An entry that cannot be saved, now or later."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one entry."""

    uuid: str
    status: str
    message: str = ""
    why: str = ""
    """A word for programs: "closed" is refused only as long as the study is closed, "part" as long as this phase is."""

    def to_dict(self) -> dict[str, str]:
        told = {"uuid": self.uuid, "status": self.status, "message": self.message}
        return {**told, "why": self.why} if self.why else told


class Sender(Protocol):
    """What is asked of a rater: a row of the table, read by whatever way."""

    @property
    def pk(self) -> Any: ...
    @property
    def kind(self) -> str: ...
    @property
    def consent_at(self) -> datetime | None: ...
    @property
    def started_at(self) -> datetime | None: ...
    @property
    def guidelines_read(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one request of one rater wants saved."""

    rater: Sender
    entries: Sequence[Any]
    is_page: bool = False
    """From a page nothing is taken of a person who has not passed the first one."""
    language: str | None = None
    """In which a refusal is worded; None is the language of the request that is being answered."""


def record(rater: Sender, entry: Any, *, is_page: bool = False) -> Outcome:
    """Check and save one entry."""
    return record_together([Delivery(rater, [entry], is_page)])[0][0]


def record_together(deliveries: Sequence[Delivery]) -> list[list[Outcome]]:
    """Check and save all entries in one transaction; what is returned is on the disk."""
    # Durable: inside of another transaction nothing would be on the disk when this returns.
    with transaction.atomic(durable=True):
        senders = {delivery.rater.pk for delivery in deliveries}
        if of_these_may_write(senders) != senders:
            raise StoppedError
        return recorded(deliveries)


def recorded(deliveries: Sequence[Delivery]) -> list[list[Outcome]]:
    """The same inside of a transaction: acknowledged may be what is returned only when that has ended.

    Entries stand alone: whatever one of them holds, those beside it are saved. A refusal says why, and only what can
    never be saved is refused.
    """
    facts = _Facts(deliveries)
    fates = [[_fate(delivery, entry, facts) for entry in delivery.entries] for delivery in deliveries]
    _add([fate for some in fates for fate in some if isinstance(fate, _New)])
    return [[fate.outcome() if isinstance(fate, _New) else fate for fate in some] for some in fates]


class _Facts:
    """What entries are checked against, read once for all that are saved together."""

    def __init__(self, deliveries: Iterable[Delivery]) -> None:
        self.study: LoadedStudy = current()
        self.now = timezone.now()
        self._deliveries = deliveries

    @cached_property
    def tasks(self) -> Mapping[int, Any]:
        """Every task that is named, whoever it belongs to."""
        entries = [entry for delivery in self._deliveries for entry in delivery.entries if isinstance(entry, dict)]
        return with_keys(Task, {entry["task"] for entry in entries if _is_whole(entry.get("task"))}, _OF_A_TASK)

    @cached_property
    def guidelines(self) -> Mapping[int, int]:
        """The row of each version of the guidelines by its number."""
        return {version.number: version.pk for version in every(GuidelineVersion, ("id", "number"))}

    @cached_property
    def study_is_closed(self) -> bool:
        return is_closed()

    @cached_property
    def closed_phases(self) -> frozenset[str]:
        return closed_phases()


@dataclass(slots=True)
class _New:
    """A row that passed every check, and what a row with its uuid that is there already must share to be the same.

    Sent again it is acknowledged again. Something else under a uuid that was used is refused: saved would be a lie.
    """

    row: NewRow
    what_it_says: tuple[str, ...]
    entry: Entry
    refusal: str = ""

    def outcome(self) -> Outcome:
        return _refused(self.entry, self.refusal) if self.refusal else Outcome(self.entry["uuid"], "saved")


def _fate(delivery: Delivery, entry: Any, facts: _Facts) -> Outcome | _New:
    """The row that the entry becomes, or why it becomes none."""
    if not isinstance(entry, dict) or not isinstance(entry.get("uuid"), str):
        return Outcome("", "refused", "An entry must be an object with a uuid.")
    try:
        return _checked(delivery, entry, facts)
    except InputError as error:
        if delivery.language is None:
            return _refused(entry, error)
    # Checked once more for the words alone: to change the language for what is saved would cost more than to check it.
    with translation.override(delivery.language):
        try:
            return _checked(delivery, entry, facts)
        except InputError as error:
            return _refused(entry, error)


def _checked(delivery: Delivery, entry: Entry, facts: _Facts) -> _New:
    rater = delivery.rater
    # Time is no answer: seconds that are none become 0 and never cost a judgement.
    if why := why_not_storable({name: part for name, part in entry.items() if name != "seconds"}):
        raise RefusedEntryError(f"This cannot be saved: {why}.")
    require_consent(rater, facts.study)
    if delivery.is_page and rater.started_at is None:
        raise RefusedEntryError("Nothing is saved before you have started: open the study's first page.")
    return _kind(entry)(rater, entry, facts)


def require_consent(rater: Sender, study: LoadedStudy) -> None:
    """Nothing is collected from a person who has not agreed to it, by whatever way it comes."""
    consent = None if rater.kind == RaterKind.MODEL else study.settings.consent
    if consent is not None and consent.required and rater.consent_at is None:
        raise RefusedEntryError("Nothing is saved before you have agreed to take part: open the study's first page.")


def _refused(entry: Entry, why: str | InputError) -> Outcome:
    """The rater is told to tell the organiser, who finds the reason in the log, without what the rater wrote."""
    if isinstance(why, StudyClosedError):  # no fault of anybody, and sent again until it opens
        return Outcome(entry["uuid"], "refused", str(why), why.why)
    _LOG.warning("An entry was refused: %s", _WRITTEN.sub("[hidden]", str(why)))
    return Outcome(entry["uuid"], "refused", str(why))


def _judgement(rater: Sender, entry: Entry, facts: _Facts) -> _New:
    study, task = facts.study, _task(rater, entry, facts)
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
        value = as_asked(criterion, value)
    judgement = {
        "uuid": _uuid(entry), "task_id": task.pk, "criterion": criterion.key, "place": place, "value": value,
        "cannot_judge": cannot, "revision": _revision(entry), "seconds": _seconds(entry),
        "guideline_id": _guideline(entry, facts), "made_at": storable_time(entry.get("made"), facts.now),
        "received_at": facts.now,
    }  # fmt: skip
    return _New(NewRow(Judgement, judgement), ("task_id", "criterion", "place", "value", "cannot_judge"), entry)


def _remark(rater: Sender, entry: Entry, facts: _Facts) -> _New:
    text, about = _remark_text(entry), _text(entry, "about")
    if about not in (Remark.About.ITEM, Remark.About.TEXT, Remark.About.FLAG):
        raise RefusedEntryError("A comment is about the sentence or the text: `about` is item or text, or flag.")
    remark = {
        "uuid": _uuid(entry),
        "rater_id": rater.pk,
        "task_id": _task(rater, entry, facts).pk,
        "about": about,
        "text": text,
        "revision": _revision(entry),
    }
    return _New(NewRow(Remark, remark), ("rater_id", "text"), entry)


def _answer(rater: Sender, entry: Entry, facts: _Facts) -> _New:
    question, scenario = _text(entry, "question"), _text(entry, "scenario")
    value = check_answer(facts.study.settings, scenario, question, entry.get("value"))
    answer = {
        "uuid": _uuid(entry),
        "rater_id": rater.pk,
        "question": question,
        "scenario": scenario,
        "value": value,
        "revision": _revision(entry),
    }
    return _New(NewRow(QuestionnaireAnswer, answer), ("rater_id", "question", "scenario", "value"), entry)


def _question(rater: Sender, entry: Entry, facts: _Facts) -> _New:
    """A question to the organiser, of no task."""
    remark = {"uuid": _uuid(entry), "rater_id": rater.pk, "about": Remark.About.QUESTION, "text": _remark_text(entry)}
    return _New(NewRow(Remark, remark), ("rater_id", "text"), entry)


def _remark_text(entry: Entry) -> str:
    text = _text(entry, "text")
    if len(text) > _LONGEST_REMARK:
        raise RefusedEntryError(f"A comment may have {_LONGEST_REMARK:,} characters.")
    return text


_Check = Callable[[Sender, Entry, _Facts], _New]
_KINDS: dict[str, _Check] = {"judgement": _judgement, "remark": _remark, "answer": _answer, "question": _question}


def has_words(entries: Sequence[Any]) -> bool:
    """Whether one of the entries may say something of the person, which goes when the person is forgotten."""
    return any(not isinstance(entry, dict) or entry.get("kind") != "judgement" for entry in entries)


def _kind(entry: Entry) -> _Check:
    if (found := _KINDS.get(_text(entry, "kind"))) is None:
        raise RefusedEntryError("This kind of entry is not known.")
    return found


def _add(new: Sequence[_New]) -> None:
    """Insert all rows; one statement for the rows of a table, as nearly always nothing is wrong with any of them."""
    by_table: dict[type[models.Model], list[_New]] = {}
    for one in new:
        by_table.setdefault(one.row.model, []).append(one)
    for some in by_table.values():
        _insert(some)


def _insert(new: Sequence[_New]) -> None:
    """All of one table, or none; where that fails each half by itself, until what failed stands alone."""
    try:
        add([one.row for one in new])
    except (IntegrityError, DataError) as error:
        if len(new) > 1:
            middle = len(new) // 2
            _insert(new[:middle])
            _insert(new[middle:])
        elif isinstance(error, DataError):
            # Every check passed and the database still cannot keep it: sending it again would not help.
            _LOG.exception("The database refused an entry")
            new[0].refusal = "The database cannot keep this. Tell the organiser."
        else:
            row = new[0].row
            if (known := row.model._default_manager.filter(uuid=row.values["uuid"]).first()) is None:
                raise
            if any(getattr(known, name) != row.values[name] for name in new[0].what_it_says):
                new[0].refusal = "This uuid is taken."


def _task(rater: Sender, entry: Entry, facts: _Facts) -> Any:
    key: Any = entry.get("task")
    found = facts.tasks.get(key) if _is_whole(key) else None
    if found is None or found.rater_id != rater.pk:
        raise RefusedEntryError("This is not one of your tasks.")
    made = storable_time(entry.get("made"), facts.now)
    if facts.study_is_closed:
        refuse_closed_study(made)
    if found.phase in facts.closed_phases:
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


def _guideline(entry: Entry, facts: _Facts) -> int:
    """The row of the version that was read, or of the current one."""
    number: Any = entry.get("guideline")
    known = facts.guidelines.get(number) if _is_whole(number) else None
    return known or facts.guidelines[max(facts.guidelines)]
