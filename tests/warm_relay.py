"""Asks the parent in ``warm_process.py`` for a process of the program, lends it its own pipes and ends as it does."""

import json
import os
import signal
import socket
import sys
from io import TextIOWrapper

EXEC = "exec"
"""What the parent says where a fork would not see what the program must see."""


def read_line(line: TextIOWrapper) -> str:
    """One line and no more, as the next may have come with it; empty at the end."""
    return line.readline().strip()


def main(address: str, arguments: list[str]) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        asked = {"arguments": arguments, "cwd": os.getcwd(), "env": dict(os.environ)}  # noqa: PTH109 - starts quickly
        socket.send_fds(line, [b" "], [0, 1, 2])
        line.sendall(json.dumps(asked).encode() + b"\n")
        answers = line.makefile()
        told = read_line(answers)
        if told == EXEC:
            os.execv(sys.executable, [sys.executable, *arguments])
        for place in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(place, lambda number, _: os.kill(int(told), number))
        ended = int(read_line(answers) or 1)
    if ended < 0:
        signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    sys.exit(ended)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
