"""Potato: one user_state.json for each user, its exports annotations.jsonl and .csv, or annotated_instances.jsonl."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.errors import UnreadableFileError
from accord.formats.collect import Collector, as_int, as_name, as_number, as_text, joined
from accord.formats.content import json_lines, read_json, read_text
from accord.formats.detection import first_object
from accord.formats.imported import Imported
from accord.formats.label_studio import SPANS
from accord.formats.options import ReadOptions
from accord.formats.potato_table import is_table, table_rows
from accord.records import dataclass

__all__ = ["detect", "read"]

_STATE = "user_state.json"
_LINES = "annotated_instances.jsonl"
_KEYS = ("instance_id_to_label_to_value", "instance_id_to_span_to_value")
_TIMES = "instance_id_to_behavioral_data"
_TEXT_BOX = ("text_box", "textbox", "free_response")
_LINE, _KIND = "line", "kind"


def detect(sample: str, path: Path) -> str | None:
    """A user_state.json with answers by instance, lines of annotated instances, or a folder of folders with them."""
    if path.is_dir():
        found = _states(path)
        return f"the folder holds {found[0].relative_to(path)}" if found else None
    if f'"{_KEYS[0]}"' in sample or (path.name == _STATE and '"user_id"' in sample):
        return f"JSON with {_KEYS[0]}"
    if is_table(sample):
        return "a table with instance_id, user_id and a column for each label of a schema"
    row = first_object(sample)
    if row is not None and isinstance(row.get("label_annotations"), Mapping) and ("id" in row or "instance_id" in row):
        return "JSON lines with label_annotations"
    if row is not None and isinstance(row.get("labels"), Mapping) and {"instance_id", "user_id", "spans"} <= set(row):
        return "JSON lines with instance_id, user_id, labels and spans"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the answers of one user, or of every user of a folder."""
    collect = Collector(path)
    states = _states(path) if path.is_dir() else [path]
    if not states:
        raise UnreadableFileError(f"{path} holds no {_STATE} and no {_LINES}.")
    users: list[tuple[Path, object, str]] = []
    for state in states:
        place = state.relative_to(path).as_posix() if path.is_dir() else ""
        content = read_text(state, options, collect)
        collect.file = place
        if is_table(content):
            rows = table_rows(collect, content, state)
            users += [(state, user, place) for user in _users_of_lines(collect, rows)]
        elif f'"{_KEYS[0]}"' not in content and ('"label_annotations"' in content or '"instance_id"' in content):
            users += [(state, user, place) for user in _users_of_lines(collect, json_lines(state, options, collect))]
        else:
            users.append((state, read_json(state, options, collect), place))
    schemas = _Schemas.of(user for _, user, _ in users)
    for state, user, place in users:
        collect.file = place
        _take_state(collect, state, user, schemas)
    return collect.imported("potato", options)


def _states(path: Path) -> list[Path]:
    """The states of the users; the lines of older versions where there is no state."""
    try:
        for name in (_STATE, _LINES):
            found = (*path.glob(f"*/*/{name}"), *path.glob(f"*/{name}")) or tuple(path.glob(name))
            if states := sorted(state for state in found if state.is_file()):
                return states
    except OSError:
        pass
    return []


def _users_of_lines(
    collect: Collector, rows: Iterable[tuple[int, Mapping[str, Any]]]
) -> Iterator[Mapping[str, Mapping[str, Any]]]:
    """Lines of annotated instances as the states of their users; the lines need not say whose they are."""
    users: dict[str, dict[str, Any]] = {}
    for line, row in rows:
        item, user = as_name(row.get("id")) or as_name(row.get("instance_id")), as_name(row.get("user_id"))
        labels = row.get("label_annotations", row.get("labels"))
        if not item or not isinstance(labels, Mapping):
            collect.dropped(line, "no id or no labels")
            continue
        kind = _kind(row.get("annotator_origin"))
        state = users.setdefault(user, {"user_id": user, _KIND: kind, **{key: {} for key in (*_KEYS, _TIMES, _LINE)}})
        if item in state[_KEYS[0]]:
            why = "" if user else ", and the file does not say who annotated: read the folders of the users"
            collect.dropped(line, f"{item} has answers already{why}")
            continue
        collect.text(item, "", as_text(row.get("displayed_text")))
        state[_LINE][item] = line
        answers = labels, row.get("span_annotations", row.get("spans")), row.get("behavioral_data")
        for key, given in zip((*_KEYS, _TIMES), answers, strict=True):
            state[key][item] = given
    yield from users.values()


