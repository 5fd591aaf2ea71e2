"""What a study declares of its analysis, carried out where agreement is computed: confidence, unit, coefficient."""

from collections.abc import Sequence
from dataclasses import replace

from accord.ratings.codebook import StudyFacts
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reliability.result import GroupReliability, Reliability

__all__ = ["carried_out", "declared_unit"]

_NO_DOCUMENTS = "the plan of analysis declares documents as the unit, and these ratings name none"


def declared_unit(ratings: Ratings | StoredRatings, facts: StudyFacts) -> str:
    """What the plan declares to be resampled; auto where these ratings do not have it."""
    return "auto" if _lacks_documents(ratings, facts) else facts.unit


def carried_out(made: Reliability, ratings: Ratings | StoredRatings, facts: StudyFacts) -> Reliability:
    """The result with the declared coefficient first on its criterion, and a note where the unit could not be had."""
    only = next(iter(ratings.codebook.criteria), "")
    notes = (_NO_DOCUMENTS,) if _lacks_documents(ratings, facts) else ()
    return replace(made, groups=tuple(_decided(made.groups, facts, only)), notes=(*made.notes, *notes))


def _decided(groups: Sequence[GroupReliability], facts: StudyFacts, only: str) -> list[GroupReliability]:
    decided = []
    for group in groups:
        key = facts.deciding(group.by.get("criterion", only))
        if key in group and not group.combined:
            rest = tuple(one for one in group.estimates if one.coefficient != key)
            group = replace(group, deciding=key, estimates=(group[key], *rest))
        decided.append(group)
    return decided


def _lacks_documents(ratings: Ratings | StoredRatings, facts: StudyFacts) -> bool:
    columns = ratings.columns.columns if isinstance(ratings, StoredRatings) else ratings.columns
    return facts.unit == "document" and "document" not in columns
