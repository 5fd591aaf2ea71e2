"""Contested answers on the page of their text: what arbitration made of each."""

from collections.abc import Iterable, Mapping

from accord.records import dataclass
from accord.server.models_organiser import Contest
from accord.server.organiser.arbitration import before_and_after
from accord.server.organiser.judgements import Said
from accord.server.study import LoadedStudy
from accord.words import steady

__all__ = ["Ruled", "ruled_answers"]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A contested answer: its score or points as given and after the rulings; ``after`` is empty while it waits."""

    case: int
    criterion: str
    before: str
    after: str


def ruled_answers(study: LoadedStudy, said: Iterable[Said]) -> Mapping[int, Ruled]:
    """By the key of the answer; those that nobody contested are left out."""
    by_key = {one.key: one for one in said}
    cases = Contest.objects.filter(judgement_id__in=by_key).select_related("judgement__task").order_by("id")
    return {case.judgement_id: _ruled(study, case, by_key[case.judgement_id].criterion) for case in cases}


def _ruled(study: LoadedStudy, case: Contest, criterion: str) -> Ruled:
    before, after = before_and_after(study, case)
    return Ruled(case.pk, criterion, _weight_in_words(before), _weight_in_words(after) if case.rulings.exists() else "")


def _weight_in_words(number: float) -> str:
    # An error may weigh 0.25: cut to one decimal it would be another number here than on the page of its case.
    return f"{steady(number):.2f}".rstrip("0").removesuffix(".")
