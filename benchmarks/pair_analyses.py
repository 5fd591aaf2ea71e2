"""The pair analyses of a study of reference bias, 25 raters x 100 items; and plain loops on a fraction."""

import json
import sys
import time
from itertools import combinations

import data
import numpy as np

REPLICATES = 10_000
GROUPS = 5


def ratings():  # type: ignore[no-untyped-def]
    """25 raters in five groups, the last of which saw the source."""
    import pandas as pd

    import accord

    table = data.pairs_of_raters() + 1
    raters = table.shape[1]
    item, rater = np.divmod(np.arange(table.size), raters)
    names = np.array([f"G{group + 1}" for group in range(GROUPS - 1)] + ["source"])
    frame = {"item": item, "rater": rater, "value": table.ravel(), "group": names[rater % GROUPS]}
    return accord.read(pd.DataFrame(frame), level="nominal")


def ours() -> dict[str, float]:
    """300 kappas with intervals, 17,955 comparisons, permutations, and replicates by each unit."""
    from accord.comparisons.reference_bias import compare_settings

    table, times = ratings(), []
    for _ in range(3):
        begin = time.process_time()
        (found,) = compare_settings(table, "group", replicates=REPLICATES, rng=np.random.default_rng(0))
        times.append(time.process_time() - begin)
    compared = sum(share.comparisons for share in found.shares)
    return {
        "seconds": min(times), "kappas": len(found.lows), "comparisons": compared, "units": len(found.differences),
    }  # fmt: skip


def _kappa(one: np.ndarray, other: np.ndarray) -> float:
    table = np.zeros((5, 5))
    np.add.at(table, (one, other), 1)
    table /= table.sum()
    expected = table.sum(axis=1) @ table.sum(axis=0)
    return (np.trace(table) - expected) / (1 - expected)


def plain(fraction: int = 1_000) -> dict[str, float]:
    """The same by loops over pairs: one replicate in a thousand of items and of raters, then scaled."""
    table = data.pairs_of_raters()
    items, raters = table.shape
    pairs = list(combinations(range(raters), 2))
    same = np.array([one % GROUPS == other % GROUPS for one, other in pairs])
    rng = np.random.default_rng(0)
    runs = REPLICATES // fraction
    begin = time.process_time()
    for _ in range(runs):
        drawn = table[rng.integers(0, items, items)]
        values = np.array([_kappa(drawn[:, one], drawn[:, other]) for one, other in pairs])
        values[same].mean() - values[~same].mean()
    by_items = (time.process_time() - begin) * fraction
    values = np.array([_kappa(table[:, one], table[:, other]) for one, other in pairs])
    square = np.zeros((raters, raters))
    begin = time.process_time()
    for _ in range(runs):
        order = rng.permutation(raters)
        for (one, other), value in zip(pairs, values, strict=True):
            square[order[one], order[other]] = value
        [square[one, other] for one, other in pairs if one % GROUPS == other % GROUPS]
    by_raters = (time.process_time() - begin) * fraction
    return {"seconds": 2 * by_items + 3 * by_raters}


if __name__ == "__main__":
    print(json.dumps(ours() if sys.argv[1] == "ours" else plain()))
