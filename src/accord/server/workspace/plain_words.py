"""What is wrong with a draft, in the words of the forms: whoever never saw study.toml reads no line of it."""

import re
from collections.abc import Mapping

from accord.server.workspace.rows import GROUPS, PHASES
from accord.server.workspace.rules import TITLES

__all__ = ["plain_problem"]

_PLACE = re.compile(r"^\s*[\w.-]+\.(?:toml|jsonl|tsv|md)(?::\d+)?:\s*")
_NAMED = re.compile(r"`(\w+)`|'(\w+)'")
"""A setting, or a word of study.toml such as the name of a rule."""


def plain_problem(told: str) -> str:
    """The problems without the lines of files, one sentence each; settings are called as the forms call them."""
    lines = [line for line in told.splitlines() if line.strip()]
    found = [_PLACE.sub("", line) for line in lines if _PLACE.match(line)] or lines
    return " ".join(_sentence(_NAMED.sub(_called, line.strip())) for line in found)


def _called(found: re.Match[str]) -> str:
    if found[2]:
        return f"“{TITLES[found[2]]}”" if found[2] in TITLES else found[0]
    titles: Mapping[str, object] = {field.name: field.title for rows in (GROUPS, PHASES) for field in rows.fields}
    return f"“{titles[found[1]]}”" if found[1] in titles else f"“{found[1].replace('_', ' ')}”"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?", "…", ":")) else ".")
