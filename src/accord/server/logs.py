"""Log lines as JSON without personal data: no address, no query, no cookie, no token, nothing that a rater wrote."""

import json
import logging
import os
import re
import socket
import stat
import sys
from contextlib import suppress

__all__ = ["JsonLine", "NeverWaiting"]

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,}")
_QUOTED = re.compile(r"^(LINE \d+:|DETAIL:|CONTEXT:|HINT:).*(\n +\^)?$", re.MULTILINE)
"""Where PostgreSQL repeats what it could not keep."""


class JsonLine(logging.Formatter):
    """One line a record; whatever looks like a token is blotted out."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _TOKEN.sub("[hidden]", record.getMessage().split("?")[0]),
        }
        if record.exc_info:
            trace = _QUOTED.sub(r"\1 [hidden]", self.formatException(record.exc_info))
            line["trace"] = _TOKEN.sub("[hidden]", trace)
        return json.dumps(line, ensure_ascii=False)


class NeverWaiting(logging.Handler):
    """Lines to stderr. Where that is a pipe or a socket that nobody reads, a line is lost and nobody waits for it.

    A pipe holds 64 kB. A server whose log is not read would stand still with the line after that, in the middle of
    answering.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        try:
            lines = f"{self.format(record)}\n"
            if self._lost:
                # On a line of its own: of the last one before perhaps a half fitted.
                lost = json.dumps({"level": "warning", "message": f"{self._lost} lines were lost: nobody read the log"})
                lines = f"\n{lost}\n{lines}"
            self._lost = 0 if _written(lines) else self._lost + 1
        except Exception:
            self.handleError(record)


def _written(lines: str) -> bool:
    """Whether they fitted."""
    try:
        number = sys.stderr.fileno()
        kind = os.fstat(number).st_mode
    except (OSError, ValueError, AttributeError):  # tests and notebooks put something else in its place
        kind = 0
    if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind):
        with suppress(BlockingIOError):
            return _sent(number, lines.encode(errors="backslashreplace"), is_socket=stat.S_ISSOCK(kind))
        return False
    sys.stderr.write(lines)
    sys.stderr.flush()
    return True


def _sent(number: int, lines: bytes, *, is_socket: bool) -> bool:
    if is_socket:
        with socket.socket(fileno=os.dup(number)) as line:
            return line.send(lines, socket.MSG_DONTWAIT) == len(lines)
    try:
        # Opened anew: the way of writing belongs to what was opened, and others write to the same pipe and may wait.
        own = os.open(f"/proc/self/fd/{number}", os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # no such names here, or not ours to open: as every other program
        return os.write(number, lines) == len(lines)
    try:
        return os.write(own, lines) == len(lines)
    finally:
        os.close(own)
