"""The page of capabilities keeps its word: every line of the papers, every command with its options, every name."""

import importlib
import re
from functools import cache
from pathlib import Path

import pytest
import typer

from accord.cli.diagnose import View
from accord.cli.main import COMMANDS, _application
from accord.functions.compare_designs import Design
from accord.reporting.figures import FIGURES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "capabilities.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in PAGE.splitlines() if re.match(r"\| (\d{3}|X)-\d\d ", line)
]  # fmt: skip
LINES = {"000": 41, "001": 49, "002": 37, "003": 40, "004": 34, "X": 9}
"""How many things each paper asks for."""

CHOICES = {"--show": set(View), "--design": set(Design), "--chart": set(FIGURES)}


@cache
def _options(command: str) -> frozenset[str]:
    group = typer.main.get_command(_application(command))
    return frozenset(option for parameter in group.commands[command].params for option in parameter.opts)


def test_every_line_of_the_papers_has_its_row():
    wanted = [f"{paper}-{number:02}" for paper, count in LINES.items() for number in range(1, count + 1)]
    assert [row[0] for row in ROWS] == wanted


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_command_exists_with_the_options_that_are_named(row):
    for words in re.findall(r"`(accord [^`]*)`", row[2]):
        _, command, *rest = words.split()
        assert command in {one.name for one in COMMANDS}
        assert {word for word in rest if word.startswith("--")} <= _options(command)
        for option, choices in CHOICES.items():
            assert set(re.findall(rf"{option} (\S+)", words)) <= choices
            assert option not in rest or re.search(rf"{option} [a-z]", words)
    assert row[2] == "not there" or "`accord " in row[2]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_python_name_can_be_imported_and_the_page_is_there(row):
    for name in re.findall(r"`(accord\.[\w.]+)`", row[3]):
        assert _found(name) is not None
    for page in re.findall(r"\]\(([^)]+)\)", row[3]):
        assert (DOCS / page).is_file()


def _found(name: str) -> object:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(module), attribute)
