"""A rater who has the scale the wrong way round, and a column that slipped by a row: told by what the others gave."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part, Rows
from accord.words import steady

__all__ = ["Beside", "beside_others", "reversed_raters", "shifted_raters"]

_FEWEST = 10
_CERTAIN = 3.7
"""Standard errors from zero, in Fisher's z: one honest rater in ten thousand."""
_APART = 2.8
_NOTHING = 2.5
_FEW_OTHERS = 10
"""Where fewer values than this differ from the most frequent one, z is no measure: one chance hit makes ρ .7."""
_SHUFFLES = 9_999


class _Correlation(NamedTuple):
    r: float
    errors: float
    """How many standard errors it lies from zero."""
    n: int


class Beside(NamedTuple):
    """A rater: the rows, and how their values go with what the others gave."""

    rows: Rows
    seen: _Correlation


def beside_others(part: Part) -> dict[int, Beside]:
    """Each rater beside the others, by code: what both checks look at."""
    return {code: Beside(own, _correlation(part.values[own], part.others[own])) for code, own in part.by_rater.items()}


def reversed_raters(part: Part, beside: dict[int, Beside]) -> Iterator[Remark]:
    """Raters who order the items against the others, so surely that it is no matter of taste."""
    found = [
        (code, seen, own[~np.isnan(part.others[own])])
        for code, (own, seen) in beside.items()
        if seen.errors <= -_CERTAIN and seen.r < -0.3
    ]
    raters = len(beside)
    if not found or (raters > 2 and 2 * len(found) >= raters):
        return
    names = [part.rater_name(code) for code, _, _ in found]
    _, seen, rows = found[0]
    if raters == 2:
        first, second = (part.rater_name(code) for code in beside)
        yield Remark(
            code="reversed",
            message=f"{part.prefix}{first} and {second} order the {seen.n:,} items that both rated in opposite ways (ρ "
            f"{steady(seen.r):.2f}).",
            do="One of them may have taken the other end for the good one. Ask, and turn those values round.",
            who=(first, second),
            rows=part.lines(rows),
        )
        return
    for name, (_, seen, rows) in zip(names, found, strict=True):
        yield Remark(
            code="reversed",
            message=f"{part.prefix}{name} orders the items against all others (ρ {steady(seen.r):.2f} over "
            f"{seen.n:,} items; {part.where(rows)}).",
            do=f"Ask whether {name} took the other end of the scale for the good one, and turn those values "
            "round in the file.",
            who=(name,),
            rows=part.lines(rows),
        )


def shifted_raters(part: Part, beside: dict[int, Beside]) -> Iterator[Remark]:
    """Raters whose values fit the item a row above or below, and not the item they stand beside."""
    found = []
    codes = list(beside)
    for code, (own, here) in beside.items():
        if part.repeated[own].any():
            # Of runs and repeats the first: a row whose neighbour is the same item has slipped nowhere.
            own = own[np.sort(np.unique(part.items[own], return_index=True)[1])]
            here = _correlation(part.values[own], part.others[own])
        if len(own) < _FEWEST + 2 or here.errors > _NOTHING:
            continue
        values, others = part.values[own], part.others[own]
        for step in (1, -1):
            near = np.roll(others, -step)  # what the others gave the next item of this rater's list
            near[-1 if step == 1 else 0] = np.nan
            there = _correlation(values, near)
            apart = (np.arctanh(_inside(there.r)) - np.arctanh(_inside(here.r))) * np.sqrt(max(there.n - 3, 0) / 2)
            if there.errors >= _CERTAIN and apart >= _APART and not _is_chance(values, near, there.r):
                found.append((code, step, there, here, own))
    if len(found) > max(1, len(codes) // 2) and len(codes) > 2:
        return
    for code, step, there, here, own in found[:1] if len(codes) == 2 else found:
        name = part.rater_name(code)
        way = "below" if step == 1 else "above"
        yield Remark(
            code="shifted",
            message=f"{part.prefix}the values of {name} fit the item one row {way} (ρ {steady(there.r):.2f}) and "
            f"not the one they stand beside (ρ {steady(here.r):.2f}): the column seems to have slipped by a row "
            f"({part.where(own)}).",
            do=f"Move the values of {name} by one row in the file, after a look at its first and last rows.",
            who=(name,),
            rows=part.lines(own),
        )


def _is_chance(first: NDArray[np.float64], second: NDArray[np.float64], r: float) -> bool:
    """Whether shuffled values fit as well, once in ten thousand or oftener: asked where few values are not the same."""
    known = ~(np.isnan(first) | np.isnan(second))
    ranks = [_ranks(values[known]) for values in (first, second)]
    if min(len(own) - int(np.unique(own, return_counts=True)[1].max()) for own in ranks) >= _FEW_OTHERS:
        return False
    here, there = ((own - own.mean()) / own.std() for own in ranks)
    rng = np.random.default_rng(0)
    return any(rng.permutation(here) @ there >= len(here) * r - 1e-9 for _ in range(_SHUFFLES))


def _inside(r: float) -> float:
    return float(np.clip(r, -0.999, 0.999))


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mid-ranks, so that one long penalty does not decide."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> _Correlation:
    known = ~(np.isnan(first) | np.isnan(second))
    first, second = first[known], second[known]
    n = len(first)
    if n < _FEWEST or np.ptp(first) == 0 or np.ptp(second) == 0:
        return _Correlation(0.0, 0.0, n)
    r = float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])
    return _Correlation(r, float(np.arctanh(_inside(r)) * np.sqrt(n - 3)), n)
