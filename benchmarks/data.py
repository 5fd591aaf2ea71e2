"""The data of every case, made the same way for Accord and for each peer."""

import numpy as np

RNG_SEED = 20


def rated(items: int, raters: int, values: int, spread: float = 0.6) -> np.ndarray:
    """(items, raters) whole numbers from 0: a common truth with noise."""
    rng = np.random.default_rng(RNG_SEED)
    truth = rng.normal(0, 1, items)[:, None]
    noisy = truth + rng.normal(0, spread, (items, raters))
    edges = np.quantile(noisy[:5000], np.linspace(0, 1, values + 1)[1:-1])
    return np.searchsorted(edges, noisy).astype(np.int64)


def pairs_of_raters() -> np.ndarray:
    return rated(100, 25, 5)


def with_missing() -> np.ndarray:
    table = rated(100_000, 5, 5).astype(float)
    table[np.random.default_rng(1).random(table.shape) < 0.2] = np.nan
    return table


def a_million_items() -> np.ndarray:
    return rated(1_000_000, 3, 5)


def few_patterns() -> np.ndarray:
    return rated(5822, 3, 4)


def two_columns() -> np.ndarray:
    return rated(100_000, 2, 5)


def four_raters() -> np.ndarray:
    rng = np.random.default_rng(RNG_SEED)
    return np.round(rng.normal(50, 15, 100_000)[:, None] + rng.normal(0, 8, (100_000, 4)), 3)


def continuous() -> np.ndarray:
    rng = np.random.default_rng(RNG_SEED)
    return rng.normal(50, 15, 1200)[:, None] + rng.normal(0, 8, (1200, 2))


CASES = {
    "cohen": ("300 pairwise Cohen κ, 25 raters x 100 items x 5 values", pairs_of_raters),
    "alpha_ordinal": ("ordinal α, 5 raters x 100,000 items, 20% missing", with_missing),
    "fleiss": ("Fleiss κ, 1,000,000 items x 3 raters", a_million_items),
    "bootstrap": ("10,000 item-bootstrap replicates of nominal α, 5,822 x 3 x 4 values", few_patterns),
    "gamma": ("gamma of 100,000 pairs of ratings", two_columns),
    "icc": ("six ICCs with intervals, 4 raters x 100,000 items", four_raters),
    "alpha_interval": ("interval α of 1,200 continuous items x 2 raters", continuous),
}
