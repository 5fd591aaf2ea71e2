"""How each command grows from a thousand rows to a million, in processor time and memory, as a table with exponents.

``python benchmarks/growth.py`` measures all and writes ``docs/benchmarks-growth.md``. With words, as ``agree pool``,
only the lines that hold them are measured anew, with numbers only these sizes; the others are kept as they were.
"""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

from shapes import SHAPES, csv_of  # noqa: E402

SIZES = (1_000, 10_000, 100_000, 1_000_000)
KEPT = ROOT / ".bench" / "growth.json"
COMMON = ("3x5", "3x100", "50", "pool", "criteria", "systems")
FILE = "FILE"
OUT = "OUT"
TURNS, QUICK, LONGEST = 3, 5.0, 120
"""What takes up to QUICK seconds is measured TURNS times, in turns; it is stopped after LONGEST processor seconds."""


def _over(name: str, *words: str, shapes: tuple[str, ...] = COMMON) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(name, shape, words) for shape in shapes]


LINES = [
    *_over("agree", "agree", FILE),
    *_over("diagnose", "diagnose", FILE),
    *_over("report", "report", FILE, "-o", f"{OUT}.html"),
    *_over("score --ratings", "score", "--ratings", FILE, "--scale", "0", "100", shapes=("3x100", "systems")),
    *_over("convert to xlsx", "convert", FILE, f"{OUT}.xlsx", "--force", shapes=("3x5", "criteria")),
    *_over("rank", "rank", FILE, "--direction", "high", shapes=("systems",)),
    *_over("da", "da", FILE, "--direction", "high", shapes=("assessments",)),
    *_over("prefer", "prefer", FILE, shapes=("choices",)),
    *_over("mqm", "mqm", FILE, shapes=("errors",)),
    *_over("compare rounds", "compare", FILE, "--condition", "phase", shapes=("rounds",)),
    *_over("compare groups", "compare", FILE, "--condition", "group", "--design", "groups", shapes=("groups",)),
    *_over("compare references", "compare", FILE, "--condition", "group", "--design", "reference-bias",
           shapes=("references",)),
    *_over("compare scenarios", "compare", FILE, "--condition", "scenario", "--direction", "high",
           shapes=("scenarios",)),
]  # fmt: skip


def run(words: tuple[str, ...], source: Path, folder: Path) -> dict[str, float] | None:
    """Processor seconds and megabytes of one command in a process of its own; None if it failed or took too long."""
    filled = [str(source) if word == FILE else word.replace(OUT, str(folder / "out")) for word in words]
    program = ["sh", "-c", f'ulimit -t {LONGEST}; exec "$@"', "sh", sys.executable, "-m", "accord", *filled]
    with (folder / "said.txt").open("wb") as said:
        child = subprocess.Popen(program, stdout=said, stderr=said, cwd=folder, env=os.environ | _ONE_THREAD)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"seconds": math.inf, "megabytes": usage.ru_maxrss / 1024}
    if child.returncode != 0:
        last = (folder / "said.txt").read_text(errors="replace").strip().splitlines()[-1:]
        print(f"  {' '.join(filled)} ended with {child.returncode}: {last}", file=sys.stderr)
        return None
    return {"seconds": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024}


_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_ONE_THREAD["PYTHONDONTWRITEBYTECODE"] = ""
Measured = dict[tuple[str, str, int], dict[str, float]]


def measure(chosen: list[tuple[str, str, tuple[str, ...]]], sizes: tuple[int, ...], data: Path) -> None:
    """The best of each, in turns: whatever slows the machine for a while slows all of them. Kept as they come."""
    best: Measured = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(TURNS):
            for rows in sizes:
                for name, shape, words in chosen:
                    before = best.get((name, shape, rows))
                    if turn and (before is None or before["seconds"] > QUICK):
                        continue
                    found = run(words, csv_of(shape, rows, data), Path(folder))
                    if found is None:
                        continue
                    if not turn:
                        print(f"{name:22}{shape:13}{rows:>9,}{found['seconds']:8.2f} s{found['megabytes']:7.0f} MB",
                              file=sys.stderr, flush=True)  # fmt: skip
                    if before is None or found["seconds"] < before["seconds"]:
                        best[name, shape, rows] = found
                        keep({**kept(), (name, shape, rows): found})


def kept() -> Measured:
    """What was measured so far."""
    if not KEPT.exists():
        return {}
    return {(name, shape, rows): found for name, shape, rows, found in json.loads(KEPT.read_text())}


def keep(found: Measured) -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps([[*key, value] for key, value in found.items()], indent=1))


def exponent(found: Measured, name: str, shape: str) -> float | None:
    """The power of the rows that the time above that of the smallest file follows, from the two largest sizes."""
    times = [found.get((name, shape, rows)) for rows in SIZES]
    if not (times[0] and times[-2] and times[-1]) or math.isinf(times[-1]["seconds"]):
        return None
    start = times[0]["seconds"]
    earlier, later = times[-2]["seconds"] - start, times[-1]["seconds"] - start
    return math.log(later / earlier) / math.log(SIZES[-1] / SIZES[-2]) if earlier > 0.1 and later > 0 else None


HEAD = """---
orphan: true
---

# How commands grow

Made by `./bench growth`: each command from the same kinds of CSV files, in a process of its own with one thread for
linear algebra. Seconds are processor time of all threads, start of the program included, in one turn or the best of
up to three. *Power* is the power of the rows that the time above that of the smallest file follows from 100,000 to a
million: 1 is linear; it is left out where 100,000 rows take no longer than a thousand. `compare` draws sums of 5,000
items and more from their normal limit, so that a million rows can take less than 100,000. Memory is the most that the
process held. What was not measured is a dash.
{load}
| command | ratings | 1,000 | 10,000 | 100,000 | 1,000,000 | power | memory at a million |
|---|---|---:|---:|---:|---:|---:|---:|
"""


def table(found: Measured) -> str:
    lines = []
    for name, shape, _ in LINES:
        cells = [found.get((name, shape, rows)) for rows in SIZES]
        if not any(cells):
            continue
        power = exponent(found, name, shape)
        held = cells[-1].get("megabytes") if cells[-1] else None
        memory = f"{held / 1000:.2f} GB" if held else "–"
        seconds = [_seconds(cell["seconds"]) if cell else "–" for cell in cells]
        lines.append(f"| `{name}` | {SHAPES[shape][0]} | {' | '.join(seconds)} | "
                     f"{'–' if power is None else f'{power:.2f}'} | {memory} |")  # fmt: skip
    return HEAD.format(load=_load()) + "\n".join(lines) + "\n"


def _load() -> str:
    """What else the machine did, in a sentence: processor seconds grow with it too."""
    load = os.getloadavg()[2]
    if load < 2.5:
        return ""
    return (
        f"In the last quarter of an hour {load:.0f} processes competed for {os.cpu_count()} processors: seconds are "
        "more than on an idle machine.\n"
    )


def _seconds(seconds: float) -> str:
    return f"over {LONGEST} s" if math.isinf(seconds) else f"{seconds:.2f} s"


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.isdigit()]
    sizes = tuple(int(word) for word in sys.argv[1:] if word.isdigit()) or SIZES
    chosen = [line for line in LINES if all(word in f"{line[0]} {line[1]}".split() for word in words)]
    if not words and sizes == SIZES:
        keep({})
    measure(chosen, sizes, ROOT / ".bench" / "data")
    (ROOT / "docs/benchmarks-growth.md").write_text(table(kept()), encoding="utf-8")


if __name__ == "__main__":
    main()
