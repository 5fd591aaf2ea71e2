"""What a study collected, fetched from its database in columns: whatever is made of it happens elsewhere."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import connection

from accord.ratings.codebook import Codebook, JudgeFacts, LeftOut
from accord.ratings.collected import CollectedRows, JudgementColumns, TaskColumns
from accord.ratings.study_codebook import codebook_of
from accord.server.kept_plan import kept_plan
from accord.server.models import GuidelineVersion, QuestionnaireAnswer, Rater, RaterKind, Remark
from accord.server.models_organiser import UNDO, Again, Decision
from accord.server.questionnaire import ABOUT_YOU
from accord.server.study import PRACTICE, LoadedStudy, current

__all__ = [
    "as_left_out", "codebook_now", "comments_of_tasks", "decided_raters", "excluded_raters", "fetch_rows", "judges_now",
]  # fmt: skip

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
_NEWEST = """
SELECT task_id, criterion, place, value, seconds, guideline FROM (
  SELECT j.task_id, j.criterion, j.place, j.value, g.number AS guideline,
         SUM(j.seconds) OVER (PARTITION BY j.task_id, j.criterion, j.place) AS seconds,
         ROW_NUMBER() OVER (PARTITION BY j.task_id, j.criterion, j.place ORDER BY j.revision DESC, j.id DESC) AS newest
  FROM server_judgement j JOIN server_guidelineversion g ON g.id = j.guideline_id {of_raters} {until}
) AS ranked WHERE newest = 1
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
    replaced = _replaced()
    of_raters = f"AND r.pseudonym IN ({marks})" if raters else ""
    tasks = [row for row in _fetched(_TASKS.format(of_raters=of_raters), [PRACTICE, *raters]) if row[0] not in replaced]
    of_judgements = _OF_RATERS.format(marks=marks) if raters else ""
    made = f"{'AND' if raters else 'WHERE'} j.made_at <= %s" if until else ""
    named = [criterion, *raters] if raters else []
    judgements = _fetched(_NEWEST.format(of_raters=of_judgements, until=made), [*named, *([until] if until else [])])
    columns = _columns(_TASK_FIELDS, tasks)
    rounds = dict(Again.objects.exclude(round=None).values_list("task", "round__number"))
    comments = comments_of_tasks()
    return CollectedRows(
        TaskColumns(
            **columns,
            round=[rounds.get(key, 0) + 1 for key in columns["key"]],
            comment=[comments.get(key, "") for key in columns["key"]],
        ),
        JudgementColumns(**_columns(_JUDGEMENT_FIELDS, judgements)),
    )


def _fetched(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
        return list(cursor.fetchall())


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))


def _replaced() -> set[int]:
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
    return replace(told, judges=judges_now())


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
