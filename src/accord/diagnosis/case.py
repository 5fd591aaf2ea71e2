"""A case: one part with what several checks need of it, made once."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers, renumbered
from accord.design.scale import Scale
from accord.diagnosis.pairs import Pair, SharedRows
from accord.diagnosis.part import Indices, Part
from accord.ratings.counts import Patterns
from accord.records import dataclass
from accord.reliability.signs.copies import copied_pairs
from accord.reliability.signs.evidence import PairCounts, usual_value, value_ranks
from accord.reliability.signs.observation import ALARM, Observation, in_words

__all__ = ["ALARM", "Case", "Observation", "in_words"]


@dataclass(frozen=True)
class Case:
    """A part, its pairs of raters, and the generator for checks that draw at random.

    It is evidence for the checks that `agree` makes too; the others look into the part itself.
    """

    part: Part
    rng: np.random.Generator

    @property
    def rows(self) -> SharedRows:
        return self.part.shared

    @property
    def pairs(self) -> list[Pair]:
        return self.part.pairs

    @property
    def scale(self) -> Scale:
        return self.part.ratings.scale

    @property
    def names(self) -> tuple[str, ...]:
        return self.part.rater_names

    @property
    def items(self) -> int:
        return self.part.items

    @cached_property
    def pairable(self) -> int:
        return int((np.bincount(self.part.item) >= 2).sum())

    @property
    def marginals(self) -> Integers:
        return self.part.value_counts

    @cached_property
    def pair_counts(self) -> PairCounts:
        rows, code = self.rows, self.part.code
        if not len(rows.first):
            return PairCounts.none()
        left, right = code[rows.left], code[rows.right]
        ranks, usual = value_ranks(self.scale), usual_value(self)
        telling, equal = (left != usual) | (right != usual), left == right
        shared = np.diff(np.append(rows.starts, len(left)))

        def counted(marked: NDArray[np.bool_]) -> Integers:
            return np.asarray(np.add.reduceat(marked.astype(np.int64), rows.starts))

        return PairCounts(
            rows.first, rows.second, shared, counted(telling), counted(telling & equal),
            counted(ranks[left] < ranks[right]), counted(ranks[left] > ranks[right]),
            _chance(left, right, shared, len(self.scale)),
        )  # fmt: skip

    def rows_of(self, raters: Integers) -> Patterns:
        part = self.part
        here = np.isin(part.rater, raters)
        items, item = renumbered(part.item[here])
        column = np.argsort(raters)[np.searchsorted(np.sort(raters), part.rater[here])]
        table = np.full((len(items), len(raters)), -1, dtype=np.int32)
        table[item, column] = part.code[here]
        kinds, times = np.unique(table[(table >= 0).all(axis=1)], axis=0, return_counts=True)
        return Patterns(kinds, times.astype(np.int64))

    @cached_property
    def independent(self) -> Indices:
        """The raters, of each pair of copies one only: copies go together however well the others read."""
        counts, copies = self.pair_counts, copied_pairs(self)
        left_out: set[int] = set()
        for place in copies:
            if int(counts.first[place]) not in left_out:
                left_out.add(int(counts.second[place]))
        return self.part.raters[~np.isin(self.part.raters, list(left_out))]


def _chance(left: Indices, right: Indices, shared: Integers, values: int) -> Floats:
    """Agreement by chance of each pair, from how often each of the two gave each value on their shared items."""
    pair = np.repeat(np.arange(len(shared)), shared)
    pairs_a_time = max(1, 20_000_000 // values)
    found = []
    for begin in range(0, len(shared), pairs_a_time):
        here = slice(*np.searchsorted(pair, [begin, begin + pairs_a_time]))
        size = min(pairs_a_time, len(shared) - begin)
        one, other = (
            np.bincount((pair[here] - begin) * values + side[here], minlength=size * values).reshape(size, values)
            for side in (left, right)
        )
        found.append((one * other).sum(axis=1))
    return np.asarray(np.concatenate(found) / np.square(shared.astype(np.float64)))
