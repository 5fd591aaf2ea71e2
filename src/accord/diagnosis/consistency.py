"""Consistency: which rater goes with the others less than they go with one another, by resampling items."""

import numpy as np

from accord.arrays import Floats, distinct, every_pair, renumbered
from accord.diagnosis.part import Indices, Part
from accord.noise import order_of
from accord.quantiles import ndtr
from accord.ratings.names import order_of_names
from accord.records import dataclass

__all__ = ["Consistency", "least_consistent"]

_UNLIKE = 0.12
"""Honest raters differ in exactness: deviation of their correlations, as a share of that among the others."""
_LEAST_ITEMS = 10
_RELATED = 0.2
"""Where the others hardly go together themselves, nobody can be told to go with them less."""
_DRAWS = 400
_MOST_RATERS = 60
_MOST_ITEMS = 2_000


@dataclass(frozen=True, slots=True)
class Consistency:
    """One rater: mean correlation with the others and among the others, and the probability of a gap so wide."""

    rater: int
    own: float
    others: float
    p: float
    surely_related: bool
    surely_opposed: bool


def least_consistent(part: Part, chosen: Indices, rng: np.random.Generator) -> Consistency | None:
    """The rater of whom it is surest that he goes with the others less than they do with one another.

    The gap between the two mean correlations has the error of a bootstrap over items, and that by which honest
    raters differ in exactness; its law is taken as normal.
    """

    chosen = _with_most_ratings(part, chosen)
    table = _table(part, chosen, rng)
    if len(table) < _LEAST_ITEMS:
        return None
    relation = _correlations if part.ordered else _kappas
    own, others = _means(relation(table, np.ones((1, len(table)))))
    drawn_own, drawn_others = _means(relation(table, _weights(len(table), rng)))
    gap = (own - others)[0]
    error = np.hypot(_deviation(drawn_own - drawn_others), _UNLIKE * others[0])
    judged = (others[0] > _RELATED) & (error > 1e-9) & ~np.isnan(gap)
    if not judged.any():
        return None
    distance = np.divide(gap, error, out=np.full(len(gap), np.inf), where=judged)
    place = int(order_of(distance, [part.name(int(one)) for one in chosen])[0])
    value, error = float(own[0, place]), 2 * float(_deviation(drawn_own)[place])
    sure = float(ndtr(distance[place]))
    return Consistency(int(chosen[place]), value, float(others[0, place]), sure, value > error, value < -error)


def _with_most_ratings(part: Part, chosen: Indices) -> Indices:
    """All of them, or of very many those with most ratings, in the order of their names."""
    places = order_of_names(part.rater_names)
    by_name = chosen if places is None else places[np.isin(places, chosen)]
    counts = np.bincount(part.rater, minlength=len(part.rater_names))[by_name]
    return np.asarray(by_name[np.sort(np.argsort(-counts, kind="stable")[:_MOST_RATERS])])


def _table(part: Part, chosen: Indices, rng: np.random.Generator) -> Floats:
    """Items x raters, nan where there is no rating; of very many items some. Both are in the order of their names."""
    here = np.isin(part.rater, chosen)
    items, item = renumbered(part.ratings.item.in_order_of_names().codes[part.rows][here])
    column = np.zeros(len(part.rater_names), dtype=np.int64)
    column[chosen] = np.arange(len(chosen))
    table = np.full((len(items), len(chosen)), np.nan)
    table[item, column[part.rater[here]]] = (part.score if part.ordered else part.code)[here]
    table = table[(~np.isnan(table)).sum(axis=1) >= 2]
    if len(table) > _MOST_ITEMS:
        table = table[np.sort(rng.choice(len(table), _MOST_ITEMS, replace=False))]
    return np.asarray(table)


def _weights(items: int, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.multinomial(items, np.full(items, 1 / items), _DRAWS), dtype=np.float64)


def _deviation(drawn: Floats) -> Floats:
    """Standard deviation of each column over the resamples in which it has a value; 0 without any."""
    known = ~np.isnan(drawn)
    count = np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, drawn - np.where(known, drawn, 0.0).sum(axis=0) / count, 0.0)
    return np.asarray(np.sqrt(np.square(centred).sum(axis=0) / np.maximum(count - 1, 1)))


