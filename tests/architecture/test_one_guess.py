"""A level, a scale and a direction are guessed in one file; everywhere else they are asked of the codebook."""

import ast
from functools import cache
from pathlib import Path

import accord

ROOT = Path(accord.__file__).parent
GUESSING = ROOT / "ratings" / "guessing.py"


@cache
def nodes():
    """Every node of every other file that a guess could stand in, with the name of its file; walked once.

    A file without any of these words holds no guess: its tree is not read, which takes seconds for all of them.
    """
    kinds = ast.Constant | ast.IfExp | ast.BoolOp | ast.Call
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py")) if path != GUESSING}
    return [
        (path.relative_to(ROOT).as_posix(), node)
        for path, text in texts.items()
        if any(word in text for word in ("guessed:", "Level.", "Direction."))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, kinds)
    ]


def _is_member(node: ast.AST, kind: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == kind


def test_only_one_file_says_that_a_level_or_values_were_guessed():
    said = [
        name for name, node in nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        and node.value.startswith(("level guessed:", "values guessed:"))
    ]  # fmt: skip
    assert said == []


def test_no_other_file_chooses_a_level_or_a_direction_from_what_it_sees():
    """A choice between two levels or two directions by a condition is a guess."""
    chosen = [
        (name, node.lineno) for name, node in nodes() for kind in ("Level", "Direction")
        if isinstance(node, ast.IfExp) and _is_member(node.body, kind) and _is_member(node.orelse, kind)
    ]  # fmt: skip
    assert chosen == []


def test_nobody_gives_a_scale_a_level_that_nobody_declared():
    """``Level.X`` as the fallback of ``or`` or of ``get`` is a default, and a default is a guess."""
    allowed = {
        "design/study.py",  # a scale without a level in study.toml is refused before this is asked
        "ratings/declared.py",  # bad<fair<good declares an order
    }
    fallbacks = []
    for name, node in nodes():
        last = node.values[-1] if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            last = node.args[-1] if len(node.args) == 2 else None
        chosen = [last.body, last.orelse] if isinstance(last, ast.IfExp) else [last]
        if any(_is_member(one, kind) for one in chosen for kind in ("Level", "Direction") if one is not None):
            fallbacks.append(name)
    assert set(fallbacks) <= allowed
