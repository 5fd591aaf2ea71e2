"""What ./run and ./test install is locked: every package that pyproject.toml asks for, in a version that fits."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def locked(name):
    text = (ROOT / "lock" / f"{name}.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^ ;]+).*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.M)
    assert len(found) == len(re.findall(r"^[A-Za-z0-9._-]+==", text, re.M)) > 20, "every version has a hash"
    return {re.sub(r"[._-]+", "-", package).lower(): version for package, version in found}


def asked(*groups, extras):
    """Requirements of the base, of these extras (with the extras they name) and of these groups."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    waiting = [*project["project"]["dependencies"]]
    for extra in extras:
        waiting += project["project"]["optional-dependencies"][extra]
    for group in groups:
        waiting += project["dependency-groups"][group]
    while waiting:
        requirement = Requirement(waiting.pop())
        if requirement.name == "accord":
            for extra in requirement.extras:
                waiting += project["project"]["optional-dependencies"][extra]
        else:
            yield requirement


@pytest.mark.parametrize(
    ("name", "extras", "groups"),
    [("run", ["server"], ["build"]), ("test", ["all"], ["build", "check", "test", "docs"])],
)
def test_every_requirement_is_locked_in_a_version_that_fits(name, extras, groups):
    versions = locked(name)
    for requirement in asked(*groups, extras=extras):
        version = versions.get(re.sub(r"[._-]+", "-", requirement.name).lower())
        assert version is not None, f"{requirement.name} is not locked: run tools/lock"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement}: run tools/lock"


def test_the_locks_agree_and_name_no_index():
    run, test = locked("run"), locked("test")
    assert {name: test.get(name) for name in run} == run
    for name in ("run", "test"):
        assert "://" not in (ROOT / "lock" / f"{name}.txt").read_text(encoding="utf-8")
