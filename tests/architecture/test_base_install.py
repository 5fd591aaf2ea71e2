"""The base install is enough for what the README says of it: no command asks for a package that it does not bring."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
ADEQUACY, SYSTEMS = str(EXAMPLES / "adequacy.csv"), str(EXAMPLES / "systems.csv")


def plain(name):
    return re.sub(r"[._-]+", "-", name).lower()


def brought():
    """Packages of the base install, by what each says it requires itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found, waiting = {"accord"}, [Requirement(line) for line in project["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        wanted = not requirement.marker or requirement.marker.evaluate({"extra": ""})
        if wanted and plain(requirement.name) not in found:
            found.add(plain(requirement.name))
            waiting += [Requirement(line) for line in distribution(requirement.name).requires or ()]
    return found


def not_brought():
    """Names by which other packages of this environment are imported."""
    base = brought()
    return {name for name, owners in packages_distributions().items() if not base & set(map(plain, owners))}


BASE_ONLY = """
import sys
from importlib.abc import MetaPathFinder
others = set({others!r})
class Lacking(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in others:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Lacking())
for name in others & set(sys.modules):
    del sys.modules[name]
"""


def in_base(program, folder):
    """What the program prints in a fresh interpreter that has the base install only."""
    whole = BASE_ONLY.format(others=sorted(not_brought())) + program
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, cwd=folder, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_the_packages_of_the_extras_are_out_of_reach():
    lacking = not_brought()
    assert {"openpyxl", "vl_convert", "django", "pyspark", "pandas", "sacrebleu", "pytest"} <= lacking
    assert not {"numpy", "scipy", "duckdb", "jinja2", "markupsafe", "rich", "accord"} & lacking


COMMANDS = [
    ["agree", ADEQUACY],
    ["agree", ADEQUACY, "--all", "--json"],
    ["diagnose", ADEQUACY],
    *(["report", ADEQUACY, "-o", f"report.{ending}"] for ending in ("html", "md", "pdf", "tex", "json")),
    *(["plot", ADEQUACY, "-o", f"chart.{ending}"] for ending in ("svg", "html", "json")),
    ["describe", ADEQUACY],
    ["convert", ADEQUACY, "ratings.parquet"],
    ["convert", ADEQUACY, "ratings.jsonl"],
    ["rank", SYSTEMS, "--direction", "high"],
    ["report", SYSTEMS, "--direction", "high", "-o", "systems.html"],
    ["score", "76.85", "81.99", "--threshold", "80"],
    ["new", "fluency", "study"],
    ["check", "study"],
    ["simulate", "study"],
    ["formats"],
    ["coefficients"],
]


def test_every_command_that_needs_no_extra_works_in_the_base_install(tmp_path):
    program = f"""
import contextlib, io, json
from accord.cli.main import main
ends = []
for words in {COMMANDS!r}:
    sys.argv, end = ["accord", *words], 0
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
        try:
            main()
        except SystemExit as left:
            end = left.code or 0
    ends.append([" ".join(words), end, told.getvalue()[-300:]])
print(json.dumps(ends))
"""
    ends = json.loads(in_base(program, tmp_path).splitlines()[-1])
    assert [(words, told) for words, end, told in ends if end] == [] and len(ends) == len(COMMANDS)
    for name in ("report.html", "report.pdf", "systems.html", "chart.svg", "ratings.parquet"):
        assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("asked", "extra"),
    [(["plot", ADEQUACY, "-o", "chart.png"], "report"), (["convert", ADEQUACY, "ratings.xlsx"], "formats")],
)
def test_what_needs_an_extra_says_which(asked, extra, tmp_path):
    told = in_base(f"sys.argv = ['accord', *{asked!r}]\nfrom accord.cli.main import main\nmain()", tmp_path)
    assert re.search(rf"\w+ing [\w ]+ needs an optional part\. .*pip install '\.\[{extra}\]'", told)
