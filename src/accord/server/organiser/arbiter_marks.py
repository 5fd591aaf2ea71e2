"""Errors as an arbiter marks them: which of the rater's stand, which were changed, and which are new."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.answer_values import penalty_of_marks
from accord.records import dataclass
from accord.scoring.mqm import Ruling as Verdict
from accord.server.models import Judgement
from accord.server.models_organiser import Contest, Ruling
from accord.server.screens import shown_texts
from accord.server.study import LoadedStudy
from accord.server.validation import check_value

__all__ = [
    "ADDED",
    "CHANGE",
    "Mark",
    "Standing",
    "became",
    "checked_marks",
    "marked_criterion",
    "marks_of_rater",
    "standing_marks",
]

Mark = Mapping[str, Any]

CHANGE = "change"
"""An error that stands otherwise than marked: at another place, of another kind, graver, or as two."""
ADDED = -1
"""In the place of a number: an error that the rater had not marked."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A mark that stands after arbitration, and the number of the rater's mark that it was made of."""

    mark: Mark
    of: int

    def numbered(self) -> dict[str, Any]:
        """As the highlighter takes it: with the number of the mark that stood there beforehand."""
        return dict(self.mark) if self.of == ADDED else {**self.mark, "prefilled": self.of}


def marked_criterion(study: LoadedStudy, case: Contest) -> CriterionSettings | None:
    """The contested errors; for a contested score the first criterion of the same screen that errors are marked for."""
    own = study.criteria[case.judgement.criterion]
    task = case.judgement.task
    if not shown_texts(study, task, case.judgement.place or 0).get("target"):
        return None
    if own.kind == "spans":
        return own
    return next((one for one in study.asked_in(task.scenario, task.item) if one.kind == "spans"), None)


def marks_of_rater(case: Contest, criterion: CriterionSettings) -> list[Mark]:
    """What the contested rater marked in this text."""
    judgement = case.judgement
    if judgement.criterion != criterion.key:
        same = Judgement.objects.filter(task=judgement.task, criterion=criterion.key, place=judgement.place)
        newest = same.order_by("revision", "id").last()
        return [] if newest is None else [_bare(mark) for mark in newest.value or ()]
    return [_bare(mark) for mark in judgement.value]


def _bare(mark: Mark) -> Mark:
    """Without the number it had among the suggestions of the study: here numbers are those of the rater's marks."""
    said = {key: value for key, value in mark.items() if value is not None and value is not False}
    said.pop("prefilled", None)
    return said


def checked_marks(study: LoadedStudy, case: Contest, sent: Any) -> tuple[CriterionSettings, list[Any]]:
    """The marks, if a rater could have made them on this text."""
    criterion = marked_criterion(study, case)
    if criterion is None:
        raise InputError("Nothing can be marked in what was judged here: give a score, or rule on each error.")
    if not isinstance(sent, list) or not all(isinstance(mark, dict) for mark in sent):
        raise InputError("Marks are a list of marks, empty where there are no errors.")
    known = len(marks_of_rater(case, criterion))
    for number in (mark["prefilled"] for mark in sent if "prefilled" in mark):
        if type(number) is not int or not 0 <= number < known:
            raise InputError(f"`prefilled` is the number of one of the rater's {known} marks, counted from 0.")
    shown = shown_texts(study, case.judgement.task, case.judgement.place or 0)
    check_value(criterion, [_bare(mark) for mark in sent], shown, 1)
    return criterion, sent


def standing_marks(marks: Sequence[Mark], rulings: Iterable[Ruling]) -> list[Standing]:
    """What is left of the rater's marks, and was added to them: what was ruled last on an error counts."""
    standing = [Standing(mark, number) for number, mark in enumerate(marks)]
    for ruling in rulings:
        if ruling.marks is not None:
            standing = [Standing(_bare(mark), mark.get("prefilled", ADDED)) for mark in ruling.marks]
            continue
        standing = [one for one in standing if one.of != ruling.mark]
        if ruling.ruling == Verdict.ACCEPT:
            standing.append(Standing(marks[ruling.mark], ruling.mark))
        elif ruling.ruling == Verdict.DOWNGRADE:
            standing.append(Standing({**marks[ruling.mark], "severity": ruling.severity}, ruling.mark))
    return standing


def became(criterion: CriterionSettings, mark: Mark, stands: Sequence[Mark]) -> tuple[str, str]:
    """What an arbiter made of an error: the ruling in a word, and the severity it was lowered to."""
    if not stands:
        return Verdict.REJECT, ""
    if list(stands) == [mark]:
        return Verdict.ACCEPT, ""
    now = stands[0].get("severity", "")
    lowered = penalty_of_marks(criterion, stands) < penalty_of_marks(criterion, [mark])
    if list(stands) == [{**mark, "severity": now}] and lowered:
        return Verdict.DOWNGRADE, str(now)
    return CHANGE, ""
