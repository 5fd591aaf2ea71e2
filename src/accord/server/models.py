"""What the server keeps: raters, their tasks, and judgements that are only ever added."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

__all__ = [
    "Attempt",
    "CrowdEntrance",
    "GuidelineVersion",
    "Judgement",
    "OrganiserLink",
    "QuestionnaireAnswer",
    "Rater",
    "RaterKind",
    "RaterState",
    "Remark",
    "Task",
]

_NAME = 200
_HASH = 64


class RaterState(models.TextChoices):
    """Where a rater stands."""

    INVITED = "invited"
    ACTIVE = "active"
    FINISHED = "finished"
    PAUSED = "paused"


class RaterKind(models.TextChoices):
    """Who rates: a person, or a language model that a program speaks for."""

    HUMAN = "human"
    MODEL = "model"


class CrowdEntrance(models.Model):
    """A link for a recruiting platform that adds who the person is and wants a code at the end."""

    token_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    completion_code: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    completion_address: models.CharField[str, str] = models.CharField(max_length=500, blank=True)
    full_code: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True, default="")
    """What the platform wants from somebody who came when no place was left; it may differ from the one at the end."""
    open: models.BooleanField[bool, bool] = models.BooleanField(default=True)
    """Whether it takes anybody new; who came by it before always comes back by it."""
    made_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(
        default=timezone.now, null=True
    )
    """Unknown of those that were made before this was kept."""


class PeopleManager(models.Manager["Rater"]):
    """Raters who are people."""

    def get_queryset(self) -> models.QuerySet[Rater]:
        return super().get_queryset().filter(kind=RaterKind.HUMAN)


class Rater(models.Model):
    """Somebody who judges: a person known by a pseudonym and the hash of an invitation, or a language model.

    Whatever counts, pays, waits for or compares people asks ``people``; ``objects`` has models too.
    """

    objects: ClassVar[models.Manager[Rater]] = models.Manager()
    people: ClassVar[models.Manager[Rater]] = PeopleManager()
    tasks: models.Manager[Task]
    remarks: models.Manager[Remark]
    answers: models.Manager[QuestionnaireAnswer]

    pseudonym: models.CharField[str, str] = models.CharField(max_length=_NAME, unique=True)
    # Names this rater's queue in the browser, so that two raters of one browser never mix.
    owner: models.UUIDField[UUID, UUID] = models.UUIDField(default=uuid4, unique=True)
    invitation_hash: models.CharField[str | None, str | None] = models.CharField(
        max_length=_HASH, unique=True, null=True, default=None
    )
    slot: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(unique=True)
    kind: models.CharField[str, str] = models.CharField(max_length=10, choices=RaterKind, default=RaterKind.HUMAN)
    # Of a model: model, prompt, rubric and parameters. Another prompt is another judge, so they are never changed.
    judged_with = models.JSONField(default=dict)
    group: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    # What the organiser calls this person, for the organiser's pages alone: no export has it.
    label: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    # Who got the place of a person who left.
    replaced_by: models.ForeignKey[Rater | None, Rater | None] = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, default=None, related_name="+"
    )
    replaced_by_id: int | None
    state: models.CharField[str, str] = models.CharField(max_length=10, choices=RaterState, default=RaterState.INVITED)
    language: models.CharField[str, str] = models.CharField(max_length=16, blank=True)
    came_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    consent_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    guidelines_read: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    started_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    finished_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    # What a recruiting platform says of a person; removed when the person asks for it.
    crowd_id: models.CharField[str | None, str | None] = models.CharField(
        max_length=_NAME, unique=True, null=True, default=None
    )
    crowd_session: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    entrance: models.ForeignKey[CrowdEntrance | None, CrowdEntrance | None] = models.ForeignKey(
        CrowdEntrance, on_delete=models.PROTECT, null=True, default=None
    )
    entrance_id: int | None

    class Meta:
        ordering: ClassVar[list[str]] = ["slot"]

    def __str__(self) -> str:
        return self.pseudonym


class Task(models.Model):
    """One screen a rater is given: an item under a scenario, in the place the plan gave it."""

    rater: models.ForeignKey[Rater, Rater] = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="tasks")
    rater_id: int
    # As in the plan, from 1; practice comes before and counts up to -1.
    order: models.IntegerField[int, int] = models.IntegerField()
    scenario: models.CharField[str, str] = models.CharField(max_length=_NAME)
    document: models.CharField[str, str] = models.CharField(max_length=_NAME)
    # The id of the item; empty where the whole document is judged.
    item: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    # The systems shown, in the order of the screen; raters only know their places.
    systems = models.JSONField(default=list)
    # Texts shown instead of the systems' own, such as a degraded copy; empty for nearly all.
    texts = models.JSONField(default=list)
    # The system whose text was spoilt on purpose, if one was.
    altered: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    phase: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    condition: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    batch: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    role: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    occasion: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=1)

    class Meta:
        ordering: ClassVar[list[str]] = ["rater_id", "order"]
        # The page of an item asks for its screens among all of them.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["item"], name="task_of_item"),
            models.Index(fields=["document", "item"], name="task_of_document"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["rater", "order"], name="one_task_a_place"),
        ]


class GuidelineVersion(models.Model):
    """A version of the guidelines; every judgement is stamped with the one it was made under."""

    number: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(unique=True)
    text: models.TextField[str, str] = models.TextField()
    digest: models.CharField[str, str] = models.CharField(max_length=_HASH)
    published_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    change: models.TextField[str, str] = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]


class Judgement(models.Model):
    """One answer of one rater to one criterion; a correction is a new one with a higher revision."""

    uuid: models.UUIDField[UUID, UUID] = models.UUIDField(unique=True)
    task: models.ForeignKey[Task, Task] = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="judgements")
    task_id: int
    criterion: models.CharField[str, str] = models.CharField(max_length=_NAME)
    # Which of the texts shown, counted from 0; empty where the criterion compares them.
    place: models.PositiveIntegerField[int | None, int | None] = models.PositiveIntegerField(null=True)
    value = models.JSONField(null=True)
    cannot_judge: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    revision: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=1)
    seconds: models.FloatField[float, float] = models.FloatField(default=0.0)
    guideline: models.ForeignKey[GuidelineVersion, GuidelineVersion] = models.ForeignKey(
        GuidelineVersion, on_delete=models.PROTECT
    )
    guideline_id: int
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField()
    received_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["task", "criterion", "revision"])]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(seconds__gte=0), name="time_is_not_negative"),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Judgements are only added."""
        if self.pk is not None:
            raise TypeError("A judgement is never changed: add one with a higher revision.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Judgements are never deleted."""
        raise TypeError("A judgement is never deleted.")


class Remark(models.Model):
    """What a rater writes beside the judgements: a comment on a sentence or text, or a question."""

    class About(models.TextChoices):
        """What the remark is on."""

        ITEM = "item"
        TEXT = "text"
        QUESTION = "question"
        FLAG = "flag"

    uuid: models.UUIDField[UUID, UUID] = models.UUIDField(unique=True)
    rater: models.ForeignKey[Rater, Rater] = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="remarks")
    rater_id: int
    task: models.ForeignKey[Task | None, Task | None] = models.ForeignKey(
        Task, on_delete=models.PROTECT, null=True, related_name="remarks"
    )
    task_id: int | None
    about: models.CharField[str, str] = models.CharField(max_length=10, choices=About)
    text: models.TextField[str, str] = models.TextField(blank=True)
    revision: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=1)
    received_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    answer: models.TextField[str, str] = models.TextField(blank=True)
    answered_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class QuestionnaireAnswer(models.Model):
    """An answer after the tasks; the last one to a question counts."""

    uuid: models.UUIDField[UUID, UUID] = models.UUIDField(unique=True)
    rater: models.ForeignKey[Rater, Rater] = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="answers")
    rater_id: int
    question: models.CharField[str, str] = models.CharField(max_length=_NAME)
    scenario: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    value = models.JSONField(null=True)
    revision: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=1)
    received_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class OrganiserLink(models.Model):
    """A link that makes one organiser account, once."""

    token_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    used_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)


class Attempt(models.Model):
    """A wrong link or password, kept for minutes to slow guessing down; the address only as a hash."""

    address_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, db_index=True)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)


# Django looks for models in this module only.
from accord.server import models_organiser as models_organiser  # noqa: E402
