"""Copies: two raters who agree more often than raters like these ever do."""

from collections.abc import Iterator

import numpy as np

from accord.arrays import Floats, Integers
from accord.noise import order_of
from accord.quantiles import bdtrc
from accord.reliability.signs.evidence import Evidence, PairCounts
from accord.reliability.signs.observation import ALARM, CERTAIN, Observation, in_words

__all__ = ["copied_pairs", "duplicated_raters", "identical_raters", "may_be_copies"]

_ON_THE_WAY = 0.34
"""How far honest raters may come on the way from the most similar other pair to agreement on everything."""
_MANY_PAIRS = 9
"""Among so many pairs some are alike in strictness; of fewer, what they differ by strictness alone is set aside."""
_LEAST_ITEMS = 10
"""Another pair tells how alike raters are from so many telling items on."""
_AT_CHANCE, _LABELS_AT_CHANCE = 0.1, 0.25
"""Where no other pair comes near such a kappa, the others go with nobody and show nothing of what is usual. Raters who
order items alike need not give equal values, so on ordered scales it is less."""
_PAIRS_OF_THREE = 3
_CERTAIN = 2.0
"""Standard errors by which a copy of nine items in ten may fall short of them."""
_COPIED = 0.9
"""What is copied at least where only one rater stands beside two: exact raters beside a careless one agree less."""
_TWO_ALIKE, _TWO_ALIKE_FINE = 0.97, 0.9
"""What two raters without a third may agree on: nothing shows how plain the items are. Nobody hits a fine scale."""
_FINE_VALUES = 20
_IDENTICAL_ITEMS = 20


def duplicated_raters(evidence: Evidence) -> Iterator[Observation]:
    """Two raters who agree on more items than raters like these ever do.

    How often honest raters agree is told by the most similar of the other pairs; a third of the way
    from there to agreement on everything is allowed for, so that exact raters are not accused of being exact.
    Where the others go together at chance only, as with a third who answers at random, the pair stands alone.
    """
    pairs = evidence.pair_counts
    allowed, probability = _tested(evidence)
    for place in np.flatnonzero(probability < ALARM).tolist():
        shared, different = int(pairs.shared[place]), int(pairs.different[place])
        same = f"all {shared:,}" if not different else f"{shared - different:,} of {shared:,}"
        who = (evidence.names[pairs.first[place]], evidence.names[pairs.second[place]])
        yield Observation(
            message=f"{who[0]} and {who[1]} gave the same value to {same} items they share",
            who=who,
            evidence={
                "shared_items": shared,
                "telling_items": int(pairs.telling[place]),
                "different": different,
                "agreement_allowed_for": float(allowed[place]),
            },
            sure=in_words(float(probability[place])),
        )


def copied_pairs(evidence: Evidence) -> list[int]:
    """Places of the pairs that are copies, in the order of the pairs."""
    _, probability = _tested(evidence)
    return np.flatnonzero(probability < ALARM).tolist()


def _tested(evidence: Evidence) -> tuple[Floats, Floats]:
    """The agreement allowed for of each pair, and the probability that honest raters reach theirs.

    Copies hide each other: where several pairs are copies, each is the most similar other pair of the rest. So the
    pairs are put in order, and those above some pair are compared with all below: each of them must be
    beyond what these allow.
    """
    pairs = evidence.pair_counts
    if not len(pairs.first):
        return np.empty(0), np.empty(0)
    judged = np.flatnonzero(pairs.telling >= _LEAST_ITEMS)
    shares = pairs.equal / np.maximum(pairs.telling, 1)
    order = judged[order_of(shares[judged], highest=True)]
    similar = shares if len(order) > _MANY_PAIRS else _but_for_strictness(pairs)
    allowed, probability = np.ones(len(shares)), np.ones(len(shares))
    most = min(len(order), max(1, _most_copies(evidence, pairs)))
    below = np.maximum.accumulate(similar[order][::-1])[::-1].tolist()
    related = np.maximum.accumulate(_most_related(evidence)[order][::-1])[::-1].tolist()
    at_chance = _at_chance(evidence)
    limits = [
        _allowed(evidence, below[above] if above < len(order) and related[above] >= at_chance else None)
        for above in range(1, most + 1)
    ]
    # The least similar of those above must be beyond what is allowed: only then the others are worth a look. A pair
    # that is equal on no more than that reaches it every second time, and its probability is not asked for.
    beyond = np.flatnonzero(shares[order[:most]] > np.array(limits))
    if not len(beyond):
        return allowed, probability
    weakest = order[beyond]
    alone = bdtrc(pairs.equal[weakest] - 1.0, pairs.telling[weakest], np.array(limits)[beyond]) * len(shares)
    for above in (beyond[alone < ALARM][::-1] + 1).tolist():
        tried, alike = order[:above], limits[above - 1]
        found = bdtrc(pairs.equal[tried] - 1.0, pairs.telling[tried], alike) * len(shares)
        # One other rater cannot tell whether he is careless or the two are copies, unless they are equal on nearly all.
        told = len(shares) > _PAIRS_OF_THREE or may_be_copies(evidence, tried)
        if found.max() < ALARM and told:
            allowed[tried], probability[tried] = alike, np.minimum(found, 1.0)
            break
    return allowed, probability


