"""A PostgreSQL of our own on loopback, for the tests that need one; gone afterwards."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from served_study import free_port


@contextmanager
def own_postgres() -> Iterator[str]:
    """The address of a fresh cluster."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not tools:
        pytest.skip("needs PostgreSQL's own programs under /usr/lib/postgresql")
    folder, port = Path(tempfile.mkdtemp(prefix="accord-pg-")), free_port()
    # PostgreSQL refuses to run as root; anybody else runs it under their own name.
    as_whom = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_whom:
        shutil.chown(folder, "postgres")

    def run(program: str, *arguments: object) -> None:
        command = [*as_whom, tools[-1] / program, *arguments]
        subprocess.run([str(part) for part in command], check=True, capture_output=True, cwd="/", timeout=60)

    data = folder / "data"
    run("initdb", "-U", "postgres", "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    run("pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start")
    try:
        yield f"postgres://postgres@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)
