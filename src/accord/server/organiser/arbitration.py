"""Arbitration: a second reviewer rules on a contested score, error by error; the score before and after."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.answer_values import penalty_of_marks
from accord.ratings.study_codebook import system_names
from accord.records import dataclass
from accord.scoring.error_rates import POINTS, ErrorRate, error_rate, verdict_of
from accord.scoring.mqm import Ruling as Verdict
from accord.scoring.scarce import Score, score
from accord.server.models import Judgement
from accord.server.models_organiser import Contest, Ruling
from accord.server.organiser.arbiter_marks import (
    ADDED,
    CHANGE,
    Mark,
    Standing,
    became,
    checked_marks,
    marks_of_rater,
    standing_marks,
)
from accord.server.organiser.judgements import SUFFIXES
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.validation import check_value
from accord.server.workspace.cards import note_waiting

__all__ = [
    "Arbitrated",
    "ContestedError",
    "Reviewed",
    "Step",
    "arbitrate",
    "before_and_after",
    "can_be_contested",
    "contest",
    "lower_severities",
    "mark_anew",
    "rated_name",
    "review",
    "review_score",
    "rule_on",
    "steps_of",
]

KINDS = ("spans", "slider")
"""What can be contested: marked errors, and a score."""

_LEVEL = 0.95
_NOT_ARBITRATED = (PRACTICE, *SUFFIXES)
"""Roles of texts whose score counts nowhere, so that there is nothing to contest."""


@dataclass(frozen=True, slots=True)
class ContestedError:
    """One marked error, and what was ruled on it."""

    number: int
    text: str
    side: str
    start: int
    end: int
    category: str
    severity: str
    points: float
    ruling: str
    lowered_to: str
    note: str
    stands: float
    """The points that are left after the ruling."""

    @property
    def is_added(self) -> bool:
        """Marked by the arbiter alone."""
        return self.number == ADDED


@dataclass(frozen=True, slots=True)
class Arbitrated:
    """The errors of one judgement before and after the rulings, each with the rate and its interval."""

    errors: tuple[ContestedError, ...]
    """The rater's, each as it stands, then those that the arbiter added."""
    words: int
    before: float
    after: float
    rate_before: ErrorRate
    rate_after: ErrorRate
    passes_before: bool | None
    passes_after: bool | None
    threshold: float | None
    points_low: float = 0.0
    points_high: float = 0.0
    """Points that usual reviewers would give, at 95%: one reviewer may be severe or lenient."""
    verdict: str | None = None
    """PASS, FAIL or UNDECIDED against the threshold, for usual reviewers."""
    standing: tuple[Standing, ...] = ()
    """The marks that stand now."""

    @property
    def marked(self) -> tuple[ContestedError, ...]:
        """The rater's own errors."""
        return tuple(error for error in self.errors if not error.is_added)

    @property
    def ruled(self) -> int:
        return sum(bool(error.ruling) for error in self.marked)

    @property
    def rejected(self) -> int:
        """Errors that are none; one that the arbiter added in their place is another error."""
        return sum(error.ruling == Verdict.REJECT for error in self.marked)

    @property
    def changed(self) -> int:
        """Errors that stand otherwise than marked."""
        return sum(error.ruling in (Verdict.DOWNGRADE, CHANGE) for error in self.marked)

    @property
    def unchanged(self) -> int:
        """Errors that stand as marked, ruled on or not."""
        return len(self.marked) - self.rejected - self.changed

    @property
    def overturned(self) -> int:
        """Errors that did not stand as they were marked."""
        return self.rejected + self.changed

    @property
    def added(self) -> int:
        """Errors that the arbiter found and the rater did not."""
        return len(self.errors) - len(self.marked)

    def to_dict(self) -> dict[str, Any]:
        return {
            "points_before": self.before,
            "points_after": self.after,
            "words": self.words,
            "rate_before": self.rate_before.to_dict(),
            "rate_after": self.rate_after.to_dict(),
            "threshold": self.threshold,
            "passes_before": self.passes_before,
            "passes_after": self.passes_after,
            "points_low": self.points_low,
            "points_high": self.points_high,
            "verdict": self.verdict,
            "errors": len(self.marked),
            "ruled": self.ruled,
            "overturned": self.overturned,
            "added": self.added,
            "marks": [one.numbered() for one in self.standing],
        }


