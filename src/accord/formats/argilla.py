"""Argilla records, JSON or JSON lines: responses of each user to each question, in the shapes of both versions."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.formats.collect import Collector, as_int, as_name, as_text, as_value
from accord.formats.content import json_documents
from accord.formats.detection import objects
from accord.formats.imported import Imported, Side
from accord.formats.label_studio import SPANS
from accord.formats.options import ReadOptions
from accord.formats.rows import RatingRow, by_rating, lost_columns, lost_sides, plain_number, rating_rows
from accord.formats.texts import Texts
from accord.records import dataclass

__all__ = ["detect", "read", "write"]

_NAMES = ("system", "document", "segment", "scenario", "condition", "group", "phase", "batch", "role")
_FLAT, _SUGGESTED = ".responses", "-suggestion"
_UNSAID = ""


@dataclass(frozen=True, slots=True)
class _Response:
    """One answer of one user to one question."""

    user: str
    question: str
    value: object
    status: str


def detect(sample: str, path: Path) -> str | None:
    """Records with fields and responses, columns named QUESTION.responses, or QUESTION beside QUESTION-suggestion."""
    records = objects(sample, 1)
    if not records:
        return None
    if isinstance(records[0].get("responses"), Mapping | list) and "fields" in records[0]:
        return "JSON records with fields and responses"
    if any(str(key).endswith(_FLAT) for key in records[0]):
        return "JSON records with columns named QUESTION.responses"
    if any(_asked_beside(records[0])):
        return "JSON records with columns named QUESTION and QUESTION-suggestion"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read submitted responses; a discarded one is a rating without an answer, a draft is dropped."""
    collect = Collector(path)
    records = list(json_documents(path, options, collect))
    marking = {one.question for _, record in records for one in _responses(record) if _span_list(one.value)}
    for place, record in records:
        item = as_name(record.get("id") or record.get("external_id") or record.get("_id")) or str(place)
        # Flattened records have metadata and fields beside the responses.
        metadata, fields = (
            record[key] if isinstance(record.get(key), Mapping) else record for key in ("metadata", "fields")
        )
        more: dict[str, Value | None] = {name: as_name(metadata.get(name)) or None for name in _NAMES}
        collect.text(item, as_text(fields.get("source")), as_text(fields.get("text") or fields.get("target")))
        given = 0
        for response in _responses(record):
            given += 1
            _take(collect, place, item, response, more, marking)
        if not given:
            collect.dropped(place, f"record {item} has no responses")
    unsaid = [one.status == _UNSAID for _, record in records for one in _responses(record)]
    if unsaid and all(unsaid):
        collect.note("The file does not say which responses are drafts or discarded; all of them count.")
    elif any(unsaid):
        collect.note(
            f"The file does not say of {sum(unsaid):,} of {len(unsaid):,} responses whether they are drafts or "
            "discarded; these count."
        )
    return collect.imported("argilla", options)


def _asked_beside(record: Mapping[str, Any]) -> Iterator[str]:
    """The questions of a record as version 1 puts it on the Hub: a list of answers, and a suggestion beside it."""
    for question, answers in record.items():
        if isinstance(answers, list) and f"{question}{_SUGGESTED}" in record:
            yield question


def _responses(record: Mapping[str, Any]) -> Iterator[_Response]:
    for question in _asked_beside(record):
        for answer in record[question]:
            if isinstance(answer, Mapping):
                yield _Response(as_name(answer.get("user_id")), question, answer.get("value"), _status(answer))
    responses = record.get("responses")
    if isinstance(responses, Mapping):
        for question, answers in responses.items():
            for answer in answers if isinstance(answers, list) else ():
                if isinstance(answer, Mapping):
                    yield _Response(as_name(answer.get("user_id")), str(question), answer.get("value"), _status(answer))
    for answer in responses if isinstance(responses, list) else ():
        values = answer.get("values") if isinstance(answer, Mapping) else None
        for question, given in values.items() if isinstance(values, Mapping) else ():
            value = given.get("value") if isinstance(given, Mapping) else given
            yield _Response(as_name(answer.get("user_id")), str(question), value, _status(answer))
    for key in [key for key in record if str(key).endswith(_FLAT)]:
        values, users, states = (record.get(f"{key}{part}") for part in ("", ".users", ".status"))
        for place, value in enumerate(values if isinstance(values, list) else ()):
            user = users[place] if isinstance(users, list) and place < len(users) else None
            state = states[place] if isinstance(states, list) and place < len(states) else None
            yield _Response(as_name(user), str(key).removesuffix(_FLAT), value, as_name(state) or _UNSAID)


