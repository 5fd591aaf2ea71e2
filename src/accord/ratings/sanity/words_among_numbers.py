"""Words among numbers: with a few of them a whole scale is read as labels, without order or distance."""

from collections.abc import Iterator

import numpy as np

from accord.ratings.number_spellings import plain_number
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part
from accord.words import listed

__all__ = ["words_among_numbers"]

_FEWEST_NUMBERS = 3
"""So many different numbers at least are a scale; two may be codes of classes."""
_MOST_WORDS = 5


def words_among_numbers(part: Part) -> Iterator[Remark]:
    """A remark where most ratings are numbers, and a few words make labels of them all by a guess."""
    ratings = part.ratings
    scale = ratings.scales.get(part.criterion, ratings.scale) if part.criterion else ratings.criterion.scale
    if scale.is_numeric or scale.has_sets or not scale.has_guessed_level:
        return
    given = ratings.value[part.rows]
    often = np.bincount(given, minlength=len(ratings.scale))
    used = [(code, str(ratings.scale.values[code])) for code in np.flatnonzero(often).tolist()]
    words = [(code, text) for code, text in used if plain_number(text) is None]
    numbers = [code for code, text in used if plain_number(text) is not None]
    rows = np.flatnonzero(np.isin(given, [code for code, _ in words]))
    few = 0 < len(words) <= min(_MOST_WORDS, len(numbers)) and 2 * len(rows) < len(given)
    if not few or len(numbers) < _FEWEST_NUMBERS:
        return
    named = listed([repr(text) for _, text in words])
    yield Remark(
        code="words_among_numbers",
        message=f"{part.prefix}{len(given) - len(rows):,} of {len(given):,} ratings are numbers and {len(rows):,} "
        f"{'is' if len(rows) == 1 else 'are'} {named} ({part.where(rows)}), so all are read as labels without order or "
        "distance.",
        do=f"If it stands for no answer, say --missing {words[0][1]!r}; if it is a mistake, correct it; if they are "
        "labels, --level nominal says so.",
        rows=part.lines(rows),
    )
