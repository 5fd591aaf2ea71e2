"""What a study says about its ratings, as their codebook: criteria, items, who was left out, facts for the report."""

import hashlib
from collections.abc import Mapping, Sequence

from accord.design.load import Study
from accord.design.study import StudySettings
from accord.ratings.codebook import Codebook, ItemMeaning, LeftOut, StudyFacts

__all__ = ["TEXTS", "codebook_of", "system_names"]

TEXTS = ("source", "target")
"""Columns of the texts that a rating is about."""
_BLINDING = "Raters do not see which system wrote a text."
_ORDER = {
    "random": "Each rater sees the items in a random order of their own.",
    "fixed": "All raters see the items in the order of the file.",
}


def codebook_of(
    study: Study,
    *,
    guidelines: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    raters: Mapping[str, Mapping[str, str]] | None = None,
) -> Codebook:
    """The meaning of the ratings of a study.

    What a study folder does not hold comes from whoever collected: the versions of the ``guidelines`` that raters
    read, who was ``left_out``, and what ``raters`` answered about themselves.
    """
    settings = study.settings
    return Codebook(
        criteria={criterion.key: criterion.meaning() for criterion in settings.criteria},
        item=ItemMeaning(cluster="document", texts=TEXTS),
        left_out=tuple(left_out),
        study=_facts(study, tuple(guidelines), raters or {}),
        source=f"the study {settings.title!r}",
    )


def _facts(study: Study, guidelines: tuple[str, ...], raters: Mapping[str, Mapping[str, str]]) -> StudyFacts:
    settings, consent = study.settings, study.settings.consent
    return StudyFacts(
        title=settings.title, description=settings.description, fingerprint=study.fingerprint, seed=settings.seed,
        guidelines=guidelines or (settings.guidelines.version,), blinding=_BLINDING,
        order=_ORDER[settings.assignment.order], consent=consent.text if consent else "",
        ethics=consent.ethics_approval if consent else "", pay=_pay(settings), raters=raters,
    )  # fmt: skip


def _pay(settings: StudySettings) -> str:
    pay = settings.cost
    return f"{pay.per_hour:g} {pay.currency} an hour" if pay.per_hour else ""


def system_names(study: Study, *, named: bool = False) -> dict[str, str]:
    """What ratings call each system: a code in an order that says nothing, or its own name if asked."""
    if named:
        return {system: system for system in study.systems}
    seed = study.settings.seed
    mixed = sorted(study.systems, key=lambda system: hashlib.sha256(f"{seed}\x1f{system}".encode()).digest())
    return {system: f"system-{number}" for number, system in enumerate(mixed, start=1)}
