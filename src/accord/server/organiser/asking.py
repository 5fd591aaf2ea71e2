"""Before a decision: whom it concerns and what each number would be; afterwards: what was done, and the way back."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.errors import InputError
from accord.server.models import Rater
from accord.server.models_organiser import Decision
from accord.server.organiser.changing import changes_of, too_many
from accord.server.organiser.decisions import undo
from accord.server.organiser.inviting import invited_rows
from accord.server.organiser.once import is_sent_again
from accord.server.organiser.pages import organiser_view, show, who
from accord.server.organiser.progress import progress
from accord.server.organiser.quality import INCOMPLETE, Check, checks_of
from accord.server.organiser.ratings import collect, left_out_now
from accord.server.organiser.toast import say_done
from accord.server.organiser.who_counts import broken_rules
from accord.server.replacing import gives_whole_lists, invite_instead_of, left_open
from accord.server.study import current
from accord.server.views.organiser import link_shown_before, people_page

__all__ = ["about_rater", "about_rules", "about_unblinding", "replacing", "say_decided", "undoing"]

_DONE = {
    "exclude": gettext_lazy("Left out of every number: {names}."),
    "include": gettext_lazy("Counted again: {names}."),
    "pause": gettext_lazy("Paused: {names}."),
    "resume": gettext_lazy("Can go on: {names}."),
    "redo": gettext_lazy("Asked to judge the screens once more: {names}."),
}
_CAN_BE_UNDONE = ("exclude", "include", "pause", "resume")


@organiser_view("GET")
def about_rater(request: HttpRequest, name: str, action: str) -> HttpResponse:
    """Leave a rater out, or count them again?"""
    person = get_object_or_404(Rater, pseudonym=name)
    if action not in (Decision.Action.EXCLUDE, Decision.Action.INCLUDE):
        raise Http404
    leaving = action == Decision.Action.EXCLUDE
    out = left_out_now()
    own = (
        _("{name} is left out now: {reason}.").format(name=name, reason=out[name].reason)
        if name in out
        else _work(name)
    )
    context: dict[str, Any] = {
        "title": (_("Leave out {name}?") if leaving else _("Count {name} again?")).format(name=name),
        "verb": (_("Leave out {name}") if leaving else _("Count {name} again")).format(name=name),
        "own_lines": [own],
        "lines": [_check_told(check) for check in _failed(name)][:4],
        "too_many": too_many(),
        "asks_reason": True,
        "changes": [] if too_many() else changes_of([name] if leaving else (), () if leaving else [name]),
        "fields": [("action", action)],
        "action": reverse("organiser-decide", args=[person.pseudonym]),
        "back": reverse("organiser-rater", args=[person.pseudonym]),
    }
    return show(request, "ask", context, here="organiser-people")


def _work(name: str) -> str:
    own = next((one for one in progress(fresh=False).raters if one.name == name), None)
    if own is None or not own.tasks:
        return _("{name} has no screens.").format(name=name)
    words = (
        _("{name} has finished: {done} of {all} screens, {answers} answers.")
        if own.done == own.tasks
        else _("{name} is still at work: {done} of {all} screens, {answers} answers.")
    )
    return words.format(name=name, done=f"{own.done:,}", all=f"{own.tasks:,}", answers=f"{own.judgements:,}")


def _check_told(check: Check) -> str:
    """One text that was missed fails a check of each criterion: without its name one line stood there three times."""
    return f"{check.title}{f', {check.criterion}' if check.criterion else ''}: {check.words}."


def _failed(name: str) -> list[Check]:
    if too_many():
        return []
    counted = progress(fresh=False)
    return [check for check in checks_of(current(), collect().criteria, counted.raters).get(name, []) if check.failed]


@organiser_view("GET")
def about_rules(request: HttpRequest) -> HttpResponse:
    """Apply the rules to those who are still at work too, because no more work will come?"""
    study, counted = current(), progress()
    broken = broken_rules(checks_of(study, collect().criteria, counted.raters), counted.raters).at_work
    names = list(dict.fromkeys(check.rater for check in broken))
    if not names:
        return redirect("organiser-quality")
    context: dict[str, Any] = {
        "title": _("Leave out {name}?").format(name=", ".join(names)),
        "verb": _("Leave out {name}").format(name=", ".join(names)),
        "own_lines": [_work(name) for name in names],
        "lines": [f"{check.rater}: {check.title}: {check.words}." for check in broken],
        "too_many": too_many(),
        "changes": [] if too_many() else changes_of(names),
        "asks_reason": False,
        "fields": [("everybody", "yes")],
        "action": reverse("organiser-apply-rules"),
        "back": reverse("organiser-quality"),
    }
    return show(request, "ask", context, here="organiser-quality")


@organiser_view("GET", "POST")
def replacing(request: HttpRequest) -> HttpResponse:
    """Somebody else in the place of a rater who left? The link of the newcomer is in the answer and nowhere else."""
    given = request.POST if request.method == "POST" else request.GET
    person = get_object_or_404(Rater.people, pseudonym=given.get("rater", ""))
    if request.method == "POST" and is_sent_again(request):
        return link_shown_before(request)
    if not left_open(person):
        say_done(
            request, _("{name} has answered everything: there is nothing to hand on.").format(name=person.pseudonym)
        )
        return redirect("organiser-rater", person.pseudonym)
    if request.method == "GET":
        return _about_replacing(request, person)
    try:
        made = invite_instead_of(person.pseudonym, who(request))
    except InputError as error:
        return _about_replacing(request, person, str(error))
    return people_page(request, invited=invited_rows(request, [made]))


def _about_replacing(request: HttpRequest, person: Rater, problem: str = "") -> HttpResponse:
    name = person.pseudonym
    begins_anew = _("In this design only whole lists are balanced: the newcomer begins the list of {name} anew.")
    stays = _("What {name} answered stays and counts. {name} is paused.")
    left_out = _("What {name} answered stays, but a declared rule leaves out whoever has not finished.")
    has_to_finish = any(rule.rule == INCOMPLETE for rule in current().settings.exclusions)
    goes_on = _("The newcomer gets the screens that {name} left open.")
    context: dict[str, Any] = {
        "title": _("Invite somebody in the place of {name}?").format(name=name),
        "verb": _("Invite somebody"),
        "own_lines": [
            _work(name),
            (left_out if has_to_finish else stays).format(name=name),
            (begins_anew if gives_whole_lists() else goes_on).format(name=name),
        ],
        "problem": problem,
        "is_final": True,
        "fields": [("rater", name)],
        "action": reverse("organiser-replace"),
        "back": reverse("organiser-rater", args=[name]),
    }
    return show(request, "ask", context, here="organiser-people", status=400 if problem else 200)


@organiser_view("GET")
def about_unblinding(request: HttpRequest) -> HttpResponse:
    """Show the names of the systems?"""
    context: dict[str, Any] = {
        "title": _("Unblind…").rstrip(" …"),
        "verb": _("Unblind…").rstrip(" …"),
        "own_lines": [
            _(
                "Show the names of the systems? Whoever knows them judges decisions about raters otherwise. "
                "It is kept with your name and the time."
            )
        ],
        "fields": [("named", "yes")],
        "action": reverse("organiser-unblind"),
        "back": reverse("organiser"),
    }
    return show(request, "ask", context, here="organiser")


def say_decided(request: HttpRequest, made: Sequence[Decision]) -> None:
    """Say on the next page what was decided, with a way back where there is one."""
    if not made:
        return
    names = ", ".join(decision.rater.pseudonym for decision in reversed(made))
    action = made[0].action
    words = str(_DONE[action]).format(names=names)
    keys = ",".join(str(decision.pk) for decision in made)
    undo_at = reverse("organiser-undo") if action in _CAN_BE_UNDONE else ""
    say_done(request, words, undo_at, {"decisions": keys})


@organiser_view("POST")
def undoing(request: HttpRequest) -> HttpResponse:
    """Take back what was just decided."""
    given = [int(key) for key in request.POST.get("decisions", "").split(",") if key.isdecimal() and len(key) < 15]
    found = list(Decision.objects.filter(pk__in=given[:1000]).select_related("rater").order_by("-id"))
    if not found:
        raise Http404
    try:
        for decision in found:
            undo(decision, who(request))
    except InputError as error:
        say_done(request, str(error))
    else:
        say_done(request, _("Undone: {names}.").format(names=", ".join(one.rater.pseudonym for one in reversed(found))))
    if len(found) > 1:
        return redirect("organiser-quality")
    return redirect("organiser-rater", found[0].rater.pseudonym)
