"""The bridge: what a study collected becomes the ratings table, columns at a time.

Whoever shows, reports, exports or analyses a study asks here, so that all of them see the same ratings. Nothing here
knows a database or a study that is "the current one": the study and the rows of its judgements are arguments.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.design.items import Item, own_columns
from accord.design.load import Study
from accord.ratings.answer_values import value_of
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook
from accord.ratings.coding import Coded, code_column, code_names
from accord.ratings.mapping import language_columns
from accord.ratings.names import NumberNames
from accord.ratings.repeats import next_occasions, row_keys
from accord.ratings.roles import BESIDE
from accord.ratings.study_codebook import TEXTS, system_names
from accord.ratings.table import Codes, Factor, Ratings
from accord.records import dataclass
from accord.words import counted

__all__ = [
    "Bridge", "CollectedRows", "JudgementColumns", "TaskColumns", "collected_columns", "collected_history",
    "collected_ratings", "column_names", "history_bridge",
]  # fmt: skip

_SUFFIX = {"degraded": "#bad", "reference": "#ref", "attention": "#attention"}
"""A copy that checks the rater is another item than its original."""
_OF_TASK = ("scenario", "condition", "group", "phase", "occasion", "batch", "round", "comment")
_CONTRACT = (
    "item", "rater", "value", "criterion", "system", "document", "segment", "language_pair", "domain", "scenario",
    "condition", "group", "phase", "round", "guideline", "occasion", "role", "batch", "time_s", "comment", "order",
)  # fmt: skip

Json = str | None
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskColumns:
    """The screens that were given to raters, one entry a screen, in the order of raters and of their work.

    ``systems`` (those shown, in the order of the screen) and ``texts`` (shown instead of the systems' own) are JSON.
    ``comment`` is all that the rater wrote about the screen, ``kind`` whether a person or a model rates; nothing there
    means that all are people.
    """

    key: Sequence[int]
    rater: Sequence[str]
    group: Sequence[str]
    order: Sequence[int]
    scenario: Sequence[str]
    document: Sequence[str]
    item: Sequence[str]
    systems: Sequence[str]
    texts: Sequence[str]
    altered: Sequence[str]
    phase: Sequence[str]
    condition: Sequence[str]
    batch: Sequence[str]
    role: Sequence[str]
    occasion: Sequence[int]
    round: Sequence[int]
    comment: Sequence[str]
    kind: Sequence[str] = ()

    @property
    def has_models(self) -> bool:
        return bool(set(self.kind) - {"human"})


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementColumns:
    """The judgement that counts for each question: of which screen, on what, and the answer as JSON.

    ``place`` counts the texts of the screen from 0; it is None where the criterion compares them.
    """

    task: Sequence[int]
    criterion: Sequence[str]
    place: Sequence[int | None]
    value: Sequence[Json]
    seconds: Sequence[float]
    guideline: Sequence[int]


@dataclass(frozen=True, slots=True)
class CollectedRows:
    """What a study collected. Judgements of screens that are not among the tasks (practice, redone) do not count."""

    tasks: TaskColumns
    judgements: JudgementColumns


def column_names(study: Study, *, kinds: bool = False) -> tuple[str, ...]:
    """The columns of the ratings of a study: those of the contract, the user's own, and the texts.

    Only where models rate beside people is there a column ``kind``, which keeps them apart.
    """
    own = tuple(name for name in _own_names(study) if not kinds or name != "kind")
    return (*_CONTRACT, *(("kind",) if kinds else ()), *own, *TEXTS)


def _own_names(study: Study) -> tuple[str, ...]:
    return tuple(name for name in ("ambiguity", *own_columns(study.items)) if name not in _CONTRACT)


def collected_ratings(
    study: Study, rows: CollectedRows, codebook: Codebook, *, named: bool = False, past: "Bridge | None" = None
) -> Ratings | None:
    """The ratings of a study with their codebook; None while nobody has given a value.

    Systems have codes that say nothing, unless they are to be ``named``. ``past`` has the same judgements among all
    that were ever made, so that what it knows of them is not found again.
    """
    columns, notes = _table(study, rows, named, past)
    return _built(study, columns, codebook, notes)


def _built(study: Study, columns: Mapping[str, Any], codebook: Codebook, notes: Sequence[str]) -> Ratings | None:
    if not any(cell != "" for cell in columns["value"].distinct):
        return None
    used = {name: column for name, column in columns.items() if not isinstance(column, Factor) or column.names}
    return build_ratings(used, codebook=codebook, missing=("",), source=study.settings.title, notes=notes)


def history_bridge(study: Study, rows: CollectedRows, newest: NDArray[np.bool_]) -> "Bridge":
    """All judgements that were ever made, ready for both tables; ``newest`` are those that no other corrects."""
    return Bridge(study, rows, system_names(study), newest)


def collected_history(bridge: "Bridge", codebook: Codebook) -> tuple[Ratings, Indices] | None:
    """The ratings of all answers, corrected ones too, and the judgement that each was made of; None if there are none.

    Whoever takes of each question the rating that stood at some moment has the ratings of that moment: built once, they
    can be cut at any number of moments.
    """
    columns = bridge.columns()
    ratings = _built(bridge.study, columns, codebook, bridge.notes)
    if ratings is None or ratings.places is None:
        return None
    # An answer and its correction were told apart as two occasions; of one moment they are the same one.
    row = ratings.places.of_all(len(ratings)) - 1
    occasion = bridge.occasions(columns)[row].compact()
    return replace(ratings, columns={**ratings.columns, "occasion": occasion}), bridge.judgement[row]


def collected_columns(study: Study, rows: CollectedRows, *, named: bool = False) -> dict[str, Any]:
    """The same as plain columns for a file; a question that was left without an answer has an empty value."""
    columns, _ = _table(study, rows, named, None)
    return {name: _cells(columns[name]) for name in column_names(study, kinds=rows.tasks.has_models)}


def _cells(column: Any) -> list[Any]:
    if isinstance(column, Factor):
        labels: list[Any] = column.labels().tolist()
        return labels
    if isinstance(column, Coded):
        return [column.distinct[code] for code in column.codes.tolist()]
    cells: list[Any] = column.tolist()
    return cells


def _table(
    study: Study, rows: CollectedRows, named: bool, past: "Bridge | None"
) -> tuple[dict[str, Any], tuple[str, ...]]:
    bridge = Bridge(study, rows, system_names(study, named=named), past=None if named else past)
    return bridge.columns(), bridge.notes


class Bridge:
    """Codes every column once and makes names, texts and values for each different case, not for each row.

    ``newest`` says which judgements no other corrects, where all that were ever made are given; these are then the
    ``past`` of another one that has the newest alone.
    """

    def __init__(
        self, study: Study, rows: CollectedRows, names: Mapping[str, str], newest: NDArray[np.bool_] | None = None,
        past: "Bridge | None" = None,
    ) -> None:  # fmt: skip
        self.study, self.tasks, self.judgements = study, rows.tasks, rows.judgements
        self.newest, self.past = newest, past
        self.criteria = {criterion.key: place for place, criterion in enumerate(study.settings.criteria)}
        self.kinds = np.array([criterion.kind for criterion in study.settings.criteria], dtype=object)
        self.systems: Coded = past.systems if past else _coded(self.tasks.systems)
        self.texts: Coded = past.texts if past else _coded(self.tasks.texts)
        self.listed: list[list[str]] = [json.loads(text) for text in self.systems.distinct]
        self.shown = [[names.get(system, system) for system in systems] for systems in self.listed]
        self.edited: list[list[str]] = [json.loads(text) for text in self.texts.distinct]
        self._columns_of = cache(study.columns_of)
        self._unknown = dict.fromkeys((*_own_names(study), "domain"), "")
        self._languages, self._usual_pair = language_columns(own_columns(study.items)), _language_pair(study)
        guess = f"the language pair is taken to be {' + '.join(self._languages)} of the items"
        self.notes: tuple[str, ...] = (guess,) if self._languages not in ((), ("language_pair",)) else ()
        self._expand(*self._judgements_that_count())

    def _judgements_that_count(self) -> tuple[Indices, Indices, Codes]:
        """Judgements that count, in the order of raters and of their work: which, of which task, on what."""
        keys = np.asarray(self.tasks.key, dtype=np.int64)
        asked = np.asarray(self.judgements.task, dtype=np.int64)
        by_key = np.argsort(keys, kind="stable")
        place = np.minimum(np.searchsorted(keys, asked, sorter=by_key), max(len(keys) - 1, 0))
        task = by_key[place] if len(keys) else np.zeros(len(asked), dtype=np.intp)
        counts = keys[task] == asked if len(keys) else np.zeros(len(asked), dtype=bool)
        found = _coded(self.judgements.criterion)
        criterion = np.array([self.criteria.get(name, -1) for name in found.distinct] or [-1])[found.codes]
        self._tell_unknown(found, criterion, counts)
        rows = np.flatnonzero(counts & (criterion >= 0))
        places = _places(self.judgements.place)
        order = rows[np.lexsort((places[rows], criterion[rows], task[rows]))]
        return order, task[order], criterion[order].astype(np.int32)

    def _tell_unknown(self, found: Coded, criterion: NDArray[Any], counts: NDArray[np.bool_]) -> None:
        lost = int(np.count_nonzero(counts & (criterion < 0)))
        if lost:
            names = ", ".join(sorted(name for name in found.distinct if name not in self.criteria))
            words = counted(lost, "judgement is", "judgements are")
            self.notes += (f"{words} not here: the study no longer asks for {names}",)

    def _expand(self, judgement: Indices, task: Indices, criterion: Codes) -> None:
        """A ranking is a rating of each text that was ranked; any other answer is one rating."""
        lengths = np.array([len(systems) for systems in self.listed] or [0])
        ranked = self.kinds[criterion] == "ranking"
        times = np.where(ranked, lengths[self.systems.codes[task]] if len(task) else 0, 1)
        row = np.repeat(np.arange(len(judgement)), times)
        within = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
        self.judgement, self.task, self.criterion = judgement[row], task[row], criterion[row]
        self.ranked = ranked[row]
        self.place = np.where(self.ranked, within, _places(self.judgements.place)[self.judgement])

    @cached_property
    def latest(self) -> Indices:
        """The rows of judgements that no other corrects."""
        return (
            np.flatnonzero(self.newest[self.judgement]) if self.newest is not None else np.arange(len(self.judgement))
        )

    @cached_property
    def _asked(self) -> tuple[dict[str, Any], Indices, Sequence[str]]:
        """What is known of each row before it is answered; the case that it is, and the text of each case."""
        if self.past is not None:
            known, case, targets = self.past._asked
            return {name: column[self.past.latest] for name, column in known.items()}, case[self.past.latest], targets
        columns, case, targets = self._rated()
        columns |= {name: self._of_task(getattr(self.tasks, name)) for name in _OF_TASK}
        columns["rater"] = self._of_task(self.tasks.rater)
        if self.tasks.has_models:
            columns["kind"] = self._of_task(self.tasks.kind)
        columns["document"] = self._of_task(self.tasks.document)
        columns["criterion"] = Factor(self.criterion, tuple(self.criteria)).compact()
        columns["order"] = np.asarray(self.tasks.order, dtype=np.int64)[self.task]
        return columns, case, targets

    def columns(self) -> dict[str, Any]:
        known, case, targets = self._asked
        columns = {**known, "value": self._values(case, targets)}
        columns["guideline"] = _by_row(self.judgements.guideline, self.judgement)
        columns["time_s"] = np.round(np.asarray(self.judgements.seconds, dtype=np.float64)[self.judgement], 2)
        columns["occasion"] = next_occasions(columns)
        return columns

    def occasions(self, columns: Mapping[str, Any]) -> Factor:
        """The occasion of each row among the newest judgements only; that of a corrected one is its correction's."""
        last = self.latest
        told = {name: column[last] for name, column in columns.items() if isinstance(column, Factor)}
        found = next_occasions({**told, "occasion": self._of_task(self.tasks.occasion)[last]})
        _, question = _cases([_numbered(self.task), _numbered(self.criterion), _numbered(self.place)])
        codes = np.full(len(question), -1, dtype=np.int32)
        codes[question[last]] = found.codes
        return Factor(codes[question], found.names)

    def _of_task(self, cells: Sequence[Any]) -> Factor:
        return _by_row(cells, self.task)

    def _rated(self) -> tuple[dict[str, Any], Indices, Sequence[str]]:
        """What is rated: its name, system and role, what is known of it, its texts; and the case of each row."""
        parts = [self._of_task(getattr(self.tasks, name)) for name in ("item", "document", "role", "altered")]
        codes = [self.systems.codes[self.task], self.texts.codes[self.task], self.place]
        first, case = _cases([*parts, *map(_numbered, codes)])
        task = self.task[first]
        told = list(map(self._case, task.tolist(), self.place[first].tolist(), self.systems.codes[task].tolist()))
        names = ("item", "system", "role", "segment", "language_pair", *TEXTS, *self._unknown)
        seen = np.argsort(first)
        columns: dict[str, Any] = {name: _spread([one[name] for one in told], case, seen) for name in names}
        return columns, case, [one["target"] for one in told]

    def _case(self, task: int, place: int, systems: int) -> dict[str, str]:
        tasks = self.tasks
        item, document, role = tasks.item[task], tasks.document[task], tasks.role[task]
        listed, shown = self.listed[systems], self.shown[systems]
        base, suffix = item or document, _SUFFIX.get(role, "")
        known = self.study.item_by_id.get(item)
        system = ""
        if place < 0 or not shown:
            title = self._compared(base, shown)
        else:
            system, title = listed[place], f"{base}:{shown[place]}"
            # Beside a text that was spoilt on purpose the others are as their systems wrote them, but the rater judges
            # them again and against the spoilt one: no further rating of a system.
            role = BESIDE if tasks.altered[task] and system != tasks.altered[task] else role
        own, segments = self._own(document, item, system), self._segments(document, item)
        return {
            **self._unknown, **own,
            "item": title + suffix, "system": shown[place] if system else "", "role": role,
            "segment": known.segment if known else "", "language_pair": self._language_pair(own),
            "source": segments[0].source if len(segments) == 1 else "\n".join(one.source for one in segments),
            "target": self._target(task, place, segments) if system else "",
        }  # fmt: skip

    def _own(self, document: str, item: str, system: str) -> Mapping[str, str]:
        known = (document in self.study.documents) if not item else (item in self.study.item_by_id)
        return self._columns_of(document, item, system) if known else {}

    def _language_pair(self, own: Mapping[str, str]) -> str:
        """What the item says of its languages; the study's where it says nothing."""
        said = [own.get(name, "") for name in self._languages]
        return "-".join(said) if said and all(said) else self._usual_pair

    def _compared(self, base: str, shown: Sequence[str]) -> str:
        """In a comparison the item, and who met where not all systems did."""
        return base if len(shown) in (0, len(self.study.systems)) else f"{base}:{'~'.join(sorted(shown))}"

    def _target(self, task: int, place: int, segments: Sequence[Item]) -> str:
        """The text as the rater saw it."""
        texts: list[str] = self.edited[self.texts.codes[task]]
        if texts and texts[place]:
            return texts[place]
        system = self.listed[self.systems.codes[task]][place]
        if len(segments) == 1:
            return segments[0].outputs.get(system, "")
        return "\n".join(one.outputs.get(system, "") for one in segments)

    def _segments(self, document: str, item: str) -> Sequence[Item]:
        """The item, or the segments of a document that was judged as a whole."""
        if not item:
            return self.study.documents.get(document, ())
        known = self.study.item_by_id.get(item)
        return (known,) if known else ()

    def _values(self, case: Indices, targets: Sequence[str]) -> Coded:
        """Cells of the column ``value``; equal answers to one criterion are read once."""
        raw = _coded(self.judgements.value)
        kinds = self.kinds[self.criterion]
        parts = [
            self.criterion,
            raw.codes[self.judgement],
            np.where(self.ranked, self.place, -1),
            np.where(kinds == "pairwise", self.systems.codes[self.task], -1),
            np.where(np.isin(kinds, ("post_edit", "number")), case, -1),
        ]
        first, codes = _cases(list(map(_numbered, parts)))
        cells = [self._cell(row, raw, targets[case[row]]) for row in first.tolist()]
        return Coded(codes.astype(np.int32), cells)

    def _cell(self, row: int, raw: Coded, target: str) -> str | float | int:
        code = int(raw.codes[self.judgement[row]])
        answer = json.loads(raw.distinct[code]) if code >= 0 else None
        if answer is None:
            return ""
        if self.ranked[row]:
            rank: int = answer[int(self.place[row])]
            return rank
        criterion = self.study.settings.criteria[int(self.criterion[row])]
        return value_of(criterion, answer, self.shown[self.systems.codes[self.task[row]]], target)


def _coded(cells: Sequence[Any]) -> Coded:
    return code_column(list(cells))


def _by_row(cells: Sequence[Any], rows: Indices) -> Factor:
    factor = code_names(list(cells))
    return Factor(factor.codes[rows], factor.names).compact()


def _spread(cells: Sequence[str], case: Indices, seen: Indices) -> Factor:
    """The cell of each row; names in order of first appearance, as in the table when it is read back.

    ``seen`` are the cases in the order of their first rows.
    """
    factor = code_names(list(cells))
    ordered = [code for code in dict.fromkeys(factor.codes[seen].tolist()) if code >= 0]
    position = np.full(len(factor.names) + 1, -1, dtype=np.int32)
    position[ordered] = np.arange(len(ordered), dtype=np.int32)
    return Factor(position[factor.codes][case], tuple(factor.names[code] for code in ordered))


def _numbered(codes: NDArray[Any]) -> Factor:
    """Whole numbers from -1 as a column, so that they can be a part of the key of a row."""
    return Factor(codes.astype(np.int32), NumberNames(range(int(codes.max(initial=0)) + 1)))


def _cases(parts: Sequence[Factor]) -> tuple[Indices, Indices]:
    """The first row of each different case, and the case of each row."""
    _, first, case = np.unique(row_keys(parts)[0], return_index=True, return_inverse=True)
    return first, case


def _places(places: Sequence[int | None]) -> Indices:
    return np.array([-1 if place is None else place for place in places], dtype=np.intp)


def _language_pair(study: Study) -> str:
    languages = study.settings.languages
    return f"{languages.source}-{languages.target}" if languages.source else ""
