"""An older version beside this one, by turns in fresh processes: which rows of the benchmarks became slower.

``python turns.py FOLDER`` measures every case and kind of ``run.py`` with the package of another worktree
(``git worktree add --detach FOLDER COMMIT``) and with this one; with ``case`` or ``case/kind`` behind it only these
rows, and with ``--rounds 9`` more of them. What slows the machine for a while slows both, so that the ratio can be
trusted under load. The coefficient alone is asked as each version's own ``ours.py`` asks, everything else in the same
words.
"""

import argparse
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
ROOT = HERE.parent
KINDS = ("arrays", "analytic", "jackknife", "auto")
SLOWER = 1.1
_ENVIRONMENT = os.environ | dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def seconds(tree: Path, case: str, kind: str) -> float:
    """Processor seconds of one row with the package of this tree, in a process of its own."""
    asking = tree / "benchmarks" / "ours.py" if kind == "arrays" else HERE / "ours.py"
    done = subprocess.run(
        [sys.executable, __file__, "--one", str(asking), case, kind],
        capture_output=True, text=True, check=True, env=_ENVIRONMENT | {"PYTHONPATH": str(tree / "src")},
    )  # fmt: skip
    return float(json.loads(done.stdout.splitlines()[-1])["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    sys.path.insert(0, str(HERE))
    from data import CASES

    rows = [(case, kind) for case in CASES for kind in KINDS]
    rows = [row for row in rows if not chosen.rows or row[0] in chosen.rows or "/".join(row) in chosen.rows]
    print(f"{'old ms':>9}{'new ms':>9}{'ratio':>7}   load {os.getloadavg()[0]:.1f}")
    for case, kind in rows:
        found: dict[Path, list[float]] = {chosen.folder: [], ROOT: []}
        for _ in range(chosen.rounds):
            for tree, times in found.items():
                times.append(seconds(tree, case, kind))
        old, new = (median(times) * 1000 for times in found.values())
        told = " SLOWER" if new > SLOWER * old else ""
        print(f"{old:9.2f}{new:9.2f}{new / old:7.2f}  {case} {kind}{told}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        # The clock of this version for both: an older one read it after each run, which is another number.
        sys.path.insert(0, str(HERE))
        sys.argv = sys.argv[2:]
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        main()