@dataclass(frozen=True, slots=True)
class Step:
    """One ruling, with the points or score in force before it and after it."""

    ruling: Ruling
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A contested score beside those of other reviewers: what they say together, and whether it passes."""

    first: float
    others: tuple[tuple[str, float, str], ...]
    """Reviewer, score and note."""
    marks: Mapping[str, Sequence[Mark]]
    """The errors that a reviewer marked as evidence for the score; they do not change it."""
    threshold: float | None
    score: Score | None
    """None while there is one score only: one score says too little for an interval."""

    @property
    def passes_before(self) -> bool | None:
        return None if self.threshold is None else self.first >= self.threshold

    def to_dict(self) -> dict[str, Any]:
        return {
            "score_before": self.first,
            "threshold": self.threshold,
            "passes_before": self.passes_before,
            "reviews": [
                {"by": by, "score": value, "note": note, "marks": list(self.marks[by]) if by in self.marks else None}
                for by, value, note in self.others
            ],
            "after": self.score.to_dict() if self.score else None,
        }


def review(study: LoadedStudy, case: Contest, upto: int | None = None) -> Reviewed:
    """The contested score and the last one of each reviewer, by Student's t."""
    criterion = study.criteria[case.judgement.criterion]
    last = {ruling.by: ruling for ruling in _rulings(case, upto)}
    others = tuple((by, float(ruling.severity), ruling.note) for by, ruling in last.items())
    marks = {by: ruling.marks for by, ruling in last.items() if ruling.marks is not None}
    first = float(case.judgement.value)
    ends = (criterion.low or 0.0, 100.0 if criterion.high is None else criterion.high)
    values = [first, *(value for _, value, _ in others)]
    together = score(values, threshold=criterion.threshold, scale=ends) if others else None
    return Reviewed(first, others, marks, criterion.threshold, together)


def _rulings(case: Contest, upto: int | None) -> list[Ruling]:
    """What was ruled, in order; up to one ruling if it is named."""
    rulings = case.rulings.order_by("id")
    return list(rulings if upto is None else rulings.filter(pk__lte=upto))


def review_score(case: Contest, text: str, note: str, by: str, marks: Any = None) -> Ruling:
    """A second reviewer's own score, with the errors it rests on where some were marked."""
    criterion = current().criteria[case.judgement.criterion]
    _refuse_the_contester(case, by)
    if criterion.kind == "spans":
        raise InputError("The points follow from the errors here: mark them, or rule on each.")
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{text!r} is not a number.") from None
    check_value(criterion, value, {}, 1)
    marked = "" if marks is None else checked_marks(current(), case, marks)[0].key
    return _kept(
        contest=case, mark=0, ruling="score", severity=repr(value), note=note, marks=marks, marked=marked, by=by
    )


def mark_anew(case: Contest, marks: Any, note: str, by: str) -> Ruling:
    """The errors as the second reviewer marks them: the points follow from these."""
    _refuse_the_contester(case, by)
    if current().criteria[case.judgement.criterion].kind != "spans":
        raise InputError("Marks alone give no score here: give a score of your own with them.")
    criterion, checked = checked_marks(current(), case, marks)
    return _kept(contest=case, mark=0, ruling="marks", note=note, marks=checked, marked=criterion.key, by=by)


def _kept(**ruling: Any) -> Ruling:
    made = Ruling.objects.create(**ruling)
    note_waiting()
    return made


def _refuse_the_contester(case: Contest, by: str) -> None:
    # A program of an account acts for it: "ola (API: nightly)" is ola. Names of accounts hold no blank.
    if by.partition(" (API: ")[0] == case.by.partition(" (API: ")[0]:
        raise InputError("Whoever contests a score cannot rule on it: a second reviewer must.")


def can_be_contested(study: LoadedStudy) -> Any:
    """The newest scores, and judgements with at least one marked error."""
    keys = [key for key, criterion in study.criteria.items() if criterion.kind in KINDS]
    same = {"task": OuterRef("task"), "criterion": OuterRef("criterion"), "place": OuterRef("place")}
    corrected = Judgement.objects.filter(**same, revision__gt=OuterRef("revision"))
    marked = Judgement.objects.filter(~Exists(corrected), criterion__in=keys).exclude(task__role__in=_NOT_ARBITRATED)
    return marked.exclude(Q(value=[]) | Q(value=None)).select_related("task__rater", "contest").order_by("-id")


def contest(judgement: Judgement, reason: str, by: str) -> Contest:
    """Open a contest; a judgement is contested once."""
    kind = current().criteria[judgement.criterion].kind
    if kind not in KINDS or judgement.value is None:
        raise InputError("Only a score, or what was marked as errors, can be contested.")
    if judgement.task.role in SUFFIXES:
        raise InputError("This text checks the rater and is no text of the study: there is no score to contest.")
    if not reason:
        raise InputError("Say what is contested and why.")
    made, is_new = Contest.objects.get_or_create(judgement=judgement, defaults={"reason": reason, "by": by})
    if not is_new:
        raise InputError("This judgement is contested already.")
    note_waiting()
    return made


def rule_on(case: Contest, mark: int, ruling: str, severity: str, note: str, by: str) -> Ruling:
    """Accept, reject or downgrade one error; whoever contested the score does not rule on it."""
    if current().criteria[case.judgement.criterion].kind != "spans":
        raise InputError("This is a score without marked errors: give a score of your own.")
    criterion = current().criteria[case.judgement.criterion]
    _refuse_the_contester(case, by)
    if ruling not in Verdict._value2member_map_:
        raise InputError(f"A ruling is one of: {', '.join(Verdict)}.")
    if not 0 <= mark < len(case.judgement.value):
        raise InputError("There is no such error in this judgement.")
    if ruling == Verdict.DOWNGRADE:
        now = case.judgement.value[mark]
        lower = {**now, "severity": severity}
        known = {one.key for one in criterion.severities}
        if severity not in known or penalty_of_marks(criterion, [lower]) >= penalty_of_marks(criterion, [now]):
            raise InputError("Downgrade to a severity that weighs less.")
    lowered = severity if ruling == Verdict.DOWNGRADE else ""
    return _kept(contest=case, mark=mark, ruling=ruling, severity=lowered, note=note, by=by)


