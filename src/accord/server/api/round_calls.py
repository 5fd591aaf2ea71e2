"""What a program may ask about guidelines, rounds and arbitration."""

from dataclasses import asdict
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from pydantic import Field

from accord.errors import InputError
from accord.server.api import answers
from accord.server.api.organiser_calls import plain
from accord.server.api.scopes import LOOK, RULE, Answer, by, organiser
from accord.server.api.shapes import WHOLE, Key, Line, Note, OneOf, Reason, Shape, Stored, Text
from accord.server.guidelines import latest, publish
from accord.server.models import GuidelineVersion, Judgement
from accord.server.models_organiser import Contest, Round, RoundItem
from accord.server.organiser import arbitration, rounds
from accord.server.organiser.publishing import what_it_parts
from accord.server.organiser.remeasured import OtherScale, compare_round, other_scales, plain_change, stop_advice
from accord.server.study import LoadedStudy, current

__all__: list[str] = []

_Guidelines = Annotated[Stored, Field(min_length=1, max_length=500_000)]
_Share = Annotated[float, Field(ge=0.01, le=0.99)]


class _Version(Shape):
    text: _Guidelines
    change: Text = ""


class _NewRound(Shape):
    criterion: Line
    items: Annotated[int, Field(ge=1, le=200), WHOLE]
    target: _Share = 0.8
    smallest_gain: _Share = 0.05


class _Rating(Shape):
    value: Line
    comment: Note = ""


class _Verdict(Shape):
    verdict: Annotated[str, OneOf("genuine", "vague")]
    note: Note = ""


class _Change(Shape):
    text: Annotated[Text, Field(min_length=1)]
    item: Key | None = None
    comments: Annotated[list[Key], Field(max_length=200, default_factory=list)]


class _Published(Shape):
    text: _Guidelines
    examples: Annotated[list[Key], Field(max_length=200, default_factory=list)]


class _Measured(Shape):
    scope: Annotated[str, OneOf(*rounds.SCOPES)]


class _NewContest(Shape):
    judgement: Key
    reason: Reason


class _Ruling(Shape):
    """A ruling on the error with the number ``mark``, the errors marked anew, or another score."""

    mark: Annotated[int, Field(ge=0, le=1_000), WHOLE] = 0
    ruling: Annotated[str, OneOf("accept", "reject", "downgrade")] = ""
    severity: Line = ""
    score: Annotated[float, Field(ge=-1e9, le=1e9)] | None = None
    marks: Annotated[list[dict[str, Any]], Field(max_length=1_000)] | None = None
    note: Note = ""


@organiser.get("guidelines", auth=LOOK)
def list_versions(request: HttpRequest) -> Answer:
    """All versions of the guidelines."""
    return {
        "versions": [
            {"number": one.number, "text": one.text, "change": one.change, "published_at": one.published_at.isoformat()}
            for one in GuidelineVersion.objects.all()
        ]
    }


@organiser.post("guidelines")
def new_version(request: HttpRequest, body: _Version) -> Answer:
    """Publish a new version to all raters; ``parts`` says which answers are no longer compared with which."""
    before = latest().number
    told = what_it_parts()
    version = publish(body.text, body.change)
    if version.number == before:
        raise InputError("This text is already the published one.")
    return {"number": version.number, "parts": told}


def _round(number: int) -> Round:
    found = Round.objects.filter(number=number).first()
    if found is None:
        raise Http404("There is no such round.")
    return found


def _item(number: int, item: int) -> RoundItem:
    found = RoundItem.objects.select_related("round").filter(pk=item, round__number=number).first()
    if found is None:
        raise Http404("There is no such item in this round.")
    return found


def _round_as_json(turn: Round) -> Answer:
    return {
        "number": turn.number, "criterion": turn.criterion, "version": turn.version.number,
        "published": turn.published.number if turn.published else None, "target": turn.target,
        "smallest_gain": turn.smallest_gain, "measured": turn.measured_at is not None,
    }  # fmt: skip


@organiser.get("rounds", auth=LOOK)
def list_rounds(request: HttpRequest) -> Answer:
    """All guideline rounds."""
    return {"rounds": [_round_as_json(turn) for turn in Round.objects.select_related("version", "published")]}


@organiser.post("rounds")
def open_round(request: HttpRequest, body: _NewRound) -> Answer:
    """Open a round with the most disputed items."""
    turn = rounds.open_round(body.criterion, body.items, body.target, body.smallest_gain, by(request))
    return _round_as_json(turn)


