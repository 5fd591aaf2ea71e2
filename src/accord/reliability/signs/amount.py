"""How much there is to compare: items with two ratings, items that tell nothing, pairs that share few."""

from collections.abc import Iterator

import numpy as np

from accord.reliability.signs.evidence import Evidence
from accord.reliability.signs.observation import CERTAIN, Observation
from accord.words import counted

__all__ = [
    "AS_SCORES",
    "FEW_ITEMS",
    "FEW_UNTIED",
    "SCARCE_ITEMS",
    "TWO_RATINGS",
    "few_items",
    "little_overlap",
    "no_shared_items",
    "rated_once",
    "thin_overlap",
]

FEW_ITEMS = 30
"""Under this many items with two ratings an interval is wide."""
SCARCE_ITEMS = 10
"""Under this many a coefficient, or that of one pair of raters, says little."""
FEW_UNTIED = 30
"""Under this many untied pairs of items gamma says little."""
AS_SCORES = "so few say more as scores, each with its interval: accord score --ratings"
"""The way for data that no coefficient can carry."""
_LITTLE_OVERLAP = 0.5
TWO_RATINGS = "have two or more ratings"
"""How the caution says it; a page that shows one part of the ratings adds of which."""


def no_shared_items(evidence: Evidence) -> Iterator[Observation]:
    """No item has two ratings: nothing can be compared."""
    if not evidence.pairable:
        raters = int((evidence.marginals.sum(axis=1) > 0).sum())
        none = f"none of the {evidence.items:,} items" if evidence.items > 1 else "no item"
        yield Observation(
            message=f"{none} was rated by two raters: agreement cannot be computed",
            evidence={"items": evidence.items, "raters": raters},
            sure=CERTAIN,
        )


def few_items(evidence: Evidence) -> Iterator[Observation]:
    """So few items with two ratings that every interval is wide."""
    if 0 < (items := evidence.pairable) < FEW_ITEMS:
        follows = ": an interval is wide, and no band of a scale is named"
        if items < SCARCE_ITEMS:
            follows = f"; {AS_SCORES}" if evidence.scale.level.has_order else ": they say little"
        yield Observation(
            message=f"only {counted(items, 'item has', 'items have')} two or more ratings{follows}",
            evidence={"items": items},
            sure=CERTAIN,
        )


def little_overlap(evidence: Evidence) -> Iterator[Observation]:
    """Most items have one rating only."""
    if 0 < evidence.pairable < _LITTLE_OVERLAP * evidence.items:
        yield Observation(
            message=f"only {evidence.pairable:,} of {evidence.items:,} items {TWO_RATINGS}; "
            "the others say nothing about agreement",
            evidence={"items": evidence.items, "items_with_two_ratings": evidence.pairable},
            sure=CERTAIN,
        )


def rated_once(items: int, pairable: int, *, whole: bool = False) -> tuple[str, ...]:
    """How many items have one rating only; unless ``whole`` where they are the lesser part, as more are a caution."""
    if pairable in (0, items) or (not whole and pairable < _LITTLE_OVERLAP * items):
        return ()
    have = "has" if items - pairable == 1 else "have"
    once = f"{items - pairable:,} of {items:,} items {have} one rating only"
    return (f"{once}: agreement is about the other {pairable:,}",)


def thin_overlap(evidence: Evidence) -> Iterator[Observation]:
    """Pairs of raters that share so few items that their own coefficient says little."""
    pairs = evidence.pair_counts
    thin = np.flatnonzero(pairs.shared < SCARCE_ITEMS)
    if len(thin):
        named = [sorted((evidence.names[pairs.first[at]], evidence.names[pairs.second[at]])) for at in thin.tolist()]
        shown = ", ".join(f"{'–'.join(who)} ({pairs.shared[at]})" for who, at in zip(named[:5], thin[:5], strict=True))
        more = f" and {len(thin) - 5:,} more" if len(thin) > 5 else ""
        yield Observation(
            message=f"{_pairs(len(thin), len(pairs.shared))} fewer than {SCARCE_ITEMS} items: {shown}{more}",
            who=tuple(sorted({name for who in named for name in who}))[:50],
            evidence={"pairs": len(thin), "fewest_shared_items": int(pairs.shared[thin].min())},
            sure=CERTAIN,
        )


def _pairs(some: int, of: int) -> str:
    """How many pairs of raters, with their verb."""
    if of == 1:
        return "the two raters share"
    return f"{some:,} of {of:,} pairs of raters {'shares' if some == 1 else 'share'}"
