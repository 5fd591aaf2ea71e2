"""Pearmut JSONL: one line a submission of a document; scores and spans for each segment and system."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from accord.errors import FormatError
from accord.formats.browser_spans import mark_errors, written_errors
from accord.formats.collect import Collector, as_int, as_name, as_number, as_text, joined
from accord.formats.content import json_lines
from accord.formats.imported import Imported
from accord.formats.meanings import SCORE_TO_100
from accord.formats.offsets import browser_boxes
from accord.formats.options import ReadOptions
from accord.formats.rows import RatingRow, by_rating, lost_columns, lost_sides, plain_number, rating_rows, spelled
from accord.formats.texts import Texts
from accord.records import dataclass

__all__ = ["detect", "read", "role_of", "take_lines", "write"]

_RESET = "__RESET__"
_TUTORIAL, _ATTENTION = "_#_tutorial_#_", "attention_check_"
_PART = "_###_"
_ASIDE = ("welcome_", "random_", "goodbye_")
_OF_OUTPUTS = {"tgt", "error_spans", "validation"}
_HELD = {"system", "document", "segment", "criterion", "comment"}


@dataclass(frozen=True, slots=True, eq=False)
class _Submission:
    """One line that holds the answers of a user to the segments of a document."""

    line: int
    user: str
    number: str
    entry: Mapping[str, Any]
    pair: str = ""

    @property
    def segments(self) -> list[Any]:
        answers = self.entry["annotation"]
        return answers if isinstance(answers, list) else [answers]

    def shown(self, place: int) -> Mapping[str, Any]:
        items = self.entry.get("item")
        items = items if isinstance(items, list) else [items]
        return items[place] if place < len(items) and isinstance(items[place], Mapping) else {}

    @property
    def content(self) -> str:
        """What makes the document this one: all that was shown but the outputs, of which some may be left out."""
        shown = [self.shown(place) for place in range(len(self.segments))]
        if not any(shown):
            return self.number
        return json.dumps([{k: v for k, v in one.items() if k not in _OF_OUTPUTS} for one in shown], sort_keys=True)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.user, self.number, self.content

    def cells(self, document: str) -> list[tuple[str, str, int, str]]:
        """User, document, segment and system of every answer."""
        answered = [(place, systems) for place, systems in enumerate(self.segments) if isinstance(systems, Mapping)]
        return [(self.user, document, place, str(system)) for place, systems in answered for system in systems]

    def marks_beside_newlines(self) -> Iterator[tuple[int, int, str]]:
        """First and last place of every span in a text with a newline."""
        for place, systems in enumerate(self.segments):
            for system, answer in systems.items() if isinstance(systems, Mapping) else ():
                text = _target(self.shown(place), str(system))
                for span in _errors(answer) if text is not None and "\n" in text else ():
                    first, last = as_int(span.get("start_i")), as_int(span.get("end_i"))
                    if first is not None and last is not None and text is not None:
                        yield first, last, text


def _target(shown: Mapping[str, Any], system: str) -> str | None:
    targets = shown.get("tgt")
    text = targets.get(system) if isinstance(targets, Mapping) else None
    return text if isinstance(text, str) else None


def _errors(answer: object) -> list[Mapping[str, Any]]:
    spans = answer.get("error_spans") if isinstance(answer, Mapping) else None
    return [span for span in spans if isinstance(span, Mapping)] if isinstance(spans, list) else []


def detect(sample: str, path: Path) -> str | None:
    """JSON lines with user_id, item_i and annotation."""
    from accord.formats.detection import first_object

    row = first_object(sample)
    if row is not None and {"user_id", "annotation"} <= set(row) and ("item_i" in row or row["annotation"] == _RESET):
        return "JSON lines with user_id, item_i and annotation"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the answers that count: after the last reset, the last of each user, segment and system."""
    collect = Collector(path)
    take_lines(collect, json_lines(path, options, collect))
    return collect.imported(
        "pearmut", options, None if any("criterion" in row for row in collect.rows) else SCORE_TO_100
    )


def take_lines(collect: Collector, lines: Iterable[tuple[int, Mapping[str, Any]]], pair: str = "") -> None:
    """The lines of one campaign, of this language pair if it is known."""
    standing = _standing(collect, lines, pair)
    newlines = _newlines_counted(collect, standing)
    documents = _document_names(collect, standing)
    last = {cell: one.line for one, name in zip(standing, documents, strict=True) for cell in one.cells(name)}
    for one, document in zip(standing, documents, strict=True):
        later = {cell[2:]: last[cell] for cell in one.cells(document) if last[cell] != one.line}
        _take_submission(collect, one, document, later, newlines)


