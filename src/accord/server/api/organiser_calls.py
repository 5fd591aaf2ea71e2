"""What a program may ask for the organiser: progress, reliability, comments, exports and tokens."""

from dataclasses import asdict
from functools import partial
from math import isnan
from typing import Annotated

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils import timezone
from pydantic import Field

from accord.errors import OptionError
from accord.server import phases
from accord.server.api import answers
from accord.server.api.people_calls import known_rater
from accord.server.api.scopes import LOOK, Answer, by, file_answer, organiser, token_in
from accord.server.api.shapes import Line, OneOf, Shape, Text
from accord.server.api.tokens import make_token, revoke
from accord.server.export import TABLES, lines_of_one_moment
from accord.server.models import Remark
from accord.server.models_organiser import ApiToken, PhaseEvent
from accord.server.organiser.all_intervals import all_intervals
from accord.server.organiser.changing import too_many
from accord.server.organiser.comments import rated_name
from accord.server.organiser.downloads import FILES, file_of
from accord.server.organiser.drill_down import both_rated
from accord.server.organiser.judgements import item_of, said_about, texts_of
from accord.server.organiser.progress import Share, progress
from accord.server.organiser.snapshot import history, is_computing, latest_snapshot, problem, refresh
from accord.server.phases import Gate, gates, open_what_is_due
from accord.server.study import current
from accord.server.workspace.cards import note_waiting

__all__: list[str] = []


class _PhaseChange(Shape):
    action: Annotated[str, OneOf(*PhaseEvent.Action.values)]


class _CommentAnswer(Shape):
    answer: Annotated[Text, Field(min_length=1)]


class _NewToken(Shape):
    label: Annotated[Line, Field(min_length=1)]
    rater: Line = ""


@organiser.get("progress", auth=LOOK, response=answers.Progress)
def show_progress(request: HttpRequest) -> Answer:
    """Progress by group, scenario and phase, time and cost."""
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


@organiser.get("phases", auth=LOOK, response=answers.Phases)
def show_phases(request: HttpRequest) -> Answer:
    """All phases: which are open, and what opens the others."""
    open_what_is_due()
    return {"phases": [_gate(gate) for gate in gates()]}


@organiser.post("phases/{phase}", response={201: answers.Phase})
def change_phase(request: HttpRequest, phase: str, body: _PhaseChange) -> Answer:
    """Open a phase, or close it again."""
    return _gate(phases.change_phase(phase, body.action, by(request)))


def _gate(gate: Gate) -> Answer:
    return {
        "phase": gate.phase.key, "title": gate.title, "open": gate.is_open, "rule": gate.rule,
        "opens_on": gate.opens.isoformat() if gate.opens else None, "reserve": gate.phase.reserve,
        "changed_by": gate.event.by if gate.event else None,
        "changed_at": gate.event.at.isoformat() if gate.event else None,
    }  # fmt: skip


@organiser.get("reliability", auth=LOOK, response=answers.Reliability)
def show_reliability(request: HttpRequest) -> Answer:
    """The newest results: coefficients, those to report with intervals, pairs, disputed items, findings."""
    refresh()
    snapshot = latest_snapshot()
    return {
        "computing": is_computing(), "problem": problem(), "judgements": snapshot.judgements if snapshot else 0,
        "fingerprint": snapshot.fingerprint if snapshot else "",
        "made_at": snapshot.made_at.isoformat() if snapshot else None,
        "results": snapshot.results if snapshot else None,
    }  # fmt: skip


@organiser.get("coefficients/{criterion}", auth=LOOK, response=answers.Coefficients)
def show_coefficients(request: HttpRequest, criterion: str) -> Answer:
    """Every coefficient of a criterion with its interval, from the judgements as they are now."""
    if criterion not in current().criteria:
        raise Http404(f"There is no criterion {criterion[:80]!r}.")
    if too_many():
        raise OptionError(
            "There are too many judgements to compute all intervals while you wait. Get exports/analysed.zip and run "
            "accord agree --all on it."
        )
    return {"groups": [group for group in all_intervals() if group["criterion"] == criterion]}


@organiser.get("reliability/history", auth=LOOK, response=answers.History)
def show_history(request: HttpRequest) -> Answer:
    """The main numbers of every state analysed."""
    return {
        "states": [
            {"judgements": state["judgements"], "made_at": state["made_at"].isoformat(), "criteria": state["headline"]}
            for state in history()
        ]
    }


@organiser.get("items/{path:item}", auth=LOOK, response=answers.Item)
def show_item(request: HttpRequest, item: str) -> Answer:
    """Every judgement on an item, with its text in context."""
    study = current()
    found = item_of(study, item)
    if found is None:
        raise Http404(f"There is no item {item[:80]!r}.")
    said = [asdict(one) | {"made_at": one.made_at.isoformat()} for one in said_about(study, found)]
    return {"item": item, "texts": [asdict(text) for text in texts_of(study, found)], "judgements": said}


@organiser.get("pairs/{criterion}/{first}/{second}", auth=LOOK)
def show_pair(request: HttpRequest, criterion: str, first: str, second: str) -> Answer:
    """The items two raters judged under one version and in one round, furthest apart first."""
    both = both_rated(criterion, first, second)
    return {"items": both.rows, "not_compared": both.apart}


@organiser.get("exports/{table}", openapi_extra=file_answer("text/csv"))
def export(
    request: HttpRequest, table: str, systems: Annotated[str, OneOf("coded", "named")] = "coded"
) -> StreamingHttpResponse:
    """A table of the study as CSV."""
    if table not in TABLES and table not in FILES:
        raise Http404(f"There is no table {table[:80]!r}. Known: {', '.join([*TABLES, *FILES])}.")
    asked = partial(TABLES[table], named=systems == "named") if table in TABLES else partial(file_of, table)
    return StreamingHttpResponse(lines_of_one_moment(asked), content_type="text/csv; charset=utf-8")


@organiser.get("comments", auth=LOOK, response=answers.Comments)
def list_comments(request: HttpRequest) -> Answer:
    """Raters' comments and questions, newest first."""
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


@organiser.post("comments/{int:comment}/answer")
def answer_comment(request: HttpRequest, comment: int, body: _CommentAnswer) -> Answer:
    """Answer a comment."""
    found = Remark.objects.filter(pk=comment).update(answer=body.answer, answered_at=timezone.now())
    if not found:
        raise Http404("There is no such comment.")
    note_waiting()
    return {"id": comment, "answer": body.answer}


@organiser.get("tokens")
def list_tokens(request: HttpRequest) -> Answer:
    """All tokens, without their secrets."""
    return {
        "tokens": [
            {"id": one.pk, "label": one.label, "scope": one.scope, "rater": one.rater.pseudonym if one.rater else None,
             "revoked": one.revoked_at is not None}
            for one in ApiToken.objects.select_related("rater")
        ]
    }  # fmt: skip


@organiser.post("tokens")
def new_token(request: HttpRequest, body: _NewToken) -> Answer:
    """Make a token; it is in this answer and nowhere else."""
    name = body.rater
    scope = ApiToken.Scope.RATER if name else ApiToken.Scope.ORGANISER
    row, token = make_token(scope, body.label, known_rater(name) if name else None, token_in(request).by)
    return {"id": row.pk, "token": token, "scope": row.scope}


@organiser.delete("tokens/{int:token}")
def revoke_token(request: HttpRequest, token: int) -> Answer:
    """Revoke a token."""
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
