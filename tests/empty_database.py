"""A database with every table and nothing in it, made once a test process: half a second is saved for each new study.

That a study's tables are made from nothing is seen by the commands and servers that begin with a folder without one.
"""

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from warm_process import code_words

MAKE = """
from pathlib import Path
from accord.server.connect import connect
connect(Path({folder!r}))
from django.core.management import call_command
from django.db import connections
call_command("migrate", interactive=False, verbosity=0)
connections.close_all()
"""


def put_empty_database(folder: Path, name: str = "accord.sqlite3") -> None:
    """Where there is none yet, and where the study is to be kept in a file."""
    if not (folder / name).exists() and not os.environ.get("ACCORD_DATABASE_URL"):
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_content())


def opened_study(folder: Path) -> Path:
    """Point Django at this study, its tables made."""
    from accord.server.connect import connect, prepare

    put_empty_database(folder)
    connect(folder)
    prepare()
    return folder


@cache
def _content() -> bytes:
    from served_study import make_study

    with tempfile.TemporaryDirectory() as place:
        folder = make_study(Path(place) / "study")
        subprocess.run(code_words(MAKE.format(folder=str(folder))), check=True, capture_output=True, timeout=300)
        return (folder / "accord.sqlite3").read_bytes()
