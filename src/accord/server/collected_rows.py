"""What a study collected, fetched from its database in columns: whatever is made of it happens elsewhere."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from accord.ratings.codebook import Codebook, JudgeFacts, LeftOut
from accord.ratings.coding import code_names
from accord.ratings.collected import CollectedRows, JudgementColumns, TaskColumns
from accord.ratings.guideline_rounds import round_of
from accord.ratings.study_codebook import codebook_of
from accord.records import dataclass
from accord.server.kept_plan import kept_plan
from accord.server.models import GuidelineVersion, QuestionnaireAnswer, Rater, RaterKind, Remark
from accord.server.models_organiser import UNDO, Again, Decision
from accord.server.questionnaire import ABOUT_YOU
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.taken_back import taken_back
from accord.words import counted, listed

__all__ = [
    "History", "Moments", "as_left_out", "codebook_now", "comments_of_tasks", "decided_raters", "excluded_raters",
    "fetch_history", "fetch_rows", "first_answers", "judges_now", "replaced_tasks",
]  # fmt: skip

Moments = NDArray[np.datetime64]
_NEVER = np.datetime64("9999-12-31", "us")
_TASK_FIELDS = (
    "key", "rater", "group", "order", "scenario", "document", "item", "systems", "texts", "altered", "phase",
    "condition", "batch", "role", "occasion", "kind",
)  # fmt: skip
_JUDGEMENT_FIELDS = ("task", "criterion", "place", "value", "seconds", "guideline")
_TASKS = """
SELECT t.id, r.pseudonym, r."group", t."order", t.scenario, t.document, t.item, t.systems, t.texts, t.altered, t.phase,
       t.condition, t.batch, t.role, t.occasion, r.kind
FROM server_task t JOIN server_rater r ON r.id = t.rater_id
WHERE t.role <> %s {of_raters} ORDER BY r.slot, t."order"
"""
_GIVEN = """
SELECT j.task_id, j.criterion, j.place, j.value, j.seconds, g.number, j.revision, j.id
FROM server_judgement j JOIN server_guidelineversion g ON g.id = j.guideline_id {of_raters} {until}
"""
_EVERY = """
SELECT j.task_id, j.criterion, j.place, j.value, j.seconds, g.number, {made_at}, j.revision, j.id
FROM server_judgement j JOIN server_guidelineversion g ON g.id = j.guideline_id
"""
_FIRST = """
SELECT {made_at}, g.number FROM server_judgement j JOIN server_guidelineversion g ON g.id = j.guideline_id
JOIN server_task t ON t.id = j.task_id JOIN server_rater r ON r.id = t.rater_id
WHERE j.revision = 1 AND r.kind = %s AND t.role <> %s ORDER BY j.id
"""
_OF_RATERS = """
JOIN server_task t ON t.id = j.task_id JOIN server_rater r ON r.id = t.rater_id
WHERE j.criterion = %s AND r.pseudonym IN ({marks})
"""


def fetch_rows(*, criterion: str = "", raters: Sequence[str] = (), until: datetime | None = None) -> CollectedRows:
    """The screens and the judgement that counts for each question; of a few raters on one criterion, if named.

    ``until`` takes the judgements as they stood at that moment.
    """
    marks = ", ".join(["%s"] * len(raters))
    of_judgements = _OF_RATERS.format(marks=marks) if raters else ""
    made = f"{'AND' if raters else 'WHERE'} j.made_at <= %s" if until else ""
    named = [criterion, *raters] if raters else []
    judgements = _fetched(_GIVEN.format(of_raters=of_judgements, until=made), [*named, *([until] if until else [])])
    columns = _columns((*_JUDGEMENT_FIELDS, "revision", "key"), judgements)
    by_revision = np.lexsort((columns["key"], columns["revision"]))
    newest = _newest(columns, _by_question(columns, by_revision))
    return CollectedRows(_tasks(_given_tasks(raters)), newest if until else _still_given(newest))


def _still_given(judgements: JudgementColumns) -> JudgementColumns:
    """Without the answers that were taken back and not given again."""
    if not any(value is None for value in judgements.value) or not (gone := taken_back(current())):
        return judgements
    questions = zip(judgements.task, judgements.criterion, judgements.place, strict=True)
    kept = [row for row, question in enumerate(questions) if question not in gone]
    return JudgementColumns(**{name: [getattr(judgements, name)[row] for row in kept] for name in _JUDGEMENT_FIELDS})


def _by_question(
    columns: Mapping[str, Sequence[Any]], by_revision: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The judgements sorted by question and revision, and whether each is of the question of the one before it."""
    if not len(by_revision):
        return by_revision, np.zeros(0, dtype=bool)
    question = _questions(columns)
    order = by_revision[np.argsort(question[by_revision], kind="stable")]
    return order, question[order][1:] == question[order][:-1]


