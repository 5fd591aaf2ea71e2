"""Pairwise preferences from Python: systems by who is preferred, with ties."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from accord.errors import AccordError, NotEnoughDataError, OptionError
from accord.functions.answer import Answer, notes_in_words
from accord.functions.named_file import named_file
from accord.ratings.apart import kept_apart, note_of_parts, people_of, pooled
from accord.ratings.codebook import StudyFacts
from accord.ratings.leaving_out import (
    absent_in_words,
    asked_for,
    check_are_raters,
    exclusion_notes,
    kept_notes,
    left_out_in_words,
)
from accord.ratings.only_rows import only_rows
from accord.ratings.sanity import sanity
from accord.ratings.table import Ratings
from accord.reading import is_study, read
from accord.records import dataclass
from accord.scoring.choices import are_choices, compared_choices
from accord.scoring.counted_rows import codebook_beside
from accord.scoring.gate_exclusions import gated
from accord.scoring.preference_result import Preference
from accord.scoring.preference_rows import compared_in, people_sheet, without_raters
from accord.scoring.preference_words import further, pairs_table, preferred, raters_table, systems_table
from accord.scoring.preferences import bradley_terry_davidson
from accord.scoring.ranks import PairwiseKappa, Placed, pairwise_kappas, placed_pairs, preferences_of, ranking_criterion
from accord.scoring.sheet import with_names
from accord.tables.table import Cell, Column, Table
from accord.words import listed

__all__ = ["prefer"]


def prefer(
    comparisons: str | os.PathLike[str],
    *,
    criterion: str | None = None,
    ranks: bool = False,
    columns: Mapping[str, str] | None = None,
    pool: Sequence[str] = (),
    where: Sequence[str] = (),
    leave_out: Sequence[str] = (),
    keep_all: bool = False,
    systems: bool = False,
    confidence: float | None = None,
    seed: int | None = None,
) -> Answer:
    """Systems by pairwise preferences with ties (Bradley-Terry-Davidson), and circles among them.

    Parameters
    ----------
    comparisons
        File with one row per comparison (first, second, preferred, rater if known), or the ratings of a pairwise study.
    criterion
        Which criterion of a pairwise study, if it asks several.
    ranks
        The values are ranks: 1 is best.
    columns
        Which columns hold first, second, preferred, item, rater, value or system, where they are called otherwise.
    pool
        Columns whose parts are put together where raters are compared with each other, such as scenario.
    where
        Use only these rows, each as ``"COLUMN=NAME"``; several names of one column are joined by 'or'.
    leave_out, keep_all
        Raters to leave out besides those whom a gate, a rule or the organiser leaves out; or keep those too.
    systems
        Name the systems of a study folder, which have codes otherwise.
    confidence, seed
        Confidence of the intervals, and seed of what is drawn at random; what the study declares, else 0.95 and 0.

    Returns
    -------
    Answer
        Systems, then pairs of systems; ``result`` is the :class:`~accord.scoring.preferences.Preferences`.

    Examples
    --------
    >>> import accord
    >>> answer = accord.prefer("preferences.csv")
    >>> answer.to_frame("pandas").columns.tolist()[:4]
    ['system', 'ability', 'low', 'high']
    """
    path = named_file(comparisons, "prefer")
    who = _Who(leave_out=tuple(leave_out), keep_all=keep_all, systems=systems)
    ratings = _ratings(path, ranks, columns or {}, who)
    if ratings is not None:
        ratings = only_rows(ratings, where)
    facts = ratings.codebook.study if ratings is not None else StudyFacts()
    confidence = (facts.confidence or 0.95) if confidence is None else confidence
    seed = (facts.seed or 0) if seed is None else seed
    found = _rated(ratings, path, criterion, ranks, tuple(pool), keep_all)
    found = found or _compared(path, criterion, columns, ratings, _Chosen(tuple(pool), tuple(where)), who)
    kappas = pairwise_kappas(found.placed, seed, level=confidence)
    chosen = {"pool": tuple(pool) or None, "where": tuple(where) or None}
    options = {"criterion": criterion, **chosen, "seed": seed if kappas else None}
    result = bradley_terry_davidson(found.made, level=confidence, origin=found.origin and options | found.origin)
    counted = ratings if found.origin else None
    told = [f"{line}." for line in found.told]
    if counted is not None:
        told += notes_in_words(note for note in counted.notes if note not in found.told)
    remarks = sanity(counted)
    data = result.to_dict() | ({"agreement": [one.to_dict() for one in kappas]} if kappas else {})
    data |= {"notes": told, "sanity": [remark.to_dict() for remark in remarks]}
    tables = [
        systems_table(result),
        *filter(None, [raters_table(result)]),
        pairs_table(result),
        *([_agreement(kappas)] if kappas else []),
    ]
    opening = (preferred(result, confidence),)
    return Answer(tuple(tables), (*told, *further(result)), data, result, opening=opening, remarks=remarks)


class _Chosen(NamedTuple):
    """Which parts are put together, and which rows are asked for."""

    pool: tuple[str, ...]
    where: tuple[str, ...]


class _Who(TypedDict):
    """Who counts, and whether systems have their names."""

    leave_out: tuple[str, ...]
    keep_all: bool
    systems: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """Preferences, the ranks that they come from, what is to be said of them, and what the signature says."""

    made: tuple[Preference, ...]
    told: tuple[str, ...]
    placed: tuple[Placed, ...] = ()
    origin: dict[str, object] | None = None


def _rated(
    ratings: Ratings | None, path: Path, criterion: str | None, ranks: bool, pool: tuple[str, ...], keep_all: bool
) -> _Found | None:
    """Preferences out of ranks, or out of the choices of a study; None where rows are read one by one."""
    if ratings is None or not (ranks or is_study(path) or ranking_criterion(ratings, criterion)):
        return None
    together = pooled(ratings, pool)
    counted = gated(together, keep_all=keep_all)
    people, models = people_of(counted)
    told = (*models, *exclusion_notes(counted), *(note for note in together.notes if note not in ratings.notes))
    told += _over(people)
    placed = _placed(people, criterion, ranks)
    if placed is None:
        found = compared_choices(_asked(people, criterion))
        return _Found(found.made, (*told, *found.told), origin=_origin(counted))
    apart = kept_apart(people) if len({one.part for one in placed}) > 1 else ()
    return _Found(preferences_of(placed), (*told, *(note_of_parts(apart) if apart else ())), placed, _origin(counted))


def _over(ratings: Ratings) -> tuple[str, ...]:
    """That a system's wins are counted over all parts, though raters are never compared across them."""
    told = []
    for column in kept_apart(ratings):
        names = [name for name in ratings.columns[column].compact().names if name]
        if len(names) > 1:
            over = f"{column.replace('_', ' ')} ({listed(names[:_NAMED])})"
            told.append(f"wins and losses are counted over every {over}; --where {column}={names[0]} counts one alone")
    return tuple(told)


