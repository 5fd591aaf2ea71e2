"""Read a study folder; every mistake in it is told at once, with file and line."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from accord.design.consistency import inconsistencies
from accord.design.items import Item, ItemsFile, read_items
from accord.design.nearest import did_you_mean
from accord.design.prefilled import Prefilled, read_prefilled
from accord.design.study import StudySettings
from accord.design.study_file import STUDY_FILE
from accord.design.toml_lines import TomlLines
from accord.design.toml_text import parse_toml
from accord.errors import Problem, StudyError, UnreadableFileError
from accord.records import dataclass

__all__ = ["STUDY_FILE", "Study", "load_study"]

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MAX_GUIDELINES_BYTES = 5_000_000


@dataclass(frozen=True)
class Study:
    """A study folder that holds together: its settings, its items and its guidelines."""

    folder: Path
    settings: StudySettings
    items: tuple[Item, ...]
    systems: tuple[str, ...]
    guidelines: str
    prefilled: Prefilled = field(default_factory=dict)

    @cached_property
    def item_by_id(self) -> Mapping[str, Item]:
        return {item.id: item for item in self.items}

    @cached_property
    def documents(self) -> Mapping[str, tuple[Item, ...]]:
        """The segments of each document, in the order of the file."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.document, []).append(item)
        return {document: tuple(items) for document, items in found.items()}

    def columns_of(self, document: str, item: str = "", system: str = "") -> Mapping[str, str]:
        """The columns of the user's for ratings of an item, or of a document: what all its segments say alike."""
        if item:
            return self.item_by_id[item].columns(system)
        first, *others = [one.columns(system) for one in self.documents[document]]
        return {name: text for name, text in first.items() if all(other.get(name) == text for other in others)}

    @cached_property
    def fingerprint(self) -> str:
        """A hash of settings, items and guidelines: a changed study has another one.

        What is left at its default is no part of it, so that a study keeps its fingerprint when later versions
        of the program know more settings.
        """
        parts = [self.settings.model_dump_json(exclude_defaults=True), self.guidelines]
        parts += [f"{item.id}\x1f{item.source}\x1f{sorted(item.outputs.items())}" for item in self.items]
        parts += [f"{item.id}\x1f{own}" for item in self.items if (own := _own(item))]
        parts += [f"{place}\x1f{[sorted(mark.items()) for mark in marks]}" for place, marks in self.prefilled.items()]
        return hashlib.sha256("\x1e".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _own(item: Item) -> list[tuple[str, ...]]:
    """The user's own columns of an item as text, empty for most."""
    per_system = [(s, *cell) for s, cells in sorted(item.more_of_system.items()) for cell in sorted(cells.items())]
    return [*sorted(item.more.items()), *per_system]


def load_study(folder: str | Path, *, raters: int | None = None) -> Study:
    """Read study.toml, the items and the guidelines, or raise one StudyError with all problems.

    ``raters`` overrides how many raters there are; groups then share them evenly.
    """
    folder = Path(folder)
    if folder.is_file():
        raise UnreadableFileError(
            f"{folder} is a file, and this looks at a study folder. What a file of ratings means: "
            f"accord describe {folder}"
        )
    if not folder.is_dir():
        raise UnreadableFileError(f"{folder} is not a folder. Make a study with: accord new PRESET {folder}")
    settings_file = folder / STUDY_FILE
    if not settings_file.is_file():
        raise UnreadableFileError(f"{folder} holds no {STUDY_FILE}. Make a study with: accord new PRESET DIR")
    raw, lines, problems = _read_toml(settings_file)
    if raters is not None:
        _override_raters(raw, raters)
    settings, more = _settings(raw, lines)
    items = _items(folder, raw)
    guidelines, worse = _guidelines(folder, raw, lines)
    prefilled, unfit = _prefilled(folder, settings, items)
    problems += [*more, *items.problems, *worse, *unfit]
    if raw:
        problems += inconsistencies(raw, items, lines)
    if problems or settings is None:
        raise StudyError(f"{folder}: {len(problems)} problem{'s' if len(problems) != 1 else ''}", _ordered(problems))
    return Study(folder, settings, items.items, items.systems, guidelines, prefilled)


def _override_raters(raw: dict[str, Any], raters: int) -> None:
    if isinstance(raw.get("assignment"), dict):
        raw["assignment"]["raters"] = raters
    groups = raw.get("groups")
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict):
            group.pop("raters", None)


