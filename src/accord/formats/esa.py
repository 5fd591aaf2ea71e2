"""ESA campaigns as a table with a header: login or AnnotatorID, systemID, documentID, itemID, score, span_errors."""

from pathlib import Path

from accord.errors import FormatError
from accord.formats.appraise_rows import ROLES
from accord.formats.browser_spans import mark_errors, parse_errors
from accord.formats.collect import Collector, as_number, joined
from accord.formats.content import delimited, read_text
from accord.formats.imported import Imported
from accord.formats.meanings import SCORE_TO_100
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]


def detect(sample: str, path: Path) -> str | None:
    """A header with systemID, score and span_errors."""
    names = {cell.strip().strip('"') for cell in sample.split("\n", 1)[0].replace("\t", ",").split(",")}
    if {"systemID", "score", "span_errors"} <= names:
        return "the header names systemID, score and span_errors"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read ESA scores and spans; control items keep their role."""
    collect = Collector(path)
    text = read_text(path, options, collect)
    delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ","
    rows = delimited(text, delimiter, str(path))
    _, names = next(rows, (0, []))
    names = [name.strip() for name in names]
    rater = "AnnotatorID" if "AnnotatorID" in names else "login"
    absent = [name for name in (rater, "systemID", "score") if name not in names]
    if absent:
        raise FormatError(f"{path}:1: an ESA table needs the columns {', '.join(absent)}.")
    for line, cells in collect.counted(rows):
        if len(cells) != len(names):
            collect.dropped(line, f"{len(cells)} cells where the header has {len(names)}")
            continue
        _take(collect, line, dict(zip(names, cells, strict=True)), rater)
    return collect.imported("esa", options, SCORE_TO_100)


def _take(collect: Collector, line: int, record: dict[str, str], rater: str) -> None:
    score = as_number(record["score"])
    if score is None:
        collect.dropped(line, f"score {record['score']!r} is not a number")
        return
    role = ROLES.get(record.get("is_bad", "TGT"))
    if role is None:
        collect.guessed(line, f"is_bad is {record.get('is_bad')!r}, which is no known type; taken as TGT")
        role = "system"
    document = record.get("documentID", "").split("#")[0]
    segment = record.get("segmentID") or record.get("hypID") or record.get("itemID", "")
    item = joined(record["systemID"], document, segment) + ("#bad" if role == "degraded" else "")
    seconds = as_number(record.get("duration_seconds", ""))
    began, ended = as_number(record.get("start_time", "")), as_number(record.get("end_time", ""))
    if seconds is None and began is not None and ended is not None:
        seconds = round(abs(ended - began), 6)
    collect.rate(
        line, item, record[rater], score, system=record["systemID"], document=document, segment=segment, role=role,
        time_s=seconds, domain=record.get("domainID"), **({"occasion": "2"} if role == "repeat" else {}),
    )  # fmt: skip
    mark_errors(collect, item, record[rater], parse_errors(record.get("span_errors", ""), line, collect), line)
