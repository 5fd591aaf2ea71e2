"""Appraise CSV: no header; user, system, item, type, languages, score, document, flag, spans, times and batch.

Its export to JSON lines says the same by name, with the texts. In an MQM campaign the score is 0 in every row and the
judgement is in the spans.
"""

import io
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from accord.design.criterion import Criterion
from accord.errors import FormatError
from accord.formats.appraise_rows import ROLES, AppraiseRow, appraise_rows, is_data_assessment, is_scores
from accord.formats.browser_spans import label_of, mark_errors, parse_errors, written_errors
from accord.formats.collect import Collector, as_number, joined
from accord.formats.content import delimited
from accord.formats.detection import first_object
from accord.formats.imported import Imported
from accord.formats.meanings import MQM_SCORE, SCORE_TO_100
from accord.formats.mqm_rows import CRITERION
from accord.formats.mqm_weights import UnknownSeverityError, mqm_score
from accord.formats.options import ReadOptions
from accord.formats.rows import by_rating, lost_columns, lost_criteria, lost_sides, rating_rows, spelled
from accord.tables.csv_lines import csv_writer

__all__ = ["detect", "read", "write"]

_TYPES = {role: kind for kind, role in ROLES.items()}
_ASIDE = {"degraded": "#bad", "reference": "#ref"}
_HELD = {"system", "document", "segment", "role", "time_s", "language_pair", "criterion", "occasion"}
_FILLING = {
    "incomplete": "part of a document that fills up a batch, mostly for another rater; it counts between raters",
    "duplicate": "a document that fills up a batch once more, for another rater; it counts between raters",
}
_WHOLE = "document"
_SCORES = {False: "segment score", True: "document score"}
_REPEATED = "the rater answered this item again later, and the later answer counts"


