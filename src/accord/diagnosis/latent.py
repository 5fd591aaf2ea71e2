"""Latent classes: the unseen right value of each item and each rater's habits of error (Dawid and Skene 1979)."""

import numpy as np

from accord.arrays import Floats, Integers, distinct
from accord.diagnosis.part import Indices, Part
from accord.errors import NotEnoughDataError
from accord.noise import order_of
from accord.records import dataclass
from accord.words import spelled

__all__ = ["LatentClasses", "latent_classes"]

_MOST_VALUES = 30
_SURE = 9
"""Decimals of a certainty that count: of values that are as likely but for the last digits the first is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentClasses:
    """What Dawid and Skene's model says of the ratings.

    ``shares[k]`` is how frequent class k is among the items; ``confusion[r, k, v]`` how often rater r gives
    value v where k is right; ``certainty[i, k]`` how likely k is right for item i.
    """

    items: tuple[str, ...]
    raters: tuple[str, ...]
    values: tuple[str, ...]
    shares: Floats
    confusion: Floats
    certainty: Floats
    rounds: int
    converged: bool
    log_likelihood: float

    @property
    def accuracy(self) -> Floats:
        """How often each rater gives the right value, over items of all classes."""
        right: Floats = np.einsum("k,rkk->r", self.shares, self.confusion)
        return right

    @property
    def labels(self) -> tuple[str, ...]:
        """The likeliest value of each item."""
        return tuple(self.values[code] for code in np.round(self.certainty, _SURE).argmax(axis=1))

    def least_sure_first(self) -> Integers:
        """The places of the items."""
        return order_of(self.certainty.max(axis=1), self.items)

    @property
    def unsure(self) -> tuple[str, ...]:
        """Items whose likeliest value is less than 80% likely."""
        return tuple(self.items[place] for place in np.flatnonzero(self.certainty.max(axis=1) < 0.8))


def latent_classes(part: Part, *, rounds: int = 200, tolerance: float = 1e-6) -> LatentClasses:
    """Maximum likelihood by expectation and maximisation, begun from the shares of each item's ratings."""
    used = distinct(part.code)
    if len(used) < 2:
        raise NotEnoughDataError("All ratings have the same value: there are no classes to tell apart.")
    if len(used) > _MOST_VALUES:
        raise NotEnoughDataError(
            f"Latent classes need few values; these ratings have {len(used)}. Use the text-level or rater views."
        )
    items, found, sizes = np.unique(part.item, return_inverse=True, return_counts=True)
    if (sizes < 2).all():
        raise NotEnoughDataError("No two raters share an item: nothing tells right values from wrong ones.")
    item = found.astype(np.int64)
    rater = np.searchsorted(part.raters, part.rater).astype(np.int64)
    code = np.searchsorted(used, part.code).astype(np.int64)
    shape = (len(items), len(used))
    certainty = np.zeros(shape)
    np.add.at(certainty, (item, code), 1)
    certainty /= certainty.sum(axis=1, keepdims=True)
    likelihood, done, converged = -np.inf, 0, False
    while done < rounds and not converged:
        shares, confusion = _maximise(certainty, item, rater, code, len(part.raters))
        certainty, new = _expect(shares, confusion, item, rater, code, shape)
        converged = abs(new - likelihood) <= tolerance * max(abs(new), 1)
        likelihood, done = new, done + 1
    values = part.ratings.scale.values
    return LatentClasses(
        items=tuple(part.item_names[int(one)] for one in items),
        raters=tuple(part.name(int(one)) for one in part.raters),
        values=tuple(spelled(values[v]) for v in used.tolist()),
        shares=shares, confusion=confusion, certainty=certainty, rounds=done, converged=converged,
        log_likelihood=likelihood,
    )  # fmt: skip


def _maximise(certainty: Floats, item: Indices, rater: Indices, code: Indices, raters: int) -> tuple[Floats, Floats]:
    classes = certainty.shape[1]
    confusion = np.zeros((raters, classes, classes))
    np.add.at(confusion.transpose(0, 2, 1), (rater, code), certainty[item])
    confusion /= np.maximum(confusion.sum(axis=2, keepdims=True), 1e-300)
    return certainty.mean(axis=0), confusion


def _expect(
    shares: Floats, confusion: Floats, item: Indices, rater: Indices, code: Indices, shape: tuple[int, int]
) -> tuple[Floats, float]:
    logs = np.zeros(shape)
    np.add.at(logs, item, np.log(np.maximum(confusion.transpose(0, 2, 1)[rater, code], 1e-10)))
    logs += np.log(np.maximum(shares, 1e-300))
    top = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - top)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, float((top + np.log(total)).sum())
