"""The choices of each of a few raters, and on which other texts the same raters may be taken to choose alike."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from accord.noise import by_name
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.scoring.preference_result import Preference, RaterChoices

__all__ = ["FEW_CLUSTERS", "choices_by_rater", "has_few", "texts_of"]

FEW_CLUSTERS = 10
"""Under this many raters, items or documents an interval over them is rough, and each rater is told."""
_FEWEST_RATERS = 3
"""Two raters say nothing of others: with one degree of freedom no difference that is met in practice is ever shown."""


def has_few(raters: int) -> bool:
    """Whether raters are named and too few to speak of others: they are then taken as given."""
    return 0 < raters < _FEWEST_RATERS


def choices_by_rater(preferences: Sequence[Preference], systems: Sequence[str]) -> tuple[RaterChoices, ...]:
    """What each rater chose between each two systems, in the order of these; () where raters are many or not named."""
    raters = sorted({p.rater for p in preferences}, key=by_name)
    if "" in raters or len(raters) >= FEW_CLUSTERS:
        return ()
    chosen = Counter((p.rater, frozenset((p.first, p.second)), p.winner) for p in preferences)
    made = []
    for rater in raters:
        for first, second in combinations(systems, 2):
            wins, ties, losses = (chosen[rater, frozenset((first, second)), won] for won in (first, "", second))
            if wins + ties + losses:
                made.append(RaterChoices(rater=rater, first=first, second=second, wins=wins, ties=ties, losses=losses))
    return tuple(made)


def texts_of(preferences: Sequence[Preference]) -> str:
    """What other texts are taken to be like: documents where they are known and not too few, else items."""
    documents, items = {p.document for p in preferences}, {p.item for p in preferences}
    if "" not in documents and len(documents) >= FEWEST_DOCUMENTS:
        return "documents"
    return "items" if len(items) > 1 else ""
