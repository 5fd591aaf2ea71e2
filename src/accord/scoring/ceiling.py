"""Scores near an end of the scale: an interval that holds although rare scores may not have shown yet."""

from collections.abc import Sequence

from accord.inference.interval import Interval

__all__ = ["RARE", "near_an_end", "with_rare_scores"]

_OUTER = 0.1
"""Scores in the outer tenth of the scale are taken to be near its end."""
RARE = "one score in ten may lie anywhere on the scale"
_MOST_RARE = 0.1


def near_an_end(values: Sequence[float], scale: tuple[float, float]) -> bool:
    """Whether a score lies so near an end of the scale that the law of scores must be lopsided there."""
    outer = _OUTER * (scale[1] - scale[0])
    return min(values) < scale[0] + outer or max(values) > scale[1] - outer


def with_rare_scores(by_t: Interval, scores: int, scale: tuple[float, float]) -> Interval:
    r"""The interval of the mean if up to one score in ten is none of a normal law but lies anywhere on the scale.

    Three scores near 97 show nothing of the tenth that is near 70, and Student's t then holds in .29 of studies instead
    of .80. If a share :math:`\epsilon` of the scores may lie anywhere on the scale from a to b, the ends of t move to
    :math:`(1-\epsilon)\,l + \epsilon a` and :math:`(1-\epsilon)\,h + \epsilon b`. The share is a tenth, or what n
    scores could have missed with probability :math:`\alpha/2`, if that is less: :math:`1-(\alpha/2)^{1/n}`.
    docs/explanation/promises.md has what it holds.
    """
    low, high = max(by_t.low, scale[0]), min(by_t.high, scale[1])
    share = min(_MOST_RARE, 1 - ((1 - by_t.level) / 2) ** (1 / scores))
    return Interval(
        low=(1 - share) * low + share * scale[0], high=(1 - share) * high + share * scale[1], level=by_t.level,
        method=f"{by_t.method}; {RARE}",
    )  # fmt: skip
