"""From columns to Ratings: the single place where rows become ratings, checked all at once."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.design.nearest import did_you_mean
from accord.design.scale import Level, Scale, Value
from accord.errors import OptionError, Problem, RatingsError
from accord.ratings import repeats
from accord.ratings.asked import Asked
from accord.ratings.codebook import KEPT_APART, Codebook
from accord.ratings.coding import (
    MISSING_TOKENS,
    Coded,
    code_column,
    code_names,
    code_numbers,
    joined_by_blanks,
    spelled_cell,
)
from accord.ratings.declared import DeclaredDirection, DeclaredScale
from accord.ratings.factor import by_rater, picked_of
from accord.ratings.guessing import with_means
from accord.ratings.header_scales import HeaderScale
from accord.ratings.kinds import KIND, models_among, with_kinds
from accord.ratings.off_scale import code_remarks, stray_remarks, without_off_scale
from accord.ratings.remark import Places
from accord.ratings.resolve import OFF_DECLARED, Resolved, missing_in_words, resolve_values
from accord.ratings.table import REQUIRED_COLUMNS, Codes, Factor, Ratings, check_columns
from accord.records import dataclass
from accord.words import counted, listed, set_by, shown_names

__all__ = ["build_ratings"]

_QUANTITIES = ("time_s", "order")
_MOST_PROBLEMS = 10_000
_CACHED = 1 << 15
"""Codes that are counted at a time, so that they stay in the processor's cache."""
_FEWEST_COPIES = 5
_LEVELS = list(Level)


