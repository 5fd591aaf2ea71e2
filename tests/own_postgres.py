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


class Cluster:
    """A fresh cluster in a folder: its address, and how to start it and stop it at once."""

    def __init__(self, folder: Path) -> None:
        tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not tools:
            pytest.skip("needs PostgreSQL's own programs under /usr/lib/postgresql")
        self._tools, self.folder, self._data, self._port = tools[-1], folder, folder / "data", free_port()
        # PostgreSQL refuses to run as root; anybody else runs it under their own name.
        self._as_whom = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_whom:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-U", "postgres", "-D", self._data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")

    @property
    def address(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", self.folder / "log", "-w", "start")

    def stop(self) -> None:
        """As a crash would: no chance to tidy up."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self._as_whom, self._tools / program, *arguments]
        subprocess.run([str(part) for part in command], check=True, capture_output=True, cwd="/", timeout=120)


@contextmanager
def own_cluster(folder: Path | None = None) -> Iterator[Cluster]:
    """A cluster that runs, in a folder of its own or in the one that is given."""
    made = folder or Path(tempfile.mkdtemp(prefix="accord-pg-"))
    try:
        cluster = Cluster(made)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        if folder is None:
            shutil.rmtree(made)


@contextmanager
def own_postgres() -> Iterator[str]:
    """The address of a fresh cluster."""
    with own_cluster() as cluster:
        yield cluster.address
