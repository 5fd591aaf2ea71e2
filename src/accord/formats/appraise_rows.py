"""The rows of an Appraise export by the name of each cell, whichever of its tasks and options wrote them."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from accord.errors import FormatError
from accord.formats.collect import Collector, as_name, as_number
from accord.formats.content import delimited, json_lines, read_text
from accord.formats.options import ReadOptions
from accord.records import dataclass

__all__ = ["ROLES", "AppraiseRow", "appraise_rows", "is_data_assessment", "is_scores"]

ROLES = {"TGT": "system", "CHK": "repeat", "REF": "reference", "BAD": "degraded"}
_FIRST = ("user", "system", "item", "type", "from", "to", "score")
_LAST = ("t0", "t1", "batch", "key", "place")
_OF_DATA = ("user", "domain", "document", "system", "item", "type", "from", "to", "score", "rank")
_FLAGS = ("True", "False")
_NONE = ("", "None")
_KEYS = {
    "user": "annotator", "system": "target_id", "item": "item_id", "type": "item_type", "from": "source_language",
    "to": "target_language", "score": "score", "document": "document_id", "spans": "mqm_annotations",
    "t0": "start_time", "t1": "end_time", "batch": "batch_number", "comment": "comment", "source": "source_text",
    "target": "target_text",
}  # fmt: skip
_BREAK = re.compile(r"</?br\s*/?>", re.IGNORECASE)
_SUFFIX = re.compile(r"^(bad|dup|incomplete)(?:licate)?\d*$")
_TUTORIAL = re.compile(r"(^|[-_.:])tutorial\d*$", re.IGNORECASE)
_SHAPE = (
    "an Appraise row has user, system, item, type, two languages and a score; then document and flag, spans, or two "
    "remarks on errors, two times, batch and item key, and the place of the target, as its task has them"
)


@dataclass(frozen=True, slots=True)
class AppraiseRow:
    """One row: its cells by name, and the marks at the end of its document (bad, dup, incomplete)."""

    line: int
    cells: Mapping[str, str]
    document: str
    marks: frozenset[str]

    @classmethod
    def of(cls, line: int, cells: Mapping[str, str]) -> "AppraiseRow":
        document, *parts = cells.get("document", "").split("#")
        return cls(line, cells, document, frozenset(found[1] for part in parts if (found := _SUFFIX.match(part))))

    @property
    def user(self) -> str:
        return self.cells["user"]

    @property
    def language_pair(self) -> str:
        return "-".join(name for name in (self.cells["from"], self.cells["to"]) if name)

    @property
    def is_whole_document(self) -> bool:
        """Whether the score is one of the document as a whole, given after its segments."""
        return self.cells.get("flag") == "True"

    @property
    def is_tutorial(self) -> bool:
        """The campaign's tutorial is named as system and document, such as ende-tutorial1."""
        return any(_TUTORIAL.search(name) for name in (self.cells["system"], self.document))

    @property
    def ended(self) -> float:
        """When the answer was given, in seconds; rows without a time come before those with one."""
        times = [as_number(self.cells.get(name, "")) for name in ("t1", "t0")]
        return next((time for time in times if time is not None), 0.0)

    @property
    def seconds(self) -> float | None:
        began, ended = as_number(self.cells.get("t0", "")), as_number(self.cells.get("t1", ""))
        return None if began is None or ended is None else round(abs(ended - began), 6)


def is_scores(cells: list[str]) -> bool:
    return len(cells) >= len(_FIRST) and cells[3] in ROLES


def is_data_assessment(cells: list[str]) -> bool:
    """Documents of parallel data: two more cells stand before the type."""
    return len(cells) >= len(_FIRST) and cells[5] in ROLES and cells[3] not in ROLES


def appraise_rows(path: Path, options: ReadOptions, collect: Collector) -> list[AppraiseRow]:
    """Every row that can be told apart; the others are dropped with a reason."""
    text = read_text(path, options, collect)
    found = _named(path, options, collect) if text.lstrip().startswith("{") else _listed(path, text, collect)
    return [AppraiseRow.of(line, cells) for line, cells in found]


def _listed(path: Path, text: str, collect: Collector) -> Iterator[tuple[int, dict[str, str]]]:
    for line, cells in collect.counted(delimited(text, ",", str(path))):
        if is_data_assessment(cells) and len(cells) < len(_OF_DATA) - 1:
            raise FormatError(
                f"{path}:{line}: an assessment of parallel data by Appraise, but the column score is not there: "
                f"the row has {len(cells)} cells, and the score is the {_OF_DATA.index('score') + 1}th of "
                f"{', '.join(_OF_DATA)}. Export all columns."
            )
        record = _of_data(cells) if is_data_assessment(cells) else _record(cells)
        if record is None:
            collect.dropped(line, f"{len(cells)} cells, which is no known layout: {_SHAPE}")
        else:
            yield line, record


def _record(cells: list[str]) -> dict[str, str] | None:
    """The cells by name: their number depends on the task and on the options of the export."""
    if len(cells) < len(_FIRST):
        return None
    record, rest = dict(zip(_FIRST, cells, strict=False)), cells[len(_FIRST) :]
    if len(rest) >= 2 and rest[1] in _FLAGS:
        record |= {"document": rest[0], "flag": rest[1]}
        rest = rest[2:]
        if rest and (rest[0].startswith(("[", "{")) or rest[0] in _NONE):
            record["spans"], rest = rest[0], rest[1:]
    elif len(rest) >= 2 and not (_is_time(rest[0]) and _is_time(rest[1])):
        told = {"target_error": rest[0], "source_error": rest[1]}  # pairwise: what the rater said of errors
        record |= {name: cell for name, cell in told.items() if cell not in _NONE}
        rest = rest[2:]
    return _with_times(record, rest)


def _of_data(cells: list[str]) -> dict[str, str] | None:
    return _with_times(dict(zip(_OF_DATA, cells, strict=False)), cells[len(_OF_DATA) :])


def _with_times(record: dict[str, str], rest: list[str]) -> dict[str, str] | None:
    if len(rest) not in (0, 2, 4, 5) or not all(_is_time(cell) for cell in rest):
        return None
    return record | dict(zip(_LAST, rest, strict=False))


def _is_time(cell: str) -> bool:
    return cell in _NONE or as_number(cell) is not None


def _named(path: Path, options: ReadOptions, collect: Collector) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of an export to JSON lines: one target a line, or a list of them."""
    for line, row in json_lines(path, options, collect):
        targets = row.get("targets", [row])
        for target in targets if isinstance(targets, list) else ():
            if not isinstance(target, Mapping):
                collect.dropped(line, "a target is not an object")
                continue
            cells = {name: target.get(key, row.get(key)) for name, key in _KEYS.items()}
            cells["item"] = target.get("segment_id", cells["item"])
            if isinstance(cells["spans"], list):
                cells["spans"] = json.dumps(cells["spans"])
            record = {name: cell if isinstance(cell, str) else as_name(cell) for name, cell in cells.items()}
            absent = [_KEYS[name] for name in _FIRST if not record[name]]
            if absent:
                collect.dropped(line, f"no {', '.join(absent)}")
                continue
            record["target"] = _BREAK.sub("\n", record["target"])  # the page shows a break as one character
            yield line, {name: cell for name, cell in record.items() if cell}
