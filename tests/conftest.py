"""What all tests share: the folder of real ratings, the command line as a user meets it, and a browser."""

import gc
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from long_tests import LONG
from prepared_demo import prepared_demo
from real_browser import real_browser
from warm_process import accord_words, share_parent

# A test process has one core: with threads of its own, linear algebra on a few rows takes three times as long.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# How long an example takes says how busy the machine is, and nothing of the program.
settings.register_profile(
    "any-load", parent=settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-load")


LONGEST_FIRST = (
    "server_workspace/test_walk_whole.py", "server/test_walk_presets.py", "server/test_walk.py",
    "promises/test_promises.py", "docs/test_examples.py", "server_organiser/test_same_everywhere.py",
    "server_workspace/test_wizard.py", "reporting/test_page_in_browser.py", "formats/test_recorded_small.py",
    "cli/test_recorded_answers.py", "server_workspace/test_whole_zip.py", "server_workspace/test_walk_studio.py",
    "server_organiser/test_two_versions.py", "server_workspace/test_people.py",
    "server_organiser/test_walk_rounds.py", "server_organiser/test_api.py", "server/test_offline.py",
    "server/test_blind_clicks.py", "server/test_document_page.py",
    "server/test_walk_hands.py", "server/test_demo.py", "server/test_actions.py", "ratings/test_stored.py",
    "server/test_typed_scores.py", "ratings/test_poisson_weights.py",
    "ratings/test_spark.py", "server/test_verify.py", "server/test_faults.py", "server/test_blind.py",
    "server/test_walk_phases.py", "server/test_practice.py", "server/test_prefilled.py",
    "reliability/test_recorded.py", "diagnosis/test_integrity.py",
)  # fmt: skip
"""Files that take longest, begun first: else one process would work on the last of them while the others wait."""
LAST = ("functions/test_types.py",)
"""It needs what mypy finds out beside the tests (./test), and would else find it out a second time."""


def pytest_configure(config: pytest.Config) -> None:
    if getattr(config.option, "numprocesses", None):
        share_parent()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Nothing that is collected goes away again: to look for it takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST_FIRST)}
    place |= {here / name: len(LONGEST_FIRST) + 1 for name in LAST}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST_FIRST)))
    for item in items:
        if item.nodeid.removeprefix(f"{here.name}/").startswith(LONG):
            item.add_marker("long")


@pytest.fixture(scope="session")
def data() -> Path:
    """Real ratings that may not be shipped; named by ACCORD_DATA."""
    folder = os.environ.get("ACCORD_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("needs real ratings: set ACCORD_DATA to the folder that holds them")
    return Path(folder)


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory):
    """The demonstration study as ``accord demo --prepare-only`` makes it; to be read, or copied and changed."""
    own = tmp_path_factory.getbasetemp()
    return prepared_demo(own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own)


@pytest.fixture
def accord_command(tmp_path):
    """Run ``accord ...`` in an empty folder, as a user does; returns the finished process."""

    def run(*arguments: object, stdin: str | None = None, timeout: float = 900) -> subprocess.CompletedProcess[str]:
        command = accord_words(*arguments)
        return subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True, timeout=timeout)

    return run


@pytest.fixture(scope="module")
def chromium():
    """One browser for the walks of a module; it ends with it, as its event loop would disturb others."""
    with real_browser() as browser:
        yield browser
