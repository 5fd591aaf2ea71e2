"""The mt-metrics-eval layout: human-scores/SRC-TGT.NAME.LEVEL.score, .seg.rating, one line per segment and system."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import FormatError, UnreadableFileError
from accord.formats.collect import Collector, as_int, as_name, as_number, joined
from accord.formats.content import read_text
from accord.formats.imported import Imported, Side
from accord.formats.meanings import HUMAN_SCORE
from accord.formats.mqm_rows import ErrorRow, ErrorRows
from accord.formats.options import ReadOptions
from accord.formats.rows import lost_columns, lost_spans, rating_rows, spelled
from accord.records import dataclass

__all__ = ["detect", "read", "write"]

_NAME = re.compile(r"^(?P<pair>[\w]+-[\w]+)\.(?P<name>.+)\.(?P<level>sys|domain|doc|seg)\.(?P<kind>score|rating)$")
_NUMBERED = re.compile(r"[-._]?(?:rater|col|round)?\d+$", re.IGNORECASE)
_HELD = {"system", "segment", "document"}


@dataclass(frozen=True, slots=True)
class _ScoreFile:
    """A file of the layout, by the parts of its name."""

    path: Path
    pair: str
    name: str
    level: str
    kind: str

    @classmethod
    def of(cls, path: Path) -> "_ScoreFile | None":
        found = _NAME.match(path.name)
        return cls(path, **found.groupdict()) if found else None


def detect(sample: str, path: Path) -> str | None:
    """A file named SRC-TGT.NAME.LEVEL.score, or a folder with such files."""
    if path.is_dir():
        found = _files_in(path)
        return f"the folder holds {found[0].path.name}" if found else None
    if not _NAME.match(path.name):
        return None
    line = sample.split("\n", 1)[0].rstrip("\r").split("\t")
    return "the name is SRC-TGT.NAME.LEVEL.score and lines are a system and a score" if len(line) in (2, 3) else None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read one file, or the segment scores of a folder (other levels only if there are no segments)."""
    collect = Collector(path)
    files = (
        _files_in(path) if path.is_dir() else [_ScoreFile.of(path) or _ScoreFile(path, "", path.stem, "seg", "score")]
    )
    if not files:
        raise UnreadableFileError(f"{path} holds no file named SRC-TGT.NAME.LEVEL.score.")
    chosen = [file for file in files if file.level == "seg"] or files
    if len(chosen) < len(files):
        collect.note(
            f"{len(files) - len(chosen):,} files of averages (sys, domain, doc) were left out: segments were read."
        )
    errors = ErrorRows(path)
    several = len({file.pair for file in chosen}) > 1
    for file in chosen:
        documents = _documents(file, options)
        _read_file(collect, errors, file, documents, several, options)
    errors.rate(collect)
    return collect.imported("mt-metrics-eval", options, HUMAN_SCORE)


def _files_in(path: Path) -> list[_ScoreFile]:
    folder = path / "human-scores" if (path / "human-scores").is_dir() else path
    try:
        found = [_ScoreFile.of(file) for file in sorted(folder.iterdir()) if file.is_file()]
    except OSError:
        return []
    return [file for file in found if file is not None]


def _documents(file: _ScoreFile, options: ReadOptions) -> Sequence[str]:
    """The document of each segment, where the folder has the list of them."""
    listed = file.path.parent.parent / "documents" / f"{file.pair}.docs"
    if file.level != "seg" or not listed.is_file():
        return ()
    return [line.rstrip("\r").split("\t")[-1] for line in read_text(listed, options).split("\n") if line]


def _read_file(
    collect: Collector,
    errors: ErrorRows,
    file: _ScoreFile,
    documents: Sequence[str],
    several: bool,
    options: ReadOptions,
) -> None:
    counted: dict[str, int] = {}
    place = file.path.name if file.path != collect.path else ""
    for number, text in enumerate(read_text(file.path, options, collect).split("\n"), 1):
        if not text.strip():
            continue
        cells = text.rstrip("\r").split("\t") if "\t" in text else text.split()
        width = (2, 3) if file.kind == "rating" else (2,) if file.level in ("sys", "seg") else (2, 3)
        if len(cells) not in width:
            collect.dropped(number, f"{len(cells)} cells; a system and a score should be here", place)
            continue
        index = counted[cells[0]] = counted.get(cells[0], -1) + 1
        document = documents[index] if index < len(documents) else ""
        segment = "" if file.level == "sys" else str(index)
        item = joined(file.pair if several else "", cells[0], segment)
        more = {"system": cells[0], "segment": segment, "document": document, "language_pair": file.pair}
        if file.kind == "rating":
            _take_rating(collect, errors, (number, place), cells, item, file.name, more)
        else:
            _take_score(collect, (number, place), cells[-1], item, file.name, more)


