"""What the design and the scale leave to see: shared items, stray values, criteria that separate nothing."""

from collections.abc import Iterator

import numpy as np

from accord.arrays import distinct, renumbered
from accord.diagnosis.case import Case, Observation
from accord.diagnosis.pairs import SharedRows, linked
from accord.diagnosis.part import Indices, Part
from accord.quantiles import fdtri
from accord.words import counted, spelled, steady

__all__ = ["disconnected_raters", "non_discriminating", "out_of_scale", "stray_values"]

_LITTLE = 0.2
_FEW_VALUES = 10
_MOSTLY_EQUAL = 0.6
"""Two ratings drawn at random are equal more often than this: the items are alike, or the scale is too coarse."""
_NEAR = 0.2
"""The same where there are many values: ratings typically differ by less than this share of the scale."""


def disconnected_raters(case: Case) -> Iterator[Observation]:
    """Raters that fall into groups which share no item, even through others."""
    groups = _connected(case.part, case.rows)
    if len(groups) > 1 and len(case.rows.first):
        sizes = ", ".join(str(len(group)) for group in groups[:8])
        yield Observation(
            message=f"the {len(case.part.raters)} raters fall into {len(groups)} groups that share no item "
            f"(of {sizes} raters)",
            evidence={"groups": len(groups)},
            sure="certain: counted",
        )


def _connected(part: Part, rows: SharedRows) -> list[Indices]:
    """Groups of raters linked by shared items, largest first."""
    label = linked(len(part.rater_names), rows.first, rows.second)
    groups = [part.raters[label[part.raters] == one] for one in distinct(label[part.raters])]
    return sorted(groups, key=len, reverse=True)


def out_of_scale(case: Case) -> Iterator[Observation]:
    """Values that the declared scale does not have."""
    ratings = case.part.ratings
    outside = ratings.value < 0
    if ratings.scale.is_numeric and len(ratings.scale.values):
        scores = ratings.scale.array[np.maximum(ratings.value, 0)]
        low = -np.inf if ratings.scale.low is None else ratings.scale.low
        high = np.inf if ratings.scale.high is None else ratings.scale.high
        outside = outside | (scores < low) | (scores > high)
    if outside.any():
        raters = distinct(ratings.rater.labels()[outside])
        items = list(dict.fromkeys(ratings.item.labels()[outside]))
        yield Observation(
            message=f"{int(outside.sum()):,} ratings have a value that the scale does not have "
            f"(items {', '.join(items[:5])}{', ...' if len(items) > 5 else ''}); they were left out here",
            who=tuple(str(name) for name in raters),
            evidence={"ratings": int(outside.sum()), "items": ", ".join(items[:20])},
            sure="certain: the scale was declared",
        )


def stray_values(case: Case) -> Iterator[Observation]:
    """A value at the end of an undeclared scale that hardly anybody ever gave: a slip, or a rare category."""
    part = case.part
    scale = part.ratings.scale
    if scale.declared or not part.ordered or not 3 <= len(scale.values) <= 12:
        return
    counts = part.value_counts.sum(axis=0)
    for end, neighbour in ((0, 1), (-1, -2)):
        few = int(counts[end])
        if not (0 < few <= 3 and few <= 0.002 * counts.sum() and counts[neighbour] >= 50 * few):
            continue
        here = part.code == (end % len(counts))
        given = zip(part.item[here], part.rater[here], strict=True)
        places = [f"item {part.item_names[item]} by {part.name(rater)}" for item, rater in given]
        yield Observation(
            message=f"the value {spelled(scale.values[end])} occurs only {counted(few, 'time')} in "
            f"{int(counts.sum()):,} ratings ({'; '.join(places)}); perhaps it is not on the scale",
            who=tuple(dict.fromkeys(part.name(int(rater)) for rater in part.rater[here])),
            evidence={"ratings": few, "where": "; ".join(places), "neighbouring_value": int(counts[neighbour])},
            sure="a guess: the scale was not declared",
        )


def non_discriminating(case: Case) -> Iterator[Observation]:
    """Items differ so little, raters' strictness taken out, that less than a fifth of the variance can be theirs.

    Why is told by how far ratings of the same item lie apart: close together, the items are alike; far apart,
    raters do not see the same thing in them.
    """
    part = case.part
    fit = part.crossed
    if fit is None or fit.freedom < 20:
        return
    _, item = renumbered(part.item[fit.rows])
    items, sizes = int(item.max()) + 1, np.bincount(item)
    within = float(np.square(fit.residual).sum()) / fit.freedom
    if items < 30 or within < 1e-12:
        return
    means = np.bincount(item, fit.adjusted) / sizes
    between = float(sizes @ np.square(means - fit.adjusted.mean())) / (items - 1)
    ratio, each = between / within, len(item) / items
    most = max(ratio / float(fdtri(items - 1, fit.freedom, 0.05)) - 1, 0.0) / each
    share = most / (1 + most)
    if share < _LITTLE:
        words, advice = _why_alike(part, within)
        yield Observation(
            message=f"{words} (F = {steady(ratio):.2f}; at most {steady(share):.0%} of the variance lies between "
            "items)",
            evidence={"F": ratio, "largest_share_between_items": share, "items": items},
            sure="the share is the upper end of a 95% interval",
            advice=advice,
        )


def _why_alike(part: Part, within: float) -> tuple[str, str]:
    """In words: items that are alike, or raters who do not see the same in them, and what to do about the latter."""
    apart = float(np.sqrt(2 * within))
    if _is_narrow(part, apart):
        return f"ratings of different items are as close as ratings of one, typically {steady(apart):.2g} apart", ""
    return (
        f"two raters typically differ by {steady(apart):.2g} on the same item, as much as on different items",
        "Let raters discuss the items they dispute most, then correct the guideline and rate again.",
    )


def _is_narrow(part: Part, apart: float) -> bool:
    """Whether ratings stay in a small part of the scale, so that there is little for raters to differ by."""
    scale = part.ratings.scale
    if len(scale.values) <= _FEW_VALUES:
        shares = part.value_counts.sum(axis=0) / part.value_counts.sum()
        return float(np.square(shares).sum()) > _MOSTLY_EQUAL
    return apart < _NEAR * part.width
