"""A value lies in its own interval, and the ends are in order: for every coefficient, level and unit of resampling."""

import math

import numpy as np
import pytest

import accord


def table(seed, level):
    """Forty items in ten documents, four raters with leanings of their own, a tenth missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(40):
        quality = rng.normal(3, 1)
        for rater in range(4):
            if rng.random() < 0.9:
                score = float(np.clip(np.rint(quality + 0.3 * rater + rng.normal(0, 0.6)), 1, 5))
                value = "abcde"[int(score) - 1] if level == "nominal" else score
                rows.append({"item": f"i{item}", "rater": f"r{rater}", "value": value, "document": f"d{item // 4}"})
    return rows


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", [11, 12])
def test_a_value_lies_in_its_own_interval(level, seed):
    import pandas as pd

    ratings = accord.read(pd.DataFrame(table(seed, level)), level=level)
    with_interval = 0
    (group,) = accord.agreement(ratings, replicates=200, seed=seed).groups
    for estimate in group.estimates:
        if estimate.interval is None or math.isnan(estimate.value):
            continue
        with_interval += 1
        low, high = estimate.interval.low, estimate.interval.high
        assert low <= estimate.value <= high, estimate
        assert low < high, estimate
    assert with_interval >= 5
