"""What the organiser's side keeps: results, decisions, guideline rounds, arbitration and tokens; nothing is deleted."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from accord.server.models import GuidelineVersion, Judgement, Rater, Remark, Task

__all__ = [
    "UNDO",
    "Access",
    "Again",
    "ApiToken",
    "Change",
    "Computation",
    "Contest",
    "Decision",
    "DesignerRating",
    "Job",
    "KeptEffect",
    "KeptPlan",
    "KeptStudy",
    "PhaseEvent",
    "Round",
    "RoundItem",
    "Ruling",
    "Snapshot",
    "StudyEvent",
    "Unblinding",
]

_NAME = 200
_HASH = 64


class Snapshot(models.Model):
    """The library's results on one state of the judgements; the states before it are the history."""

    state: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    fingerprint: models.CharField[str, str] = models.CharField(max_length=_HASH)
    judgements: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    seconds: models.FloatField[float, float] = models.FloatField(default=0.0)
    # The one number a criterion that its history is made of; the whole is too long to read for every point.
    headline = models.JSONField(default=list)
    results = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Computation(models.Model):
    """Who computes at the moment, so that a hundred open pages start one computation."""

    name: models.CharField[str, str] = models.CharField(max_length=20, unique=True)
    started_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    problem: models.TextField[str, str] = models.TextField(blank=True)


class KeptEffect(models.Model):
    """What leaving a rater out would change, kept where computing it takes longer than a page may."""

    rater: models.OneToOneField[Rater, Rater] = models.OneToOneField(
        "server.Rater", on_delete=models.CASCADE, related_name="kept_effect"
    )
    state: models.CharField[str, str] = models.CharField(max_length=_HASH)
    judgements: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    seconds: models.FloatField[float, float] = models.FloatField()
    effects = models.JSONField(default=list)


UNDO = "undo"
"""A decision that takes back the one before it about whether a rater counts, as if that had never been made."""


class Decision(models.Model):
    """What an organiser decided about a rater and why; the last one counts, all are kept."""

    class Action(models.TextChoices):
        """What can be decided; each has an opposite, so that nothing is final."""

        PAUSE = "pause"
        RESUME = "resume"
        REDO = "redo"
        EXCLUDE = "exclude"
        INCLUDE = "include"

    rater: models.ForeignKey[Rater, Rater] = models.ForeignKey(
        "server.Rater", on_delete=models.PROTECT, related_name="decisions"
    )
    rater_id: int
    action: models.CharField[str, str] = models.CharField(max_length=10, choices=Action)
    reason: models.TextField[str, str] = models.TextField()
    # The declared rule of study.toml that was applied; empty for a decision of its own.
    rule: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]

    @property
    def can_be_undone(self) -> bool:
        """As long as it is the last one: screens that were handed out again are not taken back, nor is an undoing."""
        return self.action not in (self.Action.REDO, UNDO)


class Round(models.Model):
    """One turn of the refinement loop: disputed items, a changed guideline, a new measurement."""

    items: models.Manager[RoundItem]
    changes: models.Manager[Change]

    number: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(unique=True)
    criterion: models.CharField[str, str] = models.CharField(max_length=_NAME)
    # The version under which the items were disputed, and the one that came out of the round.
    version: models.ForeignKey[GuidelineVersion, GuidelineVersion] = models.ForeignKey(
        "server.GuidelineVersion", on_delete=models.PROTECT, related_name="rounds"
    )
    published: models.ForeignKey[GuidelineVersion | None, GuidelineVersion | None] = models.ForeignKey(
        "server.GuidelineVersion", on_delete=models.PROTECT, null=True, related_name="from_rounds"
    )
    # The stop rule, fixed when the round is opened.
    target: models.FloatField[float, float] = models.FloatField(default=0.8)
    smallest_gain: models.FloatField[float, float] = models.FloatField(default=0.05)
    opened_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    opened_by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    measured_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]


class RoundItem(models.Model):
    """A disputed item of a round, and what the designers made of it."""

    class Verdict(models.TextChoices):
        """Is the text at fault or the guideline?"""

        OPEN = ""
        GENUINE = "genuine"
        VAGUE = "vague"

    ratings: models.Manager[DesignerRating]

    round: models.ForeignKey[Round, Round] = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="items")
    round_id: int
    # As the ratings table calls it: the item as one system rendered it.
    name: models.CharField[str, str] = models.CharField(max_length=500)
    entropy: models.FloatField[float, float] = models.FloatField()
    verdict: models.CharField[str, str] = models.CharField(max_length=10, choices=Verdict, blank=True)
    # Its answer stands in the guideline, so it is not measured again.
    is_example: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    note: models.TextField[str, str] = models.TextField(blank=True)
    decided_by: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    decided_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-entropy", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "name"], name="an_item_once_a_round"),
        ]


class DesignerRating(models.Model):
    """What a designer of the study answers, before seeing what the others did; the last one counts."""

    item: models.ForeignKey[RoundItem, RoundItem] = models.ForeignKey(
        RoundItem, on_delete=models.PROTECT, related_name="ratings"
    )
    item_id: int
    designer: models.CharField[str, str] = models.CharField(max_length=_NAME)
    value = models.JSONField(null=True)
    comment: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Change(models.Model):
    """A line of the revision log: what changes in the guideline, because of which item and comments."""

    round: models.ForeignKey[Round, Round] = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="changes")
    round_id: int
    item: models.ForeignKey[RoundItem | None, RoundItem | None] = models.ForeignKey(
        RoundItem, on_delete=models.PROTECT, null=True, related_name="changes"
    )
    item_id: int | None
    remarks: models.ManyToManyField[Remark, Any] = models.ManyToManyField("server.Remark", related_name="changes")
    text: models.TextField[str, str] = models.TextField()
    version: models.ForeignKey[GuidelineVersion | None, GuidelineVersion | None] = models.ForeignKey(
        "server.GuidelineVersion", on_delete=models.PROTECT, null=True, related_name="changes"
    )
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Again(models.Model):
    """A task given a second time: asked to redo, where the new answers count, or measured again in a round."""

    task: models.OneToOneField[Task, Task] = models.OneToOneField(
        "server.Task", on_delete=models.PROTECT, related_name="again"
    )
    task_id: int
    original: models.ForeignKey[Task, Task] = models.ForeignKey(
        "server.Task", on_delete=models.PROTECT, related_name="repeated"
    )
    original_id: int
    # Empty where the rater was asked to redo.
    round: models.ForeignKey[Round | None, Round | None] = models.ForeignKey(
        Round, on_delete=models.PROTECT, null=True, related_name="tasks"
    )
    round_id: int | None


class Contest(models.Model):
    """A score somebody does not accept; another person than the one who contests it decides."""

    rulings: models.Manager[Ruling]

    judgement: models.OneToOneField[Judgement, Judgement] = models.OneToOneField(
        "server.Judgement", on_delete=models.PROTECT, related_name="contest"
    )
    judgement_id: int
    reason: models.TextField[str, str] = models.TextField()
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Ruling(models.Model):
    """What the second reviewer decides: about one marked error, all errors of a text at once, or the score."""

    contest: models.ForeignKey[Contest, Contest] = models.ForeignKey(
        Contest, on_delete=models.PROTECT, related_name="rulings"
    )
    contest_id: int
    mark: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    ruling: models.CharField[str, str] = models.CharField(max_length=10)
    severity: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    note: models.TextField[str, str] = models.TextField(blank=True)
    # The errors as the second reviewer marks them, and the criterion they belong to; none where nothing was marked.
    marks = models.JSONField(null=True)
    marked: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class PhaseEvent(models.Model):
    """A phase was opened or closed; the last event of a phase counts, all are kept."""

    class Action(models.TextChoices):
        """What can be done to a phase."""

        OPEN = "open"
        CLOSE = "close"

    phase: models.CharField[str, str] = models.CharField(max_length=_NAME)
    action: models.CharField[str, str] = models.CharField(max_length=10, choices=Action)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class StudyEvent(models.Model):
    """The whole study was closed, opened again, archived or taken back; the last event counts, all are kept."""

    class Action(models.TextChoices):
        """What can be done to a study."""

        CLOSE = "close"
        REOPEN = "reopen"
        ARCHIVE = "archive"
        TAKE_BACK = "take-back"

    action: models.CharField[str, str] = models.CharField(max_length=10, choices=Action)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Unblinding(models.Model):
    """Somebody had the names of the systems shown to organisers, or hidden again; the last one counts, all are kept."""

    named: models.BooleanField[bool, bool] = models.BooleanField()
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Job(models.Model):
    """A report or file that is made beside the server; the result is a file in the study's folder."""

    class State(models.TextChoices):
        """How far it is."""

        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    kind: models.CharField[str, str] = models.CharField(max_length=_NAME)
    state: models.CharField[str, str] = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    done: models.FloatField[float, float] = models.FloatField(default=0.0)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    begun_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    # When its process last showed that it lives.
    seen_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    finished_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    problem: models.TextField[str, str] = models.TextField(blank=True)
    # The state of the judgements it was made of.
    data_state: models.CharField[str, str] = models.CharField(max_length=_HASH)
    file: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    size: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class KeptPlan(models.Model):
    """The plan of analysis as study.toml declared it at one time, with what was collected by then."""

    digest: models.CharField[str, str] = models.CharField(max_length=_HASH)
    plan = models.JSONField(default=dict)
    judgements: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class KeptStudy(models.Model):
    """Marks of the items, criteria and scenarios that raters were shown, and what an organiser accepted later."""

    marks = models.JSONField(default=dict)
    changes = models.JSONField(default=list)
    judgements: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Access(models.Model):
    """Which account or program looked at, took away or changed what raters gave, and when."""

    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    what: models.CharField[str, str] = models.CharField(max_length=500)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class ApiToken(models.Model):
    """A key of a program: for all the organiser may do, or for what one rater may; only its hash is kept."""

    class Scope(models.TextChoices):
        """Whom the program stands for."""

        ORGANISER = "organiser"
        RATER = "rater"

    token_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    scope: models.CharField[str, str] = models.CharField(max_length=10, choices=Scope)
    rater: models.ForeignKey[Rater | None, Rater | None] = models.ForeignKey(
        "server.Rater", on_delete=models.PROTECT, null=True, related_name="api_tokens"
    )
    rater_id: int | None
    label: models.CharField[str, str] = models.CharField(max_length=_NAME)
    # Who made it; empty where it was made at the machine that serves the study.
    by: models.CharField[str, str] = models.CharField(max_length=2 * _NAME, blank=True, default="")
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    revoked_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class SentForm(models.Model):
    """A form that was sent: the word it came with, so that it is done once however often it comes."""

    word: models.CharField[str, str] = models.CharField(max_length=64, primary_key=True)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