_NAMED = 4
"""So many parts are named."""


def _origin(ratings: Ratings) -> dict[str, object]:
    return {"codebook": ratings.codebook.fingerprint, "ratings": ratings.fingerprint}


def _asked(ratings: Ratings, criterion: str | None) -> Ratings:
    """The ratings of the criterion that is asked, or of the only one that is a choice."""
    groups = {group.by.get("criterion", ""): group.ratings for group in ratings.split()}
    choices = [name for name, one in groups.items() if are_choices(one)]
    if criterion is not None and criterion not in choices:
        raise OptionError(f"--criterion {criterion}: pairs were asked for {', '.join(choices) or 'no criterion'}.")
    if criterion is None and len(choices) > 1:
        raise OptionError(f"The study asks {', '.join(choices)}: choose one with --criterion.")
    if not choices:
        raise NotEnoughDataError(
            "The study holds no choice between two systems. Scores of single systems are for accord rank; if the "
            "values are ranks, add --ranks."
        )
    return groups[criterion or choices[0]]


def _compared(
    file: Path,
    criterion: str | None,
    columns: Mapping[str, str] | None,
    ratings: Ratings | None,
    chosen: _Chosen,
    who: _Who,
) -> _Found:
    """One row per comparison by people, and lines on models and on raters who are left out."""
    if pool := chosen.pool:
        raise OptionError(f"--pool {pool[0]}: only rankings are kept apart, and {file} holds comparisons of two.")
    sheet, told = people_sheet(file, columns)
    there = sorted({row.text("rater") for row in sheet.rows})
    if ratings is None:  # else the names were checked as the ratings were read, with the codebook's own
        check_are_raters(who["leave_out"], there)
    out = ratings.codebook.left_out if ratings is not None else asked_for(who["leave_out"])
    kept = with_names(without_raters(sheet, (one.rater for one in out)), chosen.where)
    book = ratings.codebook if ratings is not None else codebook_beside(file)
    found = compared_in(kept, criterion, book)
    told = (
        *(f"Note: {note}" for note in sheet.notes),
        *told,
        *left_out_in_words(out),
        *absent_in_words(out, there),
        *(kept_notes(ratings) if ratings is not None else ()),
        *found.told,
        *_over(found.ratings),
    )
    origin = None if ratings is None or "preferred" in sheet.columns else _origin(ratings)
    return _Found(found.made, told, origin=origin)


def _ratings(path: Path, ranks: bool, columns: Mapping[str, str], who: _Who) -> Ratings | None:
    """The ratings of a file or a study; None where there is one row per comparison."""
    if is_study(path):
        found = read(str(path), **who)
        assert isinstance(found, Ratings)  # noqa: S101 - a study is read into memory
        return found
    named = {name: column for name, column in columns.items() if name not in ("first", "second", "preferred")}
    if len(named) < len(columns):
        return None
    try:
        return read(str(path), engine="memory", columns=named, **who)
    except AccordError:
        if ranks or who["systems"]:
            raise
        return None


def _placed(ratings: Ratings, criterion: str | None, ranks: bool) -> tuple[Placed, ...] | None:
    """Pairs out of ranks, where the ratings are ranks; None where they are choices."""
    asked = ranking_criterion(ratings, criterion)
    if asked is None and not ranks:
        return None
    return placed_pairs(ratings, asked or criterion)


def _who(one: PairwiseKappa) -> str:
    return "raters with themselves" if one.within else f"between raters{f', {one.part}' if one.part else ''}"


def _agreement(kappas: Sequence[PairwiseKappa]) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "who": _who(one),
            "kappa": one.value,
            "low": one.interval.low if one.interval else None,
            "high": one.interval.high if one.interval else None,
            "agreed": one.agreed,
            "expected": one.expected,
            "ties": one.ties,
            "comparisons": one.comparisons,
            "items": one.items,
        }
        for one in kappas
    ]
    columns = [
        Column("who", "who"),
        Column("kappa", "κ"),
        Column("low", "low"),
        Column("high", "high"),
        Column("agreed", "agreed"),
        Column("expected", "by chance"),
        Column("ties", "ties"),
        Column("comparisons", "comparisons"),
        Column("items", "items"),
    ]
    note = "Pairwise κ of relative rankings as WMT reported it; intervals by bootstrap over items."
    return Table("Agreement on who is better", columns, rows, (note,))