def arbitrate(study: LoadedStudy, case: Contest, upto: int | None = None) -> Arbitrated:
    """The score as it was marked and as it stands; after one ruling of several if it is named."""
    judgement = case.judgement
    criterion = study.criteria[judgement.criterion]
    shown = shown_texts(study, judgement.task, judgement.place or 0)
    rulings, marks = _rulings(case, upto), marks_of_rater(case, criterion)
    standing = standing_marks(marks, rulings)
    errors = tuple(_error(criterion, shown, number, mark, standing, rulings) for number, mark in enumerate(marks))
    added = tuple(_added(criterion, shown, one.mark) for one in standing if one.of == ADDED)
    words = max(1, len(shown.get("target", "").split()))
    before = sum((error.points for error in errors), 0.0)
    after = sum((error.stands for error in (*errors, *added)), 0.0)
    limit = criterion.threshold
    # Per 1,000 "words" of 1,000: the points of the text itself.
    points = error_rate(after, 1000, level=_LEVEL, variation=POINTS).interval
    return Arbitrated(
        (*errors, *added),
        words,
        before,
        after,
        error_rate(len(errors), words, level=_LEVEL),
        error_rate(len(standing), words, level=_LEVEL),
        None if limit is None else before <= limit,
        None if limit is None else after <= limit,
        limit,
        points.low,
        points.high,
        None if limit is None else str(verdict_of(points, limit)),
        tuple(standing),
    )


def _error(
    criterion: CriterionSettings,
    shown: Mapping[str, str],
    number: int,
    mark: Mark,
    standing: Sequence[Standing],
    rulings: Sequence[Ruling],
) -> ContestedError:
    """One error of the rater, with what became of it."""
    own = [one.mark for one in standing if one.of == number]
    about = [ruling for ruling in rulings if ruling.marks is not None or ruling.mark == number]
    ruling, lowered_to = became(criterion, mark, own) if about else ("", "")
    note = about[-1].note if about else ""
    return _ruling_in_words(criterion, shown, number, mark, ruling, lowered_to, note, penalty_of_marks(criterion, own))


def _added(criterion: CriterionSettings, shown: Mapping[str, str], mark: Mark) -> ContestedError:
    return _ruling_in_words(criterion, shown, ADDED, mark, "added", "", "", penalty_of_marks(criterion, [mark]))


def _ruling_in_words(
    criterion: CriterionSettings,
    shown: Mapping[str, str],
    number: int,
    mark: Mark,
    ruling: str,
    lowered_to: str,
    note: str,
    stands: float,
) -> ContestedError:
    return ContestedError(
        number=number,
        text=shown.get(mark["side"], "")[mark["start"] : mark["end"]],
        side=mark["side"],
        start=mark["start"],
        end=mark["end"],
        category=mark.get("category") or "",
        severity=mark.get("severity") or "",
        points=penalty_of_marks(criterion, [mark]),
        ruling=ruling,
        lowered_to=lowered_to,
        note=note,
        stands=stands,
    )


def before_and_after(study: LoadedStudy, case: Contest, upto: int | None = None) -> tuple[float, float]:
    """Points or score as contested, and after the rulings: for a score the mean of all reviewers."""
    if study.criteria[case.judgement.criterion].kind == "spans":
        found = arbitrate(study, case, upto)
        return found.before, found.after
    told = review(study, case, upto)
    return told.first, told.score.centre if told.score else told.first


def steps_of(study: LoadedStudy, case: Contest) -> list[Step]:
    """Every ruling in order: each begins where the one before it left off."""
    steps: list[Step] = []
    for ruling in _rulings(case, None):
        contested, after = before_and_after(study, case, ruling.pk)
        steps.append(Step(ruling, steps[-1].after if steps else contested, after))
    return steps


def rated_name(study: LoadedStudy, judgement: Judgement, *, named: bool = False) -> str:
    """The judged item as the other pages call it, its system by its code unless named."""
    task = judgement.task
    base = task.item or task.document
    if judgement.place is None or not task.systems:
        return base
    system = task.systems[judgement.place]
    return f"{base}:{system if named else system_names(study.study).get(system, system)}"


def lower_severities(criterion: CriterionSettings, error: ContestedError) -> Sequence[str]:
    """Severities that weigh less than the one that was marked."""
    own = next((one.weight for one in criterion.severities if one.key == error.severity), 0.0)
    return [one.key for one in criterion.severities if one.weight < own]
