"""A database file is SQLite's alone: nothing else opens it, and a study made anew is another file."""

import sqlite3
import subprocess
import sys
from contextlib import closing

ELSEWHERE = """
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
print(base.execute("select count(*) from said").fetchone()[0])
base.close()
"""


def counted_elsewhere(path):
    """What another process sees, which then closes the file and tidies up if it thinks that nobody else has it open."""
    done = subprocess.run([sys.executable, "-c", ELSEWHERE, path], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_a_database_that_is_made_private_again_keeps_its_locks_and_its_log(tmp_path):
    from accord.server.connect import private_database

    private_database(tmp_path)
    path = tmp_path / "accord.sqlite3"
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("create table said (value)")
        private_database(tmp_path)
        assert counted_elsewhere(path) == 0
        assert path.with_name("accord.sqlite3-wal").exists()
        base.execute("insert into said values (1)")
        assert counted_elsewhere(path) == 1


def test_a_study_made_anew_in_its_folder_gets_a_connection_of_its_own(tmp_path, monkeypatch):
    from accord.server import serving

    class Connection:
        is_closed = False

        def close(self):
            self.is_closed = True

    monkeypatch.setattr(serving, "study_database", lambda folder, key: {})
    monkeypatch.setattr(serving, "_new_connection", lambda database: Connection())
    place, path = serving.Place("one", tmp_path), tmp_path / "accord.sqlite3"
    path.touch()
    first = serving._connection_to(place)
    assert serving._connection_to(place) is first
    with path.open():  # as SQLite holds it
        path.unlink()
        path.touch()
        second = serving._connection_to(place)
    assert second is not first and first.is_closed and not second.is_closed
    serving.close_connections()
    assert second.is_closed
