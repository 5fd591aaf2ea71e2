"""A rater with himself: the interval of κ of few repeated ratings (`accord diagnose --show stability`).

A rater answers the same items twice and errs anew each time; the truth is κ of very many repeats.
"""

from functools import cache, partial

import numpy as np
import pyarrow as pa

import accord
from accord.diagnosis.part import parts_of
from accord.diagnosis.reliabilities import Reliability, stability
from promises.promise import Promise

_SCALES = {"nominal": [0.0, 1.0, 2.0], "ordinal": [1.0, 2.0, 3.0, 4.0, 5.0], "interval": "0..100"}
_LAWS = {"even labels": "nominal", "labels 90/5/5": "nominal", "five grades": "ordinal", "scores 0 to 100": "interval"}


def _twice(law: str, items: int, rng: np.random.Generator) -> np.ndarray:
    """Two answers to each item: (items, 2)."""
    if _LAWS[law] == "nominal":
        shares = np.full(3, 1 / 3) if law.startswith("even") else np.array([0.9, 0.05, 0.05])
        truth, guessed = rng.choice(3, items, p=shares), rng.choice(3, (items, 2), p=shares)
        return np.where(rng.random((items, 2)) < 0.25, guessed, truth[:, None])
    quality = rng.normal(0, 1, items)[:, None]
    if law == "five grades":
        return np.clip(np.round(3 + quality + rng.normal(0, 0.5, (items, 2))), 1, 5)
    return np.clip(np.round(70 + 15 * quality + rng.normal(0, 8, (items, 2))), 0, 100)


def _found(law: str, answers: np.ndarray) -> Reliability:
    items = [f"i{place}" for place in range(len(answers))] * 2
    frame = pa.table({
        "item": items, "rater": ["r"] * len(items), "occasion": np.repeat(["1", "2"], len(answers)),
        "value": answers.T.ravel().astype(float),
    })  # fmt: skip
    ratings = accord.read(frame, level=_LAWS[law], scale=_SCALES[_LAWS[law]])
    return stability(next(iter(parts_of(ratings))))[0]


@cache
def _truth(law: str) -> float:
    """κ of very many repeats, quadratic where values have an order, by its definition."""
    first, later = _twice(law, 1_000_000, np.random.default_rng(1)).T
    if _LAWS[law] == "nominal":
        by_chance = sum(np.mean(first == value) * np.mean(later == value) for value in range(3))
        return float((np.mean(first == later) - by_chance) / (1 - by_chance))
    apart = first.var() + later.var() + (first.mean() - later.mean()) ** 2
    return float(1 - np.mean((first - later) ** 2) / apart)


def _held(rng: np.random.Generator, *, law: str, items: int) -> bool:
    truth = _truth(law)
    while True:
        found = _found(law, _twice(law, items, rng))
        # Where one value was given throughout κ has no value, and nothing is promised.
        if not np.isnan(found.kappa):
            return bool(found.low <= truth <= found.high)


PROMISES = tuple(
    Promise("κ of a rater with himself, 95 % interval", "`diagnose --show stability`", f"{law}, {items} repeats", 0.95,
            0.92 if items < 30 else 0.93, partial(_held, law=law, items=items), quick=4)
    for law, several in (("even labels", (10, 12, 20)), ("labels 90/5/5", (12, 20, 40)),
                         ("five grades", (10, 12, 20, 40)), ("scores 0 to 100", (10, 12, 40)))
    for items in several
)  # fmt: skip
