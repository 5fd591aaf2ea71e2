"""What a program may ask for the organiser: progress, reliability, raters, quality, comments and exports."""

from dataclasses import asdict
from math import isnan
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone

from accord.errors import InputError
from accord.server import phases
from accord.server.api.endpoint import Call
from accord.server.api.tokens import make_token, revoke
from accord.server.export import TABLES, csv_lines
from accord.server.invitations import NoPlaceLeftError, fewer_words, invite_raters, open_entrance
from accord.server.models import Rater, Remark
from accord.server.models_organiser import ApiToken, Decision
from accord.server.organiser import forgetting
from accord.server.organiser.comments import rated_name
from accord.server.organiser.decisions import decide
from accord.server.organiser.downloads import FILES
from accord.server.organiser.drill_down import both_rated
from accord.server.organiser.judgements import item_of, said_about, texts_of
from accord.server.organiser.kept_effect import shown_effect
from accord.server.organiser.progress import RaterProgress, Share, progress
from accord.server.organiser.raters import rater_checks
from accord.server.organiser.snapshot import history, is_computing, latest_snapshot, problem, refresh
from accord.server.phases import Gate, gates, open_what_is_due
from accord.server.study import current

__all__: list[str] = []

Answer = dict[str, Any]


def _rater(one: RaterProgress) -> Answer:
    return {
        "rater": one.name, "group": one.group, "state": one.state, "excluded": one.excluded, "done": one.done,
        "screens": one.tasks, "judgements": one.judgements, "minutes": round(one.minutes, 2),
        "cost": round(one.cost, 2), "last_saved": one.last.isoformat() if one.last else None,
    }  # fmt: skip


def show_progress(call: Call) -> Answer:
    counted = progress(fresh=False)
    parts = {"groups": counted.groups, "scenarios": counted.scenarios, "phases": counted.phases}
    return {
        "judgements": counted.judgements, "done": counted.done, "screens": counted.tasks,
        "hours": round(counted.hours, 2), "cost": round(counted.cost, 2), "currency": counted.currency,
        **{
            name: [_share(share) for share in shares]
            for name, shares in parts.items()
        },
    }  # fmt: skip


def _share(share: Share) -> Answer:
    return {"name": share.name, "done": share.done, "screens": share.tasks, "open": not share.closed}


def show_phases(call: Call) -> Answer:
    open_what_is_due()
    return {"phases": [_gate(gate) for gate in gates()]}


def change_phase(call: Call, phase: str) -> Answer:
    return _gate(phases.change_phase(phase, call.body["action"], call.by))


def _gate(gate: Gate) -> Answer:
    return {
        "phase": gate.phase.key, "title": gate.title, "open": gate.is_open, "rule": gate.rule,
        "opens_on": gate.opens.isoformat() if gate.opens else None, "reserve": gate.phase.reserve,
        "changed_by": gate.event.by if gate.event else None,
        "changed_at": gate.event.at.isoformat() if gate.event else None,
    }  # fmt: skip


def show_reliability(call: Call) -> Answer:
    refresh()
    snapshot = latest_snapshot()
    return {
        "computing": is_computing(), "problem": problem(), "judgements": snapshot.judgements if snapshot else 0,
        "fingerprint": snapshot.fingerprint if snapshot else "",
        "made_at": snapshot.made_at.isoformat() if snapshot else None,
        "results": snapshot.results if snapshot else None,
    }  # fmt: skip


def show_history(call: Call) -> Answer:
    return {
        "states": [
            {"judgements": state["judgements"], "made_at": state["made_at"].isoformat(), "criteria": state["headline"]}
            for state in history()
        ]
    }


def list_raters(call: Call) -> Answer:
    return {"raters": [_rater(one) for one in progress(fresh=False).raters]}


def invite(call: Call) -> Answer:
    try:
        invited = invite_raters(int(call.body["number"]))
    except NoPlaceLeftError as error:
        raise InputError(str(error)) from None
    build = call.request.build_absolute_uri
    return {
        "invitations": [
            {"rater": rater.pseudonym, "group": rater.group, "link": build(reverse("invitation", args=[token]))}
            for rater, token in invited
        ],
        "note": fewer_words(int(call.body["number"]), len(invited)),
    }


