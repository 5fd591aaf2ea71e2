"""Quadrants: items that score well against one yardstick and badly against the other (003 Figures 5 and 6)."""

from collections.abc import Sequence

import numpy as np

from accord.arrays import Floats
from accord.errors import MissingExtraError, NotEnoughDataError
from accord.noise import ordered
from accord.records import dataclass

__all__ = ["QuadrantItem", "Quadrants", "edit_agreement", "quadrants", "sentence_bleu", "standardised"]


@dataclass(frozen=True, slots=True)
class QuadrantItem:
    """An item in a quadrant where the two scores contradict each other."""

    item: str
    against_reference: float
    against_post_edit: float

    @property
    def distance(self) -> float:
        """How far the item lies inside its quadrant: its distance from the nearer axis."""
        return min(abs(self.against_reference), abs(self.against_post_edit))


@dataclass(frozen=True, slots=True)
class Quadrants:
    """Standardised scores of the same items by two yardsticks, and the items that contradict.

    ``similar`` scores high against the reference and low against the post-edit: credit for looking like
    the reference. ``dissimilar`` is the reverse: good, but unlike the reference.
    """

    items: tuple[str, ...]
    against_reference: Floats
    against_post_edit: Floats
    correlation: float
    margin: float
    similar: tuple[QuadrantItem, ...]
    dissimilar: tuple[QuadrantItem, ...]


def standardised(scores: Sequence[float] | Floats) -> Floats:
    """(x - mean) / standard deviation, with n - 1."""
    numbers = np.asarray(scores, dtype=np.float64)
    spread = numbers.std(ddof=1) if len(numbers) > 1 else 0.0
    if not spread > 0:
        raise NotEnoughDataError("All items have the same score, so they cannot be standardised.")
    return np.asarray((numbers - numbers.mean()) / spread, dtype=np.float64)


def quadrants(
    items: Sequence[str], against_reference: Sequence[float], against_post_edit: Sequence[float], *, margin: float = 0.5
) -> Quadrants:
    """Sort items into quadrants; those nearer than ``margin`` to an axis contradict too little to be named."""
    across, up = standardised(against_reference), standardised(against_post_edit)
    named = [QuadrantItem(item, float(x), float(y)) for item, x, y in zip(items, across, up, strict=True)]
    far = ordered((item for item in named if item.distance >= margin), lambda item: item.distance, highest=True)
    return Quadrants(
        tuple(items), across, up, float(np.corrcoef(across, up)[0, 1]), margin,
        tuple(item for item in far if item.against_reference > 0 > item.against_post_edit),
        tuple(item for item in far if item.against_reference < 0 < item.against_post_edit),
    )  # fmt: skip


def sentence_bleu(hypotheses: Sequence[str], references: Sequence[str]) -> Floats:
    """Smoothed sentence BLEU (sacreBLEU), the contrast that is known to favour likeness to the reference."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise MissingExtraError("Sentence BLEU", "formats") from None
    metric = BLEU(effective_order=True)
    scores = [metric.sentence_score(one, [other]).score for one, other in zip(hypotheses, references, strict=True)]
    return np.array(scores, dtype=np.float64)


def edit_agreement(hypotheses: Sequence[str], post_edits: Sequence[str]) -> Floats:
    """Minus the translation edit rate against the post-edit (-HTER): the higher, the less had to be changed."""
    try:
        from sacrebleu.metrics import TER
    except ImportError:
        raise MissingExtraError("The translation edit rate", "formats") from None
    metric = TER()
    scores = [-metric.sentence_score(one, [other]).score for one, other in zip(hypotheses, post_edits, strict=True)]
    return np.array(scores, dtype=np.float64)