def _status(answer: Mapping[str, Any]) -> str:
    return as_name(answer.get("status")) or _UNSAID


def _take(
    collect: Collector,
    place: int,
    item: str,
    response: _Response,
    more: Mapping[str, Value | None],
    marking: set[str],
) -> None:
    if not response.user:
        collect.dropped(place, f"a response to {response.question} of {item} has no user_id")
        return
    if response.status == "draft":
        collect.dropped(place, f"the response of {response.user} to {item} is a draft")
        return
    if response.status == "discarded":
        collect.rate(place, item, response.user, None, criterion=response.question, **more)
        return
    spans = [] if response.value == [] and response.question in marking else _span_list(response.value)
    if spans is not None:
        _take_spans(collect, place, item, response, spans)
        collect.rate(place, item, response.user, float(len(spans)), criterion=response.question, **more)
        return
    value = _ranking(response.value) or as_value(response.value)
    if value is None:
        collect.dropped(place, f"the response of {response.user} to {response.question} of {item} is no answer")
        return
    collect.rate(place, item, response.user, value, criterion=response.question, **more)


def _span_list(value: object) -> list[Mapping[str, Any]] | None:
    if isinstance(value, list) and value and all(isinstance(part, Mapping) and "start" in part for part in value):
        return value
    return None


def _take_spans(collect: Collector, place: int, item: str, response: _Response, spans: list[Mapping[str, Any]]) -> None:
    for span in spans:
        start, end = as_int(span.get("start")), as_int(span.get("end"))
        if start is None or end is None or not 0 <= start <= end:
            collect.dropped(place, f"a span of {item} has no start and end")
            continue
        label, _, severity = as_name(span.get("label")).partition(" | ")
        side = Side.SOURCE if span.get("field") == "source" else Side.TARGET
        collect.mark(item, response.user, (start, end), side=side, category=label, severity=severity)


def _ranking(value: object) -> str | None:
    """A ranking as one label: best first, > between ranks, = between equals."""
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(part, Mapping) and "rank" in part for part in value):
        return None
    ranks: dict[int, list[str]] = {}
    for part in value:
        ranks.setdefault(as_int(part.get("rank")) or 0, []).append(as_name(part.get("value")))
    return ">".join("=".join(sorted(ranks[rank])) for rank in sorted(ranks))


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one record an item, with a response for each rater and criterion; spans are a question of their own."""
    marks = by_rating(imported.spans)
    records: dict[str, list[RatingRow]] = {}
    for row in rating_rows(imported.ratings):
        records.setdefault(row.item, []).append(row)
    written = []
    for item, rows in records.items():
        texts = imported.texts.get(item, Texts())
        responses: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            if row.name("criterion") != SPANS:
                answer = {"value": _written(row), "user_id": row.rater, "status": "submitted"}
                responses.setdefault(row.name("criterion") or "value", []).append(answer)
        for rater in dict.fromkeys(row.rater for row in rows):
            if spans := [span for span in marks.get((item, rater), []) if not span.missing]:
                value = [
                    {
                        "start": s.start,
                        "end": s.end,
                        "label": f"{s.category} | {s.severity}" if s.severity else s.category,
                        "field": "source" if s.side is Side.SOURCE else "text",
                    }
                    for s in spans
                ]
                responses.setdefault(SPANS, []).append({"value": value, "user_id": rater, "status": "submitted"})
        metadata = {name: rows[0].name(name) for name in _NAMES if rows[0].name(name)}
        fields = {"source": texts.source, "text": texts.target}
        written.append({"id": item, "fields": fields, "metadata": metadata, "responses": responses})
    path.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8", newline="")
    criteria = imported.ratings.columns.get("criterion")
    return (
        *lost_columns(imported.ratings, {*_NAMES, "criterion"}, texts=True, once=_NAMES),
        *lost_sides(imported, ("side", "severity", "category")),
        *(
            ["Ratings without a criterion get the criterion value."]
            if criteria is None or (criteria.codes < 0).any()
            else []
        ),
        *(
            ["Spans become a criterion of their own, called spans, whose value is their number."]
            if imported.spans
            else []
        ),
    )


def _written(row: RatingRow) -> object:
    if isinstance(row.value, float):
        return plain_number(row.value)
    return sorted(row.value) if isinstance(row.value, frozenset) else row.value
