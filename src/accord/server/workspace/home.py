"""The home page of a workspace: every study with its state, its progress, its number and what to do next."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from accord.look.bar import Bar
from accord.records import dataclass
from accord.sentences import Sentence, chosen
from accord.server.health import can_save
from accord.server.models_organiser import StudyEvent
from accord.server.organiser.drawing import drawn_bar
from accord.server.organiser.pages import who
from accord.server.serving import Place
from accord.server.workspace.cards import Shown, shown_studies, told_apart
from accord.server.workspace.colleagues import held, is_at_least, roles_of
from accord.server.workspace.models import EVERY_STUDY, Role
from accord.server.workspace.programs import not_open
from accord.server.workspace.studies import is_draft, misnamed, place_of, places, rehearsed_draft, why_not

__all__ = ["CHANGED", "LEFT_OUT", "Next", "health", "home", "next_of", "signed_in", "study_door"]

View = Callable[..., HttpResponseBase]

FILTERS = {
    "": gettext_lazy("All"),
    "running": gettext_lazy("Running"),
    "draft": gettext_lazy("Being prepared"),
    "closed": gettext_lazy("Closed"),
    "archived": gettext_lazy("Archived"),
}
_ORDER = ("broken", "running", "unknown", "draft", "closed", "archived")
_STATES = {
    "running": format_lazy("● {}", gettext_lazy("Running")),
    "closed": format_lazy("■ {}", gettext_lazy("Closed")),
    "archived": format_lazy("▣ {}", gettext_lazy("Archived")),
    "draft": format_lazy("○ {}", gettext_lazy("Draft")),
    "broken": format_lazy("! {}", gettext_lazy("Cannot be opened")),
    "unknown": format_lazy("… {}", gettext_lazy("Being counted")),
}


LEFT_OUT = "left_out_by_closing"
"""In the session, until the next look: whom the rules left out when a study was closed."""


CHANGED: dict[str, tuple[str, str]] = {
    StudyEvent.Action.CLOSE: ("closed", "closed"),
    StudyEvent.Action.REOPEN: ("reopened", "running"),
    StudyEvent.Action.ARCHIVE: ("archived", "archived"),
    StudyEvent.Action.TAKE_BACK: ("taken_back", "closed"),
}
"""What was done to a study just now, as the address of this page says it, and the state the study is in since then."""


def signed_in(*methods: str) -> Callable[[View], View]:
    """A page of the workspace for accounts, by these methods only."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect(f"{reverse('sign-in')}?next={request.path}")
            return view(request, *args, **kwargs)

        return require_http_methods(list(methods))(checked)

    return decorate


@dataclass(frozen=True, slots=True)
class Next:
    """What an organiser does next in a study: a sentence, and the button that does it."""

    words: str
    verb: str = ""
    where: str = ""
    needs_you: bool = False
    is_english: bool = False
    """Said by the library, which speaks English."""


def _count(shown: Shown, name: str) -> Any:
    return shown.said.get(name) or 0


def _in(shown: Shown, page: str) -> str:
    return f"{shown.place.prefix}/{page}"