def _most_related(evidence: Evidence) -> Floats:
    """The kappa that each pair may have, a standard error above its own; 1 on a fine scale, where equals are rare."""
    pairs = evidence.pair_counts
    if _is_fine(evidence):
        return np.ones(len(pairs.first))
    error = np.sqrt(pairs.chance / np.maximum(1 - pairs.chance, 1e-9) / np.maximum(pairs.shared, 1))
    return np.asarray(np.nan_to_num(pairs.kappa) + error)


def may_be_copies(evidence: Evidence, places: Integers) -> bool:
    """Whether each of these pairs is equal on as many telling items as copies of nine items in ten may be."""
    pairs = evidence.pair_counts
    telling = pairs.telling[places]
    least = _COPIED * telling - _CERTAIN * np.sqrt(_COPIED * (1 - _COPIED) * telling)
    return bool((pairs.equal[places] >= least).all())


def _but_for_strictness(pairs: PairCounts) -> Floats:
    """The share of telling items on which each pair is equal, or would be but for the strictness of one of the two.

    Disagreements that go one way, more than chance makes them, are a matter of strictness and not of noise.
    """
    differ = pairs.lower + pairs.higher
    one_way = np.maximum(np.abs(pairs.lower - pairs.higher) - 2 * np.sqrt(differ), 0)
    return np.asarray((pairs.equal + one_way) / np.maximum(pairs.telling, 1))


def _most_copies(evidence: Evidence, pairs: PairCounts) -> int:
    """Copies are few: at most half of the raters are one of them, so that the others show what is usual."""
    raters = int((evidence.marginals.sum(axis=1) > 0).sum())
    copiers = raters // 2 + 1
    return min(copiers * (copiers - 1) // 2, len(pairs.first) - 1)


def _allowed(evidence: Evidence, most: float | None) -> float:
    if most is not None:
        return float(most + _ON_THE_WAY * (1 - most))
    return _TWO_ALIKE_FINE if _is_fine(evidence) else _TWO_ALIKE


def _is_fine(evidence: Evidence) -> bool:
    return int((evidence.marginals.sum(axis=0) > 0).sum()) > _FINE_VALUES


def identical_raters(evidence: Evidence) -> Iterator[Observation]:
    """Two raters who gave the same value throughout, where no other pair tells whether the items are that plain."""
    pairs = evidence.pair_counts
    same = np.flatnonzero((pairs.different == 0) & (pairs.telling > 0) & (pairs.shared >= _IDENTICAL_ITEMS))
    if len(same) != 1 or copied_pairs(evidence):
        return
    others = np.delete(_most_related(evidence), same)
    if (others >= _at_chance(evidence)).any():
        return
    place = int(same[0])
    who = (evidence.names[pairs.first[place]], evidence.names[pairs.second[place]])
    why = "the others agree with nobody, so they cannot tell" if len(others) else "two raters alone cannot tell"
    yield Observation(
        message=f"{who[0]} and {who[1]} gave the same value to all {pairs.shared[place]:,} items they share: the items "
        f"are plain, or one is a copy of the other; {why}",
        who=who,
        evidence={"shared_items": int(pairs.shared[place]), "telling_items": int(pairs.telling[place])},
        sure=CERTAIN,
    )


def _at_chance(evidence: Evidence) -> float:
    """The kappa below which a pair shows nothing of what is usual."""
    return _AT_CHANCE if evidence.scale.level.has_order else _LABELS_AT_CHANCE