@organiser.get("rounds/{int:number}", auth=LOOK)
def show_round(request: HttpRequest, number: int) -> Answer:
    """One round: items, changes, before and after, whether to stop."""
    turn = _round(number)
    found = compare_round(turn)
    advice = stop_advice(turn, found)
    scales = other_scales(turn.criterion)
    told = _round_as_json(turn) | {
        "items": [
            {"id": one.pk, "item": one.name, "entropy": one.entropy, "verdict": one.verdict, "note": one.note}
            for one in turn.items.all()
        ],
        "changes": [{"id": one.pk, "text": one.text, "item": one.item_id} for one in turn.changes.all()],
        "stop": advice.stop,
        "advice": advice.words,
        "comparison": None,
        "other_scales": plain(asdict(scales)) if isinstance(scales, OtherScale) else None,
    }
    if found is not None:
        told["comparison"] = plain({
            "before": found.before.to_dict(), "after": found.after.to_dict(), "differences": plain_change(found),
            "given": found.given, "answered": found.answered,
        })  # fmt: skip
    return told


@organiser.post("rounds/{int:number}/items/{int:item}/rating")
def rate_item(request: HttpRequest, number: int, item: int, body: _Rating) -> Answer:
    """A designer's own rating."""
    rating = rounds.rate_item(_item(number, item), by(request), body.value, body.comment)
    return {"id": rating.pk}


@organiser.post("rounds/{int:number}/items/{int:item}/verdict")
def judge_item(request: HttpRequest, number: int, item: int, body: _Verdict) -> Answer:
    """Genuine disagreement, or a vague guideline."""
    rounds.judge_item(_item(number, item), body.verdict, body.note, by(request))
    return {"verdict": body.verdict}


@organiser.post("rounds/{int:number}/changes")
def add_change(request: HttpRequest, number: int, body: _Change) -> Answer:
    """A line of the revision log."""
    item = _item(number, body.item) if body.item is not None else None
    made = rounds.add_change(_round(number), item, body.text.strip(), body.comments, by(request))
    return {"id": made.pk}


@organiser.post("rounds/{int:number}/publish")
def publish_round(request: HttpRequest, number: int, body: _Published) -> Answer:
    """Publish the round's version, with items of it as worked examples; ``parts`` as in a version without a round."""
    told = what_it_parts()
    return {"number": rounds.publish_round(_round(number), body.text, body.examples).number, "parts": told}


@organiser.post("rounds/{int:number}/measure")
def measure_round(request: HttpRequest, number: int, body: _Measured) -> Answer:
    """Hand items out once more."""
    return {"screens": rounds.measure_again(_round(number), body.scope)}


@organiser.get("contests", auth=LOOK, response=answers.Contests)
def list_contests(request: HttpRequest) -> Answer:
    """Contested scores before and after the rulings."""
    study = current()
    rows = Contest.objects.select_related("judgement__task__rater")
    return {
        "contests": [
            {"id": one.pk, "judgement": one.judgement_id, "reason": one.reason, "by": one.by, **_result(study, one)}
            for one in rows
        ]
    }


def _result(study: LoadedStudy, case: Contest) -> Answer:
    is_errors = study.criteria[case.judgement.criterion].kind == "spans"
    told = (arbitration.arbitrate if is_errors else arbitration.review)(study, case).to_dict()
    return dict(plain(told))  # type: ignore[call-overload, no-any-return]


@organiser.post("contests", auth=RULE, response={201: answers.Made})
def open_contest(request: HttpRequest, body: _NewContest) -> Answer:
    """Contest a judgement."""
    judgement = Judgement.objects.filter(pk=body.judgement).first()
    if judgement is None:
        raise Http404("There is no such judgement.")
    return {"id": arbitration.contest(judgement, body.reason.strip(), by(request)).pk}


@organiser.post("contests/{int:contest}/rulings", auth=RULE, response={201: answers.Verdicts})
def rule(request: HttpRequest, contest: int, body: _Ruling) -> Answer:
    """Rule on one error, mark the errors anew, or give a score."""
    case = Contest.objects.select_related("judgement").filter(pk=contest).first()
    if case is None:
        raise Http404("There is no such contest.")
    if body.score is not None:
        arbitration.review_score(case, str(body.score), body.note, by(request), body.marks)
    elif body.marks is not None:
        arbitration.mark_anew(case, body.marks, body.note, by(request))
    else:
        arbitration.rule_on(case, body.mark, body.ruling, body.severity, body.note, by(request))
    return _result(current(), case)
