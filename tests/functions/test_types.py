"""The types of ``accord.read`` are honest: a mistyped option and a wrong use do not pass mypy strict."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def checked(tmp_path: Path, code: str) -> str:
    """With the settings and the memory of ``./test``: the program itself is not checked a second time."""
    path = tmp_path / "snippet.py"
    path.write_text(f"import accord\nimport numpy as np\n{code}\n")
    words = [sys.executable, "-m", "mypy", "--no-error-summary", "--show-absolute-path", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    lines = [line.removeprefix(f"{tmp_path}/") for line in done.stdout.splitlines()]
    assert not done.stderr and all(line.startswith("snippet.py") for line in lines), done.stdout + done.stderr
    return "\n".join(lines)


def test_mypy_knows_what_reading_takes_and_gives(tmp_path):
    said = checked(
        tmp_path,
        'accord.read("x.csv", itm="x")\n'  # line 3: no such option
        'accord.read("x.csv", level=3)\n'  # line 4: a level is a word
        'a: accord.Ratings = accord.read("x.csv", engine="memory", item="seg", direction="low")\n'
        'b: accord.Ratings = accord.read("x.csv", engine="duckdb")\n'  # line 6: stored, not in memory
        "c: accord.Ratings = accord.read(np.ones((2, 2)))\n"
        'd: accord.Ratings = accord.read("x.csv")\n'  # line 8: may be either
        'reveal_type(accord.describe(accord.read("x.csv")))\n',
    )
    wrong = sorted({int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line})
    assert wrong == [3, 4, 6, 8], said
    assert "Description" in said


def test_mypy_knows_what_agreement_takes(tmp_path):
    said = checked(
        tmp_path,
        "accord.agreement(3)\n"  # line 3: no ratings
        'accord.agreement("x.csv", by="group")\n'
        "accord.agreement(np.ones((2, 2)))\n"
        'accord.agreement(accord.read("x.csv"))\n',
    )
    assert sorted({int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}) == [3], said


@pytest.mark.parametrize("name", ["da", "compare", "mqm", "prefer", "audit", "convert", "simulate", "agreement"])
def test_mypy_refuses_an_option_that_a_function_does_not_have(tmp_path, name):
    pytest.importorskip("mypy")
    import inspect

    import accord

    assert not any(
        one.kind is one.VAR_KEYWORD and one.annotation in (one.empty, "Any")
        for one in inspect.signature(getattr(accord, name)).parameters.values()
    )
