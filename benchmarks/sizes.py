"""How much memory alpha takes on a fine scale, how long the command takes to start, how large the install is."""

import json
import resource
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]


def alpha_memory() -> float:
    """Megabytes over the input for every level of alpha on 10,000 items x 5 raters, 0 to 100."""
    from accord.coefficients.compute import compute
    from accord.coefficients.options import Options
    from accord.ratings.counting import count_source
    from accord.ratings.read import read

    rng = np.random.default_rng(0)
    table = np.clip(np.rint(rng.normal(50, 15, (10_000, 1)) + rng.normal(0, 8, (10_000, 5))), 0, 100)
    ratings = read(table, level="interval")
    compute(count_source(read(table[:50], level="interval")), "krippendorff_alpha")
    tracemalloc.start()
    for metric in ("nominal", "ordinal", "interval", "ratio"):
        compute(count_source(ratings), "krippendorff_alpha", Options(metric=metric))
    return tracemalloc.get_traced_memory()[1] / 1e6


def help_seconds() -> float:
    """Processor time of ``accord --help``, the best of three."""
    times = []
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([ROOT / ".venv/bin/accord", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def install_megabytes() -> float | None:
    """What the base install adds to an empty environment; None if it was not made."""
    packages = next((ROOT / ".bench/base/lib").glob("python*/site-packages"), None)
    if packages is None or not (ROOT / ".bench/base/done").exists():
        return None
    own = ("pip", "setuptools", "pkg_resources", "wheel", "_distutils_hack", "distutils-precedence")
    parts = [part for part in packages.iterdir() if not part.name.startswith(own)]
    files = [file for part in parts for file in ([part] if part.is_file() else part.rglob("*")) if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


if __name__ == "__main__":
    sizes = {"memory": alpha_memory(), "help": help_seconds(), "install": install_megabytes()}
    print(json.dumps(sizes))
    sys.exit()
