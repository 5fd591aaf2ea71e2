"""The intervals of the differences between systems: all of them hold together, and none contradicts its test."""

from collections.abc import Sequence

from accord.inference.interval import Interval
from accord.scoring.ranking.document_tests import DocumentTest

__all__ = ["pair_intervals"]


def pair_intervals(
    test: DocumentTest,
    shown: Sequence[float],
    apart: Sequence[bool],
    *,
    level: float,
    tests: int,
    units: str,
    width: float,
) -> list[Interval | None]:
    r"""The interval of each difference as it is ``shown``; ``apart`` says which systems are told apart.

    All ``tests`` intervals hold together with probability ``level`` at least: each has the level :math:`1 - (1 -
    level) / tests` (Bonferroni). Holm's procedure tells a few more pairs apart than these intervals do; the interval
    of such a pair ends at 0, as no more than the sign of the difference is shown. No difference is larger than the
    ``width`` of the scale. None where the spread is not known.
    """
    reach = test.reach(1 - (1 - level) / max(tests, 1)).tolist()
    method = f"Student's t over {units}" + (f", {tests:,} differences together (Bonferroni)" if tests > 1 else "")
    made: list[Interval | None] = []
    for place, (centre, half, differs) in enumerate(zip(shown, reach, apart, strict=True)):
        if not half > 0 or test.documents[place] < 2:
            made.append(None)
            continue
        low, high = max(centre - half, -width), min(centre + half, width)
        is_cut = differs and low < 0 < high
        if is_cut:
            low, high = (0.0, high) if centre > 0 else (low, 0.0)
        told = f"{method}, cut at 0 as the test tells the two apart" if is_cut else method
        made.append(Interval(low=low, high=high, level=level, method=told))
    return made
