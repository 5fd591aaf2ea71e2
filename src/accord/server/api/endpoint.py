"""One endpoint as a row of a table, and the view that serves all endpoints of one address."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt

from accord.errors import AccordError, InputError
from accord.records import dataclass
from accord.server.access_log import note_access
from accord.server.api.schemas import Schema, check
from accord.server.api.tokens import bearer, token_of
from accord.server.models import RaterState
from accord.server.models_organiser import ApiToken
from accord.server.storable import why_not_storable
from accord.server.throttle import must_wait, note_failure

__all__ = ["Call", "Endpoint", "refused", "view_of"]


@dataclass(frozen=True, slots=True)
class Call:
    """A checked request: who asks, the body, and the query."""

    request: HttpRequest
    token: ApiToken
    body: Mapping[str, Any]
    query: Mapping[str, str]

    @property
    def by(self) -> str:
        """The name under which decisions are recorded."""
        return f"API: {self.token.label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """All that the server, the documentation and the tests know of one endpoint."""

    method: str
    path: str
    name: str
    scope: ApiToken.Scope
    summary: str
    handler: Callable[..., Any]
    body: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    answer: Schema = field(default_factory=lambda: {"type": "object"})
    status: int = 200
    media: str = "application/json"
    largest: int = 1_000_000


def refused(message: str, status: int) -> JsonResponse:
    """A refusal in words."""
    return JsonResponse({"error": message}, status=status)


def view_of(endpoints: Iterable[Endpoint]) -> Callable[..., HttpResponseBase]:
    """A view for the endpoints of one address; a token is wanted before anything else is said."""
    by_method = {endpoint.method: endpoint for endpoint in endpoints}

    # No cookie is looked at here, so no other site can borrow one.
    @csrf_exempt
    def view(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        with translation.override("en"):
            return _served(by_method, request, parts)

    return view


def _served(by_method: Mapping[str, Endpoint], request: HttpRequest, parts: Mapping[str, Any]) -> HttpResponseBase:
    token = token_of(request)
    if token is None:
        if bearer(request):
            if must_wait(request):
                return refused("Too many wrong tokens came from this address. Wait ten minutes.", 429)
            note_failure(request)
        response = refused("Send a token: Authorization: Bearer ...", 401)
        response["WWW-Authenticate"] = "Bearer"
        return response
    endpoint = by_method.get(request.method or "")
    if endpoint is None:
        response = refused(f"This address takes {', '.join(sorted(by_method))}.", 405)
        response["Allow"] = ", ".join(sorted(by_method))
        return response
    if token.scope != endpoint.scope:
        return refused(f"This needs a token of the scope {endpoint.scope}.", 403)
    if token.rater is not None and token.rater.state == RaterState.PAUSED:
        return refused("This rater is paused.", 403)
    return _handled(endpoint, request, token, parts)


def _handled(endpoint: Endpoint, request: HttpRequest, token: ApiToken, parts: Mapping[str, Any]) -> HttpResponseBase:
    try:
        body = _body(endpoint, request)
        query = {name: _query(name, schema, request) for name, schema in endpoint.query.items() if name in request.GET}
        answer = endpoint.handler(Call(request, token, body, query), **parts)
        if token.scope == ApiToken.Scope.ORGANISER:
            note_access(f"program {token.label}", f"{request.method} {request.path}")
    except Http404 as error:
        return refused(str(error) or "There is nothing at this address.", 404)
    except AccordError as error:
        return refused(str(error), 400)
    if isinstance(answer, HttpResponseBase):
        return answer
    return JsonResponse(answer, status=endpoint.status, json_dumps_params={"ensure_ascii": False, "allow_nan": False})


def _query(name: str, schema: Schema, request: HttpRequest) -> str:
    given = request.GET[name]
    if schema["type"] == "integer":
        if not given.isascii() or not given.isdecimal() or len(given) > 9:
            raise InputError(f"{name} must be a whole number.")
        check(schema, int(given), name)
    else:
        check(schema, given, name)
    return given


def _body(endpoint: Endpoint, request: HttpRequest) -> Mapping[str, Any]:
    if endpoint.body is None:
        return {}
    sent = request.read(endpoint.largest + 1)
    if len(sent) > endpoint.largest:
        raise InputError(f"The request is larger than {endpoint.largest:,} bytes.")
    try:
        body: Any = json.loads(sent or b"null")
    except (ValueError, RecursionError):
        raise InputError("The request is not JSON.") from None
    # A rater's entries stand alone and are looked at one by one.
    if endpoint.scope != ApiToken.Scope.RATER and (why := why_not_storable(body)):
        raise InputError(f"This cannot be saved: {why}.")
    check(endpoint.body, body)
    known: Mapping[str, Any] = body
    return known