def detect(sample: str, path: Path) -> str | None:
    """Rows of seven or more cells whose fourth is TGT, CHK, REF or BAD, or JSON lines that say the same by name."""
    row = first_object(sample)
    if row is not None:
        named = {"annotator", "item_type", "document_id"} <= set(row) and ("target_id" in row or "targets" in row)
        return "JSON lines with annotator, item_type, document_id and targets" if named else None
    rows: list[list[str]] = []
    with suppress(FormatError):  # the sample may be cut inside quotes
        rows.extend(cells for _, cells in islice(delimited(sample, ",", str(path)), 20))
    for fits, where in ((is_scores, 3), (is_data_assessment, 5)):
        fit = [fits(cells) for cells in rows]
        if fit and fit[0] and sum(fit) * 2 > len(fit):
            kind = f"cell {where + 1} is a type such as {rows[0][where]}"
            return f"rows of {len(rows[0])} cells without a header, {kind}"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read an Appraise export; a tutorial is practice, and the last answer of a rater to an item counts."""
    collect = Collector(path)
    rows = appraise_rows(path, options, collect)
    errors = {row.line: parse_errors(row.cells.get("spans", ""), row.line, collect) for row in rows}
    of_errors = _is_mqm(rows, errors)
    first = _first_items(rows) if options.segments == "position" else {}
    named = [(row, _item(row, first), _role(row)) for row in rows]
    rated = {(row.user, item) for row, item, role in named if role not in ("repeat", None)}
    standing: list[tuple[AppraiseRow, str, str]] = []
    for row, item, role in named:
        if role is None:
            collect.dropped(row.line, f"type {row.cells['type']!r} is not one of {', '.join(ROLES)}")
        elif role == "repeat" and "dup" in row.marks and (row.user, item) not in rated:
            standing.append((row, item, "duplicate"))
        else:
            standing.append((row, item, role))
    if options.duplicates not in ("first", "mean"):
        standing = _last(collect, standing)
    occasions = _occasions(standing)
    for row, item, role in standing:
        _take(collect, row, item, role, errors[row.line], (_segment(row, first), occasions.get(row.line)), of_errors)
    _advise(collect, rows, options)
    _name_documents(collect)
    return collect.imported("appraise", options, MQM_SCORE if of_errors else _meaning(rows, collect))


def _meaning(rows: Sequence[AppraiseRow], collect: Collector) -> Criterion | Mapping[str, Criterion] | None:
    """Scores of translations; what an assessment of parallel data asks, its export does not say."""
    if any("rank" in row.cells for row in rows):
        return None
    both = any("criterion" in row for row in collect.rows)
    return dict.fromkeys(_SCORES.values(), SCORE_TO_100) if both else SCORE_TO_100


def _name_documents(collect: Collector) -> None:
    """Scores of whole documents and of segments are two criteria where a file holds both."""
    kinds = [row["segment"] == _WHOLE for row in collect.rows]
    if any(kinds) and not all(kinds):
        for row, is_whole in zip(collect.rows, kinds, strict=True):
            row.setdefault("criterion", _SCORES[is_whole])


def _is_mqm(rows: Sequence[AppraiseRow], errors: Mapping[int, Sequence[Mapping[str, object]]]) -> bool:
    """Whether no row has a score and the errors have categories: then these are what was judged."""
    return (
        bool(rows)
        and all(as_number(row.cells["score"]) == 0 for row in rows)
        and any(label_of(error)[0] for row in rows for error in errors[row.line])
    )


def _first_items(rows: Sequence[AppraiseRow]) -> dict[tuple[str, str], int]:
    """The lowest item number of each document of each user: its first segment."""
    lowest: dict[tuple[str, str], int] = {}
    for row in rows:
        if row.cells["item"].isdecimal() and not row.is_whole_document:
            key = row.user, row.cells.get("document", "")
            lowest[key] = min(lowest.get(key, int(row.cells["item"])), int(row.cells["item"]))
    return lowest


def _segment(row: AppraiseRow, first: Mapping[tuple[str, str], int]) -> str:
    if row.is_whole_document:
        return _WHOLE
    number, key = row.cells["item"], (row.user, row.cells.get("document", ""))
    return str(int(number) - first[key]) if key in first and number.isdecimal() else number


def _role(row: AppraiseRow) -> str | None:
    """The role of a row by its type, its tutorial and the marks of its document; None for a type nobody knows."""
    role = ROLES.get(row.cells["type"])
    if role is None or row.is_tutorial:
        return None if role is None else "practice"
    if "bad" in row.marks:
        return "degraded"
    if role != "system":
        return role
    return "repeat" if "dup" in row.marks else "incomplete" if "incomplete" in row.marks else role


def _item(row: AppraiseRow, first: Mapping[tuple[str, str], int]) -> str:
    parts = joined(row.language_pair, row.cells["system"], row.document, _segment(row, first))
    return parts + _ASIDE.get(_role(row) or "", "")


def _last(collect: Collector, rows: Sequence[tuple[AppraiseRow, str, str]]) -> list[tuple[AppraiseRow, str, str]]:
    """The last answer of each rater to an item, by time: exports come in any order.

    A repeat has a document of its own (#dup1, #dup2), and counts beside the others.
    """
    groups: defaultdict[tuple[str, str, str, str], list[AppraiseRow]] = defaultdict(list)
    for row, item, role in rows:
        groups[row.user, item, role, row.cells.get("document", "") if role == "repeat" else ""].append(row)
    counts = {max(group, key=lambda row: (row.ended, row.line)).line for group in groups.values()}
    for row, _, _ in rows:
        if row.line not in counts:
            collect.dropped(row.line, _REPEATED)
    return [one for one in rows if one[0].line in counts]


def _occasions(rows: Sequence[tuple[AppraiseRow, str, str]]) -> dict[int, str]:
    """Which time each repeat of an item is for its rater, by line: the second, the third, ..."""
    times: dict[tuple[str, str], int] = {}
    occasions: dict[int, str] = {}
    repeats = [(row, item) for row, item, role in rows if role == "repeat"]
    for row, item in sorted(repeats, key=lambda one: (one[0].ended, one[0].line)):
        times[row.user, item] = times.get((row.user, item), 1) + 1
        occasions[row.line] = str(times[row.user, item])
    return occasions


def _take(
    collect: Collector,
    row: AppraiseRow,
    item: str,
    role: str,
    errors: Sequence[Mapping[str, object]],
    place: tuple[str, str | None],
    of_errors: bool,
) -> None:
    segment, occasion = place
    score = as_number(row.cells["score"])
    if of_errors:
        try:
            score = mqm_score(label_of(error) for error in errors)
        except UnknownSeverityError as problem:
            collect.dropped(row.line, str(problem))
            return
    if score is None:
        collect.dropped(row.line, f"score {row.cells['score']!r} is not a number")
        return
    if of_errors and role != "repeat":
        for error in errors:
            collect.error(item, row.user, *label_of(error))
    if role in _FILLING:
        collect.role(role, _FILLING[role])
    more = {"occasion": occasion} if occasion else {}
    more |= {"criterion": CRITERION} if of_errors else {}
    kept = ("batch", "comment", "domain", "rank", "target_error", "source_error")
    more |= {name: row.cells[name] for name in kept if row.cells.get(name)}
    collect.rate(
        row.line, item, row.user, score, language_pair=row.language_pair, system=row.cells["system"],
        document=row.document, segment=segment, role=role, **more, time_s=row.seconds,
    )  # fmt: skip
    text = row.cells.get("target") or None
    if text is not None:
        collect.text(item, row.cells.get("source", ""), text)
    mark_errors(collect, item, row.user, errors, row.line, text)


def _advise(collect: Collector, rows: Sequence[AppraiseRow], options: ReadOptions) -> None:
    """Batches may number segments anew, and then raters or systems of one document seem to share no segment."""
    if options.segments != "id":
        return
    numbers: defaultdict[tuple[str, str], defaultdict[tuple[str, str], set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for row in rows:
        if row.document and not row.is_tutorial and not row.is_whole_document:
            numbers[row.language_pair, row.document][row.cells["system"], row.user].add(row.cells["item"])
    for place, (what, one) in enumerate((("Systems", "system"), ("Raters", "rater"))):
        shared, aligned = 0, 0
        for document in numbers.values():
            groups: defaultdict[str, list[set[str]]] = defaultdict(list)
            for who, items in document.items():
                groups[who[1 - place] if place else ""].append(items)
            several = [sets for sets in groups.values() if len(sets) > 1]
            shared += len(several)
            aligned += sum(len(set().union(*sets)) < sum(map(len, sets)) for sets in several)
        if shared and aligned * 2 < shared:
            collect.note(
                f"{what} share documents but hardly an item number ({aligned:,} of {shared:,} documents of more than "
                f"one {one}): batches seem to number segments anew. Number them by their place in the document with "
                "segments=position: accord convert FILE ratings.csv --set segments=position"
            )
            return


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write ratings (numbers only) and spans as Appraise exports them."""
    marks = by_rating(imported.spans)
    out = io.StringIO(newline="")
    writer = csv_writer(out)
    renamed = 0
    for row in rating_rows(imported.ratings):
        if as_number(row.value) is None:
            raise FormatError(f"Appraise holds scores only, but {row.item!r} was rated {spelled(row.value)!r}.")
        system, document, segment = row.name("system"), row.name("document"), row.name("segment") or row.item
        role, pair = row.name("role") or "system", row.name("language_pair")
        renamed += joined(pair, system, document, segment) + _ASIDE.get(role, "") != row.item
        source, _, target = pair.partition("-")
        spans = json.dumps(written_errors(marks.get((row.item, row.rater), ()), None, "error_type"))
        writer.writerow([
            row.rater, system, segment, _TYPES.get(role, "TGT"), source, target, spelled(row.value), document, "False",
            spans, 0, row.number("time_s") or 0,
        ])  # fmt: skip
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return (
        *lost_columns(imported.ratings, _HELD),
        *lost_criteria(imported.ratings, ""),
        *lost_sides(imported, ("severity", "category", "missing")),
        *([f"Names of {renamed:,} rated items become language pair:system:document:segment."] if renamed else []),
        *_other_roles(imported),
    )


def _other_roles(imported: Imported) -> tuple[str, ...]:
    factor = imported.ratings.columns.get("role")
    lost = sorted(set(factor.names) - set(_TYPES)) if factor else []
    return (f"Roles that become system: {', '.join(lost)}.",) if lost else ()
