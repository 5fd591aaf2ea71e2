"""A small application beside Django for the one request that raters send all the time: POST /save.

It says yes or nothing. Whatever is not a plain save of a rater who may work now is left to Django, which has the whole
truth about it and the words. The checks are Django's and ours, called one by one: host, https, CSRF token, session,
rater, consent, study, phase, value. What costs is not the checks but to ask the database for each request alone; here
it is asked once for all that are committed together.
"""

import json
import time
from collections.abc import Sequence
from contextlib import nullcontext
from functools import lru_cache
from io import BytesIO
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django.conf import settings
from django.core.exceptions import BadRequest, DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.db import DEFAULT_DB_ALIAS, close_old_connections, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseForbidden, JsonResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.cache import patch_vary_headers

from accord.errors import InputError
from accord.records import dataclass
from accord.server.access import raters_of, wants_json
from accord.server.group_commit import GroupCommit
from accord.server.held import of_these_may_write
from accord.server.languages import chosen_language, declared_language, language_of_rater
from accord.server.one_at_a_time import write_in_turn
from accord.server.recording import Delivery, has_words, recorded
from accord.server.security import Headers
from accord.server.serving import Place, in_study, is_workspace
from accord.server.views.saving import acknowledgement, entries_of, save
from accord.server.workspace.studies import opened_before

__all__ = ["QuickSave", "Saved", "committed"]

_PREFIX, _PATH = "/s/", "/save"
_OF_ONE_REQUEST = frozenset({"CONTENT_LENGTH", "REMOTE_ADDR"})
"""What differs from request to request, and is asked by none of the checks here."""
_KEPT_HEADS, _LARGEST_HEAD = 4_096, 4_000
"""How many heads are remembered, and of how many characters: a stranger may send as many as they like."""

_TRUSTED = 1.0
"""Seconds after a commit in which its connection is not asked whether it still stands: to ask is a way there and back.
One that broke meanwhile fails its commit; nobody is told that anything was saved, and who sent it sends again."""
_answered_at: WeakKeyDictionary[BaseDatabaseWrapper, float] = WeakKeyDictionary()

_Head = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """An answer that may be sent: what it tells is on the disk."""

    headers: list[tuple[str, str]]
    body: bytes
    status: int = 200


@dataclass(frozen=True, slots=True)
class _Sender:
    """What the head of a request says of who sent it."""

    session_key: str
    language: str = ""
    is_secure: bool = False


@dataclass(frozen=True, slots=True)
class _Save:
    """A request that passed all checks for which no database is needed."""

    place: Place | None
    sender: _Sender
    entries: list[Any]


class Commits(Protocol):
    """Who commits what arrived, alone or together with other saves."""

    async def save(self, sent: _Save) -> Saved | None: ...


def _nothing(request: HttpRequest) -> HttpResponseBase:
    return HttpResponse()