def enter_crowd(call: Call) -> Answer:
    token = open_entrance(call.body.get("completion_code", ""))
    return {"link": call.request.build_absolute_uri(reverse("crowd", args=[token]))}


def _known_rater(name: str) -> Rater:
    found = Rater.objects.filter(pseudonym=name).first()
    if found is None:
        raise Http404(f"There is no rater {name[:80]!r}.")
    return found


def show_rater(call: Call, rater: str) -> Answer:
    person = _known_rater(rater)
    counted = progress(fresh=False)
    work = next((one for one in counted.raters if one.name == rater), None)
    shown = shown_effect(person)
    return {
        "rater": rater, "work": _rater(work) if work else None,
        "checks": [asdict(check) for check in rater_checks(counted).get(rater, [])],
        "effect_of_leaving_out": [asdict(effect) | {"change": effect.change} for effect in shown.effects],
        "effect_computing": shown.computing,
        "effect_made_at": shown.made_at.isoformat() if shown.made_at else None, "newer_judgements": shown.newer,
        "decisions": [_decision(one) for one in Decision.objects.filter(rater=person)],
    }  # fmt: skip


def _decision(one: Decision) -> Answer:
    return {"action": one.action, "reason": one.reason, "rule": one.rule, "by": one.by, "at": one.at.isoformat()}


def decide_on(call: Call, rater: str) -> Answer:
    return _decision(decide(_known_rater(rater), call.body["action"], call.body["reason"], call.by))


def forget(call: Call, rater: str) -> Answer:
    _known_rater(rater)
    return asdict(forgetting.forget(rater, comments=call.body.get("comments", True)))


def show_item(call: Call, item: str) -> Answer:
    study = current()
    found = item_of(study, item)
    if found is None:
        raise Http404(f"There is no item {item[:80]!r}.")
    said = [asdict(one) | {"made_at": one.made_at.isoformat()} for one in said_about(study, found)]
    return {"item": item, "texts": [asdict(text) for text in texts_of(study, found)], "judgements": said}


def show_pair(call: Call, criterion: str, first: str, second: str) -> Answer:
    return {"items": both_rated(criterion, first, second)}


def export(call: Call, table: str) -> StreamingHttpResponse:
    if table in TABLES:
        columns, rows = TABLES[table](named=call.query.get("systems") == "named")
    elif table in FILES:
        columns, rows = FILES[table][0], FILES[table][1]()
    else:
        raise Http404(f"There is no table {table[:80]!r}. Known: {', '.join([*TABLES, *FILES])}.")
    return StreamingHttpResponse(csv_lines((columns, rows)), content_type="text/csv; charset=utf-8")


def list_comments(call: Call) -> Answer:
    rows = Remark.objects.exclude(text="").select_related("rater", "task").order_by("-id")[:1000]
    return {
        "comments": [
            {
                "id": row.pk, "rater": row.rater.pseudonym, "about": row.about, "item": rated_name(row),
                "text": row.text, "answer": row.answer, "at": row.received_at.isoformat(),
            }
            for row in rows
        ]
    }  # fmt: skip


def answer_comment(call: Call, comment: int) -> Answer:
    found = Remark.objects.filter(pk=comment).update(answer=call.body["answer"], answered_at=timezone.now())
    if not found:
        raise Http404("There is no such comment.")
    return {"id": comment, "answer": call.body["answer"]}


def list_tokens(call: Call) -> Answer:
    return {
        "tokens": [
            {"id": one.pk, "label": one.label, "scope": one.scope, "rater": one.rater.pseudonym if one.rater else None,
             "revoked": one.revoked_at is not None}
            for one in ApiToken.objects.select_related("rater")
        ]
    }  # fmt: skip


def new_token(call: Call) -> Answer:
    name = call.body.get("rater", "")
    scope = ApiToken.Scope.RATER if name else ApiToken.Scope.ORGANISER
    row, token = make_token(scope, call.body["label"], _known_rater(name) if name else None)
    return {"id": row.pk, "token": token, "scope": row.scope}


def revoke_token(call: Call, token: int) -> Answer:
    found = ApiToken.objects.filter(pk=token).first()
    if found is None:
        raise Http404("There is no such token.")
    revoke(found)
    return {"id": token, "revoked": True}


def plain(value: object) -> object:
    """Numbers without a value become null, which JSON has a word for."""
    if isinstance(value, float) and isnan(value):
        return None
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value
