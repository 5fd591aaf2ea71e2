"""Every goal of speed in one table: what was measured now, the goal, and whether it is met.

``./bench --goals`` measures all but the two largest, ``./bench --goals large`` those too, and with other words only the
rows that hold them, as ``./bench --goals state``. Processor seconds of all threads, linear algebra with one thread;
what takes up to three seconds is measured three times and the best is taken. Files and studies are made once, in
``.bench``, which takes some minutes and is not measured. What was measured is kept there too; ``./bench --goals write``
measures nothing and makes ``docs/benchmarks-goals.md`` of it.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

from growth import FILE, OUT, run  # noqa: E402
from shapes import csv_of  # noqa: E402

DATA = ROOT / ".bench" / "data"
KEPT, PAGE = ROOT / ".bench" / "goals.json", ROOT / "docs" / "benchmarks-goals.md"
TURNS, QUICK = 3, 3.0
_SLOW = "evalica", "interval"
"""Its bootstrap takes half a minute where irrCAC takes a tenth of a second."""
_ENVIRONMENT = os.environ | dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Goal(NamedTuple):
    """What is measured, what is wanted of it, and how it is measured; a ratio is better the higher it is."""

    title: str
    goal: float
    unit: str
    measure: Callable[[], float | None]
    large: bool = False

    def is_met(self, found: float) -> bool:
        return found >= self.goal if self.unit == "times" else found <= self.goal


def command(*words: str, shape: str = "", rows: int = 0, part: str = "seconds") -> Callable[[], float | None]:
    """A command in a process of its own, with its start."""

    def measure() -> float | None:
        source = csv_of(shape, rows, DATA) if shape else ROOT / "docs" / "examples" / "adequacy.csv"
        with tempfile.TemporaryDirectory() as folder:
            found = run(words, source, Path(folder))
        return found[part] if found else None

    return measure


def script(*words: str, python: str = ".venv", part: str = "seconds") -> Callable[[], float | None]:
    """A script of this folder that prints what it measured as JSON."""

    def measure() -> float | None:
        program = [str(ROOT / python / "bin/python"), str(HERE / words[0]), *words[1:]]
        if not Path(program[0]).exists():
            return None
        done = subprocess.run(program, capture_output=True, text=True, env=_ENVIRONMENT, cwd=ROOT)
        if done.returncode:
            print(f"  {' '.join(words)}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            return None
        return float(json.loads(done.stdout.splitlines()[-1])[part])

    return measure


def ratio(case: str, source: str, task: str) -> Callable[[], float | None]:
    """The best peer's time for alpha over Accord's, from the same file or frame."""

    def measure() -> float | None:
        from users import WHO, can, file_of

        file_of(case)
        own = script("users.py", "accord", case, task, source)()
        times = [
            script("users.py", who, case, task, source, python=f".bench/{environment}")()
            for who, (_, environment, _, coefficient) in WHO.items()
            if environment and coefficient == "α" and can(who, case, task) and (who, task) != _SLOW
        ]
        known = [seconds for seconds in times if seconds is not None]
        return min(known) / own if own and known else None

    return measure


def demo_report() -> float | None:
    from states import FOLDER

    script("states.py", "demo")()
    with tempfile.TemporaryDirectory() as folder:
        found = run(("report", str(FOLDER / "demo"), "-o", f"{OUT}.html"), Path(folder), Path(folder))
    return found["seconds"] if found else None


_ROUNDS = ("compare", FILE, "--condition", "phase")
_REFERENCES = ("compare", FILE, "--condition", "group", "--design", "reference-bias")
# A table should look like one.
# fmt: off
GOALS = [
    Goal("agree --help", 0.15, "s", command("agree", "--help")),
    Goal("agree on a file of 30 ratings", 0.35, "s", command("agree", FILE, shape="3x5", rows=30)),
    Goal("agree, 0-100 CSV, 10,000", 0.8, "s", command("agree", FILE, shape="3x100", rows=10_000)),
    Goal("agree, 0-100 CSV, 100,000", 1.2, "s", command("agree", FILE, shape="3x100", rows=100_000)),
    Goal("agree, 0-100 CSV, 1,000,000", 2.5, "s", command("agree", FILE, shape="3x100", rows=1_000_000)),
    Goal("all coefficients with intervals, frame 4 x 100,000, 0-100", 0.3, "s",
         script("users.py", "accord", "4x100", "all", "frame")),
    Goal("one ordinal alpha with interval, wide frame 5 x 100,000 with gaps", 0.015, "s", script("one_alpha.py")),
    Goal("read CSV, 1,000,000", 0.4, "s", script("reading.py", "csv")),
    Goal("read Parquet, 1,000,000", 0.3, "s", script("reading.py", "parquet")),
    Goal("compare rounds, 1,000,000", 5, "s", command(*_ROUNDS, shape="rounds", rows=1_000_000)),
    Goal("da, 1,000,000", 5, "s", command("da", FILE, "--direction", "high", shape="assessments", rows=1_000_000)),
    Goal("reference bias, 1,000,000: memory", 1000, "MB",
         command(*_REFERENCES, shape="references", rows=1_000_000, part="megabytes")),
    Goal("state of the demo", 0.8, "s", script("states.py", "demo")),
    Goal("state of 50,000 judgements", 2, "s", script("states.py", "50000")),
    Goal("state of 500,000 judgements", 20, "s", script("states.py", "500000")),
    Goal("report of the demo", 2, "s", demo_report),
    Goal("report of 500,000 ratings by 50 raters", 8, "s",
         command("report", FILE, "-o", f"{OUT}.html", shape="50", rows=500_000)),
    *(Goal(f"ratio to the best peer, {case}, {source}, {task}", goal, "times", ratio(case, source, task))
      for case in ("gaps", "few") for source in ("file", "frame") for task, goal in (("number", 3), ("interval", 10))),
    Goal("agree, 0-100 Parquet, 10,000,000", 8, "s", script("reading.py", "agree10m"), large=True),
    Goal("50,000,000 ratings over SQL written by hand, memory-bound", 1.2, "x",
         script("../tools/big_data_study.py", "--ratio", "50"), large=True),
]
# fmt: on


def measured(goal: Goal) -> float | None:
    """The best of some turns; of what takes long, of one."""
    best = None
    for _ in range(TURNS):
        found = goal.measure()
        if found is None:
            return best
        better = max if goal.unit == "times" else min
        best = found if best is None else better(best, found)
        if goal.unit in ("times", "x") or found > QUICK:
            break
    return best


def _kept() -> dict[str, tuple[float, float]]:
    """What was measured of each row, and how many processes competed for the processors then."""
    return dict(json.loads(KEPT.read_text())) if KEPT.exists() else {}


HEAD = """---
orphan: true
---

