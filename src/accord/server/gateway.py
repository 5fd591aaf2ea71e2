"""Between the web server and Django: a thread is taken for whole requests only, and never waits for a client.

A stranger can open sockets and send nothing, or read nothing. Neither holds a thread here: bodies are gathered before
a thread is asked, within limits of time and size, and an answer is made whole before its first byte leaves. So an
export that fails half-way is an error and never a short file.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from functools import lru_cache
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol

from accord.records import dataclass

__all__ = ["Gateway", "Limits"]

_CHUNK = 64 * 1024
_KEPT_IN_MEMORY = 1_000_000
_LOG = logging.getLogger("accord.gateway")
_WORDS = [("content-type", "text/plain; charset=utf-8")]
_SOMETHING_WRONG = "Something went wrong here. Nothing saved is lost. Try again in a minute.\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may take: each far above what a rater on a slow line needs."""

    seconds: float = 20.0
    body: int = 1_000_000
    """Of one request; Django refuses larger ones as well."""
    file: int = 21_000_000
    """Of a request to one of the few addresses that take the files of a study."""
    small: int = 64_000
    """Up to here a body is taken without asking how much the others take: no stranger can keep a rater from saving."""
    together: int = 64_000_000
    """Of all larger bodies at one worker, as far as they arrived: what a client only announces takes nothing."""


class Scope(Protocol):
    """What Granian says of a request."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str
    headers: Any


class Wire(Protocol):
    """Granian's side of a connection."""

    def __call__(self) -> Awaitable[bytes]: ...
    def __aiter__(self) -> AsyncIterator[bytes]: ...
    def response_str(self, status: int, headers: list[tuple[str, str]], body: str) -> None: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...
    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Any: ...


class QuickAnswer(Protocol):
    """An answer of the small application beside Django."""

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> list[tuple[str, str]]: ...
    @property
    def body(self) -> bytes: ...


class Quick(Protocol):
    """The small application beside Django: it answers, or leaves a request to Django."""

    async def answer(self, environ: dict[str, Any], body: bytes) -> QuickAnswer | None: ...


class _RefusedError(Exception):
    """A request that is answered here, in words, and never reaches Django."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(slots=True)
class _Answer:
    """What Django answered, whole."""

    status: int = 500
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: IO[bytes] = field(default_factory=lambda: SpooledTemporaryFile(_KEPT_IN_MEMORY))  # noqa: SIM115

    def start(self, status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
        """WSGI's start_response."""
        self.status = int(status.split(" ", 1)[0])
        self.headers = [(name.lower(), value) for name, value in headers]
        return self.body.write


