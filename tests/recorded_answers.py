"""What the commands answer on the examples of the documentation, word by word and number by number, as it is recorded.

``tests/recorded/answers`` has a file for each command, with a section for each question: what is printed, and below it
the numbers of ``--json``, a line each. Where an answer is to change, run ``python tests/recorded_answers.py`` (with
words of a question to ask no other), read the difference, and keep it if every line of it is meant.
"""

import atexit
import io
import json
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from unittest.mock import patch

from accord import __version__
from accord.cli.main import main
from recorded_files import write

ROOT = Path(__file__).parents[1]
RECORDS = Path(__file__).parent / "recorded" / "answers"
QUESTIONS = Path(__file__).parent / "recorded" / "questions.txt"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")
DIGITS = 6


def questions() -> list[str]:
    """Command lines, one in a line; those that begin with ``#`` say why the following are asked."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def file_of(question: str) -> Path:
    return RECORDS / f"{question.split()[0]}.txt"


def recorded(question: str) -> str:
    return _sections(file_of(question))[question]


@cache
def _sections(path: Path) -> dict[str, str]:
    """What is recorded of each question of a file."""
    parts = path.read_text(encoding="utf-8").split("\n== ") if path.exists() else []
    heads = (part.removeprefix("== ").split("\n", 1) for part in parts)
    return {question: said.rstrip("\n") for question, said in heads}


def answered(question: str) -> str:
    """What is printed and, where the question ends with ``+ numbers``, the plain data below it."""
    command, _, more = question.partition(" + ")
    said = _printed(command)
    if more:
        said += "\n-- numbers\n" + "\n".join(_lines(json.loads(_printed(f"{command} --json", aside=False))))
    return said


@cache
def _files() -> str:
    """The examples of the documentation, and the files that are made for the questions."""
    folder = tempfile.mkdtemp(prefix="accord-questions-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "examples", folder, dirs_exist_ok=True)
    write(Path(folder))
    return folder


def _printed(command: str, aside: bool = True) -> str:
    """What a command says; what it says beside its answer too, unless that is data."""
    words, heard = ["accord", *shlex.split(command)], io.StringIO()
    beside = heard if aside else io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(heard), redirect_stderr(beside):
        shutil.copytree(_files(), folder, dirs_exist_ok=True)
        with patch.object(sys, "argv", words), patch.dict(os.environ, {"COLUMNS": "120"}):
            try:
                main()
            except SystemExit as stop:
                if stop.code:
                    print(f"exit {stop.code}", file=heard)
        for word in words:
            if word.startswith("made.") and Path(word).exists():
                print(Path(word).read_text(encoding="utf-8"), file=heard)
    return "\n".join(line.rstrip() for line in heard.getvalue().replace(f"accord {__version__}", "accord").splitlines())


def _lines(data: object, where: str = "") -> Iterator[str]:
    """Every number and name of plain data, with the way to it."""
    if isinstance(data, dict):
        for key, part in data.items():
            yield from _lines(part, f"{where}.{key}" if where else str(key))
    elif isinstance(data, list) and any(isinstance(part, dict | list) for part in data):
        for place, part in enumerate(data):
            yield from _lines(part, f"{where}.{place}")
    else:
        cells = data if isinstance(data, list) else [data]
        yield f"{where}: {' '.join(_cell(cell) for cell in cells)}"


def _cell(cell: object) -> str:
    return f"{cell:.{DIGITS}g}" if isinstance(cell, float) else str(cell)


def differences(found: str, known: str) -> list[str]:
    """Lines that differ; a number of several digits may differ in the last that is written."""
    one, other = found.splitlines(), known.splitlines()
    pairs = [*zip(one, other, strict=False)]
    changed = [f"now: {a}\n then: {b}" for a, b in pairs if a != b and not _alike(a, b)]
    new, gone = one[len(pairs) :], other[len(pairs) :]
    return changed + [f"only now: {line}" for line in new] + [f"only then: {line}" for line in gone]


def _alike(one: str, other: str) -> bool:
    """Whether two lines of numbers differ by rounding alone: sums may be added in another order elsewhere."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(a == b or (max(_digits(a), _digits(b)) > DIGITS - 1 and _near(float(a), float(b))) for a, b in pairs)


def _digits(number: str) -> int:
    """How many digits are written; one that ends in 0 has fewer than the same with the next rounding."""
    return len(number.strip("-0."))


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=2 * 10.0 ** (1 - DIGITS), abs_tol=1e-12)


def record(words: str = "") -> None:
    """Write what is answered now, of the questions that have these words in them."""
    known = {path: _sections(path) for path in {file_of(question) for question in questions()}}
    for path in known:
        own = [question for question in questions() if file_of(question) == path]
        said = {one: answered(one) if words in one or one not in known[path] else known[path][one] for one in own}
        path.write_text("".join(f"== {one}\n{told}\n\n" for one, told in said.items()), encoding="utf-8")


if __name__ == "__main__":
    record(" ".join(sys.argv[1:]))
