"""The page docs/benchmarks-users.md: what users wait for, with Accord, the best peers and a prototype, in turns."""

import json
import math
import platform
import sys
from pathlib import Path

from run import in_turns, time_text
from users import CASES, LONGEST, TASKS, WHO, can, file_of

HERE = Path(__file__).parent
ROOT = HERE.parent

HEAD = """---
orphan: true
---

# What users wait for

Made by `./bench users`, as [the other benchmarks](benchmarks.md): processor time of all threads, best runs. From the
same CSV file, or the same pandas frame of one row per rating with names as words, to a number. Reading, turning the
table and computing count for everybody. *By hand* is a prototype of some lines for this one number: DuckDB adds up each
item, numpy does the rest; nothing can be much faster, and it checks nothing. *Ratio* is the best peer's time over
Accord's: 3 is the goal for a number and 10 for a number with an interval, and a line says where it is missed.
krippendorff lays out a table of values x values for each item, 7.6 GiB for scores from 0 to 100, and is left out there.
Peers that take other coefficients only (ICC, Fleiss κ, Cohen κ) are named with them and are not compared with.

| ratings | from | asked | Accord | by hand | best peer for α | its time | ratio | other peers |
|---|---|---|---:|---:|---|---:|---:|---|
"""


KEPT = ROOT / ".bench" / "users.json"
Found = dict[str, dict[str, float]]


def main() -> None:
    """All cases, or those that are named: the others are kept as they were."""
    chosen = [case for case in CASES if case in sys.argv[1:]] or list(CASES)
    for case in chosen:
        file_of(case)
        for source in ("file", "frame"):
            for task in TASKS:
                print(f"{CASES[case][0]}, {source}, {TASKS[task]}", file=sys.stderr)
                kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
                kept[f"{case} {source} {task}"] = _measured(case, source, task)
                KEPT.write_text(json.dumps(kept, indent=1))
                _write(kept)


def _measured(case: str, source: str, task: str) -> dict[str, float]:
    able = [who for who in WHO if can(who, case, task)]
    python = {who: ROOT / (".bench/" + WHO[who][1] if WHO[who][1] else ".venv") / "bin/python" for who in able}
    found = in_turns({who: (python[who], "users.py", who, case, task, source) for who in able})
    return {who: result["seconds"] if result else math.nan for who, result in found.items()}


def _write(kept: Found) -> None:
    rows = [
        _row(case, source, task, kept[key])
        for case in CASES for source in ("file", "frame") for task in TASKS
        if (key := f"{case} {source} {task}") in kept
    ]  # fmt: skip
    machine = f"\nMachine: {platform.machine()}, Python {platform.python_version()}.\n"
    (ROOT / "docs/benchmarks-users.md").write_text(HEAD + "\n".join(rows) + "\n" + machine, encoding="utf-8")


def _row(case: str, source: str, task: str, found: dict[str, float]) -> str:
    done = {who: seconds for who, seconds in found.items() if not math.isnan(seconds)}
    peers = {who: done[who] for who in done if who not in ("accord", "by hand")}
    alike = {who: seconds for who, seconds in peers.items() if WHO[who][3] == "α"}
    best = min(alike, key=alike.__getitem__, default=None)
    own, goal = done.get("accord"), {"number": 3, "interval": 10}.get(task)
    ratio = alike[best] / own if best and own else None
    others = [f"{who} ({WHO[who][3]}) {time_text(peers[who])}" for who in peers if who != best]
    others += [f"{who} stopped after {LONGEST} s" for who in found if who not in done]
    cells = [
        CASES[case][0], source, TASKS[task], time_text(own) if own else "failed",
        time_text(done["by hand"]) if "by hand" in done else "", best or "", time_text(alike[best]) if best else "",
        "" if ratio is None else f"{ratio:.1f}{' (missed)' if goal and ratio < goal else ''}", ", ".join(others),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
