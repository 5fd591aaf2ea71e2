"""Preferences out of rows: one row per comparison, or the ratings of a pairwise study."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path

from accord.errors import FormatError, NotEnoughDataError, OptionError, Problem
from accord.ratings.codebook import Codebook
from accord.ratings.roles import is_control
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.counted_rows import counted_rows
from accord.scoring.preference_answers import check_are_systems, chosen, named_systems
from accord.scoring.preference_result import Preference
from accord.scoring.sheet import Row, Sheet, read_sheet, rows_of_people

__all__ = ["APART", "Compared", "compared_in", "people_sheet", "preferences_in", "read_preferences", "without_raters"]

APART = ("scenario", "condition", "phase", "round", "guideline", "language_pair")
"""Columns in which two choices of one rater between the same texts are two choices, not one given again."""
_OF_RATINGS = ("rater", "item", "value", "criterion", "system", "role", "document", "kind", "occasion", *APART)
_COLUMNS = ("first", "second", "preferred", *_OF_RATINGS, "segment")


def read_preferences(path: str | Path, *, criterion: str | None = None) -> tuple[Preference, ...]:
    """A sheet with first, second and preferred (a system, 'first', 'second' or 'tie'); rater and item if known.

    Ratings of a pairwise study are read too: there an item ends in the two systems that met (``source:A~B``)
    and the value is the preferred system or a tie. A rater's repeated pairs count once, the first time.
    """
    return preferences_in(people_sheet(path)[0], criterion)


def people_sheet(path: str | Path, named: Mapping[str, str] | None = None) -> tuple[Sheet, tuple[str, ...]]:
    """A sheet of comparisons by people, and a line where those of models are left out."""
    return rows_of_people(_with_items(read_sheet(path, wanted=_COLUMNS, named=named, printed=False)))


def _with_items(sheet: Sheet) -> Sheet:
    """The same with items named by document and segment where no column names them, as in files of ratings."""
    parts = [name for name in ("document", "segment") if name in sheet.columns]
    if "item" in sheet.columns or "segment" not in parts:
        return sheet
    rows = tuple(
        Row(row.number, {**row.cells, "item": ":".join(map(row.text, parts)) if row.text("segment") else ""})
        for row in sheet.rows
    )
    notes = (*sheet.notes, f"an item is taken to be {' + '.join(parts)}")
    return replace(sheet, columns=(*sheet.columns, "item"), rows=rows, notes=notes)


def without_raters(sheet: Sheet, names: Iterable[str]) -> Sheet:
    """The rows of everybody else; who is gone already needs no leaving out."""
    out = set(names)
    known = {row.text("rater") for row in sheet.rows}
    if known and known <= out:
        raise NotEnoughDataError(f"Every rater is left out ({', '.join(sorted(out))}), so no comparison is left.")
    return replace(sheet, rows=tuple(row for row in sheet.rows if row.text("rater") not in out)) if out else sheet


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparisons that count, each as a rating too, and what was left out, in words."""

    made: tuple[Preference, ...]
    ratings: Ratings
    told: tuple[str, ...]


def preferences_in(sheet: Sheet, criterion: str | None = None) -> tuple[Preference, ...]:
    """The comparisons of a sheet that count, of either form."""
    return compared_in(sheet, criterion).made


def compared_in(sheet: Sheet, criterion: str | None = None, book: Codebook | None = None) -> Compared:
    """The same with what was left out; ``book`` says what is kept apart."""
    of_ratings = "preferred" not in sheet.columns and {"item", "rater", "value"} <= set(sheet.columns)
    asked = replace(sheet, rows=_asked_rows(sheet, criterion) if of_ratings else _rows_of_pairs(sheet))
    counts = counted_rows(asked, book=book or Codebook(), item=_item_of if of_ratings else _met)
    rows = _pair_rows(sheet, counts.rows) if of_ratings else counts.rows
    if not rows:
        raise NotEnoughDataError(f"{sheet.source} holds no comparison that counts: {', '.join(counts.told)}.")
    made, problems = [], []
    chosen_of = cache(chosen)
    for row in rows:
        first, second, preferred = row.text("first"), row.text("second"), row.text("preferred")
        better, wrong = chosen_of(first, second, preferred)
        if wrong:
            problems.append(Problem(wrong, row.number, sheet.source))
        else:
            made.append(Preference(first, second, better, row.text("rater"), row.text("item"), row.text("document")))
    if problems:
        raise FormatError(f"{sheet.source} has rows that are not preferences:", problems)
    return Compared(tuple(made), counts.ratings, counts.told)


