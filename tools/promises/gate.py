"""The gate of direct assessment (`accord da`)

Eight raters score segments of quality 65 ± 12 with an error of 14 points; copies are degraded by 6 to 18 points. One
rater in eight does not read.
"""

from functools import partial

import numpy as np

import accord
from accord.ratings.build import build_ratings
from accord.scoring.rater_gate import Outcome
from promises.promise import Promise

__all__ = ["PROMISES"]

_RATERS = 8


def outcomes(rng: np.random.Generator, copies: int) -> list[Outcome]:
    """What the gate says of each rater; the first answers at random."""
    rows: dict[str, list[object]] = {"item": [], "rater": [], "system": [], "role": [], "value": []}
    for rater in range(_RATERS):
        quality = rng.normal(65, 12, 4 * copies)
        lower = quality[:copies] - rng.uniform(6, 18, copies)
        for role, level in (("system", quality), ("degraded", lower)):
            scores = rng.uniform(0, 100, len(level)) if rater == 0 else (level + rng.normal(0, 14, len(level)))
            rows["item"] += [f"s{place}" for place in range(len(level))]
            rows["rater"] += [f"r{rater}"] * len(level)
            rows["system"] += ["A"] * len(level)
            rows["role"] += [role] * len(level)
            rows["value"] += scores.clip(0, 100).tolist()
    found = accord.da(build_ratings(rows, level="interval", direction="high"), minimum=1, halvings=2, keep_all=True)
    return [gate.outcome for gate in found.result.raters]


def careless_stopped(rng: np.random.Generator, *, copies: int) -> bool:
    """The rater who does not read does not pass."""
    return outcomes(rng, copies)[0] is not Outcome.PASSED


def careful_not_failed(rng: np.random.Generator, *, copies: int) -> bool:
    """A careful rater may not be judged, but is not said to have failed."""
    return outcomes(rng, copies)[int(rng.integers(1, _RATERS))] is not Outcome.FAILED


PROMISES = (
    *(Promise("A rater who does not read does not pass", "`da`", f"{copies} degraded copies a rater", 0.95, 0.94,
              partial(careless_stopped, copies=copies), quick=8) for copies in (10, 40)),
    *(Promise("A careful rater is not said to have failed", "`da`", f"{copies} degraded copies a rater", 0.8, 0.8,
              partial(careful_not_failed, copies=copies), quick=8) for copies in (5, 20)),
)  # fmt: skip
