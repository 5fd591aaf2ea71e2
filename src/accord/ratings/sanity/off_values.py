"""Values far off the rest or off the evident scale: typing errors, told with the row and what the others gave."""

from collections.abc import Iterator

import numpy as np

from accord.ratings.guessing import CODES, codes_of_no_answer
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part
from accord.words import steady

__all__ = ["kept_codes", "off_values"]

_TOLD = 5


def off_values(part: Part) -> Iterator[Remark]:
    """One remark a value, the first few of them; the rest are counted."""
    if part.body is None or not len(part.body.off):
        return
    body = part.body
    off = np.flatnonzero(~part.plain)
    for place in off[:_TOLD]:
        value = float(part.values[place])
        who, item = part.rater_name(int(part.raters[place])), part.item_name(int(place))
        code = f", or --missing {part.spelled(value)} if it stands for no answer" if value in CODES else ""
        ends = f"all other values lie from {part.spelled(body.low)} to {part.spelled(body.high)}"
        lines = part.lines(np.array([place]))
        row = f"{part.prefix}row {lines[0]}" if part.prefix else f"Row {lines[0]}"
        yield Remark(
            code="off_scale",
            message=f"{row}: {who} gave {item} {part.spelled(value)}; {ends}{_beside(part, place)}.",
            do=f"Correct it in the file, leave it out with --drop-off-scale{code}, or declare the scale with --scale.",
            rows=lines, who=(who,),
        )  # fmt: skip
    if len(off) > _TOLD:
        rest = off[_TOLD:]
        yield Remark(
            code="off_scale", message=f"{part.prefix}{len(rest):,} more values lie off the scale: {part.where(rest)}.",
            do="Correct them in the file, or leave them out with --drop-off-scale.", rows=part.lines(rest),
        )  # fmt: skip


def _beside(part: Part, place: int) -> str:
    """What the others gave the same item."""
    same = np.flatnonzero((part.items == part.items[place]) & part.plain)
    if not len(same):
        return ""
    given = [part.spelled(value) for value in part.values[same[:4]]]
    return f" (others gave this item {', '.join(given)})"


def kept_codes(part: Part) -> Iterator[Remark]:
    """A remark on each number that could stand for no answer, and is given too often for that to be guessed."""
    if part.declared or not part.numeric:
        return
    values, counts = np.unique(part.values[~np.isnan(part.values)], return_counts=True)
    for code in codes_of_no_answer(values, counts, too_often=True):
        rows = np.flatnonzero(part.values == code)
        others = values[values != code]
        share, spelled = f"{steady(100 * len(rows) / len(part.values)):.0f}%", part.spelled(code)
        yield Remark(
            code="kept_code",
            message=f"{part.prefix}{len(rows):,} of {len(part.values):,} ratings ({share}) are {spelled}, and the "
            f"others lie from {part.spelled(others[0])} to {part.spelled(others[-1])}: {spelled} counts as a rating.",
            do=f"If it stands for no answer, say --missing {spelled}; if it is a rating, declare the scale with "
            "--scale.",
            rows=part.lines(rows),
        )
