"""A rater on another scale: 1 to 5 among 0 to 100, or the other way round."""

import numpy as np

from accord.arrays import distinct
from accord.quantiles import median_of
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part

__all__ = ["other_scales"]

_FEWEST = 5
_TIMES = 5.0
"""The ends of the two scales lie so many times apart at least."""
_SHARE = 0.05
_SURE_SHARE = 0.25
_SURE_TIMES = 8.0
"""Where the others use all of their scale some of them are as low; then their middle lies far above."""


def other_scales(part: Part) -> tuple[list[int], list[Remark]]:
    """The raters whose numbers lie on another scale than those of the others, and a remark on each."""
    if not part.numeric or part.declared:
        return [], []
    found: list[int] = []
    remarks: list[Remark] = []
    codes = distinct(part.raters)
    if len(codes) < 2:
        return [], []
    usual = np.ones(len(part.raters), dtype=bool)
    for code in codes.tolist():
        own = part.raters == code
        mine, others = part.values[own], _without_slips(part.values[usual & ~own])
        if len(mine) < _FEWEST or len(others) < _FEWEST:
            continue
        small = _is_shorter(mine, _on_same_items(part, own, others), others)
        long = len(codes) > 2 and _is_longer(mine, others)
        if small or long:
            found.append(code)
            usual &= ~own
            remarks.append(_remark(part, code, mine, others))
    # Where as many are on the one scale as on the other, nobody can say whose is wrong; one remark is enough.
    return (found, remarks) if 2 * len(found) < len(codes) or len(codes) == 2 else ([], remarks[:1])


def _without_slips(values: np.ndarray) -> np.ndarray:
    """The values without the outermost hundredth at the upper end: one typing error makes no scale."""
    if len(values) < 20:
        return values
    kept = len(values) - max(1, len(values) // 100)
    return np.partition(values, kept)[:kept]


def _on_same_items(part: Part, own: np.ndarray, others: np.ndarray) -> np.ndarray:
    """What the others gave the items that this rater rated; all they gave where no item is shared."""
    beside = part.others[own]
    beside = beside[~np.isnan(beside)]
    return beside if len(beside) >= _FEWEST else others


def _is_shorter(mine: np.ndarray, beside: np.ndarray, others: np.ndarray) -> bool:
    """Whole numbers up to 10, or shares up to 1, where the others go five times as high and hardly ever so low."""
    high = float(np.sort(mine)[-1])
    whole = bool((mine == np.rint(mine)).all())
    usual = (whole and 2 <= high <= 10) or (0 < high <= 1)
    if not usual or len(set(mine.tolist())) < (3 if high > 1 else 2) or mine.min() < 0:
        return False
    if float(others.max()) < _TIMES * high:
        return False
    as_low, middle = float((beside <= high).mean()), median_of(beside)
    return (as_low <= _SHARE and middle >= 2 * high) or (as_low <= _SURE_SHARE and middle >= _SURE_TIMES * high)


def _is_longer(mine: np.ndarray, others: np.ndarray) -> bool:
    """Numbers far above everything that the others use, most of the time."""
    end = float(others.max())
    if end <= 0 or end > 10 or len(set(mine.tolist())) < 3:
        return False
    return median_of(mine) > end and float(mine.max()) >= _TIMES * end


def _remark(part: Part, code: int, mine: np.ndarray, others: np.ndarray) -> Remark:
    who = part.rater_name(code)
    rows = np.flatnonzero(part.raters == code)
    own = f"{part.spelled(mine.min())} to {part.spelled(mine.max())}"
    rest = f"{part.spelled(others.min())} to {part.spelled(others.max())}"
    return Remark(
        code="other_scale",
        message=f"{part.prefix}{who} uses another scale: {own} in all {len(mine):,} ratings ({part.where(rows)}), "
        f"where the others go from {rest}.",
        do=f"Ask which scale {who} had and convert the values in the file, or leave {who} out with --leave-out.",
        rows=part.lines(rows), who=(who,),
    )  # fmt: skip