def _newest(
    columns: Mapping[str, Sequence[Any]], sorted_: tuple[NDArray[np.intp], NDArray[np.bool_]]
) -> JudgementColumns:
    """The last revision of each answer with the seconds of all of them, in half of SQLite's time."""
    order, same = sorted_
    if not len(order):
        return JudgementColumns(**dict.fromkeys(_JUDGEMENT_FIELDS, ()))
    ends = np.flatnonzero(np.r_[~same, True])
    seconds = np.add.reduceat(np.asarray(columns["seconds"], dtype=np.float64)[order], np.r_[0, ends[:-1] + 1])
    last = order[ends].tolist()
    told = {name: [columns[name][row] for row in last] for name in _JUDGEMENT_FIELDS if name != "seconds"}
    return JudgementColumns(**told, seconds=seconds)  # type: ignore[arg-type]  # an array is a sequence here


def _given_tasks(raters: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    """The screens given to these raters, or to all."""
    of_raters = f"AND r.pseudonym IN ({', '.join(['%s'] * len(raters))})" if raters else ""
    return _fetched(_TASKS.format(of_raters=of_raters), [PRACTICE, *raters])


def _tasks(tasks: list[tuple[Any, ...]]) -> TaskColumns:
    """These screens in columns, without those that were done again."""
    replaced = replaced_tasks()
    columns = _columns(_TASK_FIELDS, [row for row in tasks if row[0] not in replaced] if replaced else tasks)
    # By its phase: what was asked for once more after a round belongs to what it replaces.
    rounds = {phase: round_of(phase) for phase in set(columns["phase"])}
    comments = comments_of_tasks()
    return TaskColumns(
        **columns,
        round=[rounds[phase] for phase in columns["phase"]],
        comment=[comments.get(key, "") for key in columns["key"]] if comments else [""] * len(columns["key"]),
    )


@dataclass(frozen=True, slots=True)
class History:
    """Every judgement there is, corrected ones too: when it was made, and when what corrects it was (or never)."""

    rows: CollectedRows
    now: CollectedRows
    """As :func:`fetch_rows` has them."""
    made: Moments
    corrected: Moments
    first: tuple[Moments, NDArray[np.int64]]
    """As :func:`first_answers` has them."""

    @property
    def newest(self) -> NDArray[np.bool_]:
        """The judgements that nothing corrects."""
        return np.asarray(self.corrected == _NEVER)


def fetch_history() -> History:
    """The screens, and every judgement of them, read once for however many moments are looked at."""
    judgements = _fetched(_with_moments(_EVERY), ())
    columns = _columns((*_JUDGEMENT_FIELDS, "made_at", "revision", "key"), judgements)
    made, given = _moments(columns.pop("made_at")), _given_tasks()
    key, revision = (np.array(columns.pop(name), dtype=np.int64) for name in ("key", "revision"))
    people = np.isin(columns["task"], [task[0] for task in given if task[-1] == RaterKind.HUMAN])
    first = np.flatnonzero((revision == 1) & people)
    first = first[np.lexsort((key[first], made[first]))]
    versions = np.array(columns["guideline"], dtype=np.int64)[first]
    tasks, (order, same) = _tasks(given), _by_question(columns, np.lexsort((key, revision)))
    corrected = _corrected(made, order, same)
    # What takes an answer back is no answer at any moment.
    back = _taken_back_rows(columns)
    corrected[back] = made[back]
    return History(
        CollectedRows(tasks, JudgementColumns(**columns)),
        CollectedRows(tasks, _still_given(_newest(columns, (order, same)))), made, corrected, (made[first], versions),
    )  # fmt: skip


def _taken_back_rows(columns: Mapping[str, Sequence[Any]]) -> list[int]:
    """The judgements that take an answer back which nobody gave again."""
    empty = [row for row, value in enumerate(columns["value"]) if value is None]
    gone = taken_back(current()) if empty else set()
    return [row for row in empty if (columns["task"][row], columns["criterion"][row], columns["place"][row]) in gone]


def _corrected(made: Moments, order: NDArray[np.intp], same: NDArray[np.bool_]) -> Moments:
    """When each judgement was first replaced by a later revision of the same answer."""
    found = np.full(len(made), _NEVER)
    # From the last revision back: few answers are corrected, and fewer twice.
    for place in np.flatnonzero(same)[::-1].tolist():
        earlier, later = order[place], order[place + 1]
        found[earlier] = min(made[later], found[later])
    return found


def _questions(columns: Mapping[str, Sequence[Any]]) -> NDArray[np.int64]:
    """A number for each question that was answered, in the order of tasks, of the names of criteria, and of places."""
    place = np.array([-1 if place is None else place for place in columns["place"]], dtype=np.int64)
    criterion, task = code_names(list(columns["criterion"])), np.asarray(columns["task"], dtype=np.int64)
    rank = np.argsort(np.argsort(np.array(criterion.names), kind="stable"), kind="stable")
    return np.asarray((task * len(criterion.names) + rank[criterion.codes]) * (place.max() + 2) + place + 1)


def first_answers() -> tuple[Moments, NDArray[np.int64]]:
    """When people gave each answer for the first time, the oldest first, and under which guideline version."""
    rows = _fetched(_with_moments(_FIRST), [RaterKind.HUMAN, PRACTICE])
    made_at, version = zip(*rows, strict=True) if rows else ((), ())
    found, numbers = _moments(made_at), np.array(version, dtype=np.int64)
    order = np.argsort(found, kind="stable")
    return found[order], numbers[order]


def _with_moments(statement: str) -> str:
    """SQLite keeps times as words in UTC; numpy reads them without a time of Python for each."""
    return statement.format(made_at="CAST(j.made_at AS TEXT)" if connection.vendor == "sqlite" else "j.made_at")


def _moments(times: Sequence[datetime | str]) -> Moments:
    """Moments as the database gives them, in words or as times with a zone, in UTC."""
    if times and not isinstance(times[0], str):
        times = [time.astimezone(UTC).replace(tzinfo=None) for time in times if isinstance(time, datetime)]
    return np.array(times, dtype="datetime64[us]")


def _fetched(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
        return list(cursor.fetchall())


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))