def _kind(origin: object) -> str | None:
    """Whether a person or a program answered: Potato says human, tool or llm where not all are people."""
    kind = as_name(origin.get("kind") if isinstance(origin, Mapping) else origin)
    return {"human": "human", "llm": "model", "tool": "model"}.get(kind)


@dataclass(frozen=True, slots=True)
class _Schemas:
    """What the answers of all users say about a schema, since an answer alone does not.

    A choice is stored as its label with a value: the label again, ``true``, or its number in the list. The label is
    the answer. Only where one label has several numbers, as the one handle of a slider, is the number the answer.
    In ``grids`` several labels are rated at once, each with a number.
    """

    grids: frozenset[str]
    numbers: frozenset[str]

    @classmethod
    def of(cls, states: Iterable[object]) -> "_Schemas":
        values: dict[str, dict[str, set[str]]] = {}
        several: set[str] = set()
        for state in states:
            labels = state.get(_KEYS[0]) if isinstance(state, Mapping) else None
            for entries in labels.values() if isinstance(labels, Mapping) else ():
                for schema, answers in _by_schema(entries)[0].items():
                    rated = [(name, as_name(value)) for name, value in answers if as_number(value) is not None]
                    several |= {schema} if len(rated) > 1 else set()
                    for name, value in rated:
                        values.setdefault(schema, {}).setdefault(name, set()).add(value)
        many = {schema for schema, labels in values.items() if any(len(given) > 1 for given in labels.values())}
        lone = {
            schema
            for schema, labels in values.items()
            if len(labels) == 1 and not set().union(*labels.values()) & {"0", "1", "1.0"}
        }
        return cls(frozenset(many & several), frozenset(many | lone))


def _take_state(collect: Collector, path: Path, state: object, known: _Schemas) -> None:
    labels = state.get(_KEYS[0]) if isinstance(state, Mapping) else None
    spans = state.get(_KEYS[1]) if isinstance(state, Mapping) else None
    if not isinstance(state, Mapping) or not isinstance(labels, Mapping):
        collect.dropped(None, f"{path.name} has no {_KEYS[0]}")
        return
    rater = as_name(state.get("user_id"))
    if not rater:
        rater = path.parent.name
        collect.guessed(None, f"no user_id; called {rater} after the folder")
    spans = spans if isinstance(spans, Mapping) else {}
    times = state.get(_TIMES)
    times = times if isinstance(times, Mapping) else {}
    lines = state.get(_LINE, {})
    for order, item in enumerate(dict.fromkeys((*labels, *spans)), 1):
        number = lines.get(item, order)
        collect.row(number)
        marked = _take_spans(collect, number, str(item), rater, spans.get(item))
        more = {"time_s": _seconds(times.get(item)), "order": float(order), "kind": state.get(_KIND)}
        schemas, unread = _by_schema(labels.get(item))
        if unread:
            collect.dropped(number, f"{unread} answers are not a label and its value")
        comment = "; ".join(value for schema in list(schemas) if (value := _free_text(schemas, schema))) or None
        for schema, answers in _criteria(schemas, known.grids):
            answer = _answer(answers, schema.split(":")[0] in known.numbers)
            collect.rate(number, str(item), rater, answer, criterion=schema, comment=comment, **more)
        if not schemas and marked:
            collect.rate(number, str(item), rater, float(marked), criterion=SPANS, comment=comment, **more)
        elif not schemas and not unread:
            collect.dropped(number, f"{rater} answered no question about {item} but in free text")


