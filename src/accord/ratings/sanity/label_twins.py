"""Labels that differ by case, blanks or Unicode form only: one answer is counted as two."""

from collections.abc import Iterator

import numpy as np

from accord.ratings.names import bare_name
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part
from accord.ratings.sanity.twins import difference_of
from accord.words import counted

__all__ = ["label_twins"]

_MOST_LABELS = 2000


def label_twins(part: Part) -> Iterator[Remark]:
    """A remark on each label that a person would read as another."""
    scale = part.ratings.scale
    if part.declared or len(scale) > _MOST_LABELS:
        return
    given = part.ratings.value[part.rows]
    often = np.bincount(given, minlength=len(scale))
    alike: dict[str, list[int]] = {}
    for code, label in enumerate(scale.values):
        if isinstance(label, str) and often[code]:
            alike.setdefault(bare_name(label), []).append(code)
    for codes in alike.values():
        *fewer, main = sorted(codes, key=lambda code: int(often[code]))
        for code in fewer:
            rows = np.flatnonzero(given == code)
            old, new = scale.values[code], scale.values[main]
            yield Remark(
                code="label_twins",
                message=f"{part.prefix}The answers {old!r} ({part.where(rows)}) and {new!r} "
                f"({counted(int(often[main]), 'rating')}) differ "
                f"by {difference_of(str(old), str(new))} only, and count as two.",
                do="If they are one, spell them alike in the file, or declare the answers there are with --scale.",
                rows=part.lines(rows),
            )
