"""``import accord`` and ``accord --help`` stay light: nothing heavy before it is used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pandas", "scipy.stats", "duckdb", "altair", "django", "ninja", "openpyxl", "pyspark", "polars", "pyarrow")


@pytest.mark.parametrize("program", ["import accord; dir(accord)", "import accord.cli.main as m; m._application('')"])
def test_nothing_heavy_is_imported_before_it_is_used(program: str) -> None:
    probe = f"import sys; {program}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


SLOW = (
    "scipy",
    "pydantic",
    "narwhals",
    "rich",
    "duckdb",
    "pandas",
    "altair",
    "openpyxl",
    "importlib.metadata",
    "email",
    "numpy.ma",
    "html",
    "tarfile",
    "accord.plots",
    "accord.tables.html",
    "accord.tables.latex",
    "accord.formats.appraise",
    "accord.formats.excel",
    "accord.formats.label_studio",
    "accord.formats.xliff",
)


def test_a_small_file_is_answered_without_what_it_does_not_need(tmp_path: Path) -> None:
    given = [
        (item, rater, 40 + item * 13 % 50 + (item * 7 + rater * 5) % 11) for item in range(10) for rater in range(3)
    ]
    rows = [f"s{item},r{rater},{value}" for item, rater, value in given]
    (tmp_path / "tiny.csv").write_text("item,rater,value\n" + "\n".join(rows) + "\n", encoding="utf-8")
    program = (
        f"import sys, atexit; sys.argv = ['accord', 'agree', {str(tmp_path / 'tiny.csv')!r}]; "
        f"atexit.register(lambda: print([name for name in {SLOW!r} if name in sys.modules])); "
        "from accord.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "α = 0.95" in done.stdout and done.stdout.strip().endswith("[]")


def test_only_formats_that_a_file_may_be_in_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "tiny.csv").write_text("item,rater,value\n1,a,3\n1,b,4\n", encoding="utf-8")
    program = (
        f"import sys; from accord.formats.reading import detect; found = detect({str(tmp_path / 'tiny.csv')!r}); "
        "from accord.formats.registry import FORMATS; "
        "homes = {spec.module or name.replace('-', '_') for name, spec in FORMATS.items()}; "
        "print(found[0].name, sorted(home for home in homes if f'accord.formats.{home}' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "csv ['counted', 'plain']"


def test_every_public_name_can_be_imported_and_is_listed() -> None:
    import accord

    assert set(accord._HOME) | {"__version__"} == set(accord.__all__)
    assert all(getattr(accord, name) is not None for name in accord.__all__)


@pytest.mark.parametrize("said, used", [(None, "1"), ("4", "4")])
def test_products_of_small_matrices_take_one_thread_unless_somebody_says_more(said, used) -> None:
    program = (
        "import atexit, os, sys; sys.argv = ['accord', '--version']; "
        "atexit.register(lambda: print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)); "
        "from accord.cli.main import main; main()"
    )
    rest = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    env = rest | ({} if said is None else {"OPENBLAS_NUM_THREADS": said})
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.split()[-2:] == [used, "False"]
