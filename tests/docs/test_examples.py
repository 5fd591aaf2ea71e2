"""Every example in the README and the docs is run: Python blocks, and console lines that start with ``$ accord``.

A block of text right below an example shows what it prints. Its lines must be in the output, in this order; ``...``
stands for what is left out, and only the widths of columns and lines may differ.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from accord.cli.main import main
from prepared_demo import COMMAND as DEMONSTRATION
from warm_process import code_words

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def _blocks(page: Path) -> list[tuple[int, str, str, str]]:
    """Line, language, code and what is shown below it."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 1, m[1], m[2], m[3] or "") for m in BLOCK.finditer(text)]


WITH_EXAMPLES = [page for page in PAGES if page.exists() and "_build" not in page.parts and _blocks(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_of_the_page_runs(page: Path, tmp_path: Path, monkeypatch, capsys, request) -> None:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    python, shown_by_python = "", ""
    for line, language, code, shown in _blocks(page):
        if language == "python":
            # One namespace a page, and lines numbered as in the page.
            python += "\n" * (line - python.count("\n")) + code
            shown_by_python += shown
        else:
            said = _run_console(page, line, code, monkeypatch, capsys, request)
            _assert_printed(f"{page.name}:{line}", shown, said)
    if python:
        done = subprocess.run(
            code_words(python), cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{page.name}: {done.stderr[-2000:]}"
        _assert_printed(page.name, shown_by_python, done.stdout)


def _assert_printed(where: str, shown: str, printed: str) -> None:
    words, place = " ".join(printed.split()), 0
    for line in shown.splitlines():
        for part in line.split("..."):
            wanted = " ".join(part.split())
            found = words.find(wanted, place)
            assert found >= 0, f"{where} shows what the program does not print (here): {wanted!r}\n{printed}"
            place = found + len(wanted)


def _run_console(page: Path, line: int, code: str, monkeypatch, capsys, request) -> str:
    """Run each command in this process: the same entry point as the terminal, without a second of start-up each.

    Returns all that was printed.
    """
    commands = [text[2:] for text in code.replace("\\\n", " ").splitlines() if text.startswith("$ ")]
    assert commands, f"{page.name}:{line}: a console block shows commands as lines that start with '$ '"
    printed = ""
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "accord", f"{page.name}:{line}: only accord commands can be shown to run: {command}"
        if tuple(words[1:-1]) == DEMONSTRATION:  # the same for every page, so run once for all
            printed += request.getfixturevalue("demonstration").copy_to(Path.cwd() / words[-1])
            continue
        monkeypatch.setattr(sys, "argv", words)
        status = _status(main)
        said = capsys.readouterr()
        assert status == 0, f"{page.name}:{line}: {command}\n{said.out[-500:]}{said.err[-2000:]}"
        printed += said.out + said.err
    return printed


def _status(run) -> int:
    try:
        run()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0
