"""Diagnosis: raters who copy, do not read or are strict are named, and honest ones are not."""

from collections.abc import Callable
from functools import cache

import numpy as np

from accord.arrays import Floats
from accord.design.scale import Level, Scale
from accord.diagnosis.causes import heaviest_rater
from accord.diagnosis.examination import diagnose
from accord.diagnosis.part import parts_of
from accord.diagnosis.triangulation import influence
from accord.diagnosis.without_rater import interval_of_change
from accord.ratings.table import Factor, Ratings
from promises.promise import Promise

__all__ = ["PROMISES"]

_NOISE = 0.7
_CUTS = np.array([-1.2, -0.4, 0.4, 1.2])
_SCORES, _LABELS = Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0, 5.0)), Scale(Level.NOMINAL, ("a", "b", "c"))
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
    return _copied(_honest(rng, raters, items), rng)


def _copied(table: Floats, rng: np.random.Generator) -> Floats:
    """The second rater copies nine of ten from the first."""
    copied = rng.random(len(table)) < 0.9
    table[copied, 1] = table[copied, 0]
    return table


def _one_severe(rng: np.random.Generator, raters: int, items: int) -> Floats:
    shift = np.where(np.arange(raters) == 0, -1.0, 0.0)
    seen = rng.standard_normal((items, 1)) + shift + _NOISE * rng.standard_normal((items, raters))
    return 1.0 + np.searchsorted(_CUTS, seen)


def _labels(
    rng: np.random.Generator, items: int, *guess: float, shares: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
) -> Floats:
    """Labels of raters each of whom guesses so often; who always guesses answers at random."""
    truth, size = rng.choice(len(shares), items, p=shares), (items, len(guess))
    return 1.0 + np.where(rng.random(size) < guess, rng.choice(len(shares), size, p=shares), truth[:, None])


def _grades(rng: np.random.Generator, items: int, *noise: float | None) -> Floats:
    """Scores 1 to 5 of raters who see the quality with so much noise; None sees nothing of it."""
    own = np.array([1.2 if one is None else one for one in noise])
    sees = np.array([one is not None for one in noise])
    seen = sees * rng.standard_normal((items, 1)) + own * rng.standard_normal((items, len(noise)))
    return 1.0 + np.searchsorted(_CUTS, seen)


def _found(table: Floats, scale: Scale = _SCORES) -> set[tuple[str, tuple[str, ...]]]:
    return {(finding.code, finding.who) for finding in diagnose(_ratings(table, scale)).findings}


def _ratings(table: Floats, scale: Scale = _SCORES) -> Ratings:
    items, raters = table.shape
    return Ratings(
        item=Factor(np.repeat(np.arange(items), raters).astype(np.int32), tuple(f"i{n}" for n in range(items))),
        rater=Factor(np.tile(np.arange(raters), items).astype(np.int32), tuple(f"r{n}" for n in range(raters))),
        value=(table.ravel() - 1).astype(np.int32),
        scale=scale,
    )


def _told_without(table: Floats) -> str:
    """The rater of whom the answer says by how much alpha would rise without them; '' where it says so of nobody."""
    found = heaviest_rater(parts_of(_ratings(table)))
    return found.without[0] if found and found.is_sure else ""


def _one_noisier(rng: np.random.Generator, times: float, raters: int, items: int) -> Floats:
    return _grades(rng, items, times * _NOISE, *[_NOISE] * (raters - 1))


@cache
def _true_change(times: float, raters: int) -> float:
    """Of alpha without the noisier rater, by so many items that its error is a tenth of what a study has."""
    table = _one_noisier(np.random.default_rng(7), times, raters, 40_000)
    return next(row.change for row in influence(parts_of(_ratings(table))[0]) if row.rater == "r0")


def _holds_change(rng: np.random.Generator, times: float, raters: int, items: int) -> bool:
    part = parts_of(_ratings(_one_noisier(rng, times, raters, items)))[0]
    found = interval_of_change(part, "r0", 0.95)
    return found is not None and found.low <= _true_change(times, raters) <= found.high