_Answers = list[tuple[str, object]]


def _pairs(entries: object) -> Iterator[tuple[Mapping[str, Any], object]]:
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], Mapping):
            yield entry[0], entry[1]


def _criteria(schemas: Mapping[str, _Answers], grids: frozenset[str]) -> Iterator[tuple[str, _Answers]]:
    """Every schema is a criterion, and in a grid every label of it."""
    for schema, answers in schemas.items():
        if schema in grids:
            yield from ((joined(schema, name), [("", value)]) for name, value in answers)
        else:
            yield schema, answers


def _by_schema(entries: object) -> tuple[dict[str, _Answers], int]:
    """The labels with their values, and how many entries are none."""
    schemas: dict[str, _Answers] = {}
    taken = 0
    if isinstance(entries, Mapping):
        for schema, answers in entries.items():
            if isinstance(answers, Mapping) and isinstance(answers.get("labels"), Mapping):
                answers = answers["labels"]
            pairs = list(answers.items()) if isinstance(answers, Mapping) else [(str(schema), answers)]
            schemas[str(schema)] = [(str(name), value) for name, value in pairs]
        return schemas, 0
    for label, value in _pairs(entries):
        schemas.setdefault(as_name(label.get("schema")), []).append((as_name(label.get("name")), value))
        taken += 1
    return schemas, len(entries) - taken if isinstance(entries, list) else 0


def _free_text(schemas: dict[str, _Answers], schema: str) -> str:
    """Take a text box out of the answers: it is a comment."""
    answers = schemas[schema]
    if answers and all(name.lower().startswith(_TEXT_BOX) for name, _ in answers):
        del schemas[schema]
        return "; ".join(as_name(value) for _, value in answers)
    return ""


def _answer(answers: _Answers, is_number: bool) -> Value | None:
    """A ticked label, the number of a slider, or the set of ticked labels."""
    ticked = [(name, value) for name, value in answers if value not in (False, "false", "False", None, "")]
    if len(ticked) > 1:
        return frozenset(name for name, _ in ticked if name) or None
    if not ticked:
        return None
    name, value = ticked[0]
    number = as_number(value)
    if not name or is_number or (number is not None and name.endswith(f"_{as_name(value)}")):
        return number if number is not None else as_name(value) or name or None
    return name if as_number(name) is None else as_number(name)  # a point of a scale is called by its number


def _take_spans(collect: Collector, line: int, item: str, rater: str, entries: object) -> int:
    marked = 0
    for span, value in _spans(entries):
        start, end = as_int(span.get("start")), as_int(span.get("end"))
        if start is None or end is None or not 0 <= start <= end:
            collect.dropped(line, f"a span of {item} has no start and end")
            continue
        collect.mark(item, rater, (start, end), category=_label(span) or as_name(value))
        collect.note(
            "Offsets are taken as code points, as Potato 2.12 writes them; earlier versions do not say what they count."
        )
        marked += 1
    return marked


def _spans(entries: object) -> Iterator[tuple[Mapping[str, Any], object]]:
    """Spans with their values, as pairs, as plain objects, or as lists of these by schema."""
    if isinstance(entries, Mapping):
        for listed in entries.values():
            yield from _spans(listed)
        return
    yield from _pairs(entries)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping):
            yield entry, None


def _label(span: Mapping[str, Any]) -> str:
    return next((name for key in ("name", "label", "annotation") if (name := as_name(span.get(key)))), "")


def _seconds(behaviour: object) -> float | None:
    if not isinstance(behaviour, Mapping):
        return None
    if (milliseconds := as_number(behaviour.get("total_time_ms"))) is not None:
        return milliseconds / 1000
    if (seconds := as_number(behaviour.get("time_spent"))) is not None:
        return seconds
    found = re.search(r"(\d+)d (\d+)h (\d+)m (\d+)s", as_name(behaviour.get("time_string")))
    if not found:
        return None
    days, hours, minutes, rest = (float(part[:9]) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest
