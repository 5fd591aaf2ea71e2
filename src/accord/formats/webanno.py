"""WebAnno TSV 3, which INCEpTION writes too: one line a token, layers of spans side by side; one file per rater."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

from accord.errors import FormatError, UnreadableFileError
from accord.formats.collect import Collector
from accord.formats.content import read_text
from accord.formats.imported import Imported
from accord.formats.meanings import NUMBER_OF_SPANS
from accord.formats.offsets import OffsetError, from_utf16
from accord.formats.options import ReadOptions
from accord.records import dataclass

__all__ = ["detect", "read"]

_MARK = "#FORMAT=WebAnno TSV 3"
_OLD = re.compile(r"#\s*(?:webanno\.custom\.|de\.tudarmstadt\.)")
_SPAN, _TEXT = "#T_SP=", "#Text="
_LAYERS = ("#T_SP=", "#T_CH=", "#T_RL=")
_AUTOMATIC = re.compile(r"\.core\.api\.(lexmorph|segmentation|syntax|transform)\.")
_TOKEN = re.compile(r"^(\d+)-(\d+)(\.\d+)?$")
_PLACE = re.compile(r"^(\d{1,11})-(\d{1,11})$")
_PART = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"(?<!\\)\[(\d+)\]$")
_CURATED, _INITIAL = "CURATION_USER", "INITIAL_CAS"
_LABELS = ("value", "label", "tag", "category")


@dataclass(frozen=True, slots=True)
class _Layer:
    """A layer of spans: its short name, and the column of each feature."""

    name: str
    features: dict[str, int]

    @property
    def label(self) -> int | None:
        """The column of the feature that says what the span is."""
        named = [column for name, column in self.features.items() if name.rpartition(".")[2].casefold() in _LABELS]
        return next(iter((*named, *self.features.values())), None)


@dataclass(slots=True)
class _Sentence:
    """The tokens of a sentence, and where its text begins."""

    number: int
    line: int
    text: str
    tokens: list[list[str]] = field(default_factory=list)


def detect(sample: str, path: Path) -> str | None:
    """The first line names the format; a folder holds such a file for each rater of a document."""
    if path.is_dir():
        first = next(iter(_files(path)), None)
        return f"the folder holds {first.relative_to(path)}" if first is not None else None
    if _OLD.match(sample):
        return "the first line names layers as WebAnno TSV 2 does"
    return "the first line names the format WebAnno TSV 3" if sample.startswith(_MARK) else None


def _files(path: Path) -> list[Path]:
    try:
        found = [file for pattern in ("*.tsv", "*/*.tsv", "*/*/*.tsv") for file in path.glob(pattern)]
        return sorted(file for file in found if file.is_file() and _begins(file))
    except OSError:
        return []


def _begins(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf").startswith(_MARK.encode())


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the spans of each sentence; in a folder the document is the folder and the rater the file."""
    collect = Collector(path)
    files = _files(path) if path.is_dir() else [path]
    if not files:
        raise UnreadableFileError(f"{path} holds no file in the format WebAnno TSV 3.")
    layers: set[str] = set()
    for file in files:
        collect.file = file.relative_to(path).as_posix() if path.is_dir() else ""
        if file.stem == _INITIAL:
            collect.note(f"{_INITIAL} holds the text before anybody annotated, and was left out.")
            continue
        document = file.parent.name if path.is_dir() and file.parent != path else file.stem
        layers |= _take_file(collect, file, document, options)
    collect.file = ""
    if not path.is_dir():
        collect.note(f"The file does not say who annotated: the rater is {path.stem}, after the file.")
    return collect.imported("webanno", options, dict.fromkeys(layers, NUMBER_OF_SPANS))