def _names(make: _Table, code: str, who: tuple[str, ...]) -> Callable[[np.random.Generator], bool]:
    """Whether the finding is raised about just these raters."""
    return lambda rng: (code, who) in _found(make(rng))


def _silent(make: _Table, *codes: str) -> Callable[[np.random.Generator], bool]:
    """Whether none of these findings is raised."""
    return lambda rng: not {code for code, _ in _found(make(rng))} & set(codes)


def _names_alone(make: _Table, scale: Scale) -> Callable[[np.random.Generator], bool]:
    """Whether the first rater is found inconsistent, and nobody a copy."""

    def hold(rng: np.random.Generator) -> bool:
        found = _found(make(rng), scale)
        return ("inconsistent_rater", ("r0",)) in found and not any(code == "duplicated_raters" for code, _ in found)

    return hold


def _power(code: str, design: str, must: float, make: _Table, who: tuple[str, ...], quick: int = 20) -> Promise:
    return Promise(
        f"finds what is there: {code}", "`diagnose`", design, None, must, _names(make, code, who), quick=quick
    )


# A table should look like one.
# fmt: off
_ACCUSING = ("sorted_raters", "duplicated_raters", "inconsistent_rater", "severe_rater")

_ONE_CARELESS: tuple[tuple[str, float, _Table, Scale], ...] = (
    ("one of 3 answers at random beside exact raters, 900 items", 0.95,
     lambda rng: _grades(rng, 900, None, 0.3, 0.3), _SCORES),
    ("labels 80/10/10, one of 3 answers at random, 900 items", 0.95,
     lambda rng: _labels(rng, 900, 1.0, 0.2, 0.2, shares=(0.8, 0.1, 0.1)), _LABELS),
    ("labels, one of 3 answers at random, 100 items", 0.90, lambda rng: _labels(rng, 100, 1.0, 0.2, 0.2), _LABELS),
)

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
    *(Promise("names the careless rater, and calls nobody a copy", "`diagnose`", design, None, must,
              _names_alone(make, scale), quick=4) for design, must, make, scale in _ONE_CARELESS),
    Promise("accuses no honest rater: sorted, copied or inconsistent", "`diagnose`",
            "labels of 4 honest raters, 80/10/10, 100 items", 0.97, 0.96,
            lambda rng: not {code for code, _ in _found(
                _labels(rng, 100, 0.2, 0.3, 0.3, 0.4, shares=(0.8, 0.1, 0.1)), _LABELS)} & set(_ACCUSING[:3]), quick=4),
    Promise("finds what is there: duplicated_raters", "`diagnose`", "labels, one of 3 raters copies 90%, 100 items",
            None, 0.95, lambda rng: ("duplicated_raters", ("r0", "r1")) in _found(
                _copied(_labels(rng, 100, 0.4, 0.4, 0.4), rng), _LABELS), quick=4),
    *(Promise("says of no honest rater that α would rise without them", "`diagnose`, `report`",
              f"{raters} raters alike, {items} items", 0.95, 0.95,
              lambda rng, r=raters, n=items: not _told_without(_one_noisier(rng, 1.0, r, n)))
      for raters, items in ((3, 50), (3, 100), (5, 200))),
    *(Promise("says of the noisier rater that α would rise without them", "`diagnose`, `report`",
              f"one of {raters} has {times:g} times the noise of the others, {items} items", None, must,
              lambda rng, t=times, r=raters, n=items: _told_without(_one_noisier(rng, t, r, n)) == "r0")
      for times, raters, items, must in ((2.0, 3, 100, 0.45), (2.0, 5, 400, 0.95), (2.5, 5, 100, 0.85))),
    *(Promise("the interval of the change of α without a rater holds it", "`diagnose`, `report`",
              f"one of {raters} has {times:g} times the noise of the others, {items} items", 0.95, 0.935,
              lambda rng, t=times, r=raters, n=items: _holds_change(rng, t, r, n))
      for times, raters, items in ((1.0, 3, 50), (2.0, 3, 50), (2.0, 5, 200))),
)
# fmt: on
