"""How the values are used: one only, one that prevails, most at one end, a constant rater, raters of unequal habits."""

from collections.abc import Iterator

import numpy as np

from accord.design.scale import Level
from accord.noise import order_of
from accord.quantiles import chdtrc
from accord.reliability.signs.amount import SCARCE_ITEMS
from accord.reliability.signs.evidence import Evidence
from accord.reliability.signs.observation import ALARM, CERTAIN, Observation, in_words
from accord.words import counted, spelled, steady

__all__ = [
    "ALIKE_ITEMS",
    "FEW_VALUES",
    "PREVALENT",
    "ceiling",
    "constant_raters",
    "one_value",
    "prevalence",
    "unequal_habits",
]

PREVALENT = 0.8
"""A value prevails from this share of all ratings on."""
_LOST_TO_CHANCE = 0.3
"""Kappa is low though raters agree where it lies this far below plain agreement."""
ALIKE_ITEMS = "so it is the items that are alike"
"""Why one value prevails where every rater uses it about as often: sentences on α are chosen by it."""
FEW_VALUES = 20
"""On finer scales no value prevails, and nobody is expected to use them all."""
_UNEQUAL = 0.2
"""Habits are unequal where this share of a rater's ratings would have to change to be as the others'."""
_HABITUAL = 20
_CROWDED = 0.75
"""A scale cannot tell the items apart where surely more than this share of the ratings sits at one of its ends."""
_COUNTED = 20
_SHORT = 5
_LIKELY_AT_MOST = 0.97
"""However many ratings others gave this value, a rater who read leaves it once in a while."""


def one_value(evidence: Evidence) -> Iterator[Observation]:
    """All ratings have one and the same value."""
    counts = evidence.marginals.sum(axis=0)
    if np.count_nonzero(counts) == 1:
        value = spelled(evidence.scale.values[int(counts.argmax())])
        yield Observation(
            message=f"every rating is {value}: nothing varies, and agreement beyond chance has no value",
            evidence={"value": value, "ratings": int(counts.sum())},
            sure=CERTAIN,
        )


def constant_raters(evidence: Evidence) -> Iterator[Observation]:
    """A rater who gave one and the same value throughout, where no other rater comes near that."""
    counts = evidence.marginals
    totals = counts.sum(axis=1)
    raters = int((totals > 0).sum())
    for rater in np.flatnonzero((totals >= _SHORT) & ((counts > 0).sum(axis=1) == 1)).tolist():
        value = int(counts[rater].argmax())
        others = np.flatnonzero((totals >= _SHORT) & (np.arange(len(totals)) != rater))
        if not len(others):
            continue
        # Jeffreys' correction: another constant rater makes this one no less strange.
        shares = (counts[others, value] + 0.5) / (totals[others] + 1)
        likely = min(float(shares.max()), _LIKELY_AT_MOST)
        probability = min(1.0, likely ** int(totals[rater]) * raters)
        if probability < ALARM:
            yield Observation(
                message=f"{evidence.names[rater]} gave the value {spelled(evidence.scale.values[value])} "
                f"to all {totals[rater]:,} items",
                who=(evidence.names[rater],),
                evidence={"items": int(totals[rater]), "largest_share_of_another_rater": float(shares.max())},
                sure=in_words(probability),
            )


