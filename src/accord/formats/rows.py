"""Ratings row by row for writers, and the words for what a format cannot hold."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isnan

import numpy as np

from accord.arrays import distinct
from accord.design.scale import Value
from accord.formats.imported import Imported, Span
from accord.formats.texts import text_sides
from accord.ratings.apart import words_of
from accord.ratings.coding import MISSING_TOKENS
from accord.ratings.repeats import NAMING, TELL_APART, row_keys
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = [
    "RatingRow", "by_rating", "lost_answers", "lost_columns", "lost_criteria", "lost_sides",
    "lost_spans", "plain_number", "rating_rows", "spelled",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One rating: ``more`` holds every other column that is not empty."""

    item: str
    rater: str
    value: Value
    more: Mapping[str, str | float]

    def name(self, column: str) -> str:
        value = self.more.get(column, "")
        return spelled(value)

    def number(self, column: str) -> float | None:
        value = self.more.get(column)
        return value if isinstance(value, float) else None


def rating_rows(ratings: Ratings) -> Iterator[RatingRow]:
    """The rows in their order."""
    values = ratings.labels()
    items, raters = ratings.item.labels(), ratings.rater.labels()
    names = {column: factor.labels() for column, factor in ratings.columns.items()}
    for row, (item, rater, value) in enumerate(zip(items, raters, values, strict=True)):
        more: dict[str, str | float] = {column: labels[row] for column, labels in names.items() if labels[row] != ""}
        more |= {
            column: float(numbers[row]) for column, numbers in ratings.numbers.items() if not isnan(float(numbers[row]))
        }
        yield RatingRow(item, rater, value, more)


def spelled(value: Value) -> str:
    """A value as text: numbers as short as they can be, sets with bars between their labels."""
    if isinstance(value, frozenset):
        return "|".join(sorted(value))
    return str(plain_number(value)) if isinstance(value, float) else str(value)


def plain_number(value: float) -> float | int:
    """3 instead of 3.0."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def by_rating(spans: Sequence[Span]) -> Mapping[tuple[str, str], list[Span]]:
    """Spans of each (item, rater), in their order."""
    groups: defaultdict[tuple[str, str], list[Span]] = defaultdict(list)
    for span in spans:
        groups[span.item, span.rater].append(span)
    return groups


def lost_columns(
    ratings: Ratings, held: Collection[str], *, texts: bool = False, once: Collection[str] = ()
) -> tuple[str, ...]:
    """A sentence on the columns that a format has no place for, and on those that differ where it holds one value.

    ``texts`` says that it holds source and target, ``once`` are the columns that it holds once for each item.
    """
    kept = {*held, *(text_sides(ratings) if texts else ())}
    lost = sorted({*ratings.columns, *ratings.numbers} - kept)
    differing = sorted(name for name in once if _differs_within_item(ratings, name))
    told = [f"Columns without a place in this format: {', '.join(lost)}."] if lost else []
    if differing:
        told.append(f"Columns that differ within an item, of which one value is kept: {', '.join(differing)}.")
    return (*told, *_fallen_together(ratings, [*lost, *differing])) if told else ()


def _differs_within_item(ratings: Ratings, name: str) -> bool:
    if name not in ratings.columns:
        return False
    pairs = row_keys([ratings.item, ratings.columns[name]])[0]
    return len(distinct(pairs)) > len(distinct(ratings.item.codes))


def _fallen_together(ratings: Ratings, lost: Collection[str]) -> tuple[str, ...]:
    """A sentence where only lost columns told ratings of one item by one rater apart: rounds become one."""
    telling = dict.fromkeys((*TELL_APART, *NAMING, *ratings.codebook.kept_apart))
    there = [name for name in telling if name in ratings.columns]
    naming = [ratings.item, ratings.rater]
    whole, left = (
        len(distinct(row_keys([*naming, *(ratings.columns[name] for name in names)])[0]))
        for names in (there, [name for name in there if name not in lost])
    )
    if whole == left:
        return ()
    apart = [name for name in there if name in lost and len(ratings.columns[name].compact().names) > 1]
    return (
        f"{whole - left:,} ratings fall together with another of the same item by the same rater: only "
        f"{words_of(apart)} told them apart, so agreement and scores of the file are true of none. Write each "
        f"{words_of(apart[:1])} into a file of its own, from a table that holds only its rows.",
    )


def lost_criteria(ratings: Ratings, kept: str) -> tuple[str, ...]:
    """A sentence if a format holds one criterion and there are several."""
    names = ratings.columns["criterion"].names if "criterion" in ratings.columns else ()
    return (f"Names of criteria: the format holds one score, called {kept}.",) if set(names) - {kept} else ()


def lost_spans(imported: Imported) -> tuple[str, ...]:
    return (f"{len(imported.spans):,} spans: the format holds ratings only.",) if imported.spans else ()


def lost_answers(imported: Imported) -> tuple[str, ...]:
    """A sentence on labels that a table takes for «no answer»."""
    scale, value = imported.ratings.scale, imported.ratings.value
    like = [
        code for code, label in enumerate(scale.values) if isinstance(label, str) and label.lower() in MISSING_TOKENS
    ]
    lost = int(np.isin(value, like).sum())
    return (f"{lost:,} ratings such as {scale.values[like[0]]!r}: a table reads them as no answer.",) if lost else ()


def lost_sides(imported: Imported, held: Collection[str]) -> tuple[str, ...]:
    """A sentence on what a format does not say of a span (side, severity, category, missing)."""
    spans = imported.spans
    there = {
        "side": any(span.side == "source" for span in spans),
        "severity": any(span.severity for span in spans),
        "category": any(span.category for span in spans),
        "missing": any(span.missing for span in spans),
    }
    lost = [name for name, yes in there.items() if yes and name not in held]
    return (f"Of spans: {', '.join(lost)}.",) if lost else ()
