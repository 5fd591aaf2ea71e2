"""Preferences between systems (`accord prefer`)

Raters compare all pairs of systems on shared items. An item may suit one system better than another, and a rater may
like one (standard deviations on the scale of log abilities); a fifth of the comparisons between equals are ties.
"""

from functools import partial
from itertools import combinations

import numpy as np

from accord.scoring.preferences import Preference, Preferences, bradley_terry_davidson
from promises.promise import Promise

__all__ = ["PROMISES"]

_NU = 0.5


def preferences_of(
    rng: np.random.Generator, *, systems: int, items: int, raters: int, item: float, taste: float, gap: float = 0.0
) -> Preferences:
    """One study, as the command fits it."""
    ability = gap * np.arange(systems) + np.zeros((items, raters, systems))
    ability += rng.normal(0, item, (items, 1, systems)) + rng.normal(0, taste, (1, raters, systems))
    made = []
    for a, b in combinations(range(systems), 2):
        first, second = np.exp(ability[..., a]), np.exp(ability[..., b])
        tie = _NU * np.sqrt(first * second)
        drawn = rng.random((items, raters)) * (first + second + tie)
        for k in range(items):
            for r in range(raters):
                won = f"s{a}" if drawn[k, r] < first[k, r] else "" if drawn[k, r] < (first + tie)[k, r] else f"s{b}"
                made.append(Preference(f"s{a}", f"s{b}", won, f"r{r}", f"i{k}"))
    return bradley_terry_davidson(made)


def no_false_difference(rng: np.random.Generator, **design: float) -> bool:
    """No pair of equal systems differs after Holm."""
    return all(pair.adjusted >= 0.05 for pair in preferences_of(rng, **design).pairs)  # type: ignore[arg-type]


_NAME, _WHERE = "No difference is found among equal systems", "`prefer`"
_DESIGNS = ((3, 20, 12, 0.7, 0.4), (2, 20, 12, 0.7, 0.0), (3, 10, 6, 0.7, 0.4), (4, 40, 5, 0.0, 0.5))
PROMISES = tuple(
    Promise(
        _NAME, _WHERE, f"{systems} systems, {items} shared items, {raters} raters, items {item:g}, tastes {taste:g}",
        0.95, 0.94,
        partial(no_false_difference, systems=systems, items=items, raters=raters, item=item, taste=taste), quick=15,
    )
    for systems, items, raters, item, taste in _DESIGNS
)  # fmt: skip
