"""Arbitration: a second reviewer rules on a contested score, error by error; the score before and after."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.answer_values import penalty_of_marks
from accord.records import dataclass
from accord.scoring.error_rates import POINTS, ErrorRate, error_rate, verdict_of
from accord.scoring.mqm import Ruling as Verdict
from accord.scoring.scarce import Score, score
from accord.server.models import Judgement
from accord.server.models_organiser import Contest, Ruling
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.validation import check_value

__all__ = [
    "Arbitrated", "ContestedError", "Reviewed", "arbitrate", "can_be_contested", "contest", "lower_severities",
    "review", "review_score", "rule_on",
]  # fmt: skip

KINDS = ("spans", "slider")
"""What can be contested: marked errors, and a score."""

_LEVEL = 0.95


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


@dataclass(frozen=True, slots=True)
class Arbitrated:
    """The errors of one judgement before and after the rulings, each with the rate and its interval."""

    errors: tuple[ContestedError, ...]
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

    @property
    def ruled(self) -> int:
        return sum(bool(error.ruling) for error in self.errors)

    @property
    def overturned(self) -> int:
        """Errors that did not stand as they were marked."""
        return sum(error.ruling in (Verdict.REJECT, Verdict.DOWNGRADE) for error in self.errors)

    def to_dict(self) -> dict[str, Any]:
        return {
            "points_before": self.before, "points_after": self.after, "words": self.words,
            "rate_before": self.rate_before.to_dict(), "rate_after": self.rate_after.to_dict(),
            "threshold": self.threshold, "passes_before": self.passes_before, "passes_after": self.passes_after,
            "points_low": self.points_low, "points_high": self.points_high, "verdict": self.verdict,
            "errors": len(self.errors), "ruled": self.ruled, "overturned": self.overturned,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A contested score beside those of other reviewers: what they say together, and whether it passes."""

    first: float
    others: tuple[tuple[str, float, str], ...]
    """Reviewer, score and note."""
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
            "reviews": [{"by": by, "score": value, "note": note} for by, value, note in self.others],
            "after": self.score.to_dict() if self.score else None,
        }


def review(study: LoadedStudy, case: Contest) -> Reviewed:
    """The contested score and the last one of each reviewer, by Student's t."""
    criterion = study.criteria[case.judgement.criterion]
    last = {ruling.by: ruling for ruling in case.rulings.order_by("id")}
    others = tuple((by, float(ruling.severity), ruling.note) for by, ruling in last.items())
    first = float(case.judgement.value)
    ends = (criterion.low or 0.0, 100.0 if criterion.high is None else criterion.high)
    values = [first, *(value for _, value, _ in others)]
    together = score(values, threshold=criterion.threshold, scale=ends) if others else None
    return Reviewed(first, others, criterion.threshold, together)


def review_score(case: Contest, text: str, note: str, by: str) -> Ruling:
    """A second reviewer's own score."""
    criterion = current().criteria[case.judgement.criterion]
    if by == case.by:
        raise InputError("Whoever contests a score cannot rule on it: a second reviewer must.")
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{text!r} is not a number.") from None
    check_value(criterion, value, {}, 1)
    return Ruling.objects.create(contest=case, mark=0, ruling="score", severity=repr(value), note=note, by=by)


def can_be_contested(study: LoadedStudy) -> Any:
    """The newest scores, and judgements with at least one marked error."""
    keys = [key for key, criterion in study.criteria.items() if criterion.kind in KINDS]
    same = {"task": OuterRef("task"), "criterion": OuterRef("criterion"), "place": OuterRef("place")}
    corrected = Judgement.objects.filter(**same, revision__gt=OuterRef("revision"))
    marked = Judgement.objects.filter(~Exists(corrected), criterion__in=keys).exclude(task__role=PRACTICE)
    return marked.exclude(Q(value=[]) | Q(value=None)).select_related("task__rater", "contest").order_by("-id")


def contest(judgement: Judgement, reason: str, by: str) -> Contest:
    """Open a contest; a judgement is contested once."""
    kind = current().criteria[judgement.criterion].kind
    if kind not in KINDS or judgement.value in (None, []):
        raise InputError("Only a score, or a judgement with marked errors, can be contested.")
    if not reason:
        raise InputError("Say what is contested and why.")
    made, is_new = Contest.objects.get_or_create(judgement=judgement, defaults={"reason": reason, "by": by})
    if not is_new:
        raise InputError("This judgement is contested already.")
    return made


def rule_on(case: Contest, mark: int, ruling: str, severity: str, note: str, by: str) -> Ruling:
    """Accept, reject or downgrade one error; whoever contested the score does not rule on it."""
    if current().criteria[case.judgement.criterion].kind != "spans":
        raise InputError("This is a score without marked errors: give a score of your own.")
    criterion = current().criteria[case.judgement.criterion]
    if by == case.by:
        raise InputError("Whoever contests a score cannot rule on it: a second reviewer must.")
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
    return Ruling.objects.create(contest=case, mark=mark, ruling=ruling, severity=lowered, note=note, by=by)


def arbitrate(study: LoadedStudy, case: Contest) -> Arbitrated:
    """The score as it was marked and as it stands."""
    judgement = case.judgement
    criterion = study.criteria[judgement.criterion]
    shown = shown_texts(study, judgement.task, judgement.place or 0)
    last = {ruling.mark: ruling for ruling in case.rulings.order_by("id")}
    errors = tuple(
        _error(criterion, shown, number, mark, last.get(number)) for number, mark in enumerate(judgement.value)
    )
    words = max(1, len(shown.get("target", "").split()))
    before, after = sum(error.points for error in errors), sum(error.stands for error in errors)
    left = sum(error.ruling != Verdict.REJECT for error in errors)
    limit = criterion.threshold
    # Per 1,000 "words" of 1,000: the points of the text itself.
    points = error_rate(after, 1000, level=_LEVEL, variation=POINTS).interval
    return Arbitrated(
        errors, words, before, after, error_rate(len(errors), words, level=_LEVEL),
        error_rate(left, words, level=_LEVEL), None if limit is None else before <= limit,
        None if limit is None else after <= limit, limit, points.low, points.high,
        None if limit is None else str(verdict_of(points, limit)),
    )  # fmt: skip


def _error(
    criterion: CriterionSettings, shown: Mapping[str, str], number: int, mark: Mapping[str, Any], ruling: Ruling | None
) -> ContestedError:
    points = penalty_of_marks(criterion, [mark])
    stands = points
    if ruling is not None and ruling.ruling == Verdict.REJECT:
        stands = 0.0
    elif ruling is not None and ruling.ruling == Verdict.DOWNGRADE:
        stands = penalty_of_marks(criterion, [{**mark, "severity": ruling.severity}])
    text = shown.get(mark["side"], "")[mark["start"] : mark["end"]]
    return ContestedError(
        number, text, mark["side"], mark["start"], mark["end"], mark.get("category") or "", mark.get("severity") or "",
        points, ruling.ruling if ruling else "", ruling.severity if ruling else "", ruling.note if ruling else "",
        stands,
    )  # fmt: skip


def lower_severities(criterion: CriterionSettings, error: ContestedError) -> Sequence[str]:
    """Severities that weigh less than the one that was marked."""
    own = next((one.weight for one in criterion.severities if one.key == error.severity), 0.0)
    return [one.key for one in criterion.severities if one.weight < own]
