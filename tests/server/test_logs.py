"""A server never waits for somebody to read its log."""

import json
import os
import select
import socket
import subprocess
import sys

import pytest

TALKATIVE = """
import logging
from accord.server.logs import JsonLine, NeverWaiting

handler = NeverWaiting()
handler.setFormatter(JsonLine())
log = logging.getLogger("accord")
log.addHandler(handler)
for number in range(2000):
    log.error("%s %s", number, "word " * 60)
print("answered", flush=True)
input()
log.error("read again")
"""


def talkative(stderr: int) -> subprocess.Popen[str]:
    """A program that logs ten times what a pipe holds, then answers, then logs once more when it is told to."""
    return subprocess.Popen(
        [sys.executable, "-c", TALKATIVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True
    )


def a_pipe() -> tuple[int, int]:
    return os.pipe()


def a_socket() -> tuple[int, int]:
    ours, theirs = socket.socketpair()
    return ours.detach(), theirs.detach()


@pytest.mark.parametrize("line", [a_pipe, a_socket])
def test_a_log_that_nobody_reads_holds_nobody_up_and_says_what_was_lost(line):
    ours, theirs = line()
    program = talkative(theirs)
    os.close(theirs)
    try:
        assert select.select([program.stdout], [], [], 120)[0], "it waits for somebody to read its log"
        assert program.stdout.readline() == "answered\n"
        os.set_blocking(ours, False)
        read = os.read(ours, 10_000_000)
        while len(more := _rest(ours)):
            read += more
        os.set_blocking(ours, True)
        program.communicate("\n", timeout=300)
        read += os.read(ours, 10_000)
    finally:
        program.kill()
        os.close(ours)
    lines = [part for part in read.decode().split("\n") if part]
    whole = [json.loads(part) for part in lines if part.endswith("}")]
    assert whole[0]["message"].startswith("0 word") and whole[-1]["message"] == "read again"
    lost = int(whole[-2]["message"].split()[0])
    assert whole[-2]["message"] == f"{lost} lines were lost: nobody read the log"
    assert len(whole) - 2 + lost == 2000


def _rest(ours: int) -> bytes:
    try:
        return os.read(ours, 10_000_000)
    except BlockingIOError:
        return b""


def test_a_log_in_a_file_is_whole(tmp_path):
    with (tmp_path / "log").open("w") as file:
        talkative(file.fileno()).communicate("\n", timeout=300)
    assert len((tmp_path / "log").read_text().splitlines()) == 2001
