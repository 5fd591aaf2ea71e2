"""Whether one ability for each system explains who is preferred, and which circles of three systems are shown."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from accord.arrays import Floats, Integers
from accord.inference.multiple import Adjustment, adjusted
from accord.quantiles import chdtrc, ndtr, stdtr

__all__ = ["majority_tests", "misfit_p", "shown_circles"]

Pair = tuple[int, int]


def _largest_square(dimensions: Iterable[Floats], codes: Sequence[Integers]) -> float:
    """The largest of the variances over each kind of cluster, and over both together (raters + items - both).

    A variance is that of the sums over clusters, corrected for their number. The values of a dimension, one a
    comparison, are centred; one dimension is held at a time, as a million comparisons of 190 pairs are 1.5 GB.
    """
    kinds = list(codes)
    if len(kinds) == 2:
        crossed = codes[0] * (int(codes[1].max()) + 1) + codes[1]
        kinds.append(np.unique(crossed, return_inverse=True)[1].reshape(-1))
    clusters = [int(code.max()) + 1 for code in kinds]
    squares = np.zeros(len(kinds))
    for values in dimensions:
        for place, (code, number) in enumerate(zip(kinds, clusters, strict=True)):
            squares[place] += np.square(np.bincount(code, values, number)).sum()
    made = [number / max(number - 1, 1) * float(total) for number, total in zip(clusters, squares, strict=True)]
    if len(made) == 3:
        made[2] = made[0] + made[1] - made[2]
    return max(made, default=0.0)


def majority_tests(pair: Integers, outcome: Floats, codes: Sequence[Integers], pairs: int) -> tuple[Floats, Floats]:
    """Of each pair the sum of its outcomes (1, 0 for a tie, -1), and the p of its own two-sided test.

    The variance is that over raters and items, and never smaller than that of a sign test, which leaves ties apart.
    """
    net, p = np.zeros(pairs), np.ones(pairs)
    for place in range(pairs):
        own = pair == place
        values = outcome[own]
        if not values.any():
            continue
        inside = [np.unique(code[own], return_inverse=True)[1].reshape(-1) for code in codes]
        freedom = min((int(code.max()) for code in inside), default=-1)
        if freedom == 0:  # all by one rater or on one item: nothing is known of others
            continue
        net[place] = values.sum()
        variance = max(float((values**2).sum()), _largest_square([values - values.mean()], inside))
        ratio = -abs(net[place]) / variance**0.5
        p[place] = 2 * float(ndtr(ratio) if freedom < 0 else stdtr(freedom, ratio))
    return net, p


def shown_circles(
    names: Sequence[str], pairs: Sequence[Pair], net: Floats, p: Floats, level: float
) -> tuple[tuple[str, str, str], ...]:
    """Triples in which each beats the next, each of the three by its own test after Holm over all pairs."""
    shown = adjusted(p, Adjustment.HOLM) < 1 - level
    beats = {
        (pair if more > 0 else pair[::-1]) for pair, more, is_shown in zip(pairs, net, shown, strict=True) if is_shown
    }
    return tuple(
        (names[a], names[b], names[c])
        for i, j, k in combinations(range(len(names)), 3)
        for a, b, c in ((i, j, k), (i, k, j))
        if {(a, b), (b, c), (c, a)} <= beats
    )


def misfit_p(
    deviance: float, freedom: int, pair: Integers, won: Floats, design: Floats, share: Floats, codes: Sequence[Integers]
) -> float:
    r"""The p of a deviance, which is larger by chance where the choices of one rater, or on one item, are alike.

    It is divided by the mean design effect of what the model leaves over (Rao and Scott, first order), where that is
    above 1: the variance of the residuals over clusters, relative to that of independent choices. ``won`` is 1 where
    the first of the pair won and else 0; ``share`` is what the model expects of each pair, ``design`` how its logit
    follows from the parameters.
    """
    n = np.bincount(pair, minlength=len(share)).astype(np.float64)
    seen = np.bincount(pair, won, len(share)) / n
    scale = np.sqrt(n * share * (1 - share))
    weighted = design * scale[:, None]
    left = np.eye(len(share)) - weighted @ np.linalg.pinv(weighted)
    # Around the pair's own share, so that a real misfit does not widen its own yardstick.
    apart = (won - seen[pair]) / scale[pair]
    residuals = (apart * column[pair] for column in np.ascontiguousarray(left.T))
    return float(chdtrc(freedom, deviance / max(1.0, _largest_square(residuals, codes) / freedom)))