def role_of(item: str) -> str | None:
    """The role that the name of an item tells: a page of the tutorial, or a check of attention."""
    if _TUTORIAL in item:
        return "tutorial"
    return "attention" if item.startswith(_ATTENTION) else None


def _standing(collect: Collector, lines: Iterable[tuple[int, Mapping[str, Any]]], pair: str) -> list[_Submission]:
    """The submissions that no reset masks; a reset names a user, an item, or both."""
    standing: list[_Submission] = []
    for line, entry in lines:
        user, number = as_name(entry.get("user_id")), as_name(entry.get("item_i"))
        if entry.get("annotation") == _RESET and (user or number):
            collect.dropped(line, "a reset mark: it masks what was submitted before")
            masked = [one for one in standing if user in ("", one.user) and number in ("", one.number)]
            for one in masked:
                collect.dropped(one.line, f"reset in line {line}")
                standing.remove(one)
        elif not user or not number or "annotation" not in entry:
            collect.dropped(line, "no user_id, item_i or annotation: not a submission")
        elif number.startswith(_ASIDE):
            collect.dropped(line, f"{number} is a page before, between or after the items")
        else:
            standing.append(_Submission(line, user, number, entry, pair))
    return standing


def _document_names(collect: Collector, standing: Sequence[_Submission]) -> list[str]:
    """The name of each document: item_i, unless it numbers different texts for different users.

    In a task-based campaign every user has documents of their own, numbered from 0; only their texts tell them apart.
    """
    known: dict[str, list[str]] = {}
    named: dict[tuple[str, str, str], str] = {}
    used: set[tuple[str, str]] = set()
    taken: set[str] = set()
    for one in standing:
        if one.key in named:
            continue
        alike = [name for name in known.setdefault(one.content, []) if (one.user, name) not in used]
        unused = (name for name in _numbered(one.number) if name not in taken)
        name = one.number if one.number in alike else alike[0] if alike else next(unused)
        if name != one.number:
            collect.note("item_i numbers different texts for different users: documents are told apart by their texts.")
        if name not in taken:
            known[one.content].append(name)
        taken.add(name)
        used.add((one.user, name))
        named[one.key] = name
    return [named[one.key] for one in standing]


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name} ({number})"


def _newlines_counted(collect: Collector, standing: Sequence[_Submission]) -> bool:
    """Whether offsets count newlines: Pearmut 1.1.5 and later do, and a file does not say which wrote it."""
    unclear, counting, skipping = set(), 0, 0
    for one in standing:
        for first, last, text in one.marks_beside_newlines():
            counted, skipped = (_place(text, first, last, newlines) for newlines in (True, False))
            counting, skipping = counting + (counted is not None), skipping + (skipped is not None)
            if counted != skipped:
                unclear.add(one.line)
    if counting == skipping:
        for line in sorted(unclear):
            collect.guessed(line, "spans in texts with newlines count them, as from Pearmut 1.1.5 on")
    return counting >= skipping


def _place(text: str, first: int, last: int, newlines: bool) -> tuple[int, int] | None:
    """Where a span lies; None where it cannot: outside the text, or with an end on a newline."""
    boxes = browser_boxes(text, newlines=newlines)
    if first == last and first >= len(boxes):
        return (len(text), len(text)) if newlines or first == len(boxes) else None
    if not 0 <= first <= last < len(boxes) or "\n" in (text[boxes[first]], text[boxes[last]]):
        return None
    return boxes[first], boxes[last] + 1


def _take_submission(
    collect: Collector, one: _Submission, document: str, later: Mapping[tuple[int, str], int], newlines: bool
) -> None:
    if len(later) == len(one.cells(document)) and len(set(later.values())) == 1:
        collect.dropped(one.line, f"superseded in line {next(iter(later.values()))}")
        return
    comment = as_name(one.entry.get("comment")) or None
    for place, systems in enumerate(one.segments):
        shown = one.shown(place)
        if systems is None:
            collect.dropped(one.line, f"segment {place} was skipped by {one.user}")
        elif not isinstance(systems, Mapping) or not all(isinstance(answer, Mapping) for answer in systems.values()):
            collect.dropped(one.line, f"segment {place} holds no answers for systems")
        else:
            segment = as_name(shown.get("item_id")) or (f"{document}:{place}" if len(one.segments) > 1 else document)
            for system, answer in systems.items():
                if (place, system) in later:
                    what = f"{system} in segment {place}"
                    collect.dropped(one.line, f"{what} is superseded in line {later[place, system]}")
                    continue
                # Items of WMT26 are named by their domain, document and segment.
                held = segment.rpartition(_PART)[0] or document
                who = one.user, held, segment, str(system), one.pair
                _take_answer(collect, one.line, who, answer, shown, comment, newlines)


