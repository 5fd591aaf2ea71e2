"""Plain English: no sentence that the program can print has words of a dialect that only its writers speak."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "accord"
_EACH = (
    "rater|rating|item|score|criterion|segment|document|judgement|error|table|name|part|pair|"
    "system|study|phase|user|sample|comparison|respondent|line|token"
)
DIALECT = {
    "one row a rating: say one row per rating": rf"\b(one|once) (?!for|if)(\w+ )?a ({_EACH})\b",
    "three questions a sentence: say per sentence": r"\b(rows?|numbers?|errors|questions|ratings|sums|values?|scores|"
    rf"lines) an? ({_EACH}|sentence|text|row)\b",
    "parted by: say separated by": r"\bparted\b|\bparts (them|it)\b",
    "tells a tendency, tell the same: say shows, say": r"\btells? (a tendency|(much )?the same|little|nothing)\b",
    "told: say shown, said or named": r"\b(is|are|be|was|were) told\b(?! (apart|from|to))|\btold (along|by|from)\b",
    "found out: say recognised": r"\bfound out\b",
    "Python's own spelling": r"frozenset\(",
}


def sentences(path):
    """Every string of a module that is no docstring, nor any other that stands by itself."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    unsaid = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unsaid:
            yield node.lineno, node.value


FILES = [*sorted(SOURCE.rglob("*.py")), *sorted(SOURCE.rglob("*.html")), *sorted(SOURCE.rglob("*.txt"))]


@cache
def said():
    """Every line of the program that somebody may read, with its place; read once for all that is looked for."""
    return [
        (f"{path.relative_to(SOURCE)}:{line}", words)
        for path in FILES
        if "migrations" not in path.parts
        for line, words in (
            sentences(path) if path.suffix == ".py" else enumerate(path.read_text("utf-8").splitlines(), 1)
        )
    ]


@pytest.mark.parametrize("why", DIALECT)
def test_no_sentence_speaks_a_dialect(why):
    spoken = re.compile(DIALECT[why])
    assert [f"{place}: {words}" for place, words in said() if spoken.search(words)] == [], why
