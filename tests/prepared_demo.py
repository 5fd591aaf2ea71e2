"""The demonstration study with its report, prepared once for all processes of a test run: it takes eight seconds."""

import fcntl
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from warm_process import accord_words

COMMAND = ("demo", "--prepare-only", "--dir")


@dataclass(frozen=True)
class PreparedDemo:
    """A folder that nobody changes, and what the command said when it made it."""

    folder: Path
    said: str

    def copy_to(self, place: Path) -> str:
        """As if the command were run on this place; returns what it says."""
        shutil.copytree(self.folder, place)
        return self.said.replace(str(self.folder), str(place))


def prepared_demo(shared: Path) -> PreparedDemo:
    """From a place that all processes of the run share; the first that comes prepares it, others wait for it."""
    folder, said = shared / "demonstration", shared / "demonstration.txt"
    with (shared / "demonstration.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            done = subprocess.run(
                accord_words(*COMMAND, folder), check=True, capture_output=True, text=True, timeout=900
            )
            said.write_text(done.stdout + done.stderr, encoding="utf-8")
    return PreparedDemo(folder, said.read_text(encoding="utf-8"))
