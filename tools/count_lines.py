"""Count the lines of code of a tree as it is after ``ruff format``: no docstrings, no comments, no empty lines.

``python tools/count_lines.py [COMMIT]`` counts src/ as it is, or as it was at a commit.
"""

import ast
import io
import subprocess
import sys
import tarfile
import tokenize
from collections import Counter
from pathlib import Path

_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
            tokenize.ENDMARKER}  # fmt: skip


def code_lines(text: str) -> int:
    """Lines that hold code; words that stand alone, as docstrings do, are none."""
    words = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for token in tokens if token.type not in _NO_CODE for line in range(token.start[0], token.end[0] + 1)}
    return len(lines - words)


def texts(commit: str | None) -> dict[str, str]:
    if commit is None:
        return {str(path): path.read_text(encoding="utf-8") for path in sorted(Path("src").rglob("*.py"))}
    packed = subprocess.run(["git", "archive", commit, "src"], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        files = [member for member in archive if member.name.endswith(".py")]
        return {member.name: archive.extractfile(member).read().decode() for member in files}  # type: ignore[union-attr]


def main() -> None:
    found = texts(sys.argv[1] if len(sys.argv) > 1 else None)
    rooms: Counter[str] = Counter()
    for name, text in found.items():
        rooms[(name.split("/")[2:3] or [""])[0]] += code_lines(text)
    for room, lines in rooms.most_common():
        print(f"{lines:7,}  {room}")
    print(f"{sum(rooms.values()):7,}  in all")


if __name__ == "__main__":
    main()