# Goals of speed

Made by `./bench --goals` and `./bench --goals write`. Seconds are processor time of all threads, linear algebra with
one thread; the start of the program counts for commands, and not for reading, frames and states. *Load* is how many
processes competed for the two processors when the run began: processor time is then more than on an idle machine; how
much more was not measured. Ratios are the best peer's time over Accord's, end to end from the same file or frame.

| case | measured | goal | met | load |
|---|---:|---:|---|---:|
"""


def page(found: dict[str, tuple[float, float]]) -> str:
    """The table; what was not measured says so."""
    lines = []
    for goal in GOALS:
        number, load = found.get(goal.title, (None, None))
        told = "not measured" if number is None else f"{number:.3g} {goal.unit}"
        met = "" if number is None else "yes" if goal.is_met(number) else "no"
        load_told = "" if load is None else f"{load:.0f}"
        lines.append(f"| {goal.title} | {told} | {goal.goal:g} {goal.unit} | {met} | {load_told} |")
    return HEAD + "\n".join(lines) + "\n"


def main() -> None:
    if sys.argv[1:] == ["write"]:
        PAGE.write_text(page(_kept()), encoding="utf-8")
        return
    words = [word for word in sys.argv[1:] if word != "large"]
    large = "large" in sys.argv[1:]
    chosen = [
        goal for goal in GOALS if all(word in goal.title for word in words) and (large or words or not goal.large)
    ]
    load = os.getloadavg()[0]
    print(f"{'measured':>10}{'goal':>10}  met  (load {load:.1f})")
    missed = 0
    for goal in chosen:
        found = measured(goal)
        if found is not None:
            KEPT.write_text(json.dumps({**_kept(), goal.title: [found, load]}, indent=1))
        met = found is not None and goal.is_met(found)
        missed += not met
        number = "failed" if found is None else f"{found:.3g} {goal.unit}"
        print(f"{number:>10}{f'{goal.goal:g} {goal.unit}':>10}  {'yes' if met else 'NO ':3}  {goal.title}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} goals are met.")


if __name__ == "__main__":
    main()