def _take_file(collect: Collector, path: Path, document: str, options: ReadOptions) -> set[str]:
    text = read_text(path, options, collect)
    if _OLD.match(text):
        raise FormatError(f"{path} is WebAnno TSV 2, which is not read. Export it as WebAnno TSV v3 (3.2 or 3.3).")
    if not text.startswith(_MARK):
        raise FormatError(f"{path}:1: a file in the format WebAnno TSV 3 begins with {_MARK}.")
    lines = text.split("\n")
    layers = list(_layers(lines))
    if not layers:
        raise FormatError(f"{path} has no layer of spans that people annotate (a line {_SPAN}...).")
    for sentence in _sentences(lines):
        collect.row(sentence.line)
        _take_sentence(collect, sentence, document, path.stem, layers)
    return {layer.name for layer in layers}


def _layers(lines: Sequence[str]) -> Iterator[_Layer]:
    """The layers of spans in the order of their columns; those that a program fills are left."""
    column = 3
    for line in lines:
        if line.startswith(_TEXT):
            return
        if not line.startswith(_LAYERS):
            continue
        name, *features = line.rstrip("\r").split("=", 1)[1].split("|")
        # A layer without features has one column; a slot feature (ROLE_) and a relation (BT_) have columns too.
        named = {feature or name: column + place for place, feature in enumerate(features or [""])}
        column += max(len(features), 1)
        if line.startswith(_SPAN) and not _AUTOMATIC.search(name):
            yield _Layer(name.rpartition(".")[2], named)


def _sentences(lines: Sequence[str]) -> Iterator[_Sentence]:
    current: _Sentence | None = None
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        cells = line.split("\t")
        if line.startswith(_TEXT):
            if current is not None and not current.tokens:
                current.text += "\n" + line[len(_TEXT) :]  # a sentence of several lines
                continue
            if current is not None:
                yield current
            current = _Sentence((current.number if current else 0) + 1, number, line[len(_TEXT) :])
        elif current is not None and len(cells) >= 3 and _TOKEN.match(cells[0]):
            current.tokens.append(cells)
    if current is not None:
        yield current


def _take_sentence(
    collect: Collector, sentence: _Sentence, document: str, rater: str, layers: Sequence[_Layer]
) -> None:
    item = f"{document}:{sentence.number}"
    text = sentence.text.replace("\\n", "\n").replace("\\\\", "\\")
    collect.text(item, "", text)
    began = next((int(found[1]) for cells in sentence.tokens if (found := _PLACE.match(cells[1]))), 0)
    for layer in layers:
        marked = 0
        for start, end, label in _spans(sentence, layer):
            try:
                place = from_utf16(text, start - began, end - began)
            except OffsetError as problem:
                collect.dropped(sentence.line, f"a span of {item} was left out: {problem}")
                continue
            collect.mark(item, rater, place, category=label)
            marked += 1
        role = {"role": "gold"} if rater == _CURATED else {}
        collect.rate(
            sentence.line, item, rater, float(marked), criterion=layer.name, document=document,
            segment=str(sentence.number), **role,
        )  # fmt: skip


def _spans(sentence: _Sentence, layer: _Layer) -> Iterator[tuple[int, int, str]]:
    """Start, end and label of each span: parts with one number in brackets are one span over several tokens."""
    found: dict[str, tuple[int, int, str]] = {}
    for cells in sentence.tokens:
        place = _PLACE.match(cells[1])
        columns = [cells[column] for column in layer.features.values() if column < len(cells)]
        shown = cells[layer.label] if layer.label is not None and layer.label < len(cells) else "_"
        filled = next((cell for cell in (shown, *columns) if cell != "_"), None)
        if place is None or filled is None:
            continue
        for stacked, part in enumerate(_PART.split(filled)):
            number = _NUMBER.search(part)
            key = f"[{number[1]}]" if number else f"{cells[0]}.{stacked}"
            label = _NUMBER.sub("", part)
            label = "" if label in ("*", "_") else re.sub(r"\\(.)", r"\1", label)
            start, end, known = found.get(key, (int(place[1]), int(place[2]), label))
            found[key] = min(start, int(place[1])), max(end, int(place[2])), known
    yield from found.values()