def build_ratings(
    columns: Mapping[str, Any],
    *,
    level: Level | str | None = None,
    scale: DeclaredScale | Mapping[str, DeclaredScale] | None = None,
    scales: Mapping[str, DeclaredScale] | None = None,
    direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None = None,
    codebook: Codebook | None = None,
    duplicates: str | None = None,
    missing: Iterable[str] = MISSING_TOKENS,
    separator: str | None = None,
    map_rater: Mapping[str, str] | None = None,
    drop_off_scale: bool = False,
    headers: Mapping[str, HeaderScale] | None = None,
    source: str = "",
    row_numbers: Sequence[int] | NDArray[np.integer[Any]] | None = None,
    files: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Ratings:
    """Make ratings of columns of equal length, by contract name: ``item``, ``rater``, ``value``, ...

    A column is a list, a numpy array or a :class:`Factor`. ``row_numbers`` are the line numbers of
    the rows in ``source`` (of several ``files``, in steps of ``FILE_STEP``), over again where they are fewer;
    errors name them.
    ``codebook`` is what somebody declared these ratings to mean; ``level``, ``scale``, ``scales`` and ``direction``
    come before it. ``headers`` are scales that the file itself names, by criterion, for those without a declared one.
    ``separator`` splits values into sets of labels. ``map_rater`` gives raters other names; ``drop_off_scale`` leaves
    out values off the scale, declared or evident, where they would be an error or only be remarked on.
    Rows without a value are counted in ``missing``; a row without item or rater is an error.
    """
    asked = Asked.of(
        level=level, scale=scale, scales=scales, direction=direction, codebook=codebook, separator=separator,
        headers=headers,
    )  # fmt: skip
    if duplicates is not None and duplicates not in repeats.DUPLICATES:
        raise OptionError(f"duplicates is {duplicates!r}, but must be first, last or mean.")
    check_columns(columns)
    draft = _Draft.of(columns, source, row_numbers, tuple(files), asked.codebook.item.texts)
    draft, renamed = draft.with_raters(map_rater) if map_rater else (draft, ())
    draft, kinds = draft.with_kinds()
    criterion = draft.columns.get("criterion")
    if criterion is not None or asked.own or asked.directions:
        asked = asked.for_criteria(() if criterion is None else tuple(criterion.names))
    answers = _answers(draft, code_column(columns["value"]), asked, missing, drop_off_scale=drop_off_scale)
    draft = draft.with_answers(answers)
    draft.raise_problems(beside=_repeats_beside(draft, answers, duplicates) if draft.problems else None)
    ratings = _assembled(draft.without_empty(), answers, duplicates, (*notes, *draft.joined, *renamed, *kinds), asked)
    if answers.strays or answers.no_answers:
        strays = stray_remarks(draft.places, answers.strays, asked_for=drop_off_scale)
        ratings = replace(ratings, remarks=(*strays, *code_remarks(draft.places, answers.no_answers)))
    return without_off_scale(ratings) if drop_off_scale else ratings


@dataclass(frozen=True)
class _Answers:
    """The value of each row: a code into the scale, -1 where missing, with what is wrong."""

    codes: Codes
    scale: Scale
    scales: dict[str, Scale]
    notes: tuple[str, ...]
    bad: Mapping[int, str]
    """Row -> why it cannot be read; ``strays`` and ``no_answers``: why it is taken for none."""
    strays: Mapping[int, str]
    no_answers: Mapping[int, str]


@dataclass(frozen=True)
class _Draft:
    """The columns coded, not yet checked."""

    item: Factor
    rater: Factor
    columns: dict[str, Factor]
    numbers: dict[str, NDArray[np.float64]]
    value: Codes
    source: str
    places: Places
    problems: tuple[Problem, ...] = ()
    missing: int = 0
    joined: tuple[str, ...] = ()
    """Names that differ by blanks around them, in words."""

    @classmethod
    def of(
        cls, columns: Mapping[str, Any], source: str, row_numbers: Any, files: tuple[str, ...], texts: Collection[str]
    ) -> "_Draft":
        numbers: dict[str, NDArray[np.float64]] = {}
        factors: dict[str, Factor] = {}
        for name, column in columns.items():
            amounts = code_numbers(column) if name in _QUANTITIES else None
            if amounts is not None:
                numbers[name] = amounts
            elif name in texts and isinstance(column, Factor):
                factors[name] = column.compact()  # a text keeps the space around it: offsets count every character
            elif name not in REQUIRED_COLUMNS:
                factors[name] = code_names(column)
        own = {
            name: columns[name] if isinstance(columns[name], Factor) else code_column(columns[name])
            for name in ("item", "rater")
        }
        item, rater = code_names(own["item"]), code_names(own["rater"])
        lines = range(1, len(item) + 1) if row_numbers is None else row_numbers
        joined = (*joined_by_blanks(own["item"], item), *joined_by_blanks(own["rater"], rater))
        return cls(item, rater, factors, numbers, np.zeros(0, np.int32), source, Places(lines, files), joined=joined)

    def with_raters(self, renamed: Mapping[str, str]) -> tuple["_Draft", tuple[str, ...]]:
        """The same with other names for some raters, and a line on each."""
        if unknown := [name for name in renamed if name not in self.rater.names]:
            there = shown_names(list(self.rater.names))
            raise OptionError(
                f"There is no rater {unknown[0]!r} to be called {renamed[unknown[0]]!r}. There are: {there}."
            )
        names = [renamed.get(name, name) for name in self.rater.names]
        rows = np.bincount(self.rater.codes[self.rater.codes >= 0], minlength=len(names)).tolist()
        often = dict(zip(self.rater.names, rows, strict=True))
        said = tuple(
            f"{counted(often[old], 'row')} of the rater {old!r} count as {new!r}" for old, new in renamed.items()
        )
        return replace(self, rater=code_names(Factor(self.rater.codes, names))), said

    def with_kinds(self) -> tuple["_Draft", tuple[str, ...]]:
        """The same with who is a person and who a model in our words, and lines on what was read."""
        kind = self.columns.get(KIND)
        if kind is None:
            return self, models_among(self.rater)
        read, said = with_kinds(kind, self.rater, self.item)
        return replace(self, columns={**self.columns, KIND: read}), said

    def problem(self, row: int, message: str) -> Problem:
        file, line = self.places.file_and_line(row)
        files = self.places.files
        return Problem(message, row=line, file=(files[file] if files else self.source) or None)

    def _column_of(self, row: int) -> str:
        """Whose cell it is where one line of the file holds those of several raters; a criterion is named anyhow."""
        alike = range(row % len(self.places.lines), len(self.item), len(self.places.lines))
        raters = {int(self.rater.codes[one]) for one in alike}
        return f"rater {self.rater.names[self.rater.codes[row]]!r}: " if len(raters) > 1 else ""

    def with_answers(self, answers: _Answers) -> "_Draft":
        problems = [
            self.problem(row, self._column_of(row) + why) for row, why in islice(answers.bad.items(), _MOST_PROBLEMS)
        ]
        for name, factor in (("item", self.item), ("rater", self.rater)):
            if not factor.has_empty:
                continue
            empty = np.flatnonzero((factor.codes < 0) & (answers.codes >= 0))
            problems += [self.problem(row, f"the {name} is empty") for row in empty[:_MOST_PROBLEMS]]
        ordered = sorted(problems, key=lambda problem: (problem.file or "", problem.row or 0))
        return replace(self, value=answers.codes, problems=tuple(ordered))

    def raise_problems(self, beside: RatingsError | None = None) -> None:
        """Raise what is wrong with rows, and with the others ``beside`` them, in one error."""
        if self.problems:
            rows = f"{counted(len(self.problems), 'row')} cannot be read as ratings"
            if any(OFF_DECLARED in problem.message for problem in self.problems):
                rows += f" (to leave out what is off the scale: {set_by('drop-off-scale', python=True)})"
            if beside is None:
                raise RatingsError(f"{rows}:", self.problems)
            raise RatingsError(f"{rows}, and {beside.summary}", (*self.problems, *beside.problems))
        if self.value.max() < 0:
            raise RatingsError("There are no ratings: every value is missing.")

    def without_empty(self) -> "_Draft":
        """Rows without a value leave; they are counted, not forgotten."""
        if self.value.min() >= 0:
            return self
        known = self.value >= 0
        rows = np.flatnonzero(known)
        return replace(self._picked(known, rows) or self.rows(rows), missing=len(self.value) - len(rows))

    def _picked(self, known: NDArray[np.bool_], rows: NDArray[np.intp]) -> "_Draft | None":
        """The rated cells of a wide table; None where it is anything else."""
        whole = None if self.columns or self.numbers else by_rater(self.item, self.rater)
        if whole is None:
            return None
        item, rater = picked_of(*whole, known, rows)
        return replace(self, item=item, rater=rater, value=self.value[rows], places=self.places.of(rows))

    def rows(self, rows: NDArray[Any]) -> "_Draft":
        return replace(
            self,
            item=self.item[rows].compact(),
            rater=self.rater[rows].compact(),
            columns={name: factor[rows].compact() for name, factor in self.columns.items()},
            numbers={name: amounts[rows] for name, amounts in self.numbers.items()},
            value=self.value[rows],
            places=self.places.of(rows),
        )


def _answers(
    draft: _Draft,
    coded: Coded,
    asked: Asked,
    missing: Iterable[str],
    *,
    drop_off_scale: bool,
) -> _Answers:
    """Read the values criterion by criterion, as each has its own scale."""
    criterion = draft.columns.get("criterion")
    names = ("",) if criterion is None else (*criterion.names, "")
    if criterion is None or not (coded.codes >= 0).any():
        scale, level = asked.scale_of()
        parted = asked.separator()
        found = resolve_values(
            coded.distinct, declared=scale, level=level, missing=missing, separator=parted,
            counts=partial(_times, coded.codes, len(coded.distinct)), drop_off_scale=drop_off_scale,
            header=asked.headers.get(""),
        )  # fmt: skip
        return _one_criterion(coded, found)
    parts = {}
    for code, name in enumerate(names):
        times = _times(
            coded.codes[criterion.codes == (code if code < len(criterion.names) else -1)], len(coded.distinct)
        )
        here = np.flatnonzero(times).astype(np.int32)
        if len(here) or name:
            raw = coded.distinct[here] if isinstance(coded.distinct, np.ndarray) else [coded.distinct[c] for c in here]
            scale, level = asked.scale_of(name)
            parted = asked.separator(name)
            resolved = resolve_values(
                raw, declared=scale, level=level, missing=missing, separator=parted,
                counts=partial(np.take, times, here), drop_off_scale=drop_off_scale, header=asked.headers.get(name),
            )  # fmt: skip
            parts[code] = here, resolved
    return _several_criteria(coded, criterion, names, parts)


def _times(codes: Codes, different: int) -> NDArray[np.int64]:
    """How often each distinct value was given."""
    if different > _CACHED:
        return np.bincount(codes if codes.min() >= 0 else codes[codes >= 0], minlength=different).astype(np.int64)
    found = np.zeros(different + 1, dtype=np.int64)
    for start in range(0, len(codes), _CACHED):
        found += np.bincount(codes[start : start + _CACHED] + 1, minlength=different + 1)
    return found[1:]


def _positions(asked: Resolved, scale_values: Sequence[Value]) -> NDArray[np.int32]:
    """Where each distinct value stands among these; -1 where it is missing or bad."""
    if asked.places is not None and scale_values is asked.scale.values:
        return asked.places
    place: dict[Value | None, int] = {value: code for code, value in enumerate(scale_values)}
    values = (None if row in asked.bad else value for row, value in enumerate(asked.values))
    # A bad value leaves no scale, so that the good ones have no place either; all are refused with the bad one's row.
    found = (place.get(value, -1) if asked.bad or value is None else place[value] for value in values)
    return np.fromiter(found, dtype=np.int32, count=len(asked.values))


def _one_criterion(coded: Coded, asked: Resolved) -> _Answers:
    codes = coded.recoded(_positions(asked, asked.scale.values) if asked.places is None else asked.places)
    missing = _missing_note(coded, asked.values, codes) if not asked.bad and codes.min(initial=0) < 0 else ()
    notes = (*asked.scale.guesses, *asked.notes, *missing)
    told = (_by_row(coded.codes, found) if found else {} for found in (asked.bad, asked.strays, asked.codes))
    return _Answers(codes, asked.scale, {}, notes, *told)


def _by_row(codes: NDArray[Any], reasons: Mapping[int, str]) -> dict[int, str]:
    """The reason of each row whose code has one."""
    rows = np.flatnonzero(np.isin(codes, list(reasons)))
    return dict(zip(rows.tolist(), map(reasons.__getitem__, codes[rows].tolist()), strict=True))


def _several_criteria(
    coded: Coded, criterion: Factor, names: Sequence[str], parts: Mapping[int, tuple[NDArray[np.int32], Resolved]]
) -> _Answers:
    union = reduce(_union, (resolved.scale for _, resolved in parts.values()))
    lookup = np.full((len(names), len(coded.distinct) + 1), -1, dtype=np.int32)
    reasons: tuple[dict[int, str], ...] = ({}, {}, {})
    notes: list[str] = []
    for code, (here, resolved) in parts.items():
        lookup[code, here] = _positions(resolved, union.values)
        cell = code * lookup.shape[1] + here
        for told, found in zip(reasons, (resolved.bad, resolved.strays, resolved.codes), strict=True):
            told |= {int(cell[place]): f"{names[code]}: {why}" for place, why in found.items()}
        title = names[code] or "no criterion"
        notes += [f"{title}: {words}" for words in (*resolved.scale.guesses, *resolved.notes)]
    which = np.where(criterion.codes < 0, len(names) - 1, criterion.codes)
    codes = lookup[which, coded.codes]
    cells = which * lookup.shape[1] + coded.codes
    bad, strays, no_answers = (_by_row(cells, found) if found else {} for found in reasons)
    scales = {names[code]: resolved.scale for code, (_, resolved) in parts.items()}
    empty = int(np.count_nonzero(codes < 0)) - len(bad)
    notes += [counted(empty, "rating is missing", "ratings are missing")] if empty else []
    return _Answers(codes, union, scales, tuple(dict.fromkeys(notes)), bad, strays, no_answers)


def _union(first: Scale, second: Scale) -> Scale:
    """The values of both scales at the lower of the two levels; only a place to keep codes."""
    values: Sequence[Value] = tuple(dict.fromkeys((*first.values, *second.values)))
    if all(isinstance(value, float) for value in values):
        values = sorted(values, key=lambda value: value if isinstance(value, float) else 0.0)
    level = min(first.level, second.level, key=_LEVELS.index)
    guesses = first.guesses if first.guesses == second.guesses else ()
    ends = [end for end in (first.low, second.low, first.high, second.high) if end is not None]
    low, high = (min(ends), max(ends)) if ends else (None, None)
    return Scale(level, tuple(values), low=low, high=high, declared=first.declared and second.declared, guesses=guesses)


def _missing_note(coded: Coded, values: Sequence[Value | None], codes: Codes) -> list[str]:
    number = int(np.count_nonzero(codes < 0))
    spelled = [spelled_cell(coded.distinct[place]) for place, value in enumerate(values) if value is None]
    return [missing_in_words(number, spelled)]


def _apart_by_nothing(codebook: Codebook, draft: _Draft) -> list[str]:
    """Columns that somebody asks to keep apart and that are not there; those that are kept apart anyway may lack."""
    there = {*draft.columns, *draft.numbers, "item", "rater", *KEPT_APART}
    return [
        f"the codebook keeps ratings apart by {name!r}, which is no column here, so nothing is kept apart by it"
        + did_you_mean(name, draft.columns)
        for name in codebook.kept_apart
        if name not in there
    ]


def _assembled(draft: _Draft, answers: _Answers, duplicates: str | None, notes: Sequence[str], asked: Asked) -> Ratings:
    codebook = asked.meaning(answers.scales or {"": answers.scale})
    overruled = asked.overruled() if asked.directions else ()
    if "document" in draft.columns and not codebook.item.cluster:
        # Items that have a document are drawn from it together: it is their cluster unless somebody named another.
        codebook = replace(codebook, item=replace(codebook.item, cluster="document"))
    scale = codebook.criterion().scale if not answers.scales else _directed(answers.scale, codebook)
    ratings = Ratings(
        item=draft.item, rater=draft.rater, value=draft.value, scale=scale, columns=draft.columns,
        numbers=draft.numbers, codebook=codebook, missing=draft.missing, source=draft.source,
        notes=(*notes, *answers.notes, *_apart_by_nothing(codebook, draft), *overruled), places=draft.places,
    )  # fmt: skip
    if not ratings.repeats_cells:
        return ratings
    telling = dict.fromkeys((*repeats.TELL_APART, *codebook.kept_apart))
    parts = [ratings.item, ratings.rater]
    parts += [draft.columns[name] for name in telling if name in draft.columns and name not in repeats.NAMING]
    if not repeats.is_repeated(parts):
        return ratings
    if names := repeats.naming_too(parts, draft.columns):
        return _named_by(ratings, names)
    keys, _ = repeats.row_keys(parts)
    if duplicates is None:
        raise _repeated_error(draft, keys)
    return _settled(ratings, keys, duplicates)


def _named_by(ratings: Ratings, names: Sequence[str]) -> Ratings:
    """The same with these columns as a part of what names an item, which is said."""
    each = listed([name.replace("_", " ") for name in names])
    words = f"a rater rated an item once for each {each}; an item is here the item and its {each} together"
    meaning = replace(ratings.codebook.item, named_by=(*ratings.codebook.item.named_by, *names))
    item, columns = ratings.item, ratings.columns
    for name in names:
        if name == "system":  # what the systems share keeps its name: without it nothing could compare them
            columns = {"segment": item, **columns}
        item = repeats.joined(item, ratings.columns[name])
    book = replace(ratings.codebook, item=meaning)
    return replace(ratings, item=item, columns=columns, codebook=book, notes=(*ratings.notes, words))


def _directed(scale: Scale, codebook: Codebook) -> Scale:
    """The scale that several criteria share has a direction only where all have the same."""
    directions = {criterion.direction for criterion in codebook.criteria.values()}
    return replace(scale, direction=directions.pop()) if len(directions) == 1 else scale


def _repeats_beside(draft: _Draft, answers: _Answers, duplicates: str | None) -> RatingsError | None:
    """Repeats among the rows that can be read, so that a user hears of all mistakes at once."""
    known = (draft.value >= 0) & (draft.item.codes >= 0) & (draft.rater.codes >= 0)
    if not known.any():
        return None
    try:
        _assembled(draft.rows(known), answers, duplicates, (), Asked())
    except RatingsError as error:
        return error
    return None


def _repeated_error(draft: _Draft, keys: NDArray[np.int64]) -> RatingsError:
    found = repeats.repeated_rows(keys)
    problems = [
        draft.problem(
            row,
            f"{draft.rater.names[draft.rater.codes[row]]} rated {draft.item.names[draft.item.codes[row]]} "
            f"already in row {draft.places.word(first)}",
        )
        for row, first in found[:_MOST_PROBLEMS]
    ]
    return RatingsError(
        f"{len(found):,} {'rating repeats' if len(found) == 1 else 'ratings repeat'} an item for the same rater. "
        f"{_twice(draft, found)}{_what_to_do(draft, keys)}",
        problems,
    )


def _what_to_do(draft: _Draft, keys: NDArray[np.int64]) -> str:
    which = (
        f"say which counts, the first, the last or their mean: {set_by('duplicates', 'first', python=repr('first'))}."
    )
    listed = {"severity", "category"} & {name.lower() for name in draft.columns}
    errors = "If each row is an error that a rater found, accord mqm counts them. " if listed else ""
    column = repeats.telling(keys, draft.columns)
    if column is None:
        return f"{errors}Name the column that tells them apart (occasion), or {which}"
    return (
        f"{errors}The column {column!r} tells them apart. If it is part of what was rated, name it too "
        f"(--item {column!r} beside the other --item; item=[..., {column!r}] in Python); if it says how often, --map "
        f"occasion={column}. Or {which}"
    )


def _twice(draft: _Draft, found: Sequence[tuple[int, int]]) -> str:
    """That the repeated ratings are the same as before, row for row: a file that is there twice."""
    if len(found) < _FEWEST_COPIES or any(draft.value[row] != draft.value[first] for row, first in found):
        return ""
    repeated = "Each has the value that it had before: the same rows are there twice. "
    if files := draft.places.files:
        pairs = {tuple(files[draft.places.file_and_line(one)[0]] for one in both) for both in found}
        if len(pairs) == 1 and (pair := pairs.pop())[0] != pair[1]:
            repeated = f"{pair[0]} repeats {pair[1]}, value for value: the same file is there twice. Drop one of them. "
    return repeated


def _settled(ratings: Ratings, keys: NDArray[np.int64], duplicates: str) -> Ratings:
    kept = repeats.rows_to_keep(keys, "last" if duplicates == "last" else "first")
    dropped = len(ratings) - len(kept)
    left = ratings.where(kept)
    words = f"{counted(dropped, 'time')} a rater rated an item again: the {duplicates} counts"
    left = replace(left, notes=(*ratings.notes, words))
    return left if duplicates != "mean" else _averaged(ratings, left, keys, kept)


def _averaged(ratings: Ratings, left: Ratings, keys: NDArray[np.int64], kept: NDArray[np.intp]) -> Ratings:
    if not ratings.scale.is_numeric:
        raise OptionError("duplicates='mean' needs numbers, but the values are labels. Use first or last.")
    scores = repeats.means(keys, ratings.scores, kept)
    values, codes = np.unique(np.concatenate((ratings.scale.array, scores)), return_inverse=True)
    between = len(values) > len(ratings.scale.values)
    if between and (ratings.scale.declared or ratings.scales):
        raise OptionError("Means of repeated ratings fall between the values of the scale. Use first or last.")
    told = {guess: with_means(guess, len(values)) for guess in ratings.scale.guesses} if between else {}
    guesses, notes = (tuple(told.get(words, words) for words in all_) for all_ in (ratings.scale.guesses, left.notes))
    scale = replace(ratings.scale, values=tuple(values.tolist()), guesses=guesses)
    codebook = ratings.codebook.with_scales(dict.fromkeys(ratings.codebook.criteria, scale))
    value = codes[len(ratings.scale.values) :].astype(np.int32)
    return replace(left, value=value, scale=scale, codebook=codebook, notes=notes)