class _Csrf(CsrfViewMiddleware):
    """Django's own check; what it refuses is refused, logged and worded by Django's own round."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponseForbidden:
        return HttpResponseForbidden()


class QuickSave:
    """Answers a plain save; None where Django shall."""

    def __init__(self, commits: Commits | None = None) -> None:
        self._csrf = _Csrf(_nothing)
        self._before = (SecurityMiddleware(_nothing), CommonMiddleware(_nothing), self._csrf)
        self._commits = commits or GroupCommit(committed, database_of=lambda sent: sent.place)
        # A browser sends the same head with every save, and the same head always says the same: nothing is asked for it
        # but the head itself and the settings of the server.
        self._sender_of = lru_cache(_KEPT_HEADS)(self._checked)

    async def answer(self, environ: dict[str, Any], body: bytes) -> Saved | None:
        """What became of every entry, once that is on the disk."""
        found = self._study_of(environ)
        if found is None:
            return None
        place, path = found
        if place is not None:
            environ = {**environ, "SCRIPT_NAME": place.prefix, "PATH_INFO": path}
        sender = self._sender(environ)
        if sender is None:
            return None
        try:
            asked = _Save(place, sender, entries_of(body))
        except InputError:
            return None
        return await self._commits.save(asked)

    def _study_of(self, environ: dict[str, Any]) -> tuple[Place | None, str] | None:
        """The study of the address; None where it is no address to save to, or the study is not open yet."""
        path: str = environ["PATH_INFO"]
        if environ["REQUEST_METHOD"] != "POST" or environ["QUERY_STRING"] or not path.endswith(_PATH):
            return None
        if not is_workspace():
            return (None, path) if path == _PATH else None
        key = path[len(_PREFIX) : -len(_PATH)] if path.startswith(_PREFIX) else ""
        place = opened_before(key)
        return (place, _PATH) if place is not None else None

    def _sender(self, environ: dict[str, Any]) -> _Sender | None:
        head = tuple(
            (name, value) for name, value in environ.items() if type(value) is str and name not in _OF_ONE_REQUEST
        )
        if sum(len(value) for _, value in head) > _LARGEST_HEAD:
            return self._checked(head)
        return self._sender_of(head)

    def _checked(self, head: _Head) -> _Sender | None:
        """Who sends, if Django's own checks of the head let it pass; it is made of the head alone."""
        request = WSGIRequest({**dict(head), "wsgi.input": BytesIO()})
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if not key or not wants_json(request):
            return None
        try:
            if any(check.process_request(request) is not None for check in self._before):
                return None
            if self._csrf.process_view(request, save, (), {}) is not None:
                return None
            return _Sender(key, chosen_language(request), request.is_secure())
        except (BadRequest, DisallowedHost):
            return None


def committed(asked: Sequence[_Save]) -> list[Saved | None]:
    """In the writer: saves of one study in one transaction of its database."""
    place = asked[0].place
    with in_study(place) if place is not None else nullcontext():
        here = connections[DEFAULT_DB_ALIAS]
        if time.monotonic() - _answered_at.get(here, float("-inf")) > _TRUSTED:
            close_old_connections()  # as before every request: a database that was restarted is connected to again
        try:
            saved = _saved(asked)
        except BaseException:
            _answered_at.pop(here, None)
            raise
        _answered_at[here] = time.monotonic()
        return saved


def _saved(asked: Sequence[_Save]) -> list[Saved | None]:
    declared = declared_language()
    languages = [language_of_rater(one.sender.language, declared) for one in asked]
    with write_in_turn(), transaction.atomic(durable=True):
        raters = _working(asked)
        senders = [raters.get(one.sender.session_key) for one in asked]
        outcomes = iter(
            recorded(
                [
                    Delivery(raters[one.sender.session_key], one.entries, is_page=True, language=language)
                    for one, language in zip(asked, languages, strict=True)
                    if one.sender.session_key in raters
                ]
            )
        )
    # Only here is it on the disk: nothing above this line may be told to anybody.
    return [
        Saved(_headers(language, one.sender.is_secure), json.dumps(acknowledgement(next(outcomes), rater)).encode())
        if rater is not None
        else None
        for one, language, rater in zip(asked, languages, senders, strict=True)
    ]


def _working(asked: Sequence[_Save]) -> dict[str, Any]:
    """The rater of each session who may work now; who sends words is held, as these go when a rater is forgotten.

    A judgement stays under the pseudonym either way, so for the many that send nothing else no row is held.
    """
    raters = raters_of({one.sender.session_key for one in asked})
    speaking = {one.sender.session_key for one in asked if has_words(one.entries)} & raters.keys()
    if not speaking:
        return raters
    held = of_these_may_write({raters[name].pk for name in speaking})
    return {name: rater for name, rater in raters.items() if name not in speaking or rater.pk in held}


@lru_cache
def _headers(language: str, is_secure: bool) -> list[tuple[str, str]]:
    """What Django's and our own middleware put on an answer; it depends on nothing else."""
    request = HttpRequest()
    request.META = {"wsgi.url_scheme": "https" if is_secure else "http"}
    response: Any = JsonResponse({})
    XFrameOptionsMiddleware(_nothing).process_response(request, response)
    patch_vary_headers(response, ("Cookie",))
    response["Content-Language"] = language
    response = SecurityMiddleware(_nothing).process_response(request, response)
    response = Headers(lambda _: response)(request)
    return [(name.lower(), value) for name, value in response.items()]
