"""Integrity of the rater columns: sorted, duplicated or constant raters are no raters."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from accord.arrays import Floats
from accord.diagnosis.case import ALARM, Case, Observation, in_words, spelled
from accord.diagnosis.pairs import Pair, order_counts
from accord.diagnosis.part import Part

__all__ = ["constant_raters", "duplicated_raters", "random_order_gamma", "sorted_raters"]

_ONE_WAY = 0.9
"""Of two honest raters the stricter one gives the lower value in at most this share of their disagreements."""
_ONE_WAY_OF_TWO = 0.95
_ALIKE, _ALIKE_AT_MOST, _ALIKE_OF_TWO = 0.8, 0.97, 0.9
_MANY_PAIRS = 9
_ORDERS = 10


def sorted_raters(case: Case) -> Iterator[Observation]:
    """Raters that never leave their order: the first is the smallest in every row, the next never smaller, ..."""
    part = case.part
    if not part.ordered:
        return
    one_way = {(pair.first, pair.second): pair for pair in case.pairs if pair.disagreements and not pair.higher}
    one_way |= {(pair.second, pair.first): pair for pair in case.pairs if pair.disagreements and not pair.lower}
    chain = _longest_chain(one_way)
    raters = len(part.raters)
    if len(chain) < min(raters, 3) or len(chain) < 2:
        return
    steps = [one_way[link] for link in pairwise(chain)]
    disagreements = sum(pair.disagreements for pair in steps)
    share = _ONE_WAY if len(chain) > 2 else _ONE_WAY_OF_TWO
    chains = float(np.prod(np.arange(raters - len(chain) + 1, raters + 1, dtype=np.float64)))
    probability = min(1.0, share**disagreements * chains)
    if probability >= ALARM:
        return
    stored = _mean_gamma([one_way[pair] for pair in one_way if set(pair) <= set(chain)])
    shuffled = random_order_gamma(part, chain, case.rng)
    items = min(pair.items for pair in steps)
    yield Observation(
        message=f"the columns {' ≤ '.join(chain)} are in order in every one of {items:,} rows: "
        "they look like sorted values, not like people",
        who=chain,
        evidence={
            "rows": items, "disagreements": disagreements, "exceptions": 0, "gamma_as_stored": stored,
            "gamma_after_random_order_within_rows": shuffled,
        },
        sure=in_words(probability),
    )  # fmt: skip


def _longest_chain(one_way: dict[tuple[str, str], Pair]) -> tuple[str, ...]:
    """Raters of whom each is never above the next ones, grown from the pair with most disagreements."""
    best: tuple[str, ...] = ()
    names = {name for pair in one_way for name in pair}
    for start in sorted(one_way, key=lambda pair: -one_way[pair].disagreements)[:200]:
        chain = list(start)
        for name in sorted(names - set(start)):
            place = sum((member, name) in one_way for member in chain)
            below, above = chain[:place], chain[place:]
            if all((m, name) in one_way for m in below) and all((name, m) in one_way for m in above):
                chain.insert(place, name)
        if len(chain) > len(best):
            best = tuple(chain)
    return best


def _mean_gamma(pairs: list[Pair]) -> float:
    gammas = [pair.gamma for pair in pairs if not np.isnan(pair.gamma)]
    return float(np.mean(gammas)) if gammas else float("nan")


def random_order_gamma(part: Part, raters: tuple[str, ...], rng: np.random.Generator, orders: int = _ORDERS) -> float:
    """Mean pairwise gamma of these raters if the values of each row were handed to them in random order."""
    codes = [part.rater_names.index(name) for name in raters]
    items, item = np.unique(part.item, return_inverse=True)
    table = np.full((len(items), len(codes)), np.nan)
    for column, code in enumerate(codes):
        mine = part.rater == code
        table[item[mine], column] = part.score[mine]
    complete = table[~np.isnan(table).any(axis=1)]
    return float(np.mean([_gamma_of_columns(rng.permuted(complete, axis=1)) for _ in range(orders)]))


def _gamma_of_columns(table: Floats) -> float:
    gammas = []
    for first in range(table.shape[1]):
        for second in range(first + 1, table.shape[1]):
            concordant, discordant = order_counts(table[:, first], table[:, second])
            gammas.append((concordant - discordant) / max(concordant + discordant, 1))
    return float(np.mean(gammas))


def duplicated_raters(case: Case) -> Iterator[Observation]:
    """Two raters that agree on every item both rated, more often than raters like these ever do.

    Only items count on which at least one of the two leaves the most frequent value: to agree on that
    value is easy. How often honest raters agree on those is told by the other pairs.
    """
    from scipy.special import bdtrc

    part = case.part
    if not len(part.code):
        return
    usual = int(np.bincount(part.code).argmax())
    told = []
    for first, second, here in case.rows:
        a, b = part.code[case.rows.left[here]], part.code[case.rows.right[here]]
        telling = (a != usual) | (b != usual)
        told.append((first, second, len(a), int(telling.sum()), int((a == b)[telling].sum()), int((a != b).sum())))
    shares = np.array([equal / telling if telling >= 10 else np.nan for *_, telling, equal, _ in told])
    for place, (first, second, shared, telling, equal, different) in enumerate(told):
        if not telling or different > 0.01 * shared:
            continue
        alike = _alike_at_most(np.delete(shares, place))
        probability = min(1.0, float(bdtrc(equal - 1, telling, alike)) * len(told))
        if probability < ALARM:
            same = f"all {shared:,}" if not different else f"{shared - different:,} of {shared:,}"
            yield Observation(
                message=f"{part.name(first)} and {part.name(second)} gave the same value to {same} items they share",
                who=(part.name(first), part.name(second)),
                evidence={
                    "shared_items": shared, "telling_items": telling, "different": different,
                    "agreement_allowed_for": alike,
                },
                sure=in_words(probability),
            )  # fmt: skip


def _alike_at_most(others: Floats) -> float:
    """The share of telling items on which two honest raters may agree, told by the shares of the other pairs.

    The most similar of many pairs shows how alike these raters can be: a third of the way from there to all is
    allowed for. A few pairs show less: then it is half of the way, and no less than 8 of 10.
    """
    others = others[~np.isnan(others)]
    if not len(others):
        return _ALIKE_OF_TWO
    most = float(others.max())
    allowed = most + (1 - most) / 3 if len(others) >= _MANY_PAIRS else max((1 + most) / 2, _ALIKE)
    return min(allowed, _ALIKE_AT_MOST)


def constant_raters(case: Case) -> Iterator[Observation]:
    """A rater who gave one and the same value throughout, where no other rater comes near that."""
    part = case.part
    counts = part.value_counts
    totals = counts.sum(axis=1)
    for rater in part.raters:
        value = int(counts[rater].argmax())
        if counts[rater, value] < totals[rater] or totals[rater] < 5:
            continue
        others = np.array([other for other in part.raters if other != rater and totals[other] >= 5], dtype=np.int64)
        if not len(others):
            continue
        # Jeffreys' correction: another constant rater makes this one no less strange.
        shares = (counts[others, value] + 0.5) / (totals[others] + 1)
        likely = min(float(shares.max()), _ALIKE_AT_MOST)
        probability = min(1.0, likely ** int(totals[rater]) * len(part.raters))
        if probability < ALARM:
            yield Observation(
                message=f"{part.name(rater)} gave the value {spelled(part.ratings.scale.values[value])} "
                f"to all {totals[rater]:,} items",
                who=(part.name(rater),),
                evidence={"items": int(totals[rater]), "largest_share_of_another_rater": float(shares.max())},
                sure=in_words(probability),
            )