class Gateway:
    """Granian calls this for every request (RSGI); it calls Django (WSGI) in a few threads of its own."""

    def __init__(
        self, application: Callable[..., Iterable[bytes]], threads: int, limits: Limits | None = None,
        takes_much: Callable[[str], bool] = lambda path: False, quick: Quick | None = None,
    ) -> None:  # fmt: skip
        self._application = application
        self._takes_much = takes_much
        self._quick = quick
        self._limits = limits or Limits()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="accord-request")
        self._arrived = 0

    async def __rsgi__(self, scope: Scope, wire: Wire) -> None:
        try:
            async with asyncio.timeout(self._limits.seconds):
                body = await self._whole_body(scope, wire)
        except TimeoutError:
            _refuse(wire, 408, "The request did not arrive in time. Send it again.")
        except _RefusedError as refusal:
            _refuse(wire, refusal.status, str(refusal))
        else:
            environ = _environ(scope, body)
            if not await self._quickly(environ, body, wire):
                loop = asyncio.get_running_loop()
                answer = await loop.run_in_executor(self._threads, self._answered, environ)
                with answer.body:
                    await _send(answer, wire)

    async def _quickly(self, environ: dict[str, Any], body: bytes, wire: Wire) -> bool:
        """Whether the small application beside Django answered."""
        if self._quick is None:
            return False
        try:
            answer = await self._quick.answer(environ, body)
        except Exception:
            # Logged where it happened. The browser keeps what it sent, and sends it again.
            wire.response_str(500, _WORDS, _SOMETHING_WRONG)
            return True
        if answer is not None:
            wire.response_bytes(answer.status, answer.headers, answer.body)
        return answer is not None

    async def _whole_body(self, scope: Scope, wire: Wire) -> bytes:
        if "transfer-encoding" in scope.headers:
            raise _RefusedError(411, "Say the length of the request: a part of it would look like the whole.")
        length = scope.headers.get("content-length") or "0"
        if not (length.isascii() and length.isdigit()):
            raise _RefusedError(400, "The length of the request is not a number.")
        largest = self._limits.file if self._takes_much(scope.path) else self._limits.body
        if int(length) > largest:
            raise _RefusedError(413, f"The request is larger than {largest:,} bytes.")
        try:
            if int(length) > self._limits.small:
                body = await self._in_pieces(wire)
            else:
                # Whole: the web server and this loop hand over to one another once and not for each piece.
                body = bytes(await wire()) if int(length) else b""
        except RuntimeError:  # by which the web server says that the line broke
            body = b""
        if len(body) != int(length):
            # Half a request must never look like a whole one.
            raise _RefusedError(400, "Only a part of the request arrived. Send it again.")
        return body

    async def _in_pieces(self, wire: Wire) -> bytes:
        """A large body, each piece counted when it is here."""
        pieces: list[bytes] = []
        size = 0
        try:
            async for piece in wire:
                pieces.append(bytes(piece))
                size += len(piece)
                self._arrived += len(piece)
                if self._arrived > self._limits.together:
                    raise _RefusedError(503, "Too many requests at once. Try again in a minute.")
        finally:
            self._arrived -= size
        return b"".join(pieces)

    def _answered(self, environ: dict[str, Any]) -> _Answer:
        """In a thread: let Django answer, and take the answer whole."""
        answer = _Answer()
        try:
            chunks = self._application(environ, answer.start)
            try:
                for chunk in chunks:
                    answer.body.write(chunk)
            finally:
                if (close := getattr(chunks, "close", None)) is not None:
                    close()
        except Exception:
            # Django answers its own errors; this one came while a table was being written.
            _LOG.exception("An answer could not be made: %s", environ["PATH_INFO"])
            answer.body.close()
            answer = _Answer(headers=_WORDS)
            answer.body.write(_SOMETHING_WRONG.encode())
        return answer


async def _send(answer: _Answer, wire: Wire) -> None:
    size = answer.body.tell()
    answer.body.seek(0)
    headers = [(name, value) for name, value in answer.headers if name != "content-length"]
    if size <= _KEPT_IN_MEMORY:
        wire.response_bytes(answer.status, headers, answer.body.read())
        return
    stream = wire.response_stream(answer.status, [*headers, ("content-length", str(size))])
    while chunk := answer.body.read(_CHUNK):
        await stream.send_bytes(chunk)


def _refuse(wire: Wire, status: int, message: str) -> None:
    headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close"), ("cache-control", "no-store")]
    wire.response_str(status, headers, f"{message}\n")


def _environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """The request as WSGI tells it."""
    host, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method, "SCRIPT_NAME": "", "QUERY_STRING": scope.query_string,
        "PATH_INFO": scope.path.encode().decode("latin-1"), "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host.strip("[]"), "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"), "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0), "wsgi.url_scheme": scope.scheme, "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
    }  # fmt: skip
    for name, value in scope.headers.items():
        # A name with "_" could pose as another: X_Forwarded_For and X-Forwarded-For would be one variable.
        if "_" in name or name == "content-length":
            continue
        key = _variable(name)
        joined = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joined}{value}" if key in environ else value
    return environ


@lru_cache(maxsize=256)
def _variable(name: str) -> str:
    """How WSGI calls a header; browsers send the same few all the time."""
    return "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
