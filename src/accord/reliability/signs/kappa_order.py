"""Where kappa puts pairs of raters in another order than their agreement does (Delgado and Tibau 2019)."""

from collections.abc import Iterator

import numpy as np

from accord.noise import order_of
from accord.reliability.signs.evidence import Evidence
from accord.reliability.signs.observation import CERTAIN, Observation
from accord.words import steady

__all__ = ["kappa_order"]

_FEWEST = 30
"""Items that a pair must share."""
_CLEAR = 0.05
"""Both orders must be clear by so much."""


def kappa_order(evidence: Evidence) -> Iterator[Observation]:
    """A rater has the higher kappa with one of two others and agrees more often with the other one."""
    pairs = evidence.pair_counts
    enough = (pairs.shared >= _FEWEST) & ~np.isnan(pairs.kappa)
    first, second = pairs.first[enough], pairs.second[enough]
    agreement, kappa = pairs.agreement[enough], pairs.kappa[enough]
    worst, found = 0.0, None
    for rater in range(len(evidence.names)):
        own = np.flatnonzero((first == rater) | (second == rater))
        more_kappa = kappa[own][:, None] - kappa[own][None, :]
        less_agreed = agreement[own][None, :] - agreement[own][:, None]
        against = np.minimum(more_kappa, less_agreed)
        if against.size and against.max() >= max(_CLEAR, worst + 1e-12):
            worst = float(against.max())
            one, other = np.unravel_index(int(order_of(against.ravel(), highest=True)[0]), against.shape)
            found = rater, own[one], own[other]
    if found is None:
        return
    rater, one, other = found
    names = [evidence.names[first[at] + second[at] - rater] for at in (one, other)]
    agreed = f"with {names[1]} ({steady(agreement[other]):.0%}) than with {names[0]} ({steady(agreement[one]):.0%})"
    yield Observation(
        message=f"{evidence.names[rater]} agrees more often {agreed}, yet kappa says the opposite "
        f"({steady(kappa[other]):.2f} and {steady(kappa[one]):.2f})",
        who=(evidence.names[rater], *names),
        evidence={
            "agreement": float(agreement[other]),
            "agreement_of_other": float(agreement[one]),
            "kappa": float(kappa[other]),
            "kappa_of_other": float(kappa[one]),
        },
        sure=CERTAIN,
    )
