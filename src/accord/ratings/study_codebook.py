"""What a study says about its ratings, as their codebook: criteria, items, who was left out, facts for the report."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from accord.design.criterion import Criterion
from accord.design.load import Study
from accord.design.study import CriterionSettings, StudySettings
from accord.ratings.answer_values import TIE
from accord.ratings.codebook import KEPT_APART, Codebook, ItemMeaning, LeftOut
from accord.ratings.study_facts import KeptPlanFacts, study_facts

__all__ = ["TEXTS", "codebook_of", "system_names"]

TEXTS = ("source", "target")
"""Columns of the texts that a rating is about."""


def codebook_of(
    study: Study,
    *,
    guidelines: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    raters: Mapping[str, Mapping[str, str]] | None = None,
    kept: KeptPlanFacts | None = None,
    named: bool = False,
) -> Codebook:
    """The meaning of the ratings of a study.

    What a study folder does not hold comes from whoever collected: the versions of the ``guidelines`` that raters
    read, who was ``left_out``, what ``raters`` answered about themselves, and the ``kept`` plan of analysis. Systems
    that are compared are answers too: they are ``named`` here where they are in the ratings.
    """
    settings = study.settings
    systems = tuple(sorted(system_names(study, named=named).values()))
    return Codebook(
        criteria={criterion.key: _meaning(settings, criterion, systems) for criterion in settings.criteria},
        item=ItemMeaning(cluster="document", texts=TEXTS),
        # Test sets, which stand in the column condition, are other documents and no other circumstances.
        kept_apart=tuple(name for name in KEPT_APART if name != "condition"),
        left_out=tuple(left_out),
        study=study_facts(study, guidelines=tuple(guidelines), raters=raters, kept=kept, named=named),
        source=f"the study {settings.title!r}",
    )


def _meaning(settings: StudySettings, criterion: CriterionSettings, systems: tuple[str, ...]) -> Criterion:
    """The criterion; a ranking has as many ranks as systems stand side by side, a comparison the systems as answers."""
    said = criterion.meaning()
    if criterion.kind == "pairwise":
        answers = (*systems, TIE) if criterion.ties else systems
        return replace(said, scale=replace(said.scale, values=answers, declared=True))
    if criterion.kind != "ranking":
        return said
    most = max(scenario.systems for scenario in settings.scenarios if criterion in settings.asked_in(scenario.key))
    ranks = tuple(float(rank) for rank in range(1, most + 1))
    return replace(said, scale=replace(said.scale, values=ranks, declared=True))


def system_names(study: Study, *, named: bool = False) -> dict[str, str]:
    """What ratings call each system: a code in an order that says nothing, or its own name if asked."""
    if named:
        return {system: system for system in study.systems}
    seed = study.settings.seed
    mixed = sorted(study.systems, key=lambda system: hashlib.sha256(f"{seed}\x1f{system}".encode()).digest())
    return {system: f"system-{number}" for number, system in enumerate(mixed, start=1)}
