"""Choices between two systems that were rated as such: the ratings of a pairwise study as preferences."""

from accord.ratings.apart import people_of
from accord.ratings.table import Ratings
from accord.scoring.preference_result import Preference
from accord.scoring.preference_rows import APART, Compared, compared_in
from accord.scoring.sheet import Row, Sheet
from accord.words import spelled

__all__ = ["are_choices", "choices_of", "compared_choices"]

_COLUMNS = ("item", "rater", "criterion", "system", "role", "document", "occasion", *APART)


def are_choices(ratings: Ratings) -> bool:
    """Whether ratings of one criterion choose between systems: the codebook says so, or every item names two."""
    if ratings.level.has_order or not len(ratings):
        return False
    named = all(name.rpartition(":")[2].count("~") == 1 for name in ratings.item.names)
    return named or ratings.criterion.kind == "pairwise"


def choices_of(ratings: Ratings) -> tuple[Preference, ...]:
    """The preferences of ratings of one criterion, as a file of the same ratings would give them."""
    return compared_choices(ratings).made


def compared_choices(ratings: Ratings) -> Compared:
    """The same with what was left out."""
    ratings, _ = people_of(ratings)
    labels = {name: ratings.factor(name).labels().tolist() for name in _COLUMNS if name in _column_names(ratings)}
    values = [spelled(value) for value in ratings.scale.values]
    rows = [
        Row(place + 1, {**{name: column[place] or "" for name, column in labels.items()}, "value": values[code]})
        for place, code in enumerate(ratings.value.tolist())
    ]
    sheet = Sheet(ratings.source or "The ratings", (*labels, "value"), tuple(rows))
    return compared_in(sheet, book=ratings.codebook)


def _column_names(ratings: Ratings) -> set[str]:
    return {"item", "rater", *ratings.columns}
