"""The shape of the code: short files, short functions, a first line that says what a module is for."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "accord"
MODULES = [path for path in sorted(SOURCE.rglob("*.py")) if "migrations" not in path.parts]


def _code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function):
        words = function.body[0]
        lines -= (words.end_lineno or words.lineno) - words.lineno + 1
    return lines


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_has_one_purpose_and_fits_in_the_head(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert ast.get_docstring(tree), "the first line says what the module is for"
    assert text.count("\n") <= 500
    assert {node.name: _code_lines(node) for node in functions if _code_lines(node) > 50} == {}


def test_no_module_is_a_bag_of_odds_and_ends() -> None:
    bags = {"utils", "util", "helpers", "misc", "common"}
    assert [path for path in MODULES if path.stem in bags] == []


def test_public_functions_are_themselves_and_dir_shows_nothing_else():
    import inspect
    import pickle

    import accord

    assert accord.agreement is accord.agreement
    assert "coefficients" in inspect.signature(accord.agreement).parameters
    assert pickle.loads(pickle.dumps(accord.report)) is accord.report
    assert dir(accord) == sorted(accord.__all__)
    rooms = {path.name for path in Path(accord.__file__).parent.iterdir() if path.is_dir()}
    assert not rooms & set(accord.__all__)


def test_the_formatter_lays_out_the_code():
    """Tables may keep their shape; what else is laid out by hand makes lines look fewer than they are."""
    marks = sum(path.read_text(encoding="utf-8").count("# fmt: skip") for path in MODULES)
    assert marks <= 559
