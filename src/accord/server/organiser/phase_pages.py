"""The page of phases: which are open, who waits, and the buttons that open and close them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.errors import InputError
from accord.server.models_organiser import PhaseEvent
from accord.server.organiser.pages import organiser_view, show, who
from accord.server.organiser.progress import progress
from accord.server.organiser.toast import say_done
from accord.server.phases import change_phase, gates, open_what_is_due

__all__ = ["change", "overview"]

_RULES = {
    "at-once": gettext_lazy("opens at once"),
    "organiser": gettext_lazy("opens when you open it"),
    "finished": gettext_lazy("opens by itself when all places are taken and everybody has finished the phases before"),
    "date": gettext_lazy("opens by itself on its day"),
}


@organiser_view("GET")
def overview(request: HttpRequest) -> HttpResponse:
    """All phases in order, and what was done to them."""
    return _page(request)


@organiser_view("POST")
def change(request: HttpRequest, key: str) -> HttpResponse:
    """Open a phase, or close it again."""
    try:
        gate = change_phase(key, request.POST.get("action", ""), who(request))
    except InputError as error:
        return _page(request, str(error), 400)
    words, back = (_("{name} is open."), "close") if gate.is_open else (_("{name} is closed."), "open")
    say_done(request, words.format(name=gate.title), reverse("organiser-phase", args=[key]), {"action": back})
    return redirect("organiser-phases")


def _page(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    open_what_is_due()
    counted = {share.name: share for share in progress().phases}
    rows = [{"gate": gate, "rule": _RULES[gate.rule], "share": counted.get(gate.phase.key)} for gate in gates()]
    context = {"rows": rows, "events": PhaseEvent.objects.order_by("-id"), "problem": problem}
    return show(request, "phases", context, here="organiser-phases", status=status)
