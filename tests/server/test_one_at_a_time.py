"""Commands that start at the same moment on a new study do not stand in each other's way."""

import fcntl
import subprocess
import threading
from pathlib import Path

from organised_study import write_study
from warm_process import accord_words


def test_commands_that_start_together_on_a_new_study_all_work(tmp_path):
    folder = write_study(tmp_path / "study")
    command = accord_words("token", str(folder))
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    ended = [(*process.communicate(), process.returncode) for process in started]
    assert all(code == 0 and out.startswith("accord_") for out, _, code in ended), ended


def test_who_had_a_turn_goes_behind_a_writer_that_waits(collecting):
    """A writer with always more to write took its turn again before the other was awake."""
    from django.db import connection

    from accord.server.one_at_a_time import write_in_turn

    queue = Path(f"{connection.settings_dict['NAME']}.next")

    def other() -> None:
        with write_in_turn():
            taken.append("other")

    for _ in range(30):
        taken: list[str] = []
        waiting = threading.Thread(target=other)
        with write_in_turn():
            waiting.start()
            while not _is_held(queue):
                pass
        with write_in_turn():
            taken.append("again")
        waiting.join()
        assert taken == ["other", "again"]


def _is_held(path: Path) -> bool:
    """Whether somebody waits for the turn: whoever is next holds this file."""
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
