"""Where the program can be broken: one small change at a time, aimed at meaning or at arithmetic."""

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
OPPOSITES = [
    ("higher", "lower"), ("highest", "lowest"), ("better", "worse"), ("rose", "fell"), ("more", "fewer"),
    ("above", "below"), ("high", "low"), ("first", "second"), ("wins", "losses"), ("before", "after"),
    ("strict", "lenient"), ("largest", "smallest"), ("best", "worst"), ("narrower", "wider"),
    ("reliable", "unreliable"), (" is ", " is not "), ("PASS", "FAIL"),
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

    def broken(self, text: str) -> str:
        """The text of the file with this change."""
        return text[: self.start] + self.new + text[self.end :]

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
            yield from _names(places, node)
        elif isinstance(node, ast.Constant):
            yield from _constants(places, node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            yield places.whole(node.func, "max" if node.func.id == "min" else "min", True)


def _untold(node: ast.AST) -> Iterator[ast.AST]:
    """Parts that no test should depend on: docstrings, annotations, lists of public names, guards."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    for name in ("annotation", "returns"):
        if (part := getattr(node, name, None)) is not None:
            yield from ast.walk(part)
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
        yield from ast.walk(node.value)
    if isinstance(node, ast.keyword) and node.arg in ("frozen", "slots", "kw_only", "strict"):
        # They stop a programmer, and change nothing for a program that is right.
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
            whole = rf"\b{old}\b" if old.isalpha() else old  # "low" is no word of "below"
            if len(re.findall(whole, said)) == len(re.findall(whole, source)) == 1 and not (
                new in source and old in new
            ):
                yield places.whole(node, re.sub(whole, new, source), True)
                return


def _names(places: Places, node: ast.JoinedStr) -> Iterator[Mutant]:
    """The first two names that a sentence fills in, exchanged."""
    source = places.text[slice(*places.span(node))]
    filled = list(re.finditer(r"(?<!\{)\{[^{}]*\}(?!\})", source))[:2]
    if len(filled) == 2 and filled[0].group() != filled[1].group():
        one, other = filled
        turned = other.group() + source[one.end() : other.start()] + one.group()
        yield places.whole(node, source[: one.start()] + turned + source[other.end() :], True)


def is_run_at_import(mutant: Mutant) -> bool:
    """Whether a mutant stands outside the body of every function; who imports its file first does not matter then."""
    tree = ast.parse((ROOT / mutant.path).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return not any(node.body[0].lineno <= mutant.line <= (node.end_lineno or 0) for node in functions)


def lines_that_use(mutant: Mutant, room: Path) -> list[tuple[Path, int]]:
    """Where the room uses what a mutant defines at import: the body of its function, or its name elsewhere."""
    tree = ast.parse((ROOT / mutant.path).read_text(encoding="utf-8"))
    around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _holds(node, mutant)]
    if around and isinstance(around[-1], ast.FunctionDef):
        return [(mutant.path, line) for line in range(around[-1].body[0].lineno, (around[-1].end_lineno or 0) + 1)]
    names = {name for node in around for name in _defined(node)}
    uses = []
    for path in sorted(room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            used = getattr(node, "id", None) or getattr(node, "attr", None)
            if used in names and isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
                uses.append((path.relative_to(room.parents[2]), node.lineno))
    return uses


def _holds(node: ast.stmt, mutant: Mutant) -> bool:
    return node.lineno <= mutant.line <= (node.end_lineno or node.lineno)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        yield from (part.id for part in ast.walk(target or ast.Pass()) if isinstance(part, ast.Name))


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """So many mutants of a room, half of them aimed at meaning.

    Each has a lot of its own, made of the seed and the change: a file that is edited elsewhere keeps its mutants.
    """
    files = sorted(path.relative_to(ROOT) for path in (ROOT / "src/accord" / room).rglob("*.py"))
    lots: dict[str, Mutant] = {}
    for path in files:
        seen: dict[str, int] = {}
        for mutant in () if "migrations" in path.parts else mutants_of(path):
            change = f"{path} {mutant.old} {mutant.new}"
            seen[change] = seen.get(change, 0) + 1
            lots[hashlib.sha256(f"{seed} {change} {seen[change]}".encode()).hexdigest()] = mutant
    in_order = [mutant for _, mutant in sorted(lots.items(), key=lambda lot: lot[0])]
    chosen = []
    for meaning, share in ((True, number - number // 2), (False, number // 2)):
        chosen += [mutant for mutant in in_order if mutant.meaning is meaning][:share]
    return chosen
