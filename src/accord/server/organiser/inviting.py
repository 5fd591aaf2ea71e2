"""Invitations as an organiser hands them out: links, QR codes, a table for a mail merge, reminders, crowd links."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, F
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.safestring import mark_safe

from accord.errors import InputError
from accord.records import dataclass
from accord.server.addresses import whole_address
from accord.server.models import CrowdEntrance, QuestionnaireAnswer, Rater, RaterState
from accord.server.organiser.progress import RaterProgress
from accord.server.questionnaire import ABOUT_YOU
from accord.server.study import current
from accord.server.tokens import new_token, token_hash
from accord.tables.csv_lines import csv_writer

__all__ = [
    "PLACEHOLDERS",
    "PLATFORMS",
    "Invited",
    "background_table",
    "crowd_link",
    "entrances",
    "invited_rows",
    "mail_merge",
    "reissue",
    "reminders",
    "stop_entrance",
]

PLACEHOLDERS = ("PARTICIPANT", "SESSION")
PLATFORMS = {
    "prolific": "PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}",
    "other": "participant={}&session={}".format(*PLACEHOLDERS),
}
"""What a recruiting platform puts behind the link; another one fills in its own names for the capital letters."""


@dataclass(frozen=True, slots=True)
class Invited:
    """A new link of a rater, shown once."""

    name: str
    group: str
    link: str

    @property
    def qr_code(self) -> str:
        """A drawing of the link for a telephone; words in it are those of the link alone."""
        import segno

        drawing = segno.make(self.link, error="m").svg_inline(scale=4, border=2, dark="#000", light="#fff")
        return mark_safe(drawing)  # noqa: S308 - made here, of an address that was made here


def invited_rows(request: HttpRequest, invited: Iterable[tuple[Rater, str]]) -> list[Invited]:
    """The links of new raters, whole."""
    return [
        Invited(rater.pseudonym, rater.group, whole_address(request, reverse("invitation", args=[token])))
        for rater, token in invited
    ]


def mail_merge(rows: Sequence[Invited]) -> str:
    """One line for each rater with a message to send, as a table that mail programs take."""
    kept = io.StringIO()
    lines = csv_writer(kept)
    lines.writerow(["rater", "group", "link", "message"])
    for row in rows:
        words = (
            f"You are invited to judge texts for “{current().title}”. This link is yours alone; it brings you back to "
            f"your place on any device: {row.link}"
        )
        lines.writerow([row.name, row.group, row.link, words])
    return kept.getvalue()


def reminders(raters: Iterable[RaterProgress]) -> str:
    """A message for everybody who has not finished, to be sent by whoever knows the addresses."""
    labels = Rater.people.exclude(label="").values_list("pseudonym", "label")
    called = {name: f"{name} ({label})" for name, label in labels}
    done = (RaterState.FINISHED, RaterState.PAUSED)
    waiting = [one for one in raters if one.state not in done and one.done < one.tasks]
    return "\n\n".join(
        f"{called.get(one.name, one.name)}: You have {one.tasks - one.done} of {one.tasks} screens of "
        f"“{current().title}” left. "
        "Open the link you were sent: it brings you back to your place, and all you did is kept."
        for one in waiting
    )


def reissue(name: str) -> tuple[Rater, str]:
    """A new link for a rater who lost theirs; the old one stops working, the work stays."""
    with transaction.atomic():
        rater = Rater.people.select_for_update().filter(pseudonym=name).first()
        if rater is None:
            raise InputError(f"Nobody is invited as {name!r}.")
        if rater.entrance_id is not None:
            raise InputError(f"{name} came from a recruiting platform and comes back from there.")
        token = new_token()
        Rater.objects.filter(pk=rater.pk).update(invitation_hash=token_hash(token))
    return rater, token


def crowd_link(request: HttpRequest, token: str, platform: str | None) -> str:
    """The address that a recruiting platform is given, with what it fills in; without a platform the bare one."""
    if platform is not None and platform not in PLATFORMS:
        raise InputError(f"A platform is one of: {', '.join(PLATFORMS)}.")
    bare = whole_address(request, reverse("crowd", args=[token]))
    return f"{bare}?{PLATFORMS[platform]}" if platform is not None else bare


def entrances() -> list[dict[str, Any]]:
    """Every link for a platform, the newest first: its code, how many came by it, whether it takes anybody new."""
    named = {"key": F("pk"), "code": F("completion_code"), "came": Count("rater")}
    found = CrowdEntrance.objects.order_by("-pk").values("made_at", "open", **named)
    return [dict(one) for one in found]


def stop_entrance(key: int) -> None:
    """Take nobody new by this link; who came by it goes on."""
    if not CrowdEntrance.objects.filter(pk=key).update(open=False):
        raise Http404("There is no such link for a platform.")


def background_table() -> dict[str, Any]:
    """What raters said of themselves, one row a rater; nothing where the study does not ask."""
    questions = current().settings.rater_questions
    if not questions:
        return {"questions": [], "rows": []}
    answers = QuestionnaireAnswer.objects.filter(scenario=ABOUT_YOU).order_by("revision", "id")
    found = {(one.rater_id, one.question): one.value for one in answers}
    people = Rater.people.filter(pk__in={rater for rater, _ in found})
    rows = [(person.pseudonym, [found.get((person.pk, one.key), "") for one in questions]) for person in people]
    return {"questions": [one.question for one in questions], "rows": rows}
