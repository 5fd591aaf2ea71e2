"""brat standoff: a .ann file beside each text; one folder a rater. Offsets are half-open, in code points."""

import re
from collections.abc import Iterator
from pathlib import Path

from accord.errors import UnreadableFileError
from accord.formats.collect import Collector
from accord.formats.content import read_text
from accord.formats.imported import Imported
from accord.formats.label_studio import SPANS
from accord.formats.meanings import NUMBER_OF_SPANS
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]

_BOUND = re.compile(r"^T\d+\t\S+ \d+ \d+(;\d+ \d+)*\t")
_SEVERITY = "severity"
_KINDS = {"R": "relations", "E": "events", "*": "equivalences", "N": "links to other sources"}


def detect(sample: str, path: Path) -> str | None:
    """A folder with .ann files, or a file of text-bound annotations."""
    if path.is_dir():
        found = _files(path)
        return f"the folder holds {found[0].relative_to(path)}" if found else None
    first = sample.split("\n", 1)[0]
    return "the first line is a text-bound annotation (T1, a type and offsets)" if _BOUND.match(first) else None


def _files(path: Path) -> list[Path]:
    """The annotation files of a folder of documents, or of folders of raters."""
    try:
        return sorted(file for pattern in ("*.ann", "*/*.ann") for file in path.glob(pattern) if file.is_file())
    except OSError:
        return []


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the marked stretches of each document; the rater is the folder that a file lies in."""
    collect = Collector(path)
    files = _files(path) if path.is_dir() else [path]
    if not files:
        raise UnreadableFileError(f"{path} holds no .ann file.")
    raters = {file.parent.name for file in files}
    if len(raters) == 1:
        collect.note(f"brat does not write who annotated: the rater is {next(iter(raters))}, after the folder.")
    for number, file in enumerate(files, 1):
        collect.file = file.relative_to(path).as_posix() if path.is_dir() else ""
        collect.row(number)
        _take(collect, number, file, options)
    collect.file = ""
    return collect.imported("brat", options, {SPANS: NUMBER_OF_SPANS})


def _take(collect: Collector, number: int, path: Path, options: ReadOptions) -> None:
    """One document of one rater: as many spans as are marked, none if the file is empty."""
    item, rater = path.stem, path.parent.name
    text = _text_beside(path, options)
    lines = [] if path.stat().st_size == 0 else read_text(path, options, collect).split("\n")
    severity = dict(_severities(lines))
    marked, comments = 0, []
    for line in filter(None, (line.rstrip("\r") for line in lines)):
        cells = line.split("\t")
        if line.startswith("T"):
            marked += _mark(collect, number, (item, rater), cells, severity, text)
        elif line.startswith("#"):
            comments.append(cells[-1])
        elif line[0] in _KINDS:
            collect.dropped(number, f"{_KINDS[line[0]]} are not read")
        elif line[0] not in "AM":
            collect.dropped(number, f"a line that is not an annotation: {line[:40]!r}")
    collect.text(item, "", text)
    collect.rate(
        number, item, rater, float(marked), criterion=SPANS, document=item, comment="; ".join(comments) or None
    )


def _text_beside(path: Path, options: ReadOptions) -> str:
    beside = path.with_suffix(".txt")
    try:
        return read_text(beside, options) if beside.is_file() and beside.stat().st_size else ""
    except OSError:
        return ""


def _severities(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The span and its severity, from attributes of that name."""
    for line in lines:
        parts = line.rstrip("\r").split("\t")[1:2]
        words = parts[0].split(" ") if parts and line.startswith(("A", "M")) else []
        if len(words) == 3 and words[0].casefold() == _SEVERITY:
            yield words[1], words[2]


def _mark(
    collect: Collector, number: int, who: tuple[str, str], cells: list[str], severity: dict[str, str], text: str
) -> int:
    """Mark one text-bound annotation, which may have several parts; 1 if it could be placed."""
    words = cells[1].split(" ", 1) if len(cells) > 1 else []
    places = []
    for part in words[1].split(";") if len(words) == 2 else ():
        ends = part.split(" ")
        if len(ends) == 2 and all(end.isdecimal() and len(end) < 12 for end in ends):
            places.append((int(ends[0]), int(ends[1])))
    inside = all(start <= end and (not text or end <= len(text)) for start, end in places)
    if not places or not inside:
        collect.dropped(number, f"{cells[0][:20]} has no place in the text")
        return 0
    for place in places:
        collect.mark(*who, place, category=words[0], severity=severity.get(cells[0], ""))
    return 1
