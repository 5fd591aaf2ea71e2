"""Break the program in one place at a time and see whether a test fails: ./test --mutants [ROOM...] [--number 60].

Half of the mutants are aimed at meaning (directions, thresholds, names, words), half at arithmetic. They are drawn by a
seed, in a copy of the repository, so that nothing here is touched. The tests that pass by the broken line are asked
first; only what they let through is shown to all tests of the room. Survivors are listed: each wants a better test.
"""

import argparse
import ast
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
ROOMS = ("coefficients", "inference", "reliability", "scoring", "comparisons", "diagnosis", "reporting", "formats",
         "ratings", "design", "planning", "judging", "functions", "server")  # fmt: skip
MORE_TESTS = {"server": ["tests/server_organiser"], "reporting": ["tests/papers"], "scoring": ["tests/functions"]}
ASKED_FIRST = 120  # tests of the broken line; more seldom see more, and cost a minute
MARKS = "not hard and not browser and not spark and not postgres"
OPPOSITES = [
    ("higher", "lower"), ("better", "worse"), ("rose", "fell"), ("more", "fewer"), ("above", "below"), ("high", "low"),
    ("first", "second"), ("wins", "losses"), ("before", "after"), ("strict", "lenient"), ("largest", "smallest"),
    ("best", "worst"), ("narrower", "wider"), ("reliable", "unreliable"), (" is ", " is not "), ("PASS", "FAIL"),
]  # fmt: skip
COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
COUNTED = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the characters from start to end of a file become other ones."""

    path: Path
    start: int
    end: int
    old: str
    new: str
    meaning: bool
    line: int

    @property
    def lines(self) -> range:
        return range(self.line, self.line + self.old.count("\n") + 1)

    def put(self, folder: Path) -> None:
        """Break the copy in this place."""
        text = (ROOT / self.path).read_text(encoding="utf-8")
        self._write(folder, text[: self.start] + self.new + text[self.end :])

    def mend(self, folder: Path) -> None:
        self._write(folder, (ROOT / self.path).read_text(encoding="utf-8"))

    def _write(self, folder: Path, text: str) -> None:
        place = folder / self.path
        place.write_text(text, encoding="utf-8")
        # What was compiled is told apart by whole seconds and size: two changes may look alike.
        Path(importlib.util.cache_from_source(str(place))).unlink(missing_ok=True)

    def __str__(self) -> str:
        kind = "meaning" if self.meaning else "arithmetic"
        return f"{self.path}:{self.line} ({kind}): {self.old.strip()} -> {self.new.strip()}"


class Places:
    """Where the nodes of a file stand, in characters."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = (ROOT / path).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.lines = [0]
        for line in self.text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.bytes = [line.encode() for line in self.text.splitlines(keepends=True)]

    def at(self, line: int, column: int) -> int:
        return self.lines[line - 1] + len(self.bytes[line - 1][:column].decode())

    def span(self, node: ast.expr) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno or 0, node.end_col_offset or 0)

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str, meaning: bool) -> Iterator[Mutant]:
        """Replace the sign between two operands, where it stands alone."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = self.text[start:end]
        if gap.count(old) == 1 and "\n" not in gap:
            place = start + gap.index(old)
            yield Mutant(self.path, place, place + len(old), old, new, meaning, right.lineno)

    def whole(self, node: ast.expr, new: str, meaning: bool) -> Mutant:
        start, end = self.span(node)
        return Mutant(self.path, start, end, self.text[start:end], new, meaning, node.lineno)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All changes that we know of, in one file."""
    places = Places(path)
    skipped = {id(part) for node in ast.walk(places.tree) for part in _untold(node)}
    for node in ast.walk(places.tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.BinOp) and type(node.op) in COUNTED:
            yield from places.between(node.left, node.right, *COUNTED[type(node.op)], False)
            if isinstance(node.op, ast.Sub):
                left, right = (places.text[slice(*places.span(part))] for part in (node.left, node.right))
                yield places.whole(node, f"(({right}) - ({left}))", True)
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED and len(node.ops) == 1:
            sign = COMPARED[type(node.ops[0])]
            for new in {TURNED[sign], MIRRORED.get(sign, TURNED[sign])}:
                yield from places.between(node.left, node.comparators[0], f"{sign} ", f"{new} ", True)
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from places.between(node.values[0], node.values[1], f" {old} ", f" {new} ", True)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            operand = places.text[slice(*places.span(node.operand))]
            yield places.whole(node, f"({operand})", isinstance(node.op, ast.Not))
        elif isinstance(node, ast.JoinedStr):
            yield from _words(places, node)
        elif isinstance(node, ast.Constant):
            yield from _constants(places, node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            yield places.whole(node.func, "max" if node.func.id == "min" else "min", True)


def _untold(node: ast.AST) -> Iterator[ast.AST]:
    """Parts that no test should depend on: docstrings, annotations, lists of public names."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    for name in ("annotation", "returns"):
        if (part := getattr(node, name, None)) is not None:
            yield from ast.walk(part)
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
        yield from ast.walk(node.value)
    if isinstance(node, ast.JoinedStr):
        # The parts of an f-string have no places of their own before Python 3.12.
        yield from (part for part in ast.walk(node) if part is not node)


def _constants(places: Places, node: ast.Constant) -> Iterator[Mutant]:
    if isinstance(node.value, bool):
        yield places.whole(node, str(not node.value), True)
    elif isinstance(node.value, int | float) and abs(node.value) < 1000:
        yield places.whole(node, repr(node.value + 1 if node.value in (0, 1) else node.value * 1.1), False)
    elif isinstance(node.value, str) and " " in node.value:
        yield from _words(places, node)


def _words(places: Places, node: ast.expr) -> Iterator[Mutant]:
    """The first word of a sentence that has an opposite, exchanged; what stands in braces is code, not words."""
    source = places.text[slice(*places.span(node))]
    said = re.sub(r"\{[^{}]*\}", "", source)
    for one, other in OPPOSITES:
        for old, new in ((one, other), (other, one)):
            if said.count(old) == source.count(old) == 1 and not (new in source and old in new):
                yield places.whole(node, source.replace(old, new), True)
                return


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """So many mutants of a room, half of them aimed at meaning."""
    files = sorted(path.relative_to(ROOT) for path in (ROOT / "src/accord" / room).rglob("*.py"))
    every = [mutant for path in files if "migrations" not in path.parts for mutant in mutants_of(path)]
    rng = random.Random(f"{seed} {room}")
    chosen = []
    for meaning, share in ((True, number - number // 2), (False, number // 2)):
        kind = [mutant for mutant in every if mutant.meaning is meaning]
        chosen += rng.sample(kind, min(share, len(kind)))
    return chosen


def copied(folder: Path) -> None:
    for name in ("src", "tests", "docs", "tools", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "_build"))
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "CITATION.cff", ROOT / "LICENSE"):
        shutil.copy(path, folder / path.name)


def places_of(room: str) -> list[str]:
    return [f"tests/{room}", *MORE_TESTS.get(room, [])]


def outcome(folder: Path, tests: list[str], *options: str, seconds: float | None = None) -> str:
    """What tests say about the copy: passed, failed, or never ended."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", MARKS, *options, *tests]
    env = {**os.environ, "PYTHONPATH": str(folder / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, not for every mutant
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "never ended"
    return "passed" if done.returncode == 0 else "failed"


def passing_by(seen: CoverageData, folder: Path, mutant: Mutant) -> list[str]:
    """The tests that run the broken line, an even share of them where there are many."""
    by_line = seen.contexts_by_lineno(str(folder / mutant.path))
    contexts = {context for line in mutant.lines for context in by_line.get(line, [])}
    tests = sorted({context.rpartition("|")[0] for context in contexts if "|" in context})
    return tests[:: -(-len(tests) // ASKED_FIRST) or 1]


def is_killed(folder: Path, mutant: Mutant, seen: CoverageData, tests: list[str]) -> bool:
    near = passing_by(seen, folder, mutant)
    if near and outcome(folder, near, seconds=600) != "passed":
        return True
    return outcome(folder, tests, seconds=1200) != "passed"


def run(room: str, number: int, seed: int, tests: list[str]) -> tuple[int, list[Mutant]]:
    """How many were tried, and which survived."""
    survivors, mutants = [], drawn(room, number, seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        copied(folder)
        traced = (f"--cov={folder / 'src/accord' / room}", "--cov-context=test", "--cov-report=")
        if outcome(folder, tests, *traced) != "passed":
            raise SystemExit(f"{room}: the tests fail without any mutant.")
        seen = CoverageData(str(folder / ".coverage"))
        seen.read()
        for mutant in mutants:
            mutant.put(folder)
            killed = is_killed(folder, mutant, seen, tests)
            mutant.mend(folder)
            print("killed  " if killed else "survived", mutant, flush=True)
            if not killed:
                survivors.append(mutant)
    return len(mutants), survivors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], metavar="ROOM", help="all if left out")
    parser.add_argument("--number", type=int, default=60, help="mutants of a room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=[], help="tests to run instead of those of the room")
    given = parser.parse_args()
    for room in given.rooms or ROOMS:
        tried, survivors = run(room, given.number, given.seed, given.tests or places_of(room))
        meant = sum(mutant.meaning for mutant in survivors)
        print(f"{room}: {tried - len(survivors)} of {tried} killed; {meant} survivors are about meaning.", flush=True)


if __name__ == "__main__":
    main()