def _take_score(
    collect: Collector, where: tuple[int, str], cell: str, item: str, rater: str, more: Mapping[str, str]
) -> None:
    criterion = _NUMBERED.sub("", rater) or rater
    if cell == "None":
        collect.rate(where[0], item, rater, None, criterion=criterion, **more)
        return
    score = as_number(cell)
    if score is None:
        collect.dropped(where[0], f"score {cell!r} is neither a number nor None", where[1])
        return
    collect.rate(where[0], item, rater, score, criterion=criterion, **more)


def _take_rating(
    collect: Collector,
    errors: ErrorRows,
    where: tuple[int, str],
    cells: list[str],
    item: str,
    name: str,
    more: Mapping[str, str],
) -> None:
    line, place = where
    rater = cells[2] if len(cells) == 3 else name
    if cells[1] == "None":
        return
    try:
        rating = json.loads(cells[1])
    except (ValueError, RecursionError):
        collect.dropped(line, "the rating is not JSON", place)
        return
    listed = rating.get("errors") if isinstance(rating, Mapping) else None
    if not isinstance(listed, list) or not all(isinstance(error, Mapping) for error in listed):
        collect.dropped(line, "the rating has no list of errors", place)
        return
    for error in listed:
        _take_error(collect, errors, line, error, item, rater, more)
    if not listed:
        errors.add(item, rater, ErrorRow(line, "no-error", "no-error"), more)


def _take_error(
    collect: Collector,
    errors: ErrorRows,
    line: int,
    error: Mapping[str, Any],
    item: str,
    rater: str,
    more: Mapping[str, str],
) -> None:
    category, severity = as_name(error.get("category")), as_name(error.get("severity"))
    errors.add(item, rater, ErrorRow(line, category, severity), more)
    start, end = as_int(error.get("start")), as_int(error.get("end"))
    if start is None or end is None or not 0 <= start <= end:
        collect.dropped(line, "a span has no start and end; its error counts")
        return
    side = Side.SOURCE if error.get("is_source_error") is True else Side.TARGET
    collect.mark(item, rater, (start, end), side=side, category=category, severity=severity)


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write a folder with one file of segment scores for each rater (and criterion, if there are several)."""
    ratings = imported.ratings
    criteria = len(ratings.columns["criterion"].names) if "criterion" in ratings.columns else 0
    scores: dict[str, dict[tuple[str, str], str]] = {}
    systems: dict[str, None] = {}
    segments: dict[str, str] = {}
    replaced = 0
    for row in rating_rows(ratings):
        if as_number(row.value) is None:
            raise FormatError(f"mt-metrics-eval holds scores only, but {row.item!r} was rated {spelled(row.value)!r}.")
        system, segment = row.name("system") or "system", row.item
        if row.name("segment"):
            segment = joined(row.name("document"), row.name("segment"))
        systems.setdefault(system)
        segments.setdefault(segment, row.name("document"))
        name = joined(row.name("criterion") if criteria > 1 else "", row.rater).replace(":", "-")
        given = scores.setdefault(_file_name(name), {})
        replaced += (system, segment) in given
        given[system, segment] = spelled(row.value)
    pair = _pair(imported)
    (path / "human-scores").mkdir(parents=True)
    for name, given in scores.items():
        lines = [f"{system}\t{given.get((system, segment), 'None')}" for system in systems for segment in segments]
        file = path / "human-scores" / f"{pair}.{name}.seg.score"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    if any(segments.values()):
        (path / "documents").mkdir()
        docs = "\n".join(f"all\t{document}" for document in segments.values()) + "\n"
        (path / "documents" / f"{pair}.docs").write_text(docs, encoding="utf-8", newline="")
    return (
        *lost_columns(ratings, _HELD | {"language_pair"} | ({"criterion"} if criteria > 1 else set())),
        *lost_spans(imported),
        *([f"{replaced:,} ratings of a place that has one already: the last is kept."] if replaced else []),
        "Names of segments: the layout numbers them from 0 in the order of first appearance.",
    )


def _pair(imported: Imported) -> str:
    factor = imported.ratings.columns.get("language_pair")
    return factor.names[0] if factor and len(factor.names) == 1 and re.match(r"^\w+-\w+$", factor.names[0]) else "xx-yy"


def _file_name(name: str) -> str:
    """A rater's name with the characters that are safe in a file name."""
    return re.sub(r"[^\w.-]", "_", name)[:100].strip(".") or "rater"
