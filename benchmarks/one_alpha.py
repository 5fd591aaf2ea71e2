"""One ordinal alpha with its default interval from a wide pandas frame: 5 raters x 100,000 items, a fifth missing."""

import json

import numpy as np
import pandas as pd
from peers import best_time

import accord


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    scores = np.clip(np.rint(3 + rng.normal(0, 1, (100_000, 1)) + rng.normal(0, 0.6, (100_000, 5))), 1, 5)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    return pd.DataFrame(scores, columns=[f"rater {place + 1}" for place in range(5)])


def alpha(wide: pd.DataFrame) -> float:
    ratings = accord.read(wide, level="ordinal")
    return float(accord.agreement(ratings, coefficients="krippendorff_alpha")["krippendorff_alpha"].value)


if __name__ == "__main__":
    given = frame()
    seconds, value = best_time(lambda: alpha(given), 2.0)
    print(json.dumps({"seconds": seconds, "value": value}))
