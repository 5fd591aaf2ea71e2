"""What a program may ask about guidelines, rounds and arbitration."""

from dataclasses import asdict
from typing import Any

from django.http import Http404

from accord.errors import InputError
from accord.server.api.endpoint import Call
from accord.server.api.organiser_calls import plain
from accord.server.guidelines import latest, publish
from accord.server.models import GuidelineVersion, Judgement
from accord.server.models_organiser import Contest, Round, RoundItem
from accord.server.organiser import arbitration, rounds
from accord.server.organiser.remeasured import OtherScale, compare_round, other_scales, plain_change, stop_advice
from accord.server.study import LoadedStudy, current

__all__: list[str] = []

Answer = dict[str, Any]


def list_versions(call: Call) -> Answer:
    return {
        "versions": [
            {"number": one.number, "text": one.text, "change": one.change, "published_at": one.published_at.isoformat()}
            for one in GuidelineVersion.objects.all()
        ]
    }


def new_version(call: Call) -> Answer:
    before = latest().number
    version = publish(call.body["text"], call.body.get("change", ""))
    if version.number == before:
        raise InputError("This text is already the published one.")
    return {"number": version.number}


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


def list_rounds(call: Call) -> Answer:
    return {"rounds": [_round_as_json(turn) for turn in Round.objects.select_related("version", "published")]}


def open_round(call: Call) -> Answer:
    body = call.body
    turn = rounds.open_round(
        body["criterion"], int(body["items"]), float(body.get("target", 0.8)), float(body.get("smallest_gain", 0.05)),
        call.by,
    )  # fmt: skip
    return _round_as_json(turn)


def show_round(call: Call, number: int) -> Answer:
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


def rate_item(call: Call, number: int, item: int) -> Answer:
    rating = rounds.rate_item(_item(number, item), call.by, call.body["value"], call.body.get("comment", ""))
    return {"id": rating.pk}


def judge_item(call: Call, number: int, item: int) -> Answer:
    rounds.judge_item(_item(number, item), call.body["verdict"], call.body.get("note", ""), call.by)
    return {"verdict": call.body["verdict"]}


def add_change(call: Call, number: int) -> Answer:
    key = call.body.get("item")
    item = _item(number, int(key)) if key is not None else None
    remarks = [int(one) for one in call.body.get("comments", [])]
    return {"id": rounds.add_change(_round(number), item, call.body["text"].strip(), remarks, call.by).pk}


def publish_round(call: Call, number: int) -> Answer:
    return {"number": rounds.publish_round(_round(number), call.body["text"]).number}


def measure_round(call: Call, number: int) -> Answer:
    return {"screens": rounds.measure_again(_round(number), call.body["scope"])}


def list_contests(call: Call) -> Answer:
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


def open_contest(call: Call) -> Answer:
    judgement = Judgement.objects.filter(pk=int(call.body["judgement"])).first()
    if judgement is None:
        raise Http404("There is no such judgement.")
    return {"id": arbitration.contest(judgement, call.body["reason"].strip(), call.by).pk}


def rule(call: Call, contest: int) -> Answer:
    case = Contest.objects.select_related("judgement").filter(pk=contest).first()
    if case is None:
        raise Http404("There is no such contest.")
    body = call.body
    if "score" in body:
        arbitration.review_score(case, str(body["score"]), body.get("note", ""), call.by)
    else:
        mark, ruling = int(body.get("mark", 0)), body.get("ruling", "")
        arbitration.rule_on(case, mark, ruling, body.get("severity", ""), body.get("note", ""), call.by)
    return _result(current(), case)
