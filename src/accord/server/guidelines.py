"""Versions of the guidelines: a changed text is a new version, old ones stay."""

import hashlib

from django.db import transaction
from django.db.models import Max

from accord.server.models import GuidelineVersion, Rater

__all__ = ["latest", "latest_number", "publish", "publish_file"]


def publish_file(text: str) -> None:
    """Publish the text of the study folder once; a later version of the organiser's page is not undone by a restart."""
    if not GuidelineVersion.objects.filter(digest=_digest(text)).exists():
        last = GuidelineVersion.objects.last()
        publish(text, _new_lines(last.text, text) if last else "")


def _new_lines(before: str, after: str) -> str:
    """What a text says that the one before did not: nobody wrote down what was changed in a file."""
    known = set(before.splitlines())
    return "\n".join(line for line in after.splitlines() if line.strip() and line not in known)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def publish(text: str, change: str = "") -> GuidelineVersion:
    """Make this text the current version, unless it already is; raters must read it before they go on."""
    digest = _digest(text)
    with transaction.atomic():
        last = GuidelineVersion.objects.last()
        if last is not None and last.digest == digest:
            return last
        number = last.number + 1 if last else 1
        Rater.objects.exclude(guidelines_read=0).update(guidelines_read=0)
        return GuidelineVersion.objects.create(number=number, text=text, digest=digest, change=change)


def latest_number() -> int:
    """The number of the current version."""
    return int(GuidelineVersion.objects.aggregate(last=Max("number"))["last"])


def latest() -> GuidelineVersion:
    """The current version."""
    return GuidelineVersion.objects.get(number=latest_number())
