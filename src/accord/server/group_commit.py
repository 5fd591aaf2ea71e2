"""One writer a worker: saves that wait at the same moment are committed together, each still for itself.

To flush a disk, and to ask who a rater is and what is closed, costs the same for one save as for fifty. So the writer
takes all that wait and makes one transaction of them for each database. Nobody is answered before the commit that holds
the answer, and a database that is gone fails nobody but its own raters.
"""

import logging
import time
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Hashable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

from django.db import InterfaceError, OperationalError

from accord.records import dataclass

__all__ = ["APART", "APART_EACH", "MOST", "GroupCommit"]

_LOG = logging.getLogger(__name__)
APART = 0.01
"""Seconds between the beginnings of two commits under load, so that more are gathered; an idle server never waits."""
APART_EACH = 0.004
"""The same for each request of the commit before: a few that come at once are no load yet."""
MOST = 100
"""Requests of one commit: the first of them waits for the last."""

Sent = TypeVar("Sent")
Told = TypeVar("Told")


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Sent, Told]):
    """Something to be saved, and who waits for it."""

    sent: Sent
    loop: AbstractEventLoop
    told: "Future[Told]"


class GroupCommit(Generic[Sent, Told]):
    """Hands what arrives to one thread, which commits all that is there and then tells those who wait."""

    def __init__(
        self,
        commit: Callable[[Sequence[Sent]], Sequence[Told]],
        apart: float = APART,
        database_of: Callable[[Sent], Hashable] = lambda sent: None,
    ) -> None:
        self._commit = commit
        self._apart = apart
        self._database_of = database_of
        self._queue: SimpleQueue[_Waiting[Sent, Told]] = SimpleQueue()
        self._starting = Lock()
        self._thread: Thread | None = None

    async def save(self, sent: Sent) -> Told:
        """What became of it, once that is on the disk; raises what the commit raised."""
        loop = get_running_loop()
        waiting: _Waiting[Sent, Told] = _Waiting(sent, loop, loop.create_future())
        self._queue.put(waiting)
        if self._thread is None:
            self._start()
        return await waiting.told

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                # The process may end at any moment: whoever was not answered sends again.
                self._thread = Thread(target=self._write, name="accord-writer", daemon=True)
                self._thread.start()

    def _write(self) -> None:
        while True:
            some = [self._queue.get()]
            begin = time.monotonic()
            some += [self._queue.get() for _ in range(min(self._queue.qsize(), MOST - 1))]
            for together in self._by_database(some):
                _tell(together, self._committed([one.sent for one in together]))
            if len(some) > 1:
                pause = min(self._apart, len(some) * APART_EACH)
                time.sleep(max(0.0, begin + pause - time.monotonic()))

    def _by_database(self, some: Sequence[_Waiting[Sent, Told]]) -> list[list[_Waiting[Sent, Told]]]:
        found: dict[Hashable, list[_Waiting[Sent, Told]]] = {}
        for one in some:
            found.setdefault(self._database_of(one.sent), []).append(one)
        return list(found.values())

    def _committed(self, sent: Sequence[Sent]) -> Sequence[Told | Exception]:
        """All in one transaction; where one of them breaks it each half by itself, so that it harms no other."""
        try:
            return self._commit(sent)
        except (OperationalError, InterfaceError) as error:
            # The disk is full or the database is gone: no half of them would fare better.
            _LOG.exception("%s requests could not be saved", len(sent))
            return [error] * len(sent)
        except Exception as error:
            if len(sent) == 1:
                _LOG.exception("A request could not be saved")
                return [error]
            middle = len(sent) // 2
            return [*self._committed(sent[:middle]), *self._committed(sent[middle:])]


def _tell(some: Sequence[_Waiting[Sent, Told]], told: Sequence[Told | Exception]) -> None:
    """One call for all who wait in a loop: each call wakes it."""
    by_loop: dict[AbstractEventLoop, list[tuple[Future[Told], Told | Exception]]] = {}
    for one, answer in zip(some, told, strict=True):
        by_loop.setdefault(one.loop, []).append((one.told, answer))
    for loop, answers in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, answers)


def _settle(answers: Sequence[tuple["Future[Told]", Told | Exception]]) -> None:
    for future, answer in answers:
        if future.done():  # the server is being stopped
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
