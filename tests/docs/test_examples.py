"""Every example in the README and the docs is run: Python blocks, and console lines that start with ``$ accord``."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _blocks(page: Path) -> list[tuple[int, str, str]]:
    text = page.read_text(encoding="utf-8")
    return [(text[: match.start()].count("\n") + 1, match[1], match[2]) for match in BLOCK.finditer(text)]


WITH_EXAMPLES = [page for page in PAGES if page.exists() and "_build" not in page.parts and _blocks(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_of_the_page_runs(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path, dirs_exist_ok=True)
    python = ""
    for line, language, code in _blocks(page):
        if language == "python":
            # One namespace a page: earlier blocks run again, quietly, before this one.
            python += "\n" * (line - python.count("\n")) + code
        else:
            _run_console(page, line, code, tmp_path)
    if python:
        done = _run([sys.executable, "-W", "error", "-c", python], tmp_path)
        assert done.returncode == 0, f"{page.name}: {done.stderr[-2000:]}"


def _run_console(page: Path, line: int, code: str, folder: Path) -> None:
    commands = [text[2:] for text in code.replace("\\\n", " ").splitlines() if text.startswith("$ ")]
    assert commands, f"{page.name}:{line}: a console block shows commands as lines that start with '$ '"
    for command in commands:
        assert command.startswith("accord "), f"{page.name}:{line}: only accord commands can be shown to run: {command}"
        done = _run([sys.executable, "-m", *shlex.split(command)], folder)
        assert done.returncode == 0, f"{page.name}:{line}: {command}\n{done.stdout[-500:]}{done.stderr[-2000:]}"


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "120"}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment, check=False
    )
