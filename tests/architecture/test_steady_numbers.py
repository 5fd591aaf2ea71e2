"""No sentence prints few digits of a computed number with what a processor made of its last ones."""

import ast
import re
from pathlib import Path

ROOM = Path(__file__).parents[2] / "src" / "accord"
FEW = re.compile(r"\.(\d|\{\})[fg%]$")
GIVEN = re.compile(r"level|confidence|CONFIDENCE|lowest|cost|hours|size|_BYTES|_UNPACKED|_LARGEST|1e6|1024")
"""What somebody chose or what is counted: levels, money and bytes."""
SMALL = re.compile(r"\bp$|smallest|tail")
"""A p of so many significant digits is never nought because it is small."""
OTHERWISE = {
    "diagnosis/audit/grim.py",
    "plots/svg/canvas.py",
    "plots/svg/drawing.py",
    "ratings/guessing.py",
    "ratings/table.py",
    "tables/latex.py",
    "tables/table.py",
    "words.py",
}
"""Places in a drawing, ends of classes, digits that a paper printed, and where numbers are made steady."""


def unsteady(source):
    """The lines and numbers that are printed with few digits as they are."""
    for part in ast.walk(ast.parse(source)):
        if not (isinstance(part, ast.FormattedValue) and part.format_spec):
            continue
        spec = "".join(one.value if isinstance(one, ast.Constant) else "{}" for one in part.format_spec.values)
        if not FEW.search(spec):
            continue
        number = ast.unparse(part.value)
        is_small = spec.endswith("g") and SMALL.search(number)
        if not (number.startswith("steady(") or GIVEN.search(number) or is_small):
            yield part.lineno, number


def test_computed_numbers_are_steady_before_few_of_their_digits_are_printed():
    found = [
        f"{path.relative_to(ROOM)}:{line}: {{{number}}}"
        for path in sorted(ROOM.rglob("*.py"))
        if str(path.relative_to(ROOM)) not in OTHERWISE
        for line, number in unsteady(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(['write f"{steady(number):.2f}" (accord.words)', *found])


def test_a_number_with_few_digits_is_seen_wherever_it_stands():
    seen = 'f"{a:.2f} {b:+.{n}f} {c:,.0%} {steady(d):.2f} {p:.2g} {100 * level:.4g} {e:.12g} {f:>7}"'
    assert list(unsteady(seen)) == [(1, "a"), (1, "b"), (1, "c")]
