"""Scores near an end of the scale: an interval that holds although rare scores may not have shown yet."""

from collections.abc import Sequence
from decimal import Decimal

from accord.inference.interval import Interval
from accord.scoring.student import critical_value
from accord.words import steady

__all__ = ["RARE", "between", "equal_words", "near_an_end", "of_equal_scores", "with_rare_scores"]

_OUTER = 0.1
"""Scores in the outer tenth of the scale are taken to be near its end."""
RARE = "one score in ten may lie anywhere on the scale"
_MOST_RARE = 0.1
_FINE = 20
"""From so many steps on, a scale is fine: scores that err at all are seldom equal."""
_UNSEEN = "may lie anywhere on the scale, unseen"


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


def of_equal_scores(value: float, scores: int, level: float, scale: tuple[float, float]) -> Interval:
    r"""Where the mean lies by scores that are all equal: by this they are judged; ``method`` says as if what.

    At an end of the scale scores pile up, whatever the others are: n equal scores leave a share of up to
    :math:`1-(1-c)^{1/n}` unseen with confidence c, and it may lie anywhere on the scale. That holds for every law.
    Elsewhere one of them is taken to lie one step of the scale away (the last decimal given), by Student's t. If the
    scale has few steps, equal scores are no wonder: what may be unseen, with half the risk on each side, is then
    spread evenly over the rest of the scale, as it is at most where the law has one peak.
    """
    bottom, top = scale
    if value in scale:
        share = 1 - (1 - level) ** (1 / scores)
        ends = value + share * (bottom - value), value + share * (top - value)
        return Interval(
            low=ends[0], high=ends[1], level=level, method=f"up to {steady(share):.0%} of such scores {_UNSEEN}"
        )
    step = 10.0 ** -max(_decimals(number) for number in (value, *scale))
    reach = critical_value(level, scores) * step / scores
    by_t = Interval(
        low=max(bottom, value - reach), high=min(top, value + reach), level=level, method=f"one lay {step:g} away"
    )
    if (top - bottom) / step >= _FINE:
        return with_rare_scores(by_t, scores, scale) if near_an_end([value], scale) else by_t
    share = 1 - ((1 - level) / 2) ** (1 / scores)
    low, high = value - share * (value - bottom + step) / 2, value + share * (top - value + step) / 2
    method = f"up to {steady(share):.0%} of such scores may be spread over the rest of the scale, unseen"
    return Interval(low=min(by_t.low, low), high=max(by_t.high, high), level=level, method=method)


def equal_words(value: float, scores: int, level: float, scale: tuple[float, float]) -> str:
    """As if what equal scores are judged, and where their true mean then lies."""
    ends = of_equal_scores(value, scores, level, scale)
    return f"Judged as if {ends.method}: the true mean then lies {between(ends)}"


def between(ends: Interval) -> str:
    return f"between {steady(ends.low):.4g} and {steady(ends.high):.4g} ({ends.level_words})"


def _decimals(number: float) -> int:
    """How many decimals a number is written with."""
    exponent = Decimal(repr(float(number))).normalize().as_tuple().exponent
    return max(0, -int(exponent))
