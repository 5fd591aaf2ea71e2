"""A study that asks everything in every way, and a real server on it, started and ended by the tests."""

import csv
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import IO

from empty_database import put_empty_database
from warm_process import accord_words

ALL_KINDS = """
title = "Every kind of question"
description = "For tests"
seed = 7
[languages]
source = "en"
target = "pt"
[consent]
text = "You may stop at any time."
[assignment]
design = "crossed"
raters = 200
order = "fixed"
[[rater_questions]]
key = "native"
question = "Your first language?"
choices = ["Portuguese", "another"]
required = true
[[scenarios]]
key = "alone"
kind = "random-sentence"
title = "One sentence"
instruction = "Judge this sentence."
show = ["source", "reference"]
[[scenarios]]
key = "pair"
kind = "sentence-in-context"
title = "Two texts"
show = ["source", "context"]
systems = 2
[[scenarios]]
key = "whole"
kind = "document"
title = "The whole text"
after = "pair"
systems = 2
[[criteria]]
key = "meaning"
question = "How much of the meaning is there?"
kind = "scale"
best = "high"
level = "ordinal"
values = [0, 1, 2, 3]
labels = ["none", "little", "most", "all"]
help = "Compare with the source."
[[criteria]]
key = "quality"
question = "How good is it?"
kind = "slider"
best = "high"
low = 0
high = 100
low_label = "useless"
high_label = "perfect"
scenarios = ["alone"]
[[criteria]]
key = "kinds"
question = "Which errors?"
kind = "categories"
values = ["wrong", "left", "order"]
labels = ["Wrong word", "Left in English", "Word order"]
several = true
repeated = true
none_label = "No errors"
scenarios = ["alone"]
[[criteria]]
key = "marks"
question = "Mark the errors."
kind = "spans"
sides = ["target", "source"]
omissions = true
severities = [{ key = "minor", label = "Minor", weight = 1 }, { key = "major", label = "Major", weight = 5 }]
scenarios = ["alone"]
[[criteria]]
key = "edit"
question = "Correct it."
kind = "post_edit"
required = false
scenarios = ["alone"]
[[criteria]]
key = "better"
question = "Which is better?"
kind = "pairwise"
scenarios = ["pair"]
[[criteria]]
key = "rank"
question = "Put them in order."
kind = "ranking"
scenarios = ["whole"]
[questionnaire]
low = 1
high = 6
per_scenario = false
[[questionnaire.statements]]
key = "tiring"
text = "It was tiring."
[[practice]]
source = "The cat sleeps."
target = "O gato dorme."
criterion = "meaning"
expected = [3]
feedback = "Nothing is missing."
[completion]
code = "DONE-42"
"""
ITEMS = [
    ("d1", "1", "The dog 🐕 runs.", "O cão 🐕 corre.", "O cachorro 🐕 corre.", "O cão corre depressa."),
    ("d1", "2", "<b>It</b> is & stays fast.", "<b>Ele</b> é & fica rápido.", "Ele é rápido.", "Ele é rápido."),
]


def make_study(folder: Path, settings: str = ALL_KINDS) -> Path:
    """Write the study folder."""
    guidelines = "# How to judge\n\nRead **everything**. <script>alert(1)</script>\n"
    return write_folder(folder, settings, guidelines, ["target:alpha", "target:beta", "reference"], ITEMS)


def write_folder(
    folder: Path, settings: str, guidelines: str, columns: list[str], items: list[tuple[str, ...]]
) -> Path:
    """A study folder: settings, guidelines, and items of a document, a segment, a source and these columns."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    (folder / "guidelines.md").write_text(guidelines, encoding="utf-8")
    rows = [("document", "segment", "source", *columns), *items]
    (folder / "items.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def accord(*arguments: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``accord ...``; fails loudly."""
    done = subprocess.run(
        accord_words(*arguments),
        capture_output=True, text=True, timeout=900, env={**os.environ, **(env or {})},
    )  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr, done.stdout)
    return done


class Served:
    """A server process on a study folder."""

    def __init__(
        self, folder: Path, *, workers: int = 1, env: dict[str, str] | None = None, is_forked: bool = False
    ) -> None:
        """Forked from a process that has imported the program; from nothing for who wants to kill it."""
        self.folder = folder
        self.is_forked = is_forked
        self.port = free_port()
        self.workers = workers
        self.env = env or {}
        self.output = ""
        if is_forked and (folder / "study.toml").exists() and "ACCORD_DATABASE_URL" not in self.env:
            put_empty_database(folder)
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        options = ["serve", str(self.folder), "--port", str(self.port), "--workers", str(self.workers)]
        command = accord_words(*options) if self.is_forked else [sys.executable, "-m", "accord", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **self.env},
        )  # fmt: skip
        self.output = ""
        # Read all the time: a server that logs much would wait for somebody to read it.
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()
        self._wait()

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self.output += line

    def _wait(self) -> None:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                assert self.process.poll() is None, self.output
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As a power cut would: no chance to tidy up."""
        assert not self.is_forked, "to kill what asked for the fork would not kill the server"
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(120)

    def stop(self) -> str:
        self.process.terminate()
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(120)
        return self.output

    def invite(self, number: int = 1) -> list[str]:
        """Links of new raters."""
        done = accord("invite", self.folder, number, "--address", self.address, "--json", env=self.env)
        return [row["link"] for row in json.loads(done.stdout)["invitations"]]

    def export(self, *options: str) -> list[dict[str, str]]:
        done = accord("export", self.folder, *options, env=self.env)
        return list(csv.DictReader(io.StringIO(done.stdout)))


def database_bytes(folder: Path) -> bytes:
    """All that SQLite has on the disk, read by another process.

    To open and close the files in a process that has them open drops its locks, and SQLite then truncates
    the index under it: a bus error at the next commit.
    """
    files = sorted(folder.glob("accord.sqlite3*"))
    return subprocess.run(["cat", *files], capture_output=True, check=True, timeout=30).stdout
