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
its own and given the input it likes best. All take turns three times; each time is the best of all runs, in processor
time with one thread.
**Read the ratios**: an absolute time says more about the machine than about the program. Values were compared too;
where a peer gives another number, the last column says so.

- *arrays*: the coefficient alone, from coded ratings.
- *analytic*, *jackknife*, *default*: `accord.agreement(frame)` from a pandas frame: reading, every coefficient that
  fits, each with an interval of this kind. Where a coefficient has no formula, *analytic* takes the exact jackknife.
  *Default* is what a user gets unasked: ABC from 1,000 items on, BCa with 10,000 replicates below.
- Each ratio is the peer's time for its one coefficient over Accord's: above 1 Accord is faster.

| case | best peer | its time | arrays | ratio | analytic | ratio | jackknife | ratio | default | ratio | values |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
"""
ROUNDS = 3
LONG = 5.0
"""Seconds; what takes longer is measured once."""
KINDS = ("arrays", "analytic", "jackknife", "auto")


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


def in_turns(commands: dict[str, tuple[Path, *tuple[str, ...]]]) -> dict[str, dict[str, float] | None]:
    """The best of several rounds of each: whatever slows the machine for a while slows all of them."""
    best: dict[str, dict[str, float] | None] = {name: measured(*command) for name, command in commands.items()}
    for _ in range(ROUNDS - 1):
        for name, command in commands.items():
            before = best[name]
            if before is None or before["seconds"] > LONG:
                continue
            again = measured(*command)
            if again is not None and again["seconds"] < before["seconds"]:
                best[name] = again
    return best


def row(case: str, title: str) -> tuple[str, list[str]]:
    peers = {
        name: (ROOT / ".bench" / environment / "bin" / "python", "peers.py", case, name)
        for name, (_, environment, _) in PEERS[case].items()
    }
    results = in_turns(peers | {kind: (ROOT / ".venv/bin/python", "ours.py", case, kind) for kind in KINDS})
    found = {name: result for name in peers if (result := results[name])}
    ours = {kind: results[kind] for kind in KINDS}
    arrays = ours["arrays"]
    if not found or arrays is None:
        return f"| {title} | not measured |{' |' * 10}", []
    best = min(found, key=lambda name: found[name]["seconds"])
    peer = found[best]["seconds"]
    details = [
        f"- {title}: {name} {time_text(result['seconds'])}, value {result['value']:.6f}"
        for name, result in found.items()
    ] + [f"- {title}: Accord {time_text(arrays['seconds'])}, value {arrays['value']:.6f}"]
    cells = [title, best, time_text(peer)]
    for result in ours.values():
        cells += [time_text(result["seconds"]), f"{peer / result['seconds']:.2f}"] if result else ["failed", ""]
    return f"| {' | '.join([*cells, _agreement(found[best]['value'], arrays['value'], best)])} |", details


BIG_DATA = """## How commands grow

Commands from a thousand to a million rows are on the page [How commands grow](benchmarks-growth.md), and
what users wait for, from a file or a frame to a number beside peers that are given the same, on
[What users wait for](benchmarks-users.md). Every goal of speed stands beside what was measured last on
[Goals of speed](benchmarks-goals.md).

## From one to fifty million ratings

Cost grows linearly with the number of ratings. How it was measured, with seconds, memory and the ratio to the same
GROUP BY written by hand, is on the page [Benchmarks for big data](benchmarks-big-data.md).

![Processor seconds against millions of ratings, both on logarithmic axes](_static/big-data.svg)
"""


def other_measures() -> str:
    """Pair analyses, memory, start and size."""
    python = ROOT / ".venv/bin/python"
    pairs, loop = measured(python, "pair_analyses.py", "ours"), measured(python, "pair_analyses.py", "plain")
    sizes = measured(python, "sizes.py")
    lines = ["", "## Pair analyses, memory, start and size", ""]
    if pairs and loop:
        lines.append(
            f"- Reference bias with 25 raters x 100 items: {pairs['kappas']:.0f} kappas with intervals, "
            f"{pairs['comparisons']:,.0f} comparisons of two pairs, 10,000 permutations and 10,000 replicates "
            f"for each of {pairs['units']:.0f} units: {time_text(pairs['seconds'])}; loops over pairs, measured on a "
            f"thousandth and scaled, {loop['seconds']:,.0f} s: {loop['seconds'] / pairs['seconds']:,.0f} times as long."
        )
    if sizes:
        lines += [
            f"- Memory over the input for α at all four levels, 10,000 items x 5 raters from 0 to 100: "
            f"{sizes['memory']:.0f} MB.",
            f"- `accord --help`: {sizes['help']:.2f} s of processor time.",
        ]
        size = f"{sizes['install']:.0f} MB" if sizes["install"] else "not measured"
        lines.append(f"- Base install in an empty environment: {size}.")
    return "\n".join(lines)


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
    text = (
        HEAD
        + "\n".join(lines)
        + "\n\n## Every peer\n\n"
        + "\n".join(details)
        + f"\n{other_measures()}\n\nMachine: {machine}.\n\n{BIG_DATA}"
    )
    target = ROOT / "docs" / "benchmarks.md"
    target.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
