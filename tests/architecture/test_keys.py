"""The registry dispatches: nobody else asks which coefficient it is by its key."""

import ast
from pathlib import Path

from accord.coefficients.registry import COEFFICIENTS

SOURCE = Path(__file__).parents[2] / "src" / "accord"
# A word that is also a key, and what it names there instead.
OTHER_MEANINGS = {
    "comparisons/weighted_correlation.py": "kinds of correlation between metrics and scores",
    "diagnosis/audit/checks.py": "columns of a sheet of published numbers",
    "diagnosis/audit/report.py": "columns of a sheet of published numbers",
    "diagnosis/audit/reported.py": "columns of a sheet of published numbers",
    "diagnosis/correlation.py": "numbers of a finding",
    "reporting/sections/correlation.py": "columns of a table",
    "server/organiser/analysis.py": "numbers of a pair on a page",
}


def literals(path):
    text = path.read_text(encoding="utf-8")
    if not any(key in text for key in COEFFICIENTS):  # most files: to read their trees takes seconds
        return set()
    found = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return {value for value in found if isinstance(value, str) and value in COEFFICIENTS}


def test_a_key_is_a_literal_in_the_registry_only():
    asked = {str(path.relative_to(SOURCE)): literals(path) for path in SOURCE.rglob("*.py")}
    asking = {name for name, keys in asked.items() if keys} - {"coefficients/registry.py"}
    assert asking <= set(OTHER_MEANINGS)


def test_every_key_is_in_the_registry_once():
    text = (SOURCE / "coefficients/registry.py").read_text(encoding="utf-8")
    assert {key: text.count(f'"{key}"') for key in COEFFICIENTS} == dict.fromkeys(COEFFICIENTS, 1)