# A table should look like one.
# fmt: off
_NEXT: tuple[tuple[Sentence[Shown], str | Promise, Callable[[Shown], str], bool], ...] = (
    (Sentence("broken", lambda one: one.state == "broken", lambda one: str(one.said.get("problem", ""))),
     "", lambda one: "", True),
    (Sentence("draft", lambda one: one.state == "draft",
              lambda one: _("A draft: nothing is sent before you launch it.")),
     gettext_lazy("Continue"), lambda one: f"/new/{one.key}/", False),
    (Sentence("unknown", lambda one: one.state == "unknown", lambda one: _("It is being counted for the first time.")),
     gettext_lazy("Open"), lambda one: _in(one, "organiser"), False),
    (Sentence("archived", lambda one: one.state == "archived", lambda one: _("Kept as it is.")),
     gettext_lazy("Open"), lambda one: _in(one, "organiser"), False),
    (Sentence("contests", lambda one: _count(one, "contests") > 0,
              lambda one: _("Contested scores that wait for a decision: {n}").format(n=_count(one, "contests"))),
     gettext_lazy("Arbitrate"), lambda one: _in(one, "organiser/arbitration"), True),
    (Sentence("questions", lambda one: _count(one, "questions") > 0,
              lambda one: _("Questions of raters that wait for an answer: {n}").format(n=_count(one, "questions"))),
     gettext_lazy("Answer"), lambda one: _in(one, "organiser/comments"), True),
    (Sentence("closed", lambda one: one.state == "closed", lambda one: str(one.said.get("answer") or _("Closed."))),
     gettext_lazy("Open"), lambda one: _in(one, "organiser"), False),
    (Sentence("nobody", lambda one: not _count(one, "invited"), lambda one: _("Nobody is invited yet.")),
     gettext_lazy("Invite raters"), lambda one: _in(one, "organiser/people"), True),
    (Sentence("done", lambda one: _count(one, "tasks") > 0 and _count(one, "done") == _count(one, "tasks")
              and not _count(one, "working") and _count(one, "invited") >= _count(one, "places"),
              lambda one: _("Everybody has finished.")),
     gettext_lazy("Look at it"), lambda one: _in(one, "organiser"), True),
    (Sentence("trouble", lambda one: bool(one.said.get("trouble")), lambda one: str(one.said["trouble"])),
     gettext_lazy("Look closer"), lambda one: _in(one, "organiser"), True),
    (Sentence("free", lambda one: _count(one, "invited") < _count(one, "places"),
              lambda one: _("{free} of {all} places are free.").format(
                  free=_count(one, "places") - _count(one, "invited"), all=_count(one, "places"))),
     gettext_lazy("Invite raters"), lambda one: _in(one, "organiser/people"), False),
    (Sentence("calm", lambda one: True, lambda one: _("Nothing to do.")), "", lambda one: "", False),
)
# fmt: on
_FROM_THE_LIBRARY = ("broken", "closed", "trouble")


_FOR: dict[str, str] = {
    "contests": Role.ARBITER,
    "draft": Role.ORGANISER,
    "questions": Role.ORGANISER,
    "nobody": Role.ORGANISER,
    "free": Role.ORGANISER,
}
"""Who can do something about it; nobody is called to what their role does not include."""


def next_of(shown: Shown, role: str = Role.OWNER, name: str = "") -> Next:
    """The first thing that is true of a study decides what somebody of this role and name does next."""
    if role == Role.ARBITER:
        # Whoever contested a score does not rule on it.
        own = shown.said.get("contested_by", {}).get(name, 0)
        told = {"contests": _count(shown, "contests") - own, "answer": shown.said.get("coded_answer", "")}
        shown = replace(shown, said={**shown.said, **told})
    rows = [row for row in _NEXT if is_at_least(role, _FOR.get(row[0].key, Role.VIEWER))]
    table = {sentence.key: (verb, where, needs) for sentence, verb, where, needs in rows}
    found = chosen([row[0] for row in rows], shown)
    assert found is not None  # noqa: S101 - the last sentence is always true
    verb, where, needs = table[found.key]
    needs_you = needs and (is_at_least(role, Role.ORGANISER) or found.key in _FOR)
    return Next(found.said(shown), str(verb), where(shown), needs_you, found.key in _FROM_THE_LIBRARY)


@signed_in("GET")
def home(request: HttpRequest) -> HttpResponse:
    """Studies by need: those that wait for somebody come first."""
    roles, name = roles_of(request.user), who(request)
    found = [place for place in places() if place.key in roles or EVERY_STUDY in roles]
    wanted = request.GET.get("show", "")
    # A rehearsal hangs under its draft: it is no study of its own, and nobody gave its judgements.
    drafts = {place.key for place in found if is_draft(place)}
    rehearsals = {of: place for place in found if (of := rehearsed_draft(place)) in drafts}
    shown = shown_studies([place for place in found if place not in rehearsals.values()])
    told = {one.key: next_of(one, held(roles, one.key), name) for one in shown}
    names = told_apart({one.key: one.title for one in shown})
    rows = [
        {**_row(one, held(roles, one.key), told[one.key], rehearsals.get(one.key)), "name": names[one.key]}
        for one in shown
        if one.state == wanted or (not wanted and one.state != "archived")
    ]
    rows.sort(key=lambda row: (not row["next"].needs_you, _ORDER.index(row["shown"].state), row["name"].lower()))
    context = {
        "rows": rows,
        "opening": _opening([told[one.key] for one in shown if one.state != "archived"]),
        "why": _why(shown),
        "filters": _filters(shown, wanted),
        "may_create": may_create(roles),
        "counting": any(one.is_old for one in shown),
        **_changed(shown, request.GET),
        "left_out": ", ".join(request.session.pop(LEFT_OUT, [])) if "closed" in request.GET else "",
        "misnamed": misnamed() if EVERY_STUDY in roles else [],
        "here": "home",
    }
    return render(request, "workspace/home.html" if shown else "workspace/empty.html", context)


