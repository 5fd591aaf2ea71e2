"""Known answers stand in columns of the texts that are named after a question: `gold:KEY` follows its short name."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.server.workspace.drafts import TABLE_FILE, Draft, replace_file

__all__ = ["let_known_answers_follow"]

_HEAD = "gold"
Renamed = Mapping[str, str]
"""New short names of questions by the old ones."""


def let_known_answers_follow(draft: Draft, renamed: Renamed) -> dict[str, str]:
    """Rename the columns in the texts, and in the table they came from; gives each changed file as it was."""
    changes = {str(draft.raw.get("items", "items.tsv")): _items, TABLE_FILE: _table}
    before: dict[str, str] = {}
    for name, change in changes.items() if renamed else ():
        path = draft.folder / Path(name).name
        if not path.is_file() or _HEAD not in (text := path.read_bytes().decode("utf-8")):
            continue
        if (changed := change(text, path.suffix, renamed)) != text:
            before[path.name] = text
            replace_file(draft, path.name, changed)
    return before


def _items(text: str, suffix: str, renamed: Renamed) -> str:
    if suffix == ".jsonl":
        return "\n".join(_line(line, renamed) for line in text.split("\n"))
    head, end, rest = text.partition("\n")
    return "\t".join(_columns(head.split("\t"), renamed)) + end + rest


def _line(line: str, renamed: Renamed) -> str:
    try:
        row: Any = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        return line  # what is wrong with it is said where the texts are checked
    changed = dict(zip(_columns(list(row), renamed), row.values(), strict=True))
    if isinstance(known := changed.get(_HEAD), dict):
        changed[_HEAD] = {renamed.get(key, key): answer for key, answer in known.items()}
    return json.dumps(changed, ensure_ascii=False) if changed != row else line


def _table(text: str, _suffix: str, renamed: Renamed) -> str:
    kept = json.loads(text)
    return json.dumps({**kept, "columns": _columns(kept["columns"], renamed)}, ensure_ascii=False)


def _columns(names: Sequence[str], renamed: Renamed) -> list[str]:
    """All at once: two questions may have changed their names with each other."""
    new = {f"{_HEAD}:{old}": f"{_HEAD}:{key}" for old, key in renamed.items()}
    return [new.get(name, name) for name in names]
