"""Cohen's kappa of every pair of raters, for the items as they are or for any thousand weightings of them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord import sizes
from accord.arrays import Floats
from accord.coefficients.kappa import CohenKappa
from accord.inference.bootstrap import normal_draws
from accord.records import dataclass

__all__ = ["PairKappas", "pair_means"]

_CHUNK_CELLS = 4_000_000
_DRAWN_CELLS = 16_000_000
_CHUNK_ITEMS = 5_000
_MOST_SUMS = 2_000


@dataclass(frozen=True, slots=True)
class PairKappas:
    """What one item adds to the sums that the kappas of all pairs are made of.

    ``agreement`` is (items, pairs). ``rows`` and ``columns`` are (items, blocks x values): the values of
    the first and the second rater; ``row_block`` and ``column_block`` say which block belongs to a pair.
    Where every rater rated every item a block is a rater and serves all its pairs; else it is a pair.
    """

    pairs: NDArray[np.int64]
    weights: Floats
    agreement: Floats
    rows: Floats
    columns: Floats
    row_block: NDArray[np.int64]
    column_block: NDArray[np.int64]

    @property
    def items(self) -> int:
        return len(self.agreement)

    @classmethod
    def of(cls, codes: NDArray[np.int32], pairs: NDArray[np.int64], weights: Floats) -> "PairKappas":
        """From the (items, raters) table of value codes, -1 where there is no rating."""
        first, second = codes[:, pairs[:, 0]], codes[:, pairs[:, 1]]
        both = (first >= 0) & (second >= 0)
        agreement = np.where(both, weights[first, second], 0.0)
        if both.all():
            chosen = _chosen(codes, len(weights))
            return cls(pairs, weights, agreement, chosen, chosen, pairs[:, 0], pairs[:, 1])
        rows, columns = (_chosen(np.where(both, side, -1), len(weights)) for side in (first, second))
        own = np.arange(len(pairs))
        return cls(pairs, weights, agreement, rows, columns, own, own)

    def values(self) -> Floats:
        """The kappa of each pair."""
        kappas: Floats = self.reweighted(np.ones((1, self.items)))[0]
        return kappas

    def reweighted(self, item_weights: Floats) -> Floats:
        """The kappas of all pairs (replicates, pairs) when items count as often as these weights say."""
        return self._of_sums([item_weights @ block for block in self._blocks])

    @property
    def _blocks(self) -> list[Floats]:
        """What is summed over items; raters who rated everything have one block for both sides."""
        return [self.agreement, self.rows, *([] if self.columns is self.rows else [self.columns])]

    def _of_sums(self, sums: list[Floats]) -> Floats:
        shape = (len(sums[0]), -1, len(self.weights))
        rows, columns = sums[1].reshape(shape), sums[-1].reshape(shape)
        return CohenKappa().of_sums(sums[0], rows[:, self.row_block], columns[:, self.column_block], self.weights)

    def resampled(self, replicates: int, rng: np.random.Generator) -> Iterator[Floats]:
        """The kappas of all pairs under item bootstraps, a chunk of replicates at a time."""
        step = max(1, _CHUNK_CELLS // (len(self.pairs) * len(self.weights)))
        if self.is_at_the_limit(replicates):
            sums, ends = self._sums_at_the_limit(replicates, rng), np.cumsum([block.shape[1] for block in self._blocks])
            for start in range(0, replicates, step):
                yield self._of_sums(np.split(sums[start : start + step], ends[:-1], axis=1))
            return
        step = max(1, min(step, _DRAWN_CELLS // self.items))
        share = np.full(self.items, 1 / self.items)
        for start in range(0, replicates, step):
            count = min(step, replicates - start)
            yield self.reweighted(rng.multinomial(self.items, share, size=count).astype(np.float64))

    def is_at_the_limit(self, replicates: int) -> bool:
        """Whether sums over items drawn again are drawn from their normal limit: very many items, not too many sums."""
        width = sum(block.shape[1] for block in self._blocks)
        return width <= _MOST_SUMS and sizes.sums_are_normal(self.items, replicates)

    def _sums_at_the_limit(self, replicates: int, rng: np.random.Generator) -> Floats:
        means = np.concatenate([block.mean(axis=0) for block in self._blocks])
        covariance = np.zeros((len(means), len(means)))
        for start in range(0, self.items, _CHUNK_ITEMS):
            here = np.hstack([block[start : start + _CHUNK_ITEMS] for block in self._blocks]) - means
            covariance += here.T @ here
        return means * self.items + normal_draws(covariance, replicates, rng)


def pair_means(kappas: Floats, pair_weights: Floats) -> Floats:
    """Weighted mean over pairs (last axis) of the kappas that are defined; nan where none is."""
    defined = ~np.isnan(kappas)
    weight = np.where(defined, pair_weights, 0.0)
    total = weight.sum(axis=-1)
    top = (np.where(defined, kappas, 0.0) * weight).sum(axis=-1)
    out = np.full(np.broadcast(top, total).shape, np.nan)
    np.divide(top, total, out=out, where=total > 0)
    return out


def _chosen(codes: NDArray[np.int32], values: int) -> Floats:
    """One column a rater and value: 1 where the rater gave the item that value."""
    table = codes[:, :, None] == np.arange(values)
    return np.asarray(table.reshape(len(codes), -1), dtype=np.float64)