def _changed(shown: Sequence[Shown], asked: Mapping[str, str]) -> dict[str, Any]:
    """The study that was closed, opened again, archived or taken back by the last click, while that is so."""
    known = {one.key: one for one in shown}
    for did, state in CHANGED.values():
        if (one := known.get(asked.get(did, ""))) is not None and one.state == state:
            return {"changed": one, "did": did}
    return {"changed": None, "did": ""}


def may_create(roles: dict[str, str]) -> bool:
    """Whoever organises every study may make a new one."""
    return is_at_least(roles.get(EVERY_STUDY, ""), Role.ORGANISER)


_DUPLICATE = ("duplicate", "", gettext_lazy("Duplicate"))
_ACTIONS: dict[str, tuple[tuple[str, str, str | Promise], ...]] = {
    "running": (("close", "ask", gettext_lazy("Close: no more judgements")), _DUPLICATE),
    "closed": (
        ("change", "reopen", gettext_lazy("Open again")),
        ("change", "archive", gettext_lazy("Archive")),
        _DUPLICATE,
    ),
    "archived": (("change", "take-back", gettext_lazy("Take back")), _DUPLICATE),
    "draft": (_DUPLICATE, ("remove", "ask", gettext_lazy("Delete this draft"))),
}


_COLLECTED = ("running", "closed", "archived")


def _row(shown: Shown, role: str, following: Next, rehearsal: Place | None = None) -> dict[str, Any]:
    number = shown.said.get("number")
    bar = drawn_bar(Bar(**number["bar"])) if number and number.get("bar") else ""
    return {
        "shown": shown,
        "next": following,
        "state": _STATES[shown.state],
        "number": number,
        "bar": bar,
        "rehearsal": f"{rehearsal.prefix}/organiser" if rehearsal else "",
        "open": f"/new/{shown.key}/" if shown.state == "draft" else _in(shown, "organiser"),
        "actions": _ACTIONS.get(shown.state, ()) if is_at_least(role, Role.ORGANISER) else (),
        "may_take_all": shown.state in _COLLECTED and is_at_least(role, Role.OWNER),
    }


def _opening(told: Sequence[Next]) -> str:
    needing = sum(one.needs_you for one in told)
    if not needing:
        return _("No study needs you at the moment.")
    if len(told) == 1:
        return _("Your study needs you.")
    if needing == 1:
        return _("One of {all} studies needs you.").format(all=len(told))
    return _("{n} of {all} studies need you.").format(n=needing, all=len(told))


def _why(shown: Sequence[Shown]) -> str:
    running = [one for one in shown if one.state == "running"]
    people = sum(_count(one, "working") for one in running)
    judgements = sum(_count(one, "judgements") for one in shown if not rehearsed_draft(one.place))
    who = _("People rating at the moment: {n}.").format(n=people) if people else _("Nobody is rating at the moment.")
    if not judgements and any(one.state == "unknown" for one in shown):
        return who  # nothing is known yet of what is being counted for the first time
    return who + " " + _("Judgements kept here: {n}.").format(n=f"{judgements:,}")


def _filters(shown: Sequence[Shown], wanted: str) -> list[dict[str, Any]]:
    counts = Counter(one.state for one in shown)
    counts[""] = len(shown) - counts["archived"]
    return [
        {"key": key, "title": title, "count": counts[key], "here": key == wanted}
        for key, title in FILTERS.items()
        if counts[key] or key == wanted or not key
    ]


@require_GET
def health(request: HttpRequest) -> HttpResponse:
    """Whether the workspace can write."""
    return JsonResponse({"status": "ok"}) if can_save() else JsonResponse({"status": "cannot save"}, status=503)


def study_door(request: HttpRequest, key: str, rest: str = "") -> HttpResponse:
    """An address of a study that is not open: a draft, one that cannot be opened, or none at all."""
    place = place_of(key)
    if rest.startswith("api/"):
        return not_open(is_a_draft=place is not None and is_draft(place))
    if place is not None and not rest and not request.path.endswith("/"):
        return redirect(f"{place.prefix}/")
    if place is not None and is_draft(place):
        if request.user.is_authenticated:
            return redirect(f"/new/{key}/")
        return render(request, "accord/message.html", {"message": _("This study has not begun yet.")}, status=404)
    if place is not None and request.user.is_authenticated and (why := why_not(key)):
        return render(request, "accord/message.html", {"message": why}, status=503)
    message = _("There is no such page. Open the link you were sent.")
    return render(request, "accord/message.html", {"message": message}, status=404)
