"""Before a study is closed or a draft deleted: whom it concerns, what happens, and the way back."""

import shutil

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accord.errors import InputError
from accord.server.organiser.closing_effect import Closing, effect_of_closing
from accord.server.organiser.pages import who
from accord.server.serving import in_study
from accord.server.workspace.cards import shown_studies
from accord.server.workspace.colleagues import note
from accord.server.workspace.drafts import Draft, draft_of, launching
from accord.server.workspace.home import signed_in
from accord.server.workspace.managing import back_to, require_role
from accord.server.workspace.models import Card, Grant, Invitation, Role, ViewLink
from accord.server.workspace.studies import opened, workspace_folder

__all__ = ["ask_to_close", "ask_to_delete", "delete", "delete_draft"]


@signed_in("GET")
def ask_to_close(request: HttpRequest, key: str) -> HttpResponse:
    """Who is still at work, and that it can be opened again."""
    place = require_role(request.user, key, Role.ORGANISER)
    shown = shown_studies([place])[0]
    if shown.state == "draft":
        return redirect("new-draft", key)
    effect = None
    if opened(key) is not None:
        with in_study(place):
            effect = effect_of_closing()
    context = {
        "title": _("Close “{title}”?").format(title=shown.title),
        "lines": _concerned(effect),
        "effect": effect,
        "rules": _of_rules(effect),
        "last": _("You can open it again at any time, under “More” in the list of studies.") + _then(effect),
        "address": f"/studies/{key}/change",
        "action": "close",
        "verb": _("Close the study"),
        "back": back_to(request.GET, key),
    }
    return render(request, "workspace/ask.html", context | {"here": "home"})


def _concerned(effect: Closing | None) -> list[str]:
    """Counted now: what home said last may be from before the raters came."""
    if effect is None:
        return []
    invited, finished = effect.invited, effect.finished
    if not invited:
        return [_("Nobody is invited, so it concerns nobody.")]
    words = _("Raters invited: {invited}. Finished: {finished}. Not finished: {open}.")
    done = _("Whoever has not finished can give no more judgements; all that was given stays.")
    return [words.format(invited=invited, finished=finished, open=invited - finished), done]


def _of_rules(effect: Closing | None) -> str:
    """What the declared rules do when the study is closed, as the sentence above the names."""
    if effect is None or not (effect.leaving or effect.needed):
        return _("The declared rules leave nobody else out.")
    names = ", ".join(one.rater for one in effect.leaving)
    if not names:
        needed = _("They break a rule and count all the same, because nobody would be left without them: {names}.")
        again = _("Counted again, because the rules would leave nobody: {names}.")
        told = [needed.format(names=", ".join(effect.needed))]
        return " ".join(told + ([again.format(names=", ".join(effect.again))] if effect.again else []))
    return _("The rules count for everybody then. They leave out of every number: {names}.").format(names=names)


def _then(effect: Closing | None) -> str:
    return " " + _("Then whoever is left out by closing counts again.") if effect and effect.leaving else ""


@signed_in("GET")
def ask_to_delete(request: HttpRequest, key: str) -> HttpResponse:
    """A draft that is deleted does not come back."""
    require_role(request.user, key, Role.ORGANISER)
    draft = draft_of(key)
    if draft is None:
        return redirect("home")
    context = {
        "title": _("Delete the draft “{title}”?").format(title=draft.said.get("title", key)),
        "lines": [
            _("Its texts, questions, guidelines and plan go, and its rehearsal. Nobody was invited yet."),
            _("This cannot be undone. Download its files first if you may want them again."),
        ],
        "address": f"/studies/{key}/delete",
        "action": "delete",
        "verb": _("Delete this draft"),
    }
    return render(request, "workspace/ask.html", context | {"here": "home"})


@signed_in("POST")
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """The answer to the question above."""
    delete_draft(request, key)
    return redirect("home")


def delete_draft(request: HttpRequest, key: str) -> None:
    """Delete a draft; a launched study is never deleted here."""
    require_role(request.user, key, Role.ORGANISER)
    with launching(key) as draft:  # a study must not be launched and deleted at one moment
        if draft is None:
            raise InputError(_("Only drafts can be deleted. Close the study, then archive it."))
        _delete(draft)
    note(who(request), f"deleted the draft {draft.said.get('title', key)}", key)


def _delete(draft: Draft) -> None:
    """Folders of the draft and its rehearsals, then whoever had a part in it."""
    key = draft.place.key
    for name in (*draft.said.get("rehearsals", []), key):
        # Moved aside first: a folder that is half gone would still be taken for a study.
        gone = workspace_folder() / f".deleted-{name}"
        shutil.rmtree(gone, ignore_errors=True)
        if (workspace_folder() / name).is_dir():
            (workspace_folder() / name).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
    # Whoever gets this key next must not inherit the people of the old one.
    for model in (Grant, Invitation, ViewLink, Card):
        model._default_manager.filter(study=key).delete()
