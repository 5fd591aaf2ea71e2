"""The process of a command ends at once, and all that must happen at its end still happens."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.design.preset import copy_preset

_BEFORE = """
import atexit, sys, threading

atexit.register(print, "registered")
threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()
"""


_START = "from accord.cli.start import start\ntry: start()\nfinally: print('after')"


def end_of(*arguments: str, before: str = _BEFORE, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    code = f"{before}\nsys.argv = ['accord', *{arguments!r}]\n{_START}"
    return subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, input="")


def test_threads_and_what_registered_come_to_their_end_and_nothing_else_is_done() -> None:
    done = end_of("--version")
    assert done.stdout.split()[0] == "accord" and done.stdout.split()[2:] == ["thread", "registered"]
    assert done.returncode == 0 and not done.stderr


def test_garbage_is_looked_for_once_the_command_is_loaded_and_not_in_what_is_loaded() -> None:
    said = "import atexit, gc, sys\natexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 1000))"
    assert end_of("--version", before=said).stdout.split()[2:] == ["True", "True"]


@pytest.mark.parametrize("arguments, status", [(["--version"], 0), (["agree", "absent.csv"], 2), (["agre"], 2)])
def test_the_status_is_that_of_the_command(arguments, status) -> None:
    assert end_of(*arguments).returncode == status


@pytest.mark.parametrize("watching", ["sys.setprofile(lambda *_: None)", "sys.settrace(lambda *_: None)"])
def test_whoever_watches_sees_the_whole_end(watching) -> None:
    assert "after" in end_of("--version", before=f"{_BEFORE}\n{watching}").stdout


def test_python_stays_open_where_it_is_asked_to() -> None:
    assert "after" in end_of("--version", options=("-i",)).stdout


def test_a_status_in_words_is_said_as_ever() -> None:
    done = end_of(before="import sys, accord.cli.main\naccord.cli.main.main = lambda: sys.exit('a word')")
    assert (done.returncode, done.stderr.strip()) == (1, "a word")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_cannot_be_written_is_said() -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    code = "import sys; sys.argv = ['accord', '--version']; from accord.cli.start import start; start()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, env=env)
    assert done.returncode != 0 and "No space left" in done.stderr


def test_databases_are_closed(tmp_path: Path) -> None:
    """A database that is left open leaves a second file beside it."""
    copy_preset("document-context", tmp_path / "study")
    done = end_of("invite", str(tmp_path / "study"), before="import sys")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "study").iterdir() if path.name.endswith(("-wal", "-shm"))] == []
