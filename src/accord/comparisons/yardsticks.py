"""Yardsticks against the post-edit: human scores and sentence BLEU in quadrants, an item at a time."""

from collections.abc import Mapping, Sequence

import numpy as np

from accord.comparisons.conditions import conditions_of
from accord.comparisons.misevaluation import paired_scores
from accord.comparisons.quadrants import Quadrants, edit_agreement, quadrants, sentence_bleu
from accord.design.scale import SAY_DIRECTION
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = ["Yardsticks", "yardsticks"]

_TEXTS = ("source", "mt", "reference", "post_edit")


@dataclass(frozen=True, slots=True)
class Yardsticks:
    """Each yardstick in quadrants ``against`` what is nearer the truth, and the texts of every item."""

    against: str
    results: tuple[tuple[str, Quadrants], ...]
    texts: Mapping[str, Mapping[str, str]]


def yardsticks(
    ratings: Ratings, condition: str = "", first: str | None = None, second: str | None = None
) -> Yardsticks:
    """Human scores against the reference, and sentence BLEU, set against the post-edit.

    Where a ``condition`` tells scores given against the reference from scores given against the post-edit, the
    two are compared item by item. Else the truth is how little had to be changed: minus the edit rate of ``mt``
    against ``post_edit``. Several ratings of an item are averaged, and turned round where low is good. BLEU is there
    if the texts are. Items that check the rater, and repeats, do not count.
    """
    ratings = ordinary(ratings) or ratings
    good = ratings.scale.direction
    if not good.is_known:
        raise OptionError(f"Quadrants tell good scores from bad ones. {SAY_DIRECTION}")
    texts = _texts(ratings)
    if condition:
        one, other = conditions_of(ratings, condition, first, second)
        pairs = paired_scores(ratings, one, other, condition)
        if len(pairs) < 2:
            raise NotEnoughDataError(f"Fewer than two items were scored under both {one!r} and {other!r}.")
        items, against = list(pairs), other
        human, truth = (good.sign * np.array([pair[side] for pair in pairs.values()]) for side in (0, 1))
        name = one
    else:
        items, against, name = list(ratings.item.names), "the post-edit", "human scores"
        _need(ratings, ("mt", "reference", "post_edit"))
        human = good.sign * np.bincount(ratings.item.codes, ratings.scores) / np.bincount(ratings.item.codes)
        truth = edit_agreement(*([texts[item][key] for item in items] for key in ("mt", "post_edit")))
    results = [(name, quadrants(items, human.tolist(), truth.tolist()))]
    if {"mt", "reference"} <= set(ratings.columns):
        bleu = sentence_bleu(*([texts[item][key] for item in items] for key in ("mt", "reference")))
        results.append(("sentence BLEU", quadrants(items, bleu.tolist(), truth.tolist())))
    return Yardsticks(against, tuple(results), texts)


def _need(ratings: Ratings, names: Sequence[str]) -> None:
    for name in names:
        if name not in ratings.columns:
            raise ColumnError(
                f"There is no column {name!r}: quadrants need the texts of each item as mt, reference, post_edit; or a "
                "--condition that tells scores against the reference from scores against the post-edit."
            )


def _texts(ratings: Ratings) -> dict[str, dict[str, str]]:
    """The texts of each item, as its first row has them."""
    labels = {name: ratings.columns[name].labels() for name in _TEXTS if name in ratings.columns}
    first = np.unique(ratings.item.codes, return_index=True)[1]
    return {
        item: {name: str(cells[row]) for name, cells in labels.items()}
        for item, row in zip(ratings.item.names, first, strict=True)
    }
