import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_committed_pages_are_what_the_table_of_formats_says():
    command = [sys.executable, str(ROOT / "tools" / "make_format_pages.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
