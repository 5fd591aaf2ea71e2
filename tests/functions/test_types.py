"""The types of ``accord.read`` are honest: a mistyped option and a wrong use do not pass mypy strict."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


READING = (
    'accord.read("x.csv", itm="x")\n'  # line 3: no such option
    'accord.read("x.csv", level=3)\n'  # line 4: a level is a word
    'a: accord.Ratings = accord.read("x.csv", engine="memory", item="seg", direction="low")\n'
    'b: accord.Ratings = accord.read("x.csv", engine="duckdb")\n'  # line 6: stored, not in memory
    "c: accord.Ratings = accord.read(np.ones((2, 2)))\n"
    'd: accord.Ratings = accord.read("x.csv")\n'  # line 8: may be either
    'reveal_type(accord.describe(accord.read("x.csv")))\n'
)
AGREEMENT = (
    "accord.agreement(3)\n"  # line 3: no ratings
    'accord.agreement("x.csv", by="group")\n'
    "accord.agreement(np.ones((2, 2)))\n"
    'accord.agreement(accord.read("x.csv"))\n'
)


def documented() -> str:
    """The examples of the README and of the page on Python, each as a function, as they would stand in a program."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/reference/python.md")]
    blocks = [block for text in texts for block in re.findall(r"```(?:python|pycon)\n(.*?)```", text, re.DOTALL)]
    examples = []
    for block in blocks:
        lines = block.splitlines()
        if any(line.startswith(">>> ") for line in lines):
            lines = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
        examples.append([line for line in lines if line != "import accord"])
    assert len(examples) > 15
    return "\n".join(
        f"def example_{place}() -> None:\n" + "\n".join(f"    {line}" for line in lines)
        for place, lines in enumerate(examples)
    )


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> dict[str, list[str]]:
    """What one run of mypy says of each: with the settings and the memory of ``./test``, so that it is quick."""
    folder = tmp_path_factory.mktemp("types")
    for name, code in (("reading", READING), ("agreement", AGREEMENT), ("documented", documented())):
        # Its place makes it another text each time: of the same one mypy would remember what it said, and where it lay.
        (folder / f"{name}.py").write_text(f"import accord\nimport numpy as np\n{code}\n# {folder}\n")
    words = [sys.executable, "-m", "mypy", "--no-error-summary", "--show-absolute-path", *folder.glob("*.py")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    lines = [line.removeprefix(f"{folder}/").partition(".py:") for line in done.stdout.splitlines()]
    assert not done.stderr and {name for name, _, _ in lines} >= {"reading", "agreement"}, done.stdout + done.stderr
    asked_for = ("reading", "agreement", "documented")
    return {asked: [text for name, _, text in lines if name == asked] for asked in asked_for}


def wrong(lines: list[str]) -> list[int]:
    return sorted({int(line.split(":")[0]) for line in lines if ": error:" in line})


def test_mypy_knows_what_reading_takes_and_gives(said):
    assert wrong(said["reading"]) == [3, 4, 6, 8], said
    assert any("Description" in line for line in said["reading"])


def test_mypy_takes_every_example_of_the_readme_and_of_the_page_on_python(said):
    assert said["documented"] == []


def test_mypy_knows_what_agreement_takes(said):
    assert wrong(said["agreement"]) == [3], said


@pytest.mark.parametrize("name", ["da", "compare", "mqm", "prefer", "audit", "convert", "simulate", "agreement"])
def test_mypy_refuses_an_option_that_a_function_does_not_have(tmp_path, name):
    pytest.importorskip("mypy")
    import inspect

    import accord

    assert not any(
        one.kind is one.VAR_KEYWORD and one.annotation in (one.empty, "Any")
        for one in inspect.signature(getattr(accord, name)).parameters.values()
    )
