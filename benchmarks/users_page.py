"""The page docs/benchmarks-users.md: what users wait for, with Accord, the best peers and a prototype, in turns."""

import platform
import sys
from pathlib import Path

from run import in_turns, time_text
from users import CASES, TASKS, WHO, WHOLE_ONLY, file_of

HERE = Path(__file__).parent
ROOT = HERE.parent

HEAD = """---
orphan: true
---

# What users wait for

Made by `./bench users`, as [the other benchmarks](benchmarks.md): in turns, processor time of all threads, best runs.
From the same CSV file, or the same pandas frame of one row per rating with names as words, to a number. Reading,
turning the table and computing count for everybody. *By hand* is a prototype of some lines for this one number: DuckDB
adds up each item, numpy does the rest; nothing can be much faster, and it checks nothing. *Ratio* is the best peer's
time over Accord's. Peers that take other coefficients only (ICC, Fleiss κ, Cohen κ) are named with them and are not
compared with.

| ratings | from | asked | Accord | by hand | best peer for α | its time | ratio | other peers |
|---|---|---|---:|---:|---|---:|---:|---|
"""


def main() -> None:
    lines = []
    for case, (title, _, _) in CASES.items():
        file_of(case)
        for source in ("file", "frame"):
            for task, asked in TASKS.items():
                print(f"{title}, {source}, {asked}", file=sys.stderr)
                lines.append(_row(case, title, source, task, asked))
                machine = f"\nMachine: {platform.machine()}, Python {platform.python_version()}.\n"
                (ROOT / "docs/benchmarks-users.md").write_text(
                    HEAD + "\n".join(lines) + "\n" + machine, encoding="utf-8"
                )


def _row(case: str, title: str, source: str, task: str, asked: str) -> str:
    able = [who for who in WHO if task in WHO[who][2] and not (case == "gaps" and who in WHOLE_ONLY)]
    python = {who: ROOT / (".bench/" + WHO[who][1] if WHO[who][1] else ".venv") / "bin/python" for who in able}
    found = in_turns({who: (python[who], "users.py", who, case, task, source) for who in able})
    done = {who: result["seconds"] for who, result in found.items() if result}
    peers = {who: done[who] for who in done if who not in ("accord", "by hand")}
    alike = {who: seconds for who, seconds in peers.items() if WHO[who][3] == "α"}
    best = min(alike, key=alike.__getitem__, default=None)
    own = done.get("accord")
    cells = [
        title, source, asked, time_text(own) if own else "failed",
        time_text(done["by hand"]) if "by hand" in done else "",
        best or "", time_text(alike[best]) if best else "", f"{alike[best] / own:.1f}" if best and own else "",
        ", ".join(f"{who} ({WHO[who][3]}) {time_text(peers[who])}" for who in peers if who != best),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