def _read_toml(path: Path) -> tuple[dict[str, Any], TomlLines, list[Problem]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return {}, TomlLines(""), [Problem("is not UTF-8 text from here on. Save it as UTF-8", line, STUDY_FILE)]
    text = text.replace("\r\n", "\n")
    try:
        return parse_toml(text), TomlLines(text), []
    except tomllib.TOMLDecodeError as error:
        return {}, TomlLines(""), [_syntax_problem(str(error), text)]


def _syntax_problem(message: str, text: str) -> Problem:
    found = re.search(r"line (\d+)", message)
    line = int(found[1]) if found else text.count("\n") + 1
    what = re.sub(r"\s*\(at .*\)$", "", message)
    hint = ""
    if what != message:
        hint = ". The same key is there twice" if "overwrite" in what else ". Texts need quotation marks"
    return Problem(f"is not TOML: {what[:1].lower()}{what[1:]}{hint}", line, STUDY_FILE)


def _settings(raw: dict[str, Any], lines: TomlLines) -> tuple[StudySettings | None, list[Problem]]:
    if not raw:
        return None, []
    try:
        return StudySettings.model_validate(raw), []
    except ValidationError as error:
        mistakes = error.errors(include_url=False)
        # Pydantic calls a list of wrong tables empty; what is wrong with them is told already.
        return None, [
            _problem_of(mistake, lines)
            for mistake in mistakes
            if mistake["type"] != "too_short" or not _inner(mistake, mistakes)
        ]


def _inner(outer: Any, mistakes: list[Any]) -> bool:
    """Whether something inside this place is wrong as well."""
    place = outer["loc"]
    return any(other["loc"][: len(place)] == place and other is not outer for other in mistakes)


def _problem_of(mistake: Any, lines: TomlLines) -> Problem:
    """A pydantic error in the user's words."""
    place = tuple(part for part in mistake["loc"] if part not in _UNION_PARTS)
    name = _dotted(place)
    kind = mistake["type"]
    if kind == "extra_forbidden":
        message = f"unknown key {str(place[-1])!r}{_where(place)}{did_you_mean(str(place[-1]), _keys_at(place[:-1]))}"
    elif kind == "missing":
        message = f"{name} is missing. {_purpose(place)}"
    elif kind == "string_pattern_mismatch":
        pattern = "letters, digits, '-', '_' and '.'"
        wanted = "must begin with https://" if place[-1] == "url" else f"may hold only {pattern}"
        message = f"{name} {wanted}, but is {mistake['input']!r}"
    else:
        given = mistake["input"]
        shown = f", not {given!r}" if isinstance(given, str | int | float | bool) else ""
        message = f"{name}: {_plain(mistake['msg'])}{shown}{_literal_hint(mistake)}"
    return Problem(message, lines.line(place), STUDY_FILE)


def _plain(message: str) -> str:
    """Pydantic's words in ours."""
    for theirs, ours in _WORDS:
        message = message.replace(theirs, ours)
    return f"{message[:1].lower()}{message[1:]}"


_WORDS = (
    ("Input should be", "must be"), ("a valid integer", "a whole number"), ("a valid boolean", "true or false"),
    ("a valid string", "text"), ("a valid number", "a number"), ("a valid tuple", "a list"),
    ("greater than or equal to", "at least"), ("less than or equal to", "at most"),
    ("a valid dictionary or instance of", "a table of"),
)  # fmt: skip


def _literal_hint(mistake: Any) -> str:
    """The nearest of a few known words."""
    given = mistake["input"]
    if mistake["type"] not in ("literal_error", "enum") or not isinstance(given, str):
        return ""
    known = re.findall(r"'([^']*)'", mistake["ctx"]["expected"])
    near = did_you_mean(given, known)
    return near if near.startswith(". Did") else ""


_UNION_PARTS = ("int", "float", "str", "datetime", "date")


def _dotted(place: tuple[str | int, ...]) -> str:
    """``("criteria", 1, "kind")`` is ``criteria 2 `kind```."""
    words = [f"number {part + 1}" if isinstance(part, int) else f"`{part}`" for part in place]
    return " ".join(words)


def _where(place: tuple[str | int, ...]) -> str:
    return f" in {_dotted(place[:-1])}" if len(place) > 1 else ""


def _model_at(place: tuple[str | int, ...]) -> type[BaseModel]:
    model: type[BaseModel] = StudySettings
    for part in place:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def _keys_at(place: tuple[str | int, ...]) -> list[str]:
    return list(_model_at(place).model_fields)


def _purpose(place: tuple[str | int, ...]) -> str:
    field = _model_at(place[:-1]).model_fields.get(str(place[-1]))
    return (field.description if field else None) or "It must be there."


def _items(folder: Path, raw: dict[str, Any]) -> ItemsFile:
    name = raw.get("items", "items.tsv")
    if not isinstance(name, str):
        return ItemsFile((), ())
    path, problem = _inside(folder, name)
    return ItemsFile((), (problem,)) if problem else read_items(path)


def _inside(folder: Path, name: str) -> tuple[Path, Problem | None]:
    """A study folder is self-contained: a path that leads out of it is refused."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        return path, Problem(f"{name!r} lies outside the study folder. Put the file into it", file=STUDY_FILE)
    return path, None


def _prefilled(folder: Path, settings: StudySettings | None, items: ItemsFile) -> tuple[Prefilled, list[Problem]]:
    """Marks that stand in the texts before raters begin, once settings and items can be read."""
    named = [criterion for criterion in settings.criteria if criterion.prefilled] if settings else []
    places = {criterion.key: _inside(folder, criterion.prefilled) for criterion in named}
    outside = [problem for _, problem in places.values() if problem]
    if outside or items.problems:
        return {}, outside
    return read_prefilled(named, {key: path for key, (path, _) in places.items()}, items.items)


def _guidelines(folder: Path, raw: dict[str, Any], lines: TomlLines) -> tuple[str, list[Problem]]:
    section = raw.get("guidelines", {})
    name = section.get("file", "guidelines.md") if isinstance(section, dict) else "guidelines.md"
    if not isinstance(name, str):
        return "", []
    path, problem = _inside(folder, name)
    if problem:
        return "", [problem]
    if not path.is_file():
        line = lines.line(("guidelines", "file"))
        return "", [Problem(f"the guidelines {name!r} are not there. Write what raters must know", line, STUDY_FILE)]
    if path.stat().st_size > _MAX_GUIDELINES_BYTES:
        return "", [Problem("is larger than 5 MB. Guidelines are text to be read", file=name)]
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return "", [Problem("is not UTF-8 text. Save it as UTF-8", file=name)]
    if not text.strip():
        return "", [Problem("is empty. Write what raters must know", file=name)]
    bad = [number for number, line in enumerate(text.split("\n"), start=1) if _CONTROL.search(line)]
    return text, [Problem("holds a control character. Remove it", number, name) for number in bad]


def _ordered(problems: list[Problem]) -> list[Problem]:
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.file or "", problem.row or 0))
