"""What a workspace keeps beside its studies: who may do what in which, invitations, view-only links, cards, the log."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

__all__ = ["AccountToken", "Card", "Entry", "Grant", "Invitation", "Role", "ViewLink"]

_NAME = 200
_HASH = 64

EVERY_STUDY = ""
"""A grant or an invitation that names no study is for all of them, those to come included."""


class Role(models.TextChoices):
    """What somebody may do in a study; each may do what the ones before may."""

    VIEWER = "viewer"
    ARBITER = "arbiter"
    ORGANISER = "organiser"
    OWNER = "owner"


class Grant(models.Model):
    """A role of an account in one study, or in every study."""

    account: models.ForeignKey[Any, Any] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="grants"
    )
    account_id: int
    study: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    role: models.CharField[str, str] = models.CharField(max_length=10, choices=Role)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["study", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "study"], name="one_role_of_an_account_in_a_study"),
        ]


class Invitation(models.Model):
    """A link that makes one account with one role, once; only its hash is kept."""

    token_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    study: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    role: models.CharField[str, str] = models.CharField(max_length=10, choices=Role)
    label: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    used_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class ViewLink(models.Model):
    """A link that shows one study without an account, until it is revoked."""

    token_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    study: models.CharField[str, str] = models.CharField(max_length=_NAME)
    label: models.CharField[str, str] = models.CharField(max_length=_NAME)
    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    revoked_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class AccountToken(models.Model):
    """A key by which a program does what its account may, in every study; only its hash is kept."""

    token_hash: models.CharField[str, str] = models.CharField(max_length=_HASH, unique=True)
    account: models.ForeignKey[Any, Any] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens"
    )
    account_id: int
    label: models.CharField[str, str] = models.CharField(max_length=_NAME)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    revoked_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Entry(models.Model):
    """A line of the log: who came in, made, moved, invited or changed what; a study's own log stays with the study."""

    by: models.CharField[str, str] = models.CharField(max_length=_NAME)
    what: models.CharField[str, str] = models.CharField(max_length=500)
    study: models.CharField[str, str] = models.CharField(max_length=_NAME, blank=True)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class Card(models.Model):
    """What the home page says of a study, as it was counted last; statistics are never computed for it."""

    study: models.CharField[str, str] = models.CharField(max_length=_NAME, unique=True)
    said = models.JSONField(default=dict)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    seconds: models.FloatField[float, float] = models.FloatField(default=0.0)