def _correlations(table: Floats, weights: Floats) -> Floats:
    """Pearson's r of each pair of raters on the items both rated, for each row of weights: (rows, raters, raters)."""
    known = (~np.isnan(table)).astype(np.float64)
    filled = np.where(known > 0, table, 0.0)
    filled = known * (filled - filled.sum(axis=0) / np.maximum(known.sum(axis=0), 1))
    one, other = every_pair(table.shape[1])
    enough = (known.T @ known)[one, other] >= _LEAST_ITEMS
    one, other = one[enough], other[enough]
    x, y = filled[:, one], filled[:, other]
    if known.all():
        n, first, squares = weights.sum(axis=1, keepdims=True), weights @ filled, weights @ np.square(filled)
        sums = first[:, one], first[:, other], squares[:, one], squares[:, other]
    else:
        both_one, both_other = known[:, one], known[:, other]
        n = weights @ (both_one * both_other)
        sums = (
            weights @ (x * both_other),
            weights @ (y * both_one),
            weights @ (np.square(x) * both_other),
            weights @ (np.square(y) * both_one),
        )
    found = np.full((len(weights), table.shape[1], table.shape[1]), np.nan)
    found[:, one, other] = found[:, other, one] = _pearson(np.maximum(n, 1), weights @ (x * y), *sums)
    return found


def _kappas(table: Floats, weights: Floats) -> Floats:
    r"""Agreement beyond chance of each pair on the labels both gave, for each row of weights: (rows, raters, raters).

    Over :math:`\sqrt{(1 - \sum p^2)(1 - \sum q^2)}` and not over 1 less chance: the correlation of labels, 1 only where
    all are equal, as r is for scores.
    """
    found = np.full((len(weights), table.shape[1], table.shape[1]), np.nan)
    labels = distinct(table[~np.isnan(table)])
    given = (table[:, :, None] == labels).astype(np.float64)
    known = ~np.isnan(table)
    for one, other in zip(*every_pair(table.shape[1]), strict=True):
        both = known[:, one] & known[:, other]
        if both.sum() < _LEAST_ITEMS:
            continue
        chosen = weights[:, both]
        x, y, n = given[both, one], given[both, other], np.maximum(chosen.sum(axis=1), 1)
        p, q = chosen @ x / n[:, None], chosen @ y / n[:, None]
        cross = chosen @ (x * y).sum(axis=1) / n - (p * q).sum(axis=1)
        spread = (1 - np.square(p).sum(axis=1)) * (1 - np.square(q).sum(axis=1))
        found[:, one, other] = found[:, other, one] = np.divide(
            cross, np.sqrt(np.maximum(spread, 0)), out=np.full(len(n), np.nan), where=spread > 1e-12
        )
    return found


def _pearson(n: Floats, products: Floats, x: Floats, y: Floats, x_squares: Floats, y_squares: Floats) -> Floats:
    """From sums over items."""
    x_mean, y_mean = x / n, y / n
    spread = (x_squares / n - x_mean**2) * (y_squares / n - y_mean**2)
    cross = products / n - x_mean * y_mean
    return np.asarray(
        np.divide(cross, np.sqrt(np.maximum(spread, 0)), out=np.full(cross.shape, np.nan), where=spread > 1e-12)
    )


def _means(correlations: Floats) -> tuple[Floats, Floats]:
    """Mean r of each rater with the others, and of the others among one another."""
    known = ~np.isnan(correlations)
    total, count = np.where(known, correlations, 0.0).sum(axis=2), known.sum(axis=2)
    others = total.sum(axis=1, keepdims=True) / 2 - total
    pairs = count.sum(axis=1, keepdims=True) / 2 - count
    nothing = np.full(total.shape, np.nan)
    return (
        np.divide(total, count, out=nothing.copy(), where=count > 0),
        np.divide(others, pairs, out=nothing.copy(), where=pairs > 0),
    )
