"""Pages are made in a process beside the one that saves, so that no page holds up a save.

Threads of one process take turns at computing: while a page of the dashboard is made for a third of a second, every
save beside it waits for its turn again and again. So a worker divides itself in two when it starts. One half answers
the web server and saves, the other runs Django at a lower priority. It is asked as Django itself would be, and ends
with its worker.
"""

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from threading import Thread
from typing import Any

__all__ = ["OPENED", "beside", "end_with_parent"]

Application = Callable[..., Iterable[bytes]]
OPENED = "accord.opened"
"""What the application says in the environment of a request and the other half must know too."""

_POLITE = 5
_SET_PARENT_DEATH_SIGNAL, _SET_NAME = 1, 15
_HEAD, _MORE, _END, _FAILED = b"h", b"m", b"e", b"f"


class _FailedPageError(Exception):
    """What went wrong in the other process, as it told it."""


def end_with_parent() -> None:
    """A process must not outlive the one that started it: it would keep the port after a crash."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def beside(application: Application, threads: int, noted: Callable[[Any], object] = lambda opened: None) -> Application:
    """The same application in a process of its own; to be called before this process has a second thread."""
    pairs = [Pipe() for _ in range(threads)]
    parent = os.getpid()
    if os.fork() == 0:
        for ours, _ in pairs:
            ours.close()
        _answer_all(application, [theirs for _, theirs in pairs], parent)
    for _, theirs in pairs:
        theirs.close()
    return _Beside([ours for ours, _ in pairs], noted)


class _Beside:
    """Asks the other process; each line to it is one thread there."""

    def __init__(self, lines: Iterable[Connection], noted: Callable[[Any], object]) -> None:
        self._free: SimpleQueue[Connection] = SimpleQueue()
        self._noted = noted
        for line in lines:
            self._free.put(line)

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
        line = self._free.get()
        told = self._answer_in_parts(line, environ)
        try:
            for kind, what in told:
                if kind == _HEAD:
                    status, headers, opened = what
                    if opened is not None:
                        self._noted(opened)
                    start(status, headers)
                elif kind == _MORE:
                    yield what
                else:
                    raise _FailedPageError(what)
        finally:
            for _ in told:  # whoever is next on this line must not be given the rest of this answer
                pass
            self._free.put(line)

    def _answer_in_parts(self, line: Connection, environ: dict[str, Any]) -> Iterator[tuple[bytes, Any]]:
        body = environ["wsgi.input"].read()
        plain = {name: value for name, value in environ.items() if name not in ("wsgi.input", "wsgi.errors")}
        try:
            line.send((plain, body))
            while (told := line.recv())[0] != _END:
                yield told
        except (EOFError, OSError):
            # The other process is gone. This one ends as well, once it has answered, and the server starts both anew.
            os.kill(os.getpid(), signal.SIGTERM)
            raise


def _answer_all(application: Application, lines: list[Connection], parent: int) -> None:
    """In the other process: answer until the first one ends."""
    end_with_parent()
    ctypes.CDLL(None).prctl(_SET_NAME, b"accord-pages")  # so that it can be told from its worker
    os.nice(_POLITE)
    # Signals to the whole group are for the first process, which still has requests to answer. Programs that are
    # started from here shall heed them, so they are not ignored but caught.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    if os.getppid() == parent:
        for line in lines[1:]:
            Thread(target=_answer_line, args=(application, line), name="accord-page", daemon=True).start()
        _answer_line(application, lines[0])
    os._exit(0)


def _answer_line(application: Application, line: Connection) -> None:
    try:
        while True:
            environ, body = line.recv()
            _answer(application, {**environ, "wsgi.input": BytesIO(body), "wsgi.errors": sys.stderr}, line)
    except (EOFError, OSError):
        os._exit(0)


def _answer(application: Application, environ: dict[str, Any], line: Connection) -> None:
    def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
        line.send((_HEAD, (status, headers, environ.get(OPENED))))
        return lambda chunk: line.send((_MORE, chunk))

    try:
        chunks = application(environ, start)
        try:
            for chunk in chunks:
                line.send((_MORE, chunk))
        finally:
            if (close := getattr(chunks, "close", None)) is not None:
                close()
    except Exception:
        line.send((_FAILED, traceback.format_exc()))
    line.send((_END, None))