def replaced_tasks() -> set[int]:
    """Tasks whose rater was asked to redo them and has begun the new one."""
    begun = Again.objects.filter(round=None, task__judgements__isnull=False)
    return set(begun.values_list("original", flat=True))


def comments_of_tasks() -> dict[int, str]:
    """The last words of a rater about the sentence and about the text of each screen."""
    rows = (
        Remark.objects.exclude(task=None)
        .exclude(about=Remark.About.FLAG)
        .order_by("revision", "id")
        .values_list("task", "about", "text")
    )
    last = {(task, about): text for task, about, text in rows}
    merged: dict[int, list[str]] = defaultdict(list)
    for (task, _), text in sorted(last.items()):
        if text:
            merged[task].append(text)
    return {task: " / ".join(texts) for task, texts in merged.items()}


def decided_raters() -> dict[str, Decision]:
    """The last decision about each rater on whether they count; one that was undone counts as if never made."""
    wanted = [Decision.Action.EXCLUDE, Decision.Action.INCLUDE, UNDO]
    made: dict[str, list[Decision]] = defaultdict(list)
    for one in Decision.objects.filter(action__in=wanted).select_related("rater").order_by("id"):
        own = made[one.rater.pseudonym]
        if one.action != UNDO:
            own.append(one)
        elif own:
            own.pop()
    return {name: own[-1] for name, own in made.items() if own}


def excluded_raters() -> dict[str, Decision]:
    """Raters whom an organiser left out of every analysis, with the decision that did it."""
    return {name: one for name, one in decided_raters().items() if one.action == Decision.Action.EXCLUDE}


def as_left_out(decision: Decision) -> LeftOut:
    """A decision as the codebook has it."""
    return LeftOut(
        rater=decision.rater.pseudonym, rule=decision.rule, reason=decision.reason,
        date=decision.at.date().isoformat(),
        declared=decision.rule in {rule.rule for rule in current().settings.exclusions},
    )  # fmt: skip


def codebook_now(study: LoadedStudy, *, named: bool = False) -> Codebook:
    """The codebook of the ratings as they are now, of systems that have codes or are ``named``."""
    left_out = [as_left_out(one) for _, one in sorted(excluded_raters().items())]
    versions = [
        f"{version.number} ({version.published_at.date().isoformat()}, {version.digest[:12]})"
        for version in GuidelineVersion.objects.all()
    ]
    told = codebook_of(
        study.study, guidelines=versions, left_out=left_out, raters=_about_raters(), kept=kept_plan(), named=named
    )
    return replace(told, judges=judges_now(), study=replace(told.study, again=_again_in_words()))


def _again_in_words() -> str:
    """Which raters judged screens again because an organiser asked; a reader must know, as it is done after a look."""
    begun = Again.objects.filter(round=None, task__judgements__isnull=False).distinct()
    if not begun.exists():
        return ""
    raters = sorted(set(begun.values_list("task__rater__pseudonym", flat=True)))
    told = counted(begun.count(), "screen was", "screens were")
    return (
        f"{told} judged again because an organiser asked ({listed(raters)}); the new answers count, not the first ones"
    )


def judges_now() -> tuple[JudgeFacts, ...]:
    """The language models among the raters, with what they judge with."""
    models = Rater.objects.filter(kind=RaterKind.MODEL).values_list("pseudonym", "judged_with")
    return tuple(JudgeFacts(name=name, **told) for name, told in models)


def _about_raters() -> dict[str, dict[str, str]]:
    rows = QuestionnaireAnswer.objects.filter(scenario=ABOUT_YOU).select_related("rater").order_by("revision", "id")
    told: dict[str, dict[str, str]] = {}
    for row in rows:
        own = told.setdefault(row.rater.pseudonym, {})
        own.pop(row.question, None)
        if row.value is not None:  # else it was taken back
            own[row.question] = str(row.value)
    return told
