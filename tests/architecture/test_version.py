"""One version: a signature that names it must name one program."""

import re
import tomllib
from pathlib import Path

import accord

ROOT = Path(__file__).parents[2]


def test_package_citation_and_changelog_name_the_version_that_signs_every_number():
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited and newest
    assert [packaged, cited[1], newest[1]] == [accord.__version__] * 3
