"""Scores by system and segment, with the document each segment belongs to: what every ranking is made of."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers, distinct_rows
from accord.design.scale import Scale
from accord.errors import ColumnError, InputError, NotEnoughDataError
from accord.ratings.apart import kept_apart, people_of
from accord.ratings.given_again import given_again
from accord.ratings.names import in_order
from accord.ratings.roles import is_control
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.words import counted, set_by

__all__ = [
    "MEANS_OVER",
    "WITHOUT_SYSTEM",
    "SegmentScores",
    "averaged_over",
    "segment_scores",
    "standardised",
    "without_controls",
]

MEANS_OVER = "Scores are means over every"
"""How the caution begins that says over what."""
WITHOUT_SYSTEM = "no system is named"
"""How the caution ends that says how many ratings belong to nobody who could be ranked."""
_NAMED = 4
_NONE = "none"


@dataclass(frozen=True, slots=True)
class SegmentScores:
    """``scores[s, k]`` is the mean rating of system s on segment k, nan where it has none.

    ``rows`` keep every single rating (system, segment, rater, score) for the procedures that need them.
    """

    systems: tuple[str, ...]
    documents: tuple[str, ...]
    document: Integers
    scores: Floats
    row_system: Integers
    row_segment: Integers
    row_rater: Integers
    row_score: Floats
    notes: tuple[str, ...]
    clustered: bool
    """Whether documents are known; if not, each segment stands for its own document."""
    ends: tuple[float, float] | None = None
    """The ends of the scale, where it was declared and scores stand on it."""
    is_standardised: bool = False


NOT_YET = "No text has been judged of two systems yet, so they cannot be compared."
"""What is said of a study whose raters have judged each text of one system only."""


def without_controls(ratings: Ratings, *, repeats: bool = False) -> tuple[Ratings, tuple[str, ...]]:
    """Only ratings of systems by people, each given once unless ``repeats`` count; what was left out is said."""
    ratings, told = people_of(ratings)
    if "role" in ratings.columns:
        role = ratings.columns["role"]
        out = np.array([*(is_control(name) for name in role.names), False])[role.codes]
        if out.any():
            names = ", ".join(name for name in role.names if is_control(name))
            told = (*told, f"{int(out.sum()):,} ratings of control items ({names}) are left out")
            ratings = ratings.where(~out)
    again = given_again(ratings)
    if again is None:
        return ratings, told
    number = counted(int(again.sum()), "rating that a rater gave again", "ratings that raters gave again")
    if repeats:
        return ratings, (*told, f"{number} count too, as in the official procedure")
    turns = [name for name in ("phase", "round") if name in ratings.columns and len(_parts(ratings, name)) > 1]
    each = f" and {turns[0]}" if turns else ""
    return ratings.where(~again), (*told, f"{number} (repeats) are left out: an item counts once for each rater{each}")


def standardised(scores: Floats, rater: NDArray[np.int32], raters: int) -> Floats:
    """z = (x - mean of the rater) / sd of the rater (n - 1); nan for raters whose scores do not vary."""
    n = np.bincount(rater, minlength=raters).astype(np.float64)
    mean = np.divide(np.bincount(rater, scores, raters), n, out=np.zeros(raters), where=n > 0)
    squares = np.bincount(rater, np.square(scores - mean[rater]), raters)
    deviation = np.sqrt(np.divide(squares, n - 1, out=np.zeros(raters), where=n > 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(deviation[rater] > 1e-12, (scores - mean[rater]) / deviation[rater], np.nan)


def segment_scores(
    ratings: Ratings,
    *,
    system: str = "system",
    document: str = "document",
    standardise: bool = False,
    repeats: bool = False,
) -> SegmentScores:
    """Means by system and segment. Segments are (document, segment) pairs, or items that systems share.

    What a rater gave again counts only where ``repeats`` says so.
    """
    if not ratings.level.has_order:
        if any("~" in item for item in ratings.item.names[:100]):
            raise InputError("These are choices between two systems, not scores of one: rank them with accord prefer.")
        raise InputError(
            "Systems cannot be ranked on a nominal scale: its values have no order. Give --level if they do; for "
            "preferences between two systems use accord prefer."
        )
    if system not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
        raise ColumnError(
            f"The ratings have no column {system!r} that names systems. They have: {known}. "
            f"Name the one that does with {set_by('system')}."
        )
    kept, notes = without_controls(ratings, repeats=repeats)
    scores = kept.scores
    if standardise:
        scores = standardised(scores, kept.rater.codes, kept.raters)
        if lost := int(np.isnan(scores).sum()):
            notes += (f"{lost:,} ratings of raters who gave one and the same score throughout are left out",)
    named = kept.columns[system].codes >= 0
    if nameless := int((np.isfinite(scores) & ~named).sum()):
        notes += (f"{counted(nameless, 'rating is', 'ratings are')} left out, as {WITHOUT_SYSTEM}",)
    usable = np.isfinite(scores) & named
    if not usable.any():
        raise NotEnoughDataError("No rating is left to rank systems by.")
    kept, scores = kept.where(usable), scores[usable]
    by_system = kept.columns[system]
    if len(by_system.names) < 2:
        raise NotEnoughDataError(f"There is only one system ({by_system.names[0]}): a ranking needs two or more.")
    segment, of_document, documents, clustered = _segments(kept, by_system.codes, document)
    notes += (*averaged_over(kept, (system,)), *_side_by_side(segment, kept.rater.codes, by_system.codes))
    made = _matrix(tuple(by_system.names), by_system.codes, segment, of_document, documents, scores, notes, clustered)
    ends = None if standardise else _declared_ends(kept.scale)
    return replace(made, row_rater=kept.rater.codes.astype(np.int64), ends=ends, is_standardised=standardise)


def _declared_ends(scale: Scale) -> tuple[float, float] | None:
    """Where the declared scale ends; labels in order stand for their places."""
    if not scale.declared:
        return None
    if scale.is_numeric and scale.low is not None and scale.high is not None:
        return float(scale.low), float(scale.high)
    return (min(scale.numbers), max(scale.numbers)) if scale.values else None


def _segments(
    ratings: Ratings, system: NDArray[np.int32], document: str
) -> tuple[Integers, Integers, tuple[str, ...], bool]:
    """Code of the segment of each row, document of each segment, names of documents."""
    clustered = document in ratings.columns
    places = ratings.columns[document] if clustered else None
    if "segment" in ratings.columns:
        parts = [ratings.columns["segment"].codes]
        keys = np.stack([places.codes, *parts] if places is not None else parts, axis=1)
    else:
        keys = ratings.item.codes[:, None]
    _, first, segment = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    segment = np.asarray(segment).reshape(-1).astype(np.int64)
    pairs = distinct_rows([segment, system])
    if np.bincount(pairs[:, 0]).max() < 2:
        if ratings.codebook.study.fingerprint and "segment" in ratings.columns:
            raise NotEnoughDataError(NOT_YET)  # a study knows what its systems share: nobody has come so far
        raise InputError(
            "The systems share no item, so they cannot be compared. Name what they share: the column of source "
            "segments with --map segment=COLUMN (numbered within documents), or an item column that is the same for "
            "all systems."
        )
    if places is None:
        return segment, np.arange(len(first)), tuple(map(str, range(len(first)))), False
    if (places.codes < 0).any():
        raise InputError(f"{int((places.codes < 0).sum()):,} ratings have no {document!r}. Every rating needs one.")
    return segment, places.codes[first].astype(np.int64), tuple(places.names), clustered


def averaged_over(ratings: Ratings, by: Sequence[str] = (), does: str = "ranks") -> tuple[str, ...]:
    """What scores are means over though agreement is kept apart there; the command ``does`` this with one part."""
    told = []
    for column in kept_apart(ratings, by):
        names = _parts(ratings, column)
        if len(names) > 1:
            more = ", ..." if len(names) > _NAMED else ""
            told.append(
                f"{MEANS_OVER} {column.replace('_', ' ')} ({', '.join(names[:_NAMED])}{more}); "
                f"--where {column}={next(name for name in names if name != _NONE)} {does} one alone."
            )
    return tuple(told)


def _parts(ratings: Ratings, column: str) -> list[str]:
    """The names of a column in order; what has none, such as what was judged before the first round, is a part too."""
    found = ratings.columns[column].compact()
    nameless = "" in found.names or bool((found.codes < 0).any())
    return [*([_NONE] if nameless else []), *in_order([name for name in found.names if name])]


def _side_by_side(segment: Integers, rater: NDArray[np.int32], system: NDArray[np.int32]) -> tuple[str, ...]:
    """A sentence where raters mostly saw a segment in the version of one system only."""
    seen = distinct_rows([segment, rater, system])
    systems_each = np.diff(np.flatnonzero(np.r_[True, (seen[1:, :2] != seen[:-1, :2]).any(axis=1), True]))
    if (systems_each > 1).mean() >= 0.5:
        return ()
    return (
        "Most raters judged a segment for one system only, so strict and lenient raters add to the differences "
        "between systems; --standardise lessens that.",
    )


def _matrix(
    systems: tuple[str, ...], system: NDArray[np.int32], segment: Integers, document: Integers,
    documents: tuple[str, ...], scores: Floats, notes: tuple[str, ...], clustered: bool,
) -> SegmentScores:  # fmt: skip
    shape = (len(systems), len(document))
    flat = system.astype(np.int64) * shape[1] + segment
    n = np.bincount(flat, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(flat, scores, shape[0] * shape[1]).reshape(shape)
    means = np.divide(total, n, out=np.full(shape, np.nan), where=n > 0)
    return SegmentScores(
        systems=systems, documents=documents, document=document, scores=means,
        row_system=system.astype(np.int64), row_segment=segment, row_rater=np.zeros(0, dtype=np.int64),
        row_score=scores, notes=notes, clustered=clustered,
    )  # fmt: skip
