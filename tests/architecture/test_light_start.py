"""``import accord`` and ``accord --help`` stay light: nothing heavy before it is used."""

import subprocess
import sys

import pytest

HEAVY = ("pandas", "scipy.stats", "duckdb", "altair", "django", "openpyxl", "pyspark", "polars", "pyarrow")


@pytest.mark.parametrize("program", ["import accord; dir(accord)", "import accord.cli.main as m; m._application('')"])
def test_nothing_heavy_is_imported_before_it_is_used(program: str) -> None:
    probe = f"import sys; {program}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_imported_and_is_listed() -> None:
    import accord

    assert set(accord._HOME) | {"__version__"} == set(accord.__all__)
    assert all(getattr(accord, name) is not None for name in accord.__all__)
