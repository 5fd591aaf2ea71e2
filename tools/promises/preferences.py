"""Preferences between systems (`accord prefer`)

Raters compare all pairs of systems on shared items. An item may suit one system better than another, and a rater may
like one (standard deviations on the scale of log abilities); a fifth of the comparisons between equals are ties. Where
raters are taken as given, their tastes cancel out: together they like all systems equally. Where tastes do not, these
raters do prefer a system, and it is right to say so of them.
"""

from functools import partial
from itertools import combinations

import numpy as np

from accord.scoring.preference_result import Preference, Preferences
from accord.scoring.preference_words import shown_here
from accord.scoring.preferences import bradley_terry_davidson
from promises.promise import Promise

__all__ = ["PROMISES"]

_NU = 0.5


def preferences_of(
    rng: np.random.Generator,
    *,
    systems: int,
    items: int,
    raters: int,
    item: float,
    taste: float,
    gap: float = 0.0,
    documents: int = 0,
    document: float = 0.0,
    is_taste_balanced: bool = False,
) -> Preferences:
    """One study, as the command fits it; items of a document are alike, and balanced tastes favour no system."""
    ability = gap * np.arange(systems) + np.zeros((items, raters, systems))
    tastes = rng.normal(0, taste, (1, raters, systems))
    if is_taste_balanced:
        tastes -= tastes.mean(axis=1, keepdims=True)
    ability += rng.normal(0, item, (items, 1, systems)) + tastes
    of = np.arange(items) * documents // items
    if documents:
        ability += rng.normal(0, document, (documents, 1, systems))[of]
    made = []
    for a, b in combinations(range(systems), 2):
        first, second = np.exp(ability[..., a]), np.exp(ability[..., b])
        tie = _NU * np.sqrt(first * second)
        drawn = rng.random((items, raters)) * (first + second + tie)
        for k in range(items):
            for r in range(raters):
                won = f"s{a}" if drawn[k, r] < first[k, r] else "" if drawn[k, r] < (first + tie)[k, r] else f"s{b}"
                where = f"d{of[k]}" if documents else ""
                made.append(Preference(f"s{a}", f"s{b}", won, f"r{r}", f"i{k}", where))
    return bradley_terry_davidson(made)


def no_false_difference(rng: np.random.Generator, **design: float) -> bool:
    """No pair of equal systems differs after Holm."""
    return all(pair.adjusted >= 0.05 for pair in preferences_of(rng, **design).pairs)  # type: ignore[arg-type]


def nothing_false_of_these_raters(rng: np.random.Generator, **design: float) -> bool:
    """Of systems that these raters like equally, on all texts there are, none is said to be preferred."""
    return not shown_here(preferences_of(rng, **design), 0.95)  # type: ignore[arg-type]


_NAME, _WHERE = "No difference is found among equal systems", "`prefer`"
_DESIGNS = ((3, 20, 12, 0.7, 0.4), (2, 20, 12, 0.7, 0.0), (3, 10, 6, 0.7, 0.4), (4, 40, 5, 0.0, 0.5))
_FEW = "With these raters no preference is said to hold for other texts among systems that they like equally"
_FEW_RATERS = (
    (2, 25, 2, 5), (2, 25, 3, 5), (2, 25, 5, 5), (2, 50, 2, 25), (2, 50, 5, 25), (3, 25, 2, 5), (3, 50, 3, 10),
    (2, 25, 2, 0),
)  # fmt: skip
"""Systems, items, raters and documents."""
PROMISES = tuple(
    Promise(
        _NAME, _WHERE, f"{systems} systems, {items} shared items, {raters} raters, items {item:g}, tastes {taste:g}",
        0.95, 0.94,
        partial(no_false_difference, systems=systems, items=items, raters=raters, item=item, taste=taste), quick=15,
    )
    for systems, items, raters, item, taste in _DESIGNS
) + tuple(
    Promise(
        _FEW, _WHERE,
        f"{systems} systems, {raters} raters, {items} items of {documents or 'no named'} documents, items 0.5, "
        f"documents {0.7 if documents else 0:g}, tastes 0.7 that cancel out",
        0.95, 0.94,
        partial(
            nothing_false_of_these_raters, systems=systems, items=items, raters=raters, item=0.5, taste=0.7,
            documents=documents, document=0.7, is_taste_balanced=True,
        ), quick=15,
    )
    for systems, items, raters, documents in _FEW_RATERS
)  # fmt: skip
