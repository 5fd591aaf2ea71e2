"""A rater on another scale: 1 to 5 among 0 to 100, or the other way round."""

import numpy as np

from accord.arrays import Floats
from accord.quantiles import median_of
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part, Rows

__all__ = ["Others", "Usual", "other_scales"]

_FEWEST = 5
_TIMES = 5.0
"""The ends of the two scales lie so many times apart at least."""
_SHARE = 0.05
_SURE_SHARE = 0.25
_SURE_TIMES = 8.0
"""Where the others use all of their scale some of them are as low; then their middle lies far above."""
_MANY = 20
"""From so many ratings on the outermost hundredth at the upper end is left out."""


def other_scales(part: Part) -> tuple[list[int], list[Remark]]:
    """The raters whose numbers lie on another scale than those of the others, and a remark on each."""
    if not part.numeric or part.declared or len(part.by_rater) < 2:
        return [], []
    found: list[int] = []
    remarks: list[Remark] = []
    usual = Usual(part.values)
    for code, rows in part.by_rater.items():
        mine, others = part.values[rows], Others(usual, rows)
        if len(mine) < _FEWEST or others.number < _FEWEST:
            continue
        small = _is_shorter(mine, part.others[rows], others)
        long = len(part.by_rater) > 2 and _is_longer(mine, others)
        if small or long:
            found.append(code)
            usual.leave_out(rows)
            remarks.append(_remark(part, code, mine, others))
    # Where as many are on the one scale as on the other, nobody can say whose is wrong; one remark is enough.
    few = 2 * len(found) < len(part.by_rater) or len(part.by_rater) == 2
    return (found, remarks) if few else ([], remarks[:1])


class Usual:
    """The values of all who are on the usual scale, counted in order."""

    def __init__(self, values: Floats) -> None:
        self.known, self.places = np.unique(values, return_inverse=True)
        self.below = self._counted(self.places)
        """How many of the ratings are at most as high as each value."""

    def leave_out(self, rows: Rows) -> None:
        self.below = self.below - self._counted(self.places[rows])

    def _counted(self, places: Rows) -> Rows:
        return np.cumsum(np.bincount(places, minlength=len(self.known)))


class Others:
    """What all but one rater gave, without the outermost hundredth at the upper end: one typing error makes no scale.

    They are found among all by their ranks. Laid out for each of 1,000 raters, a million values took 10 to 30 s.
    """

    def __init__(self, usual: Usual, rows: Rows) -> None:
        self._known, self._below = usual.known, usual.below
        self._own = np.sort(usual.places[rows])
        number = int(usual.below[-1]) - len(rows)
        self.number = number if number < _MANY else number - max(1, number // 100)

    def value(self, rank: int) -> float:
        """The value with this rank, from 0 on."""
        own, before = 0, -1
        while own != before:  # each of the rater's own values up to here moves the place further up
            before = own
            place = np.searchsorted(self._below, rank + own, side="right")
            own = int(np.searchsorted(self._own, place, side="right"))
        return float(self._known[place])

    def share_up_to(self, value: float) -> float:
        place = int(np.searchsorted(self._known, value, side="right")) - 1
        number = int(self._below[place] - np.searchsorted(self._own, place, side="right")) if place >= 0 else 0
        return min(number, self.number) / self.number

    @property
    def lowest(self) -> float:
        return self.value(0)

    @property
    def highest(self) -> float:
        return self.value(self.number - 1)

    @property
    def median(self) -> float:
        return (self.value((self.number - 1) // 2) + self.value(self.number // 2)) / 2


def _is_shorter(mine: Floats, beside: Floats, others: Others) -> bool:
    """Whole numbers up to 10, or shares up to 1, where the others go five times as high and hardly ever so low.

    How low they go is looked up on the items that this rater rated; on all, where no item is shared.
    """
    high = float(np.sort(mine)[-1])
    whole = bool((mine == np.rint(mine)).all())
    usual = (whole and 2 <= high <= 10) or (0 < high <= 1)
    if not usual or len(set(mine.tolist())) < (3 if high > 1 else 2) or mine.min() < 0:
        return False
    if others.highest < _TIMES * high:
        return False
    beside = beside[~np.isnan(beside)]
    if len(beside) < _FEWEST:
        as_low, middle = others.share_up_to(high), others.median
    else:
        as_low, middle = float((beside <= high).mean()), median_of(beside)
    return (as_low <= _SHARE and middle >= 2 * high) or (as_low <= _SURE_SHARE and middle >= _SURE_TIMES * high)


def _is_longer(mine: Floats, others: Others) -> bool:
    """Numbers far above everything that the others use, most of the time."""
    end = others.highest
    if end <= 0 or end > 10 or len(set(mine.tolist())) < 3:
        return False
    return median_of(mine) > end and float(mine.max()) >= _TIMES * end


def _remark(part: Part, code: int, mine: Floats, others: Others) -> Remark:
    who = part.rater_name(code)
    rows = part.by_rater[code]
    own = f"{part.spelled(mine.min())} to {part.spelled(mine.max())}"
    rest = f"{part.spelled(others.lowest)} to {part.spelled(others.highest)}"
    return Remark(
        code="other_scale",
        message=f"{part.prefix}{who} uses another scale: {own} in all {len(mine):,} ratings ({part.where(rows)}), "
        f"where the others go from {rest}.",
        do=f"Ask which scale {who} had and convert the values in the file, or leave {who} out with --leave-out.",
        rows=part.lines(rows), who=(who,),
    )  # fmt: skip
