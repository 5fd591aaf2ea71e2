"""Commands that start at the same moment on a new study do not stand in each other's way."""

import subprocess

from organised_study import write_study
from warm_process import accord_words


def test_commands_that_start_together_on_a_new_study_all_work(tmp_path):
    folder = write_study(tmp_path / "study")
    command = accord_words("token", str(folder))
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    ended = [(*process.communicate(), process.returncode) for process in started]
    assert all(code == 0 and out.startswith("accord_") for out, _, code in ended), ended
