"""Who may ask for what: a token of a scope opens the endpoints of that scope, and nothing else does."""

from collections.abc import Callable
from functools import wraps
from inspect import cleandoc
from typing import Any

from django.http import HttpRequest
from ninja import Router
from ninja.constants import NOT_SET
from ninja.errors import AuthenticationError, AuthorizationError, HttpError
from ninja.security import HttpBearer

from accord.server.access_log import note_access
from accord.server.api.tokens import bearer, token_of
from accord.server.blinding import in_the_eyes_of
from accord.server.models import RaterState
from accord.server.models_organiser import ApiToken
from accord.server.throttle import must_wait, note_failure
from accord.server.workspace.colleagues import is_at_least
from accord.server.workspace.models import Role

__all__ = ["LOOK", "RULE", "Answer", "Scope", "by", "file_answer", "organiser", "rater", "token_in", "unknown_token"]

Answer = dict[str, Any]
_REFUSALS = {
    str(code): {
        "description": "Refused, with the reason in words.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for code in (400, 401, 403, 404, 429)
}


def token_in(request: HttpRequest) -> ApiToken:
    """The token that let this request in."""
    token: ApiToken = request.auth  # type: ignore[attr-defined]
    return token


def by(request: HttpRequest) -> str:
    """The name under which decisions are recorded: of a program of the study, or of an account's with its name."""
    token = token_in(request)
    return token.label if token.pk is None else f"API: {token.label}"


def unknown_token(request: HttpRequest, sent: str) -> HttpError:
    """Why nobody is let in; guessing is slowed down."""
    if sent:
        if must_wait(request):
            return HttpError(429, "Too many wrong tokens came from this address. Wait ten minutes.")
        note_failure(request)
    return AuthenticationError(message="Send a token: Authorization: Bearer ...")


class Token(HttpBearer):
    """A token in the header; cookies are not looked at, so no other site can borrow one."""

    def __init__(self, scope: ApiToken.Scope, role: str = "") -> None:
        """``role``: in a workspace the token of an account with this role comes in too."""
        super().__init__()
        self._scope = scope
        self.role = role

    def __call__(self, request: HttpRequest) -> ApiToken:
        return self.authenticate(request, bearer(request))

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        """The token, if it is known, of this scope, and of nobody who is paused."""
        found = token_of(request)
        if found is None:
            raise unknown_token(request, token)
        by_role = bool(self.role) and is_at_least(found.scope, self.role)
        if found.scope != self._scope and not by_role:
            raise AuthorizationError(message=f"This needs a token of the scope {self._scope}.")
        if found.rater is not None and found.rater.state == RaterState.PAUSED:
            raise AuthorizationError(message="This rater is paused.")
        return found


class Scope(Router):
    """Endpoints of one scope. What each does is the first line of its function; what is made is answered with 201."""

    def add_api_operation(
        self, path: str, methods: list[str], view_func: Callable[..., Any], **options: Any
    ) -> None:  # fmt: skip
        """As the library's own, with what is the same for all endpoints."""
        told = cleandoc(view_func.__doc__ or "").partition("\n")[0]
        extra = options.get("openapi_extra") or {}
        answers = extra.get("responses", {})
        options |= {"summary": told, "operation_id": view_func.__name__}
        options["openapi_extra"] = {**extra, "responses": {**answers, **_REFUSALS}}
        if role := getattr(options["auth"], "role", ""):
            options["openapi_extra"]["x-role"] = role
        if options["response"] is NOT_SET and not answers:
            options["response"] = {201 if methods == ["POST"] else 200: Answer}
        super().add_api_operation(path, methods, view_func, **options)


def file_answer(media: str) -> dict[str, Any]:
    """For the description: this endpoint answers with a file."""
    return {"responses": {200: {"content": {media: {"schema": {"type": "string"}}}}}}


def _noted(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """What a program was given or changed stands in the access log, as what people do."""

    @wraps(endpoint)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with in_the_eyes_of(token_in(request).scope):
            answer = endpoint(request, *args, **kwargs)
        note_access(f"program {token_in(request).label}", f"{request.method} {request.path}")
        return answer

    return answered


LOOK = Token(ApiToken.Scope.ORGANISER, Role.VIEWER)
"""For what viewers may see on the pages too."""
RULE = Token(ApiToken.Scope.ORGANISER, Role.ARBITER)
"""For what arbiters may do on the pages too."""
organiser = Scope(auth=Token(ApiToken.Scope.ORGANISER), tags=["organiser"])
organiser.add_decorator(_noted)
rater = Scope(auth=Token(ApiToken.Scope.RATER), tags=["rater"])
