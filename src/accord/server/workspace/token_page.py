"""The page of an account's tokens: make one for a program, see which there are, revoke them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accord.errors import InputError
from accord.server.organiser.pages import text_of
from accord.server.workspace.home import signed_in
from accord.server.workspace.models import AccountToken
from accord.server.workspace.programs import make_account_token, revoke_account_token

__all__ = ["revoke", "tokens"]


@signed_in("GET", "POST")
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of this account; a new one is shown in this answer and nowhere else."""
    made, problem = "", ""
    if request.method == "POST":
        try:
            _, made = make_account_token(request.user, text_of(request, "label", 200))
        except InputError as error:
            problem = str(error)
    rows = AccountToken.objects.filter(account_id=request.user.pk).order_by("-id")
    context = {"tokens": rows, "made": made, "problem": problem, "here": "tokens"}
    return render(request, "workspace/tokens.html", context, status=400 if problem else 200)


@signed_in("POST")
def revoke(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a token."""
    if not revoke_account_token(request.user, key):
        raise Http404
    return redirect("tokens")
