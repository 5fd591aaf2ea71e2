"""Which phase shows which material: shared out, kept back for one phase, or shown once more."""

from collections.abc import Sequence

import numpy as np

from accord.design.assignment.bundles import Bundle
from accord.design.load import Study
from accord.design.study import StudySettings
from accord.records import dataclass

__all__ = ["Material", "kept_back", "materials", "repeating"]

Numbered = list[tuple[int, Bundle]]
"""Bundles with their places in the whole list."""
_DRAW = 7
"""Documents are drawn by a generator of their own: keeping some back changes no other part of the plan."""


@dataclass(frozen=True, slots=True)
class Material:
    """Bundles of each scenario that go together into some phases (by their places in the study)."""

    phases: tuple[int, ...]
    by_scenario: tuple[Numbered, ...]


def materials(study: Study, numbered: Sequence[Numbered]) -> list[Material]:
    """What all ordinary phases share first, then what is kept back for each phase that has material of its own."""
    back = kept_back(study)
    phases = study.settings.phases
    shared = tuple(
        place for place, phase in enumerate(phases) if not phase.has_own_documents and phase.again is None
    ) or (0,)
    parts: list[tuple[tuple[int, ...], int | None]] = [(shared, None)]
    parts += [((place,), place) for place, phase in enumerate(phases) if phase.has_own_documents]
    return [
        Material(places, tuple([row for row in made if back.get(row[1].document) == owner] for made in numbered))
        for places, owner in parts
    ]


def kept_back(study: Study) -> dict[str, int]:
    """The place of the phase for which each document is kept back; documents of no phase are left out."""
    phases = study.settings.phases
    found = {document: place for place, phase in enumerate(phases) for document in phase.documents}
    free = [document for document in study.documents if document not in found]
    drawn = np.random.default_rng([study.settings.seed, _DRAW]).permutation(len(free))
    start = 0
    for place, phase in enumerate(phases):
        found |= {free[number]: place for number in drawn[start : start + phase.keep_back]}
        start += phase.keep_back
    return found


def repeating(settings: StudySettings) -> list[tuple[int, int]]:
    """Phases in which raters judge once more what they had in an earlier one, each with that one."""
    places = {phase.key: place for place, phase in enumerate(settings.phases)}
    return [(place, places[phase.again]) for place, phase in enumerate(settings.phases) if phase.again is not None]
