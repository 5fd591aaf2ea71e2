"""Google MQM TSV: one line an error; system, doc, doc_id, seg_id, rater, source, target, category, severity."""

from pathlib import Path

from accord.errors import FormatError
from accord.formats.collect import Collector, joined
from accord.formats.content import delimited, read_text
from accord.formats.imported import Imported, Side
from accord.formats.meanings import MQM_SCORE
from accord.formats.mqm_rows import ErrorRow, ErrorRows, is_no_error, lost_scores, rows_to_write
from accord.formats.offsets import OffsetError, tagged, untagged
from accord.formats.options import ReadOptions
from accord.formats.rows import lost_columns
from accord.formats.texts import Texts

__all__ = ["HEADER", "detect", "read", "take_error", "write"]

HEADER = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
_AS_MAROT = {"docsegid": "doc_id", "globalsegid": "seg_id"}
"""How Marot, which adds a tenth column, calls the numbers of segments."""
_HELD = {"system", "document", "segment", "criterion"}


def detect(sample: str, path: Path) -> str | None:
    """The nine columns in the first line, parted by tabs."""
    first = sample.split("\n", 1)[0].rstrip("\r").lower().split("\t")
    needed = {"system", "doc", "rater", "source", "target", "category", "severity"}
    if needed <= set(first) and "metadata" not in first and {"seg_id", "doc_id", *_AS_MAROT} & set(first):
        return "the header names system, doc, rater, source, target, category and severity, separated by tabs"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read errors and score them; the text has no quoting, and marked stretches stand in <v> tags."""
    collect = Collector(path)
    rows = delimited(read_text(path, options, collect), "\t", str(path), quoted=False)
    _, header = next(rows, (0, []))
    names = [_AS_MAROT.get(name, name) for name in (name.strip().lower() for name in header)]
    absent = sorted({"system", "rater", "category", "severity"} - set(names))
    if absent:
        raise FormatError(f"{path}:1: a Google MQM file needs the columns {', '.join(absent)}.")
    errors = ErrorRows(path)
    for line, cells in collect.counted(rows):
        if len(cells) != len(names):
            collect.dropped(line, f"{len(cells)} cells where the header has {len(names)}")
            continue
        _take(collect, errors, line, dict(zip(names, cells, strict=True)))
    errors.rate(collect)
    return collect.imported("google-mqm", options, MQM_SCORE)


def _take(collect: Collector, errors: ErrorRows, line: int, record: dict[str, str]) -> None:
    document = record.get("doc", "")
    segment = record.get("seg_id") or record.get("doc_id", "")
    item = joined(record["system"], document, segment)
    texts = Texts(record.get("source", ""), record.get("target", ""))
    more = {"system": record["system"], "document": document, "segment": segment}
    row = ErrorRow(line, record["category"], record["severity"], "\t".join(record.values()))
    take_error(collect, errors, row, item, record["rater"], texts, more)


def take_error(
    collect: Collector, errors: ErrorRows, row: ErrorRow, item: str, rater: str, texts: Texts, more: dict[str, str]
) -> None:
    """Keep one error with the stretches that are tagged in its texts."""
    if not rater.strip():
        collect.dropped(row.line, "no rater: the line carries metadata, not an annotation")
        return
    if row.severity.strip().lower().startswith("hotw"):
        collect.dropped(row.line, f"attention check ({row.severity}), not an error of the translation")
        return
    errors.add(item, rater, row, dict(more))
    plain, places = _tags(collect, row.line, texts)
    collect.text(item, plain.source, plain.target)
    if is_no_error(row.category, row.severity):
        return
    label = {"category": row.category.strip(), "severity": row.severity.strip()}
    for side, place in places:
        collect.mark(item, rater, place, side=side, **label)
    if not places:
        collect.mark(item, rater, (0, 0), missing="omission" in row.category.lower(), **label)


def _tags(collect: Collector, line: int, texts: Texts) -> tuple[Texts, list[tuple[Side, tuple[int, int]]]]:
    plain: dict[Side, str] = {}
    places: list[tuple[Side, tuple[int, int]]] = []
    for side, text in ((Side.SOURCE, texts.source), (Side.TARGET, texts.target)):
        try:
            plain[side], found = untagged(text)
        except OffsetError as problem:
            plain[side], found = text.replace("<v>", "").replace("</v>", ""), []
            collect.repaired(line, f"{side}: {problem}; the error is kept without a place")
        places += [(side, place) for place in found]
    return Texts(plain[Side.SOURCE], plain[Side.TARGET]), places


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one line an error, and a No-error line where a rater found none."""
    lines = ["\t".join(HEADER)]
    renamed, unmarked = 0, 0
    for row, span in rows_to_write(imported):
        texts = imported.texts.get(row.item, Texts())
        system, document, segment = row.name("system"), row.name("document"), row.name("segment") or row.item
        renamed += joined(system, document, segment) != row.item
        source, target = texts.source, texts.target
        if span is not None and span.end > span.start:
            unmarked += span.end > len(source if span.side is Side.SOURCE else target)
            if span.side is Side.SOURCE:
                source = tagged(source, span.start, span.end)
            else:
                target = tagged(target, span.start, span.end)
        label = ("No-error", "No-error") if span is None else (span.category, span.severity)
        cells = [system, document, segment, segment, row.rater, source, target, *label]
        lines.append("\t".join(cell.replace("\t", " ").replace("\r", " ").replace("\n", " ") for cell in cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return (
        *lost_columns(imported.ratings, _HELD, texts=True),
        *lost_scores(imported),
        *([f"Names of {renamed:,} rated items become system:document:segment."] if renamed else []),
        *([f"Places of {unmarked:,} spans: the texts they lie in are not known."] if unmarked else []),
    )
