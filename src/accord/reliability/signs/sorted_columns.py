"""Sorted columns: the values of each item were put in order, so that a column is a rank and not a person."""

from collections.abc import Iterator
from itertools import pairwise, permutations

import numpy as np

from accord.arrays import Floats, distinct
from accord.coefficients.ranks import Gamma
from accord.design.scale import Scale
from accord.ratings.counts import Patterns
from accord.reliability.signs.evidence import Evidence, PairCounts, value_ranks
from accord.reliability.signs.latent_scale import log_odds_of_sorting
from accord.reliability.signs.observation import ALARM, CERTAIN, Observation, in_words

__all__ = ["one_sided_raters", "sorted_raters"]

_FALLING = 0.01
"""Share of the items of a pair that may be out of order in columns that were sorted: later corrections."""
_MOST_STARTS = 200
_LEAST_ROWS = 10
_ENOUGH_COLUMNS = 4
_LEAST_DISAGREEMENTS = 20


def sorted_raters(evidence: Evidence) -> Iterator[Observation]:
    """Raters that do not leave their order: the first is the smallest in every row, the next never smaller, ...

    Exact raters who differ in strictness look like that too. So two explanations are weighed: raters alike whose values
    were sorted item by item, and raters each with a strictness and an exactness of his own.
    """
    if not _has_order(evidence.scale):
        return
    pairs, present = evidence.pair_counts, int((evidence.marginals.sum(axis=1) > 0).sum())
    one_way = _one_way(pairs)
    chain = _longest_chain(one_way)
    if len(chain) < max(2, min(present, 3)):
        return
    rows = evidence.rows_of(np.array(chain))
    if rows.multiplicity.sum() < _LEAST_ROWS:
        return
    ranked = Patterns(value_ranks(evidence.scale)[rows.codes].astype(np.int32), rows.multiplicity)
    falling = int(rows.multiplicity[(np.diff(ranked.codes, axis=1) < 0).any(axis=1)].sum())
    probability = _probability(ranked, present)
    if probability >= ALARM:
        return
    tables = _tables(ranked)
    mixed = tables.mean(axis=0, keepdims=True)
    items, names = int(rows.multiplicity.sum()), tuple(evidence.names[one] for one in chain)
    every = f"every one of {items:,} rows" if not falling else f"{items - falling:,} of {items:,} rows"
    yield Observation(
        message=f"the columns {' ≤ '.join(names)} are in order in {every}: "
        "they look like sorted values, not like people",
        who=names,
        evidence={
            "rows": items,
            "exceptions": falling,
            "disagreements": int(sum(pairs.different[one_way[link]] for link in pairwise(chain))),
            "gamma_as_stored": _mean(Gamma().of_pair_table(tables, evidence.scale).value),
            "gamma_after_random_order_within_rows": float(Gamma().of_pair_table(mixed, evidence.scale).value[0]),
        },
        sure=in_words(probability, "raters who each have their own strictness"),
    )


def _mean(values: Floats) -> float:
    """Of those that are numbers; none is where every pair ties all its items."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _probability(ranked: Patterns, present: int) -> float:
    """That honest raters look like this: any of them could have been in the chain, in any order."""
    columns = ranked.codes.shape[1]
    chosen = distinct(np.linspace(0, columns - 1, min(columns, _ENOUGH_COLUMNS)).astype(np.int64))
    orders = float(np.log(np.arange(present - len(chosen) + 1, present + 1)).sum())
    odds = log_odds_of_sorting(Patterns(ranked.codes[:, chosen], ranked.multiplicity))
    return float(np.exp(min(0.0, orders - odds)))


def one_sided_raters(evidence: Evidence) -> Iterator[Observation]:
    """Two raters of whom one is the higher wherever they differ, where no third tells whether they were sorted."""
    one_way, pairs = _one_way(evidence.pair_counts), evidence.pair_counts
    if len(pairs.first) != 1 or len(one_way) != 1 or not _has_order(evidence.scale) or any(sorted_raters(evidence)):
        return
    (lower, higher), differ = next(iter(one_way)), int(pairs.different[0])
    above = int(max(pairs.lower[0], pairs.higher[0]))
    if differ >= _LEAST_DISAGREEMENTS:
        names = evidence.names[lower], evidence.names[higher]
        yield Observation(
            message=f"{names[1]} is the higher one in {above:,} of the {differ:,} items where the two raters differ: "
            "either the columns were sorted or one rater is always more generous; two raters alone cannot tell",
            who=names,
            evidence={"disagreements": differ, "one_way": above},
            sure=CERTAIN,
        )


def _has_order(scale: Scale) -> bool:
    return (scale.level.has_order or scale.is_numeric) and not scale.has_sets


def _tables(rows: Patterns) -> Floats:
    """The tables of each column with each other; their mean is that of two columns in random order."""
    values = int(rows.codes.max()) + 1
    columns = rows.codes.T.astype(np.int64)
    return np.stack(
        [
            np.bincount(one * values + other, rows.multiplicity, values**2).reshape(values, values)
            for one, other in permutations(columns, 2)
        ]
    )


def _one_way(pairs: PairCounts) -> dict[tuple[int, int], int]:
    """(lower, higher) raters of whom the first is hardly ever above the second, and the place of their pair."""
    few, differ = _FALLING * pairs.shared, pairs.lower + pairs.higher > 0
    up, down = differ & (pairs.higher <= few), differ & (pairs.lower <= few)
    places = {(int(pairs.first[at]), int(pairs.second[at])): int(at) for at in np.flatnonzero(up)}
    return places | {(int(pairs.second[at]), int(pairs.first[at])): int(at) for at in np.flatnonzero(down & ~up)}


def _longest_chain(one_way: dict[tuple[int, int], int]) -> tuple[int, ...]:
    """Raters of whom each is hardly ever above the next ones."""
    best: tuple[int, ...] = ()
    names = {name for pair in one_way for name in pair}
    for start in list(one_way)[:_MOST_STARTS]:
        chain = list(start)
        for name in sorted(names - set(start)):
            place = sum((member, name) in one_way for member in chain)
            below, above = chain[:place], chain[place:]
            if all((m, name) in one_way for m in below) and all((name, m) in one_way for m in above):
                chain.insert(place, name)
        if len(chain) > len(best):
            best = tuple(chain)
    return best
