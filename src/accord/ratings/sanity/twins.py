"""Names that differ by case, blanks or Unicode form only: one rater, system or criterion counted as two."""

import re
import shlex
import unicodedata
from collections.abc import Iterator

import numpy as np

from accord.arrays import distinct
from accord.ratings.names import NumberNames, bare_name
from accord.ratings.remark import Remark, rows_in_words
from accord.ratings.table import Factor, Ratings
from accord.words import counted

__all__ = ["difference_of", "item_twins", "twins"]

_COLUMNS = ("system", "criterion", "condition", "phase", "scenario", "group")
_MOST_NAMES = 50_000
_MOST_ITEMS = 20_000
_SHARED = 0.2
_WHOLE = re.compile(r"^0*([0-9]+?)(?:\.0+)?$")
"""A whole number as some programs write it: 1, 1.0 and 001 are one item to a person."""


def twins(ratings: Ratings) -> Iterator[Remark]:
    """A remark on each pair of names that a person would read as one."""
    for column in ("rater", *(name for name in _COLUMNS if name in ratings.columns)):
        factor = ratings.factor(column)
        if isinstance(factor.names, NumberNames) or len(factor.names) > _MOST_NAMES:
            continue
        alike: dict[str, list[int]] = {}
        for code, name in enumerate(factor.names):
            alike.setdefault(bare_name(name), []).append(code)
        for codes in alike.values():
            if len(codes) > 1:
                yield from _remarks(ratings, column, factor, codes)


def _remarks(ratings: Ratings, column: str, factor: Factor, codes: list[int]) -> Iterator[Remark]:
    often = np.bincount(factor.codes[factor.codes >= 0], minlength=len(factor.names))
    *fewer, main = sorted(codes, key=lambda code: int(often[code]))
    for code in fewer:
        if column == "rater" and _are_two_people(ratings, code, main):
            continue
        rows = np.flatnonzero(factor.codes == code)
        words = ratings.places.words(rows) if ratings.places else tuple(str(row + 1) for row in rows.tolist())
        old, new = str(factor.names[code]), str(factor.names[main])
        do = f"If they are one: --map-rater {shlex.quote(f'{old}={new}')}."
        if column != "rater":
            do = "If they are one, spell them alike in the file."
        yield Remark(
            code=f"{column}_twins",
            message=f"The {column}s {old!r} ({rows_in_words(words)}) and {new!r} "
            f"({counted(int(often[main]), 'rating')}) differ by {difference_of(old, new)} only.",
            do=do, rows=words, who=(old, new),
        )  # fmt: skip


def item_twins(ratings: Ratings) -> Iterator[Remark]:
    """One remark on all items whose names a person would read as one, where no rater judged both."""
    names = ratings.item.names
    if isinstance(names, NumberNames) or len(names) > _MOST_ITEMS:
        return
    alike: dict[str, list[int]] = {}
    for code, name in enumerate(names):
        # Nearly all names are plain letters, which need no look at each of them.
        bare = "".join(name.split()).casefold().replace("_", "") if name.isascii() else bare_name(name)
        whole = _WHOLE.sub(r"\1", bare) if "0" <= bare[:1] <= "9" else bare
        alike.setdefault(whole, []).append(code)
    pairs = [codes for codes in alike.values() if len(codes) == 2]
    if not pairs:
        return
    raters: dict[int, set[int]] = {code: set() for codes in pairs for code in codes}
    rows = np.flatnonzero(np.isin(ratings.item.codes, list(raters)))
    for item, rater in zip(ratings.item.codes[rows].tolist(), ratings.rater.codes[rows].tolist(), strict=True):
        raters[item].add(rater)
    apart = [(str(names[one]), str(names[other])) for one, other in pairs if raters[one].isdisjoint(raters[other])]
    if apart:
        first = f"{apart[0][0]!r} and {apart[0][1]!r}"
        told = f"The items {first} are" if len(apart) == 1 else f"{len(apart):,} pairs of items, such as {first}, are"
        yield Remark(
            code="item_twins",
            message=f"{told} nearly spelled alike, and no rater judged both: they count as different items.",
            do="If they are one item, spell them alike in the file.",
            who=apart[0],
        )


def _are_two_people(ratings: Ratings, one: int, other: int) -> bool:
    """Whether both rated many of the same items, which one person hardly does."""
    keys = ratings.item.codes.astype(np.int64)
    if "criterion" in ratings.columns:
        keys = keys * (len(ratings.columns["criterion"].names) + 1) + ratings.columns["criterion"].codes
    first, second = (distinct(keys[ratings.rater.codes == code]) for code in (one, other))
    return len(np.intersect1d(first, second)) > _SHARED * min(len(first), len(second))


def difference_of(one: str, other: str) -> str:
    """What tells two names apart, in words."""
    if one.casefold() == other.casefold():
        return "case"
    if unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other):
        return "the Unicode form of their letters, which looks the same"
    if "".join(one.split()) == "".join(other.split()):
        return "blanks"
    return "case, blanks or signs that cannot be seen"
