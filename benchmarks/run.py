"""Run every case for Accord and its peers in one go, compare values, and write docs/benchmarks.md as ratios."""

import json
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

from data import CASES  # noqa: E402
from peers import PEERS  # noqa: E402

HEAD = """# Benchmarks

Made by `./bench`: Accord and each peer on the same data, in one run on one machine, every peer in an environment of
its own and given the input it likes best. Each time is the best of up to 50 runs. **Read the ratios**: an absolute time
says more about the machine than about the program. Values were compared too; where a peer gives another number, the
last column says so.

- *arrays*: the coefficient alone, from coded ratings.
- *all*: `accord.agreement(frame)` from a pandas frame: reading, every coefficient that fits, each with an interval.

| case | best peer | peer time | Accord, arrays | peer / arrays | Accord, all | peer / all | values |
|---|---|---:|---:|---:|---:|---:|---|
"""


def measured(python: Path, *arguments: str) -> dict[str, float] | None:
    command = [str(python), str(HERE / arguments[0]), *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=HERE, check=False)
    if done.returncode != 0:
        print(f"  {' '.join(arguments)} failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    result: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def time_text(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def row(case: str, title: str) -> tuple[str, list[str]]:
    found = {
        name: result
        for name, (_, environment, _) in PEERS[case].items()
        if (result := measured(ROOT / ".bench" / environment / "bin" / "python", "peers.py", case, name))
    }
    ours = measured(ROOT / ".venv/bin/python", "ours.py", case, "arrays")
    everything = measured(ROOT / ".venv/bin/python", "ours.py", case, "all")
    if not found or ours is None or everything is None:
        return f"| {title} | not measured | | | | | | |", []
    best = min(found, key=lambda name: found[name]["seconds"])
    peer = found[best]["seconds"]
    details = [
        f"- {title}: {name} {time_text(result['seconds'])}, value {result['value']:.6f}"
        for name, result in found.items()
    ] + [f"- {title}: Accord {time_text(ours['seconds'])}, value {ours['value']:.6f}"]
    cells = [
        title, best, time_text(peer), time_text(ours["seconds"]), f"{peer / ours['seconds']:.1f}",
        time_text(everything["seconds"]), f"{peer / everything['seconds']:.2f}",
        _agreement(found[best]["value"], ours["value"], best),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |", details


def _agreement(theirs: float, ours: float, peer: str) -> str:
    if "τ" in peer:
        return "another coefficient"
    near = abs(theirs - ours) < 1e-6
    return "equal" if near else f"{theirs:.4f} against {ours:.4f}"


def main() -> None:
    lines, details = [], []
    for case, (title, _) in CASES.items():
        print(title, file=sys.stderr)
        line, more = row(case, title)
        lines.append(line)
        details += more
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    text = HEAD + "\n".join(lines) + "\n\n## Every peer\n\n" + "\n".join(details) + f"\n\nMachine: {machine}.\n"
    extra = ROOT / "docs" / "benchmarks-more.md"
    target = ROOT / "docs" / "benchmarks.md"
    target.write_text(text + (extra.read_text(encoding="utf-8") if extra.exists() else ""), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
