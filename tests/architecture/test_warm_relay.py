"""The tests' own way of starting the program tells how it ended, however the words of the parent arrive."""

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from warm_process import RELAY, accord_words


@pytest.mark.parametrize("status", [0, 3])
def test_the_status_counts_also_where_it_comes_with_the_line_before(tmp_path, status):
    address = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(1)
        asking = subprocess.Popen([sys.executable, "-S", "-I", str(RELAY), address, "-m", "accord"])
        caller, _ = listening.accept()
        with caller:
            caller.sendall(f"1\n{status}\n".encode())
            assert asking.wait(60) == status


def test_many_at_once_all_end_as_they_should():
    words = accord_words("agree", "no-such-file.csv")
    ended = []

    def run() -> None:
        ended.append(subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=Path(__file__).parent))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.returncode for done in ended] == [2] * 8
    assert all("no-such-file.csv" in done.stderr for done in ended)
