"""The Python reference: made from the docstrings, complete, and every example in it runs."""

import doctest
import inspect
import shutil
from pathlib import Path

import pytest
from make_python_page import PAGE, page

import accord

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FUNCTIONS = [name for name in accord.__all__ if inspect.isfunction(getattr(accord, name))]


def test_the_page_is_what_the_docstrings_say():
    assert PAGE.read_text(encoding="utf-8") == page(), "run tools/make_python_page.py"


@pytest.mark.parametrize("name", [name for name in accord.__all__ if name != "__version__"])
def test_every_public_name_is_on_the_page(name):
    assert f"### `accord.{name}`\n" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_parameters_returns_and_an_example(name):
    function = getattr(accord, name)
    text = inspect.getdoc(function) or ""
    assert all(f"\n{title}\n---" in text for title in ("Parameters", "Returns", "Examples")), name
    described = text.split("Parameters\n")[1].split("Returns\n")[0]
    for parameter in inspect.signature(function).parameters:
        assert parameter in described, f"{name} does not say what {parameter} is"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_example_of_a_docstring_runs(name, tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if name == "simulate":
        from accord.design.preset import copy_preset

        copy_preset("direct-assessment", tmp_path / "study")
    found = doctest.DocTestFinder(recurse=False).find(getattr(accord, name), name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert sum(len(test.examples) for test in found) > 0
    for test in found:
        said: list[str] = []
        runner.run(test, out=said.append)
        assert runner.failures == 0, "".join(said)


def test_methods_are_called_and_properties_are_not():
    said = page().partition("### `accord.Ratings`\n")[2].partition("\n### ")[0]
    for name, member in vars(accord.Ratings).items():
        if isinstance(member, property) and not name.startswith("_") and member.__doc__:
            assert f"\n- `{name}`: " in said and f"\n- `{name}()`: " not in said
    assert "\n- `where()`: " in said and "\n- `scores`: " in said
