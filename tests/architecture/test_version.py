"""One version: a signature that names it must name one program."""

import re
import tomllib
from pathlib import Path

import accord

ROOT = Path(__file__).parents[2]


def test_package_citation_changelog_and_security_page_name_the_version_that_signs_every_number():
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    secured = re.search(r"newest is version (\d+\.\d+)", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert cited and newest and secured
    assert [packaged, cited[1], newest[1]] == [accord.__version__] * 3
    assert accord.__version__.startswith(f"{secured[1]}.")