def prevalence(evidence: Evidence) -> Iterator[Observation]:
    """One value takes nearly all ratings, so that kappa is low however well raters agree."""
    pairs, counts = evidence.pair_counts, evidence.marginals[evidence.marginals.sum(axis=1) > 0]
    enough = pairs.shared >= SCARCE_ITEMS
    if not enough.any() or len(evidence.scale) > FEW_VALUES:
        return
    usual = int(counts.sum(axis=0).argmax())
    share = float(counts[:, usual].sum() / counts.sum())
    if share < PREVALENT:
        return
    agreement, kappas = float(pairs.agreement[enough].mean()), pairs.kappa[enough]
    kappa = float(np.nanmean(kappas)) if not np.isnan(kappas).all() else float("nan")
    if agreement - kappa > _LOST_TO_CHANCE:
        own = counts[:, usual] / counts.sum(axis=1)
        apart = float(own.max() - own.min())
        cause = (
            "raters differ in how often they use it: look at the scale and its guideline"
            if apart > _UNEQUAL
            else f"every rater uses it about as often (shares at most {counted(round(100 * apart), 'point')} apart), "
            f"{ALIKE_ITEMS}"
        )
        yield Observation(
            message=f"the value {spelled(evidence.scale.values[usual])} takes {steady(share):.0%} of the ratings, "
            f"so kappa is {steady(kappa):.2f} although raters agree on {steady(agreement):.0%}; {cause}",
            evidence={"share": share, "agreement": agreement, "kappa": kappa, "cause": cause},
            sure=CERTAIN,
        )


def ceiling(evidence: Evidence) -> Iterator[Observation]:
    """Most ratings sit at one end of the scale."""
    scale, counts = evidence.scale, evidence.marginals.sum(axis=0)
    ratings, ordered = int(counts.sum()), scale.level is not Level.NOMINAL and not scale.has_sets
    if not ordered or ratings < _COUNTED or np.count_nonzero(counts) == 1:
        return
    numbers = scale.array
    low = numbers.min() if scale.low is None else scale.low
    high = numbers.max() if scale.high is None else scale.high
    margin = 0.05 * (high - low) if len(numbers) > FEW_VALUES else 0.0
    for end, at_end in (("top", numbers >= high - margin), ("bottom", numbers <= low + margin)):
        share = float(counts[at_end].sum() / ratings)
        if share - 1.645 * np.sqrt(share * (1 - share) / ratings) > _CROWDED:
            yield Observation(
                message=f"{steady(share):.0%} of the ratings sit at the {end} of the scale: it cannot tell these "
                "items apart",
                evidence={"share": share, "ratings": ratings},
                sure=f"the share is above {steady(_CROWDED):.0%} with 95% confidence",
            )


def unequal_habits(evidence: Evidence) -> Iterator[Observation]:
    """A rater whose shares of the values lie far from those of the others, by more than the luck of the draw."""
    if len(evidence.scale) > FEW_VALUES:
        return
    counts = evidence.marginals.astype(np.float64)
    rated = counts.sum(axis=1, keepdims=True)
    others = counts.sum(axis=0) - counts
    seen = np.maximum(others.sum(axis=1, keepdims=True), 1)
    own, usual = counts / np.maximum(rated, 1), others / seen
    apart = np.abs(own - usual).sum(axis=1) / 2
    apart[(rated[:, 0] < _HABITUAL) | (others.sum(axis=1) < _HABITUAL)] = 0
    if not len(apart) or apart.max() < _UNEQUAL:
        return
    worst = int(order_of(apart, evidence.names, highest=True)[0])
    pooled = (counts[worst] + others[worst]) / (rated[worst, 0] + seen[worst, 0])
    used = pooled > 0
    distance = np.square(own[worst] - usual[worst])[used] / pooled[used]
    square = float(distance.sum() / (1 / rated[worst, 0] + 1 / seen[worst, 0]))
    probability = min(1.0, float(chdtrc(max(int(used.sum()) - 1, 1), square)) * int((rated > 0).sum()))
    if probability < ALARM:
        value = int(order_of(np.abs(own[worst] - usual[worst]), highest=True)[0])
        yield Observation(
            message=f"raters use the values differently: {evidence.names[worst]} gives "
            f"{spelled(evidence.scale.values[value])} to {steady(own[worst, value]):.0%} of items, the others to "
            f"{steady(usual[worst, value]):.0%}",
            who=(evidence.names[worst],),
            evidence={"share_apart": float(apart[worst]), "share": own[worst, value], "others": usual[worst, value]},
            sure=in_words(probability, "raters who use the values alike"),
        )
