"""The API as a whole: what is the same for every address, whatever is asked for."""

import json
import logging
from collections.abc import Callable
from errno import EDQUOT, ENOSPC
from functools import partial
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.http.request import RawPostDataException
from django.urls import URLPattern, get_script_prefix, path
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser
from ninja.renderers import JSONRenderer

from accord import __version__
from accord.errors import AccordError, InputError
from accord.server.api.scopes import Scope, unknown_token
from accord.server.api.shapes import why_not
from accord.server.api.tokens import bearer
from accord.server.held import StoppedError
from accord.server.models_organiser import ApiToken
from accord.server.storable import takes_much, why_not_storable

__all__ = ["BASE", "Service"]

BASE = "api/v1/"

View = Callable[..., HttpResponseBase]
_LOG = logging.getLogger("accord.api")
_ERROR = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
_REFUSALS: tuple[tuple[type[Exception], int, Callable[[Any], str]], ...] = (
    (Http404, 404, lambda error: str(error) or "There is nothing at this address."),
    (StoppedError, 403, str),
    (AccordError, 400, str),
    (ValidationError, 400, lambda error: why_not(error.errors[0])),
    (RawPostDataException, 400, lambda error: "The request is not JSON but a form."),
    (RequestDataTooBig, 400, lambda error: "The request is too large for this address."),
)
"""What is said of an error, and with which status."""


class _Answers(JSONRenderer):
    """JSON without escapes, and without numbers that JSON does not have."""

    json_dumps_params = {"ensure_ascii": False, "allow_nan": False}  # noqa: RUF012


class _Bodies(Parser):
    """JSON that can be kept."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            raise InputError("The request is not JSON.") from None
        # A rater's entries stand alone and are looked at one by one.
        of_rater = getattr(request.auth, "scope", "") == ApiToken.Scope.RATER  # type: ignore[attr-defined]
        if not of_rater and (why := why_not_storable(body)):
            raise InputError(f"This cannot be saved: {why}.")
        return body


class Service(NinjaAPI):
    """Refusals are ``{"error": "..."}``, in words; the description is for whoever may come in."""

    def __init__(self, name: str, description: str, knows: Callable[[HttpRequest], object], *scopes: Scope) -> None:
        """``knows`` gives the token of a request, or None; older versions of the library take a name only once."""
        super().__init__(
            title="Accord", version=__version__, description=description, urls_namespace=name, docs_url=None,
            docs_decorator=self._described, renderer=_Answers(), parser=_Bodies(),
        )  # fmt: skip
        self._knows = knows
        for scope in scopes:
            self.add_router("", scope)
        for kind, status, words in _REFUSALS:
            self.add_exception_handler(kind, partial(self._refuse, status, words))
        self.add_exception_handler(HttpError, self._http_error)
        for broken in (OperationalError, OSError):
            self.add_exception_handler(broken, self._no_room)

    def refused(self, message: str, status: int) -> HttpResponse:
        """A refusal in words."""
        response = HttpResponse(json.dumps({"error": message}), status=status, content_type=self.get_content_type())
        if status == 401:
            response["WWW-Authenticate"] = "Bearer"
        return response

    def _refuse(self, status: int, words: Callable[[Any], str], request: HttpRequest, error: Any) -> HttpResponse:
        return self.refused(words(error), status)

    def _http_error(self, request: HttpRequest, error: Any) -> HttpResponse:
        # The library hides what our parser said of a body behind words of its own.
        said = error.__cause__ if isinstance(error.__cause__, AccordError) else error
        return self.refused(str(said), error.status_code)

    def _no_room(self, request: HttpRequest, error: Any) -> HttpResponse:
        """The disk is full or the database away: no fault of the request, which may be sent again."""
        if isinstance(error, OSError) and error.errno not in (ENOSPC, EDQUOT):
            raise error
        _LOG.error("A request could not be answered", exc_info=error)
        if isinstance(error, OSError) or "full" in str(error) or "No space left" in str(error):
            return self.refused("The disk of the server is full. What was sent is not kept: send it again later.", 507)
        return self.refused("The database cannot be used now. What was sent is not kept: send it again later.", 503)

    def get_content_type(self) -> str:
        """JSON is UTF-8; to say so is not part of its type."""
        return "application/json"

    def get_openapi_schema(self, **options: Any) -> Any:
        """The description, with the shape that every refusal has."""
        made = super().get_openapi_schema(**options)
        made["components"]["schemas"]["Error"] = _ERROR
        return made

    def get_root_path(self, path_params: dict[str, Any]) -> str:
        """Where the addresses begin: in a workspace behind the prefix of the study."""
        return f"{get_script_prefix()}{BASE}"

    def addresses(self) -> list[URLPattern]:
        """Every address, and one that answers for all others."""
        known = [one for one in self.urls[0] if isinstance(one, URLPattern) and one.name != "api-root"]
        named = [path(f"{BASE}{one.pattern}", self._in_words(one.callback), name=f"api-{one.name}") for one in known]
        others = [path(one, self._in_words(self._nowhere), name="api-nowhere") for one in (BASE, f"{BASE}<path:rest>")]
        return [*named, *others]

    def _in_words(self, view: View) -> View:
        # No cookie is looked at here, so no other site can borrow one.
        @csrf_exempt
        def answered(request: HttpRequest, **parts: Any) -> HttpResponseBase:
            if takes_much(request.path):
                # The gateway has taken it whole; Django's own limit is for all other addresses.
                request._body = request.read()
            with translation.override("en"):
                answer = view(request, **parts)
                return self._wrong_method(request, answer["Allow"]) if answer.status_code == 405 else answer

        return answered

    def _wrong_method(self, request: HttpRequest, allowed: str) -> HttpResponse:
        """A token is wanted before anything else is said."""
        if self._knows(request) is None:
            return self._http_error(request, unknown_token(request, bearer(request)))
        methods = ", ".join(sorted(allowed.split(", ")))
        response = self.refused(f"This address takes {methods}.", 405)
        response["Allow"] = methods
        return response

    def _nowhere(self, request: HttpRequest, rest: str = "") -> HttpResponse:
        if self._knows(request) is None:
            return self._http_error(request, unknown_token(request, bearer(request)))
        return self.refused(f"There is nothing at this address. {BASE}openapi.json names all that there are.", 404)

    def _described(self, view: View) -> View:
        """The description is for whoever has a token or is logged in."""

        def described(request: HttpRequest, **parts: Any) -> HttpResponseBase:
            if request.method != "GET":
                return HttpResponseNotAllowed(["GET"])
            if self._knows(request) is None and not request.user.is_authenticated:
                return self._http_error(request, unknown_token(request, bearer(request)))
            return view(request, **parts)

        return described
