"""Values off the scale, declared or evident: which ratings they are, and the ratings without them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.design.scale import Scale
from accord.ratings.evident import Body, body_of
from accord.ratings.guessing import with_occurring
from accord.ratings.remark import Places, Remark, rows_in_words
from accord.ratings.table import Ratings
from accord.words import counted

__all__ = ["bodies", "code_remarks", "off_scale_rows", "stray_remarks", "without_off_scale"]

_MOST_VALUES = 5000


def bodies(ratings: Ratings) -> Iterator[tuple[str, NDArray[np.intp], Scale, Body]]:
    """Criterion, rows, scale and evident body of each criterion whose answers are numbers of a guessed scale."""
    criterion = ratings.columns.get("criterion")
    names = ("",) if criterion is None or len(ratings.scales) < 2 else criterion.names
    for code, name in enumerate(names):
        scale = ratings.scales.get(name, ratings.scale)
        if scale.declared or not scale.is_numeric or len(ratings.scale) > _MOST_VALUES or not ratings.scale.is_numeric:
            continue
        rows = np.arange(len(ratings)) if criterion is None or not name else np.flatnonzero(criterion.codes == code)
        times = np.bincount(ratings.value[rows], minlength=len(ratings.scale))
        used = np.flatnonzero(times)
        if len(used) > 2:
            yield name, rows, scale, body_of(ratings.scale.array[used], times[used])


def off_scale_rows(ratings: Ratings) -> NDArray[np.intp]:
    """The rows whose value lies off the evident scale of its criterion."""
    found = [rows[np.isin(ratings.scores[rows], body.off)] for _, rows, _, body in bodies(ratings) if len(body.off)]
    return np.sort(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)


def without_off_scale(ratings: Ratings) -> Ratings:
    """The ratings without those off the evident scale, and a line that says so."""
    off = off_scale_rows(ratings)
    if not len(off):
        return ratings
    kept = np.ones(len(ratings), dtype=bool)
    kept[off] = False
    where = rows_in_words(ratings.places.words(off)) if ratings.places else counted(len(off), "row")
    note = f"{counted(len(off), 'rating')} off the scale left out, as asked ({where})"
    left = _restricted(ratings.where(kept))
    former = {guess for one in ratings.codebook.criteria.values() for guess in one.scale.guesses}
    now = {guess for one in left.codebook.criteria.values() for guess in one.scale.guesses}
    notes = [said for said in ratings.notes if said not in former or said in now]
    return replace(left, notes=(*notes, note))


def _restricted(ratings: Ratings) -> Ratings:
    """A guessed scale holds the values that occur, and no longer those that were left out."""
    used = {ratings.scale.values[code] for code in distinct(ratings.value).tolist()}
    criteria = {key: _fitted(one.scale, used) for key, one in ratings.codebook.criteria.items()}
    codebook = ratings.codebook.with_scales(criteria)
    scale = _fitted(ratings.scale, used)
    place = {value: code for code, value in enumerate(scale.values)}
    recode = np.array([place.get(value, -1) for value in ratings.scale.values], dtype=np.int32)
    return replace(ratings, value=recode[ratings.value], scale=scale, codebook=codebook)


def _fitted(scale: Scale, used: set[object]) -> Scale:
    if scale.declared:
        return scale
    values = tuple(value for value in scale.values if value in used)
    numbers = [value for value in values if isinstance(value, float)]
    ends = (numbers[0], numbers[-1]) if numbers and scale.is_numeric else (scale.low, scale.high)
    guesses = tuple(with_occurring(guess, numbers) if numbers else guess for guess in scale.guesses)
    return replace(scale, values=values, low=ends[0], high=ends[1], guesses=guesses)


def stray_remarks(places: Places, reasons: Mapping[int, str], *, asked_for: bool) -> tuple[Remark, ...]:
    """A remark on cells that are none of the values of their scale and count as no answer: row -> reason."""
    if not reasons:
        return ()
    words = places.words(list(reasons))
    shown = ", ".join(dict.fromkeys(islice(reasons.values(), 3)))
    one = len(reasons) == 1
    counts = "It counts as no answer until it is" if one else "They count as no answers until they are"
    do = f"{counts} corrected in the file; to say that this is meant, give --missing WORD, or the scale with --scale."
    if asked_for:
        do = f"{'It was' if one else 'They were'} left out, as asked."
    return (Remark(code="stray_word", message=f"{_capital(rows_in_words(words))}: {shown}.", do=do, rows=words),)


def code_remarks(places: Places, reasons: Mapping[int, str]) -> tuple[Remark, ...]:
    """A remark on numbers that were taken for codes of no answer, one for each reason: row -> reason."""
    remarks = []
    for reason in dict.fromkeys(reasons.values()):
        words = places.words([row for row, why in reasons.items() if why == reason])
        code = reason.split(" is read")[0].rpartition(" ")[2]
        do = f"If it is a rating, declare the scale with --scale; if not, --missing {code} says so for good."
        message = f"{_capital(rows_in_words(words))}: {reason}."
        remarks.append(Remark(code="no_answer", message=message, do=do, rows=words))
    return tuple(remarks)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
