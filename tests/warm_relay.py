"""Asks the parent in ``warm_process.py`` for a process of the program, lends it its own pipes and ends as it does.

It starts for every command of the tests, so it does without ``socket``, ``signal`` and ``json``: to import them would
take longer than all that it does.
"""

import _signal
import _socket
import os
import sys
from collections.abc import Iterator

EXEC = "exec"
"""What the parent says where a fork would not see what the program must see."""


def lines(line: _socket.socket) -> Iterator[str]:
    """What is said, line by line, however it arrives; nothing more at its end."""
    heard = b""
    while part := line.recv(65536):
        heard += part
        *whole, heard = heard.split(b"\n")
        yield from (one.decode() for one in whole)


def main(address: str, arguments: list[str]) -> None:
    line = _socket.socket(_socket.AF_UNIX)
    line.connect(address)
    pipes = b"".join(place.to_bytes(4, sys.byteorder) for place in range(3))
    line.sendmsg([b" "], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, pipes)])
    asked = {"arguments": arguments, "cwd": os.getcwd(), "env": dict(os.environ)}  # noqa: PTH109 - starts quickly
    line.sendall(ascii(asked).encode() + b"\n")
    answers = lines(line)
    told = next(answers, "")
    if told == EXEC:
        os.execv(sys.executable, [sys.executable, *arguments])
    for place in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP):
        _signal.signal(place, lambda number, _: os.kill(int(told), number))
    ended = int(next(answers, "1"))
    if ended < 0:
        _signal.signal(-ended, _signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    os._exit(ended)  # it has printed nothing


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
