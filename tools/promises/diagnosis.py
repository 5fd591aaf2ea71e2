"""Diagnosis: raters who copy, do not read or are strict are named, and honest ones are not."""

from collections.abc import Callable

import numpy as np

from accord.arrays import Floats
from accord.design.scale import Level, Scale
from accord.diagnosis.examination import diagnose
from accord.ratings.table import Factor, Ratings
from promises.promise import Promise

__all__ = ["PROMISES"]

_NOISE = 0.7
_CUTS = np.array([-1.2, -0.4, 0.4, 1.2])
_Table = Callable[[np.random.Generator], Floats]


def _honest(
    rng: np.random.Generator, raters: int, items: int, *, noise: float = _NOISE, strictness: float = 0.0
) -> Floats:
    """Scores 1 to 5 of raters who see the quality of an item (deviation 1) with noise and cut it alike."""
    own = noise * np.exp(0.25 * rng.standard_normal(raters))
    seen = rng.standard_normal((items, 1)) + strictness * rng.standard_normal(raters)
    return 1.0 + np.searchsorted(_CUTS, seen + own * rng.standard_normal((items, raters)))


def _one_at_random(rng: np.random.Generator, raters: int, items: int) -> Floats:
    table = _honest(rng, raters, items)
    table[:, 0] = rng.permutation(table[:, 0])
    return table


def _one_copy(rng: np.random.Generator, raters: int, items: int) -> Floats:
    table = _honest(rng, raters, items)
    copied = rng.random(items) < 0.9
    table[copied, 1] = table[copied, 0]
    return table


def _one_severe(rng: np.random.Generator, raters: int, items: int) -> Floats:
    shift = np.where(np.arange(raters) == 0, -1.0, 0.0)
    seen = rng.standard_normal((items, 1)) + shift + _NOISE * rng.standard_normal((items, raters))
    return 1.0 + np.searchsorted(_CUTS, seen)


def _found(table: Floats) -> set[tuple[str, tuple[str, ...]]]:
    items, raters = table.shape
    ratings = Ratings(
        item=Factor(np.repeat(np.arange(items), raters).astype(np.int32), tuple(f"i{n}" for n in range(items))),
        rater=Factor(np.tile(np.arange(raters), items).astype(np.int32), tuple(f"r{n}" for n in range(raters))),
        value=(table.ravel() - 1).astype(np.int32),
        scale=Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0, 5.0)),
    )
    return {(finding.code, finding.who) for finding in diagnose(ratings).findings}


def _names(make: _Table, code: str, who: tuple[str, ...]) -> Callable[[np.random.Generator], bool]:
    """Whether the finding is raised about just these raters."""
    return lambda rng: (code, who) in _found(make(rng))


def _silent(make: _Table, *codes: str) -> Callable[[np.random.Generator], bool]:
    """Whether none of these findings is raised."""
    return lambda rng: not {code for code, _ in _found(make(rng))} & set(codes)


def _power(code: str, design: str, must: float, make: _Table, who: tuple[str, ...], quick: int = 20) -> Promise:
    return Promise(
        f"finds what is there: {code}", "`diagnose`", design, None, must, _names(make, code, who), quick=quick
    )


# A table should look like one.
# fmt: off
_ACCUSING = ("sorted_raters", "duplicated_raters", "inconsistent_rater", "severe_rater")

PROMISES = (
    _power("inconsistent_rater", "one of 3 raters answers at random, 50 items", 0.80,
           lambda rng: _one_at_random(rng, 3, 50), ("r0",)),
    _power("inconsistent_rater", "one of 5 raters answers at random, 50 items", 0.90,
           lambda rng: _one_at_random(rng, 5, 50), ("r0",)),
    _power("duplicated_raters", "one of 3 raters copies 90%, 50 items", 0.95,
           lambda rng: _one_copy(rng, 3, 50), ("r0", "r1")),
    _power("duplicated_raters", "one of 5 raters copies 90%, 100 items", 0.95,
           lambda rng: _one_copy(rng, 5, 100), ("r0", "r1")),
    _power("severe_rater", "one of 3 raters is a deviation of quality stricter, 50 items", 0.80,
           lambda rng: _one_severe(rng, 3, 50), ("r0",)),
    _power("severe_rater", "one of 5 raters is a deviation of quality stricter, 100 items", 0.80,
           lambda rng: _one_severe(rng, 5, 100), ("r0",)),
    _power("sorted_raters", "3 columns sorted item by item, 50 items", 0.80,
           lambda rng: np.sort(_honest(rng, 3, 50), axis=1), ("r0", "r1", "r2"), quick=5),
    Promise("accuses nobody else: inconsistent_rater", "`diagnose`", "one of 3 raters copies 90%, 50 items", None,
            0.98, _silent(lambda rng: _one_copy(rng, 3, 50), "inconsistent_rater")),
    *(Promise("accuses no honest rater: sorted, copied, inconsistent or severe", "`diagnose`",
              f"{raters} honest raters alike in strictness, {items} items", 0.96, 0.96,
              _silent(lambda rng, r=raters, n=items: _honest(rng, r, n), *_ACCUSING), quick=6)
      for raters, items in ((3, 50), (9, 200))),
    *(Promise("accuses no honest rater: sorted, copied or inconsistent", "`diagnose`",
              f"{raters} very exact raters of unlike strictness, {items} items", 0.97, 0.96,
              _silent(lambda rng, r=raters, n=items: _honest(rng, r, n, noise=0.08, strictness=0.35), *_ACCUSING[:3]),
              quick=4)
      for raters, items in ((3, 50), (5, 100))),
)
# fmt: on
