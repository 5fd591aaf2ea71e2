"""The page of tokens: make one for a program, see which there are, revoke them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from accord.errors import InputError
from accord.server.api.tokens import make_token, revoke
from accord.server.models import Rater
from accord.server.models_organiser import ApiToken
from accord.server.organiser.pages import organiser_view, show, text_of, who

__all__ = ["revoke_token", "tokens"]


@organiser_view("GET", "POST")
def tokens(request: HttpRequest) -> HttpResponse:
    """All tokens; a new one is shown in this answer and nowhere else."""
    made, problem = "", ""
    if request.method == "POST":
        name = request.POST.get("rater", "")
        rater = get_object_or_404(Rater, pseudonym=name) if name else None
        scope = ApiToken.Scope.RATER if rater else ApiToken.Scope.ORGANISER
        try:
            _, made = make_token(scope, text_of(request, "label", 200), rater, who(request))
        except InputError as error:
            problem = str(error)
    context = {
        "tokens": ApiToken.objects.select_related("rater").order_by("-id"),
        "raters": Rater.objects.values_list("pseudonym", flat=True),
        "made": made,
        "problem": problem,
    }
    return show(request, "tokens", context, here="organiser-tokens", status=400 if problem else 200)


@organiser_view("POST")
def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a token."""
    revoke(get_object_or_404(ApiToken, pk=key))
    return redirect("organiser-tokens")