def _item_of(row: Row) -> str:
    return row.text("item")


def _met(row: Row) -> str:
    """What was compared: an item, and the two systems that met, whichever stood first."""
    return "|".join((row.text("item"), *sorted((row.text("first"), row.text("second")))))


def _rows_of_pairs(sheet: Sheet) -> tuple[Row, ...]:
    """Rows with the two systems that met; where no column names them, the answers do if they name two («A better»)."""
    if "preferred" not in sheet.columns or {"first", "second"} & set(sheet.columns):
        sheet.require("first", "second", "preferred")
        return sheet.rows
    answers = {row.text("preferred") for row in sheet.rows}
    names = named_systems(answers)
    if not names:
        sheet.require("first", "second")
    check_are_systems(names, sheet.source)
    both = dict(zip(("first", "second"), names, strict=True))
    return tuple(Row(row.number, {**row.cells, **both}) for row in sheet.rows)


def _asked_rows(sheet: Sheet, criterion: str | None) -> tuple[Row, ...]:
    """The choices that were made on the criterion that is asked for, or on the only one."""
    rows = [row for row in sheet.rows if row.text("value") and not row.text("system")]
    asked = dict.fromkeys(row.text("criterion") for row in rows if not is_control(row.text("role")))
    if criterion is not None and criterion not in asked:
        raise OptionError(f"--criterion {criterion}: pairs were asked for {', '.join(asked)}.")
    if criterion is None and len(asked) > 1:
        raise OptionError(f"{sheet.source} asks {', '.join(asked)}: choose one with --criterion.")
    return tuple(row for row in rows if row.text("criterion") in (asked if criterion is None else (criterion,)))


def _pair_rows(sheet: Sheet, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows of ratings as rows of comparisons: the systems from the item, the preference from the value."""
    values = named_systems({row.text("value") for row in rows})
    made, seen = [], set[tuple[str, ...]]()
    for row in sorted(rows, key=_occasion):
        pair = row.text("item").rpartition(":")[2].split("~")
        # Where a study has two systems only, its items do not name them.
        first, second = pair if len(pair) == 2 else values or ("", "")
        if not first:
            raise FormatError(
                f"{sheet.source} holds ratings, but no item names two systems as source:A~B. Preferences need that, or "
                "the columns first, second and preferred. Scores of single systems are for accord rank."
            )
        if len(pair) != 2:
            check_are_systems(values, sheet.source)
        key = row.text("rater"), row.text("item"), *(row.text(name) for name in APART)
        if key not in seen:
            # The pairs of one source are alike: source:A~B and source:A~C are one item.
            source = row.text("item").rpartition(":")[0] if len(pair) == 2 else ""
            cells = {
                "first": first,
                "second": second,
                "preferred": row.text("value"),
                "rater": row.text("rater"),
                "item": source or row.text("item"),
                "document": row.text("document"),
            }
            made.append(Row(row.number, cells))
        seen.add(key)
    if not made:
        raise NotEnoughDataError(
            f"{sheet.source} holds no choice between two systems. Scores of single systems are for accord rank; "
            "if the values are ranks, add --ranks."
        )
    return tuple(made)


def _occasion(row: Row) -> tuple[float, str]:
    """First choices come first; an occasion that is not a number is ordered by its name."""
    word = row.text("occasion")
    try:
        return float(word or 0), ""
    except ValueError:
        return inf, word
