"""Write docs/reference/study-file.md from the models of study.toml."""

import sys
from datetime import date, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from accord.design.scale import Level
from accord.design.study import StudySettings

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "study-file.md"

HEAD = """# The study file

A study is a folder with `study.toml`, the items and `guidelines.md`. `accord new PRESET DIR` makes one,
`accord check DIR` finds every mistake in it. This page is made from the program itself
(`tools/make_study_page.py`), so it lists what this version understands.

## Items

`items.tsv` has one line per segment and a first line with column names; there is no quoting, a tab ends a cell.
`items.jsonl` has one object per line with the same names; `{"target": {"A": "..."}}` is the column `target:A`.
Texts are taken as they are: nothing is trimmed or normalised. A file may hold up to 50 MB.

| Column | Meaning |
|---|---|
| `document` | Name of the text the segment belongs to. Required. |
| `segment` | Its place in the document. Required. |
| `id` | Name of the item; `document-segment` if left out. |
| `source` | Source text. |
| `target` | Text to be judged, where there is one system, or one row per system (with `system`). |
| `target:NAME` | Text of the system NAME, where there is one column per system. |
| `reference`, `reference:NAME` | One reference, or several by name. |
| `post_edit` | A corrected version of the text. |
| `test_set` | Test set of its document. |
| `ambiguity` | What only context resolves: gender, number, reference, ellipsis, lexical, terminology. |
| `gold:CRITERION` | The known answer to a criterion; such items serve as gold items. |
| any other name | A column of your own: `domain`, `task`, `resolved_by`. It goes to the ratings of the item. |
| `NAME:SYSTEM` | The column NAME of one system's text: `bleu:A`. In one row per system, `bleu` is enough. |

`ambiguity` goes to the ratings too. A rating of a whole document carries what all its segments say alike.
`accord check` names your own columns. A name that looks like a known one with a slip of the pen, such as `documnt`,
is refused, and so is one that the ratings fill themselves: `item`, `rater`, `value`, `criterion`, `scenario`,
`condition`, `group`, `phase`, `round`, `guideline`, `occasion`, `role`, `kind`, `batch`, `time_s`, `comment`, `order`.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, *(_section(name, model) for name, model in _models())]
    return "\n".join(parts)


def _models() -> list[tuple[str, type[BaseModel]]]:
    """All tables with the words that head them, outer before inner."""
    found: list[tuple[str, type[BaseModel]]] = [("Top of the file", StudySettings)]
    for name, field in StudySettings.model_fields.items():
        found += _inner(name, field.annotation)
    return found


def _inner(name: str, annotation: Any) -> list[tuple[str, type[BaseModel]]]:
    model, several = _model_in(annotation)
    if model is None:
        return []
    found = [(f"`[[{name}]]`" if several else f"`[{name}]`", model)]
    for key, field in model.model_fields.items():
        found += _inner(f"{name}.{key}", field.annotation)
    return found


def _model_in(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    for part in get_args(annotation):
        model, several = _model_in(part)
        if model is not None:
            return model, several or get_origin(annotation) is tuple
    return None, False


def _section(title: str, model: type[BaseModel]) -> str:
    rows = [
        f"| `{name}` | {_kind(field.annotation)} | {_default(field)} | {_cell(field.description or '')} |"
        for name, field in model.model_fields.items()
    ]
    words = (model.__doc__ or "").strip().split("\n")[0]
    return "\n".join(
        [f"## {title}", "", words, "", "| Key | What | If left out | Meaning |", "|---|---|---|---|", *rows, ""]
    )


def _kind(annotation: Any) -> str:
    if annotation is Level:
        return ", ".join(f"`{level}`" for level in Level)
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{part}`" for part in parts)
    if origin is tuple:
        return "tables" if _model_in(parts[0])[0] else f"list of {_kind(parts[0])}"
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_kind(part) for part in parts if part is not NoneType))
    if origin is dict:
        return "table"
    if parts and hasattr(annotation, "__metadata__"):
        return _kind(parts[0])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "table"
    words = {
        str: "text", int: "whole number", float: "number", bool: "true or false", date: "day",
        datetime: "day and time",
    }  # fmt: skip
    return words.get(annotation, "text")


def _default(field: Any) -> str:
    if field.is_required():
        return "**required**"
    value = field.default
    if value is None or value in ((), "") or value is PydanticUndefined:
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{', '.join(map(str, value))}`" if isinstance(value, tuple) else f"`{value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