def _take_answer(
    collect: Collector,
    line: int,
    who: tuple[str, str, str, str, str],
    answer: Mapping[str, Any],
    shown: Mapping[str, Any],
    comment: str | None,
    newlines: bool,
) -> None:
    user, document, segment, system, pair = who
    item = joined(pair, system, segment)
    sliders = answer.get("sliders")
    scores = dict(sliders) if isinstance(sliders, Mapping) else {}
    if not scores or answer.get("score") is not None:
        scores[""] = answer.get("score")
    for criterion, given in scores.items():
        score = as_number(given)
        if given is not None and score is None:
            collect.dropped(line, f"score {str(given)[:40]!r} of {item} is not a number")
            continue
        said = {"criterion": str(criterion), "role": role_of(segment), "language_pair": pair}
        said["domain"] = segment.split(_PART)[0] if _PART in segment else ""
        more = {name: cell for name, cell in said.items() if cell}
        note = as_name(answer.get("textfield")) or comment
        collect.rate(line, item, user, score, system=system, document=document, segment=segment, comment=note, **more)
    text = _target(shown, system)
    if text is not None:
        collect.text(item, as_text(shown.get("src")), text)
    mark_errors(collect, item, user, _errors(answer), line, text, newlines=newlines, boxed=True)


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one submission for each rater and document."""
    marks = by_rating(imported.spans)
    entries: dict[tuple[str, str], dict[str, list[RatingRow]]] = {}
    renamed = 0
    for row in rating_rows(imported.ratings):
        if as_number(row.value) is None:
            raise FormatError(f"Pearmut holds scores only, but {row.item!r} was rated {spelled(row.value)!r}.")
        document, segment = row.name("document") or row.name("segment") or row.item, row.name("segment") or row.item
        renamed += joined(row.name("system") or "system", segment) != row.item
        entries.setdefault((row.rater, document), {}).setdefault(segment, []).append(row)
    with path.open("w", encoding="utf-8", newline="") as out:
        for (rater, document), segments in entries.items():
            entry = {"user_id": rater, "item_i": document, "annotation": [], "item": []}
            comments = {row.name("comment") for rows in segments.values() for row in rows if row.name("comment")}
            if comments:
                entry["comment"] = "; ".join(sorted(comments))
            for segment, rows in segments.items():
                annotation, item = _segment(segment, rows, marks, imported)
                entry["annotation"].append(annotation)  # type: ignore[attr-defined]
                entry["item"].append(item)  # type: ignore[attr-defined]
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")
    held = _HELD if _one_comment(imported) else _HELD - {"comment"}
    return (
        *lost_columns(imported.ratings, held, texts=True),
        *lost_sides(imported, ("severity", "category", "missing")),
        *([f"Names of {renamed:,} rated items become system:segment."] if renamed else []),
    )


def _one_comment(imported: Imported) -> bool:
    return "comment" not in imported.ratings.columns


def _segment(
    segment: str, rows: list[RatingRow], marks: Mapping[tuple[str, str], Any], imported: Imported
) -> tuple[Any, Any]:
    annotation: dict[str, dict[str, Any]] = {}
    item: dict[str, Any] = {"item_id": segment, "src": "", "tgt": {}}
    for row in rows:
        system = row.name("system") or "system"
        texts = imported.texts.get(row.item)
        answer = annotation.setdefault(system, {"score": None, "error_spans": []})
        score = plain_number(float(row.value)) if isinstance(row.value, float) else None
        if row.name("criterion"):
            answer.setdefault("sliders", {})[row.name("criterion")] = score
        else:
            answer["score"] = score
        text = texts.target if texts else None
        answer["error_spans"] = written_errors(marks.get((row.item, row.rater), ()), text, "category", boxed=True)
        item["src"], item["tgt"][system] = (texts or Texts()).source, text or ""
    if not any(item["tgt"].values()):
        del item["tgt"]
    return annotation, item
