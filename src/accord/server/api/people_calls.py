"""What a program may do about raters: invite them, look at one, decide about them with a reason."""

from dataclasses import asdict
from typing import Annotated

from django.http import Http404, HttpRequest
from pydantic import Field

from accord.errors import InputError
from accord.server.api import answers
from accord.server.api.scopes import LOOK, Answer, by, organiser
from accord.server.api.shapes import WHOLE, Line, OneOf, Reason, Shape, Stored
from accord.server.invitations import NoPlaceLeftError, fewer_words, invite_raters, open_entrance
from accord.server.models import Rater
from accord.server.models_organiser import Decision
from accord.server.organiser import forgetting, raters
from accord.server.organiser.arbitration_pages import arbiter_link
from accord.server.organiser.decisions import decide, undo
from accord.server.organiser.inviting import (
    PLATFORMS,
    Invited,
    crowd_link,
    entrances,
    invited_rows,
    reissue,
    stop_entrance,
)
from accord.server.organiser.item_page import ask_item_again
from accord.server.organiser.kept_effect import shown_effect
from accord.server.organiser.progress import RaterProgress, progress
from accord.server.organiser.raters import broken_now, leave_out_by_rules, rater_checks
from accord.server.replacing import invite_instead_of
from accord.server.study import current

__all__ = ["known_rater"]


class _Number(Shape):
    number: Annotated[int, Field(ge=1, le=10_000), WHOLE]


class _Decided(Shape):
    action: Annotated[str, OneOf(*Decision.Action.values)]
    reason: Reason


class _Label(Shape):
    label: Line


class _Forget(Shape):
    comments: bool = True


class _Entrance(Shape):
    completion_code: Line = ""
    full_code: Line = ""
    completion_address: Annotated[Stored, Field(max_length=500)] = ""
    platform: Annotated[str, OneOf(*PLATFORMS)] | None = None


class _Again(Shape):
    item: Line
    reason: Reason


class _Rules(Shape):
    everybody: bool = False


@organiser.get("raters", auth=LOOK, response=answers.Raters)
def list_raters(request: HttpRequest) -> Answer:
    """All raters with their progress."""
    return {"raters": [_rater(one) for one in progress(fresh=False).raters]}


@organiser.post("raters")
def invite(request: HttpRequest, body: _Number) -> Answer:
    """Invite raters; each link is in this answer and nowhere else."""
    try:
        invited = invite_raters(body.number)
    except NoPlaceLeftError as error:
        raise InputError(str(error)) from None
    links = [_invitation(one) for one in invited_rows(request, invited)]
    return {"invitations": links, "note": fewer_words(body.number, len(links))}


@organiser.post("raters/{rater}/link")
def renew_link(request: HttpRequest, rater: str) -> Answer:
    """Another link for a rater who lost theirs, in this answer and nowhere else; the old one stops working."""
    return _invitation(invited_rows(request, [reissue(known_rater(rater).pseudonym)])[0])


@organiser.post("raters/{rater}/label")
def name_rater(request: HttpRequest, rater: str, body: _Label) -> Answer:
    """Keep who a rater is, for the organiser's pages alone; exports and reports have the pseudonym."""
    raters.name_rater(known_rater(rater), body.label)
    return {"rater": rater, "label": body.label.strip()}


@organiser.post("raters/{rater}/replacement")
def replace_rater(request: HttpRequest, rater: str) -> Answer:
    """Invite somebody in the place of a rater who left: open work is handed on, what was answered stays."""
    return _invitation(invited_rows(request, [invite_instead_of(known_rater(rater).pseudonym, by(request))])[0])


@organiser.post("entrances")
def enter_crowd(request: HttpRequest, body: _Entrance) -> Answer:
    """A link for a recruiting platform."""
    try:
        token = open_entrance(body.completion_code, body.completion_address, body.full_code)
    except NoPlaceLeftError as error:
        raise InputError(str(error)) from None
    return {"link": crowd_link(request, token, body.platform)}


@organiser.get("entrances")
def list_entrances(request: HttpRequest) -> Answer:
    """Every link for a recruiting platform: its code, how many came by it, whether it takes anybody new."""
    found = entrances()
    return {"entrances": [{**one, "made_at": one["made_at"] and one["made_at"].isoformat()} for one in found]}


@organiser.delete("entrances/{int:entrance}")
def close_entrance(request: HttpRequest, entrance: int) -> Answer:
    """Take nobody new by a link for a platform; who came by it goes on."""
    stop_entrance(entrance)
    return {"entrance": entrance, "open": False}


@organiser.get("raters/{rater}", auth=LOOK, response=answers.RaterPage)
def show_rater(request: HttpRequest, rater: str) -> Answer:
    """One rater: work, quality checks, the effect of leaving them out, decisions."""
    person = known_rater(rater)
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


@organiser.post("raters/{rater}/decisions")
def decide_on(request: HttpRequest, rater: str, body: _Decided) -> Answer:
    """Pause, resume, ask to redo, leave out or count again, with a reason."""
    return _decision(decide(known_rater(rater), body.action, body.reason, by(request)))


@organiser.post("raters/{rater}/again")
def judge_again(request: HttpRequest, rater: str, body: _Again) -> Answer:
    """Ask a rater to judge one text once more, with a reason; the first answer is kept beside the new one."""
    return _decision(ask_item_again(known_rater(rater), body.item, body.reason, by(request)))


@organiser.post("decisions/{int:decision}/undo")
def undo_decision(request: HttpRequest, decision: int) -> Answer:
    """Take a decision back, as long as nothing else was decided about the rater since."""
    found = Decision.objects.filter(pk=decision).select_related("rater").first()
    if found is None:
        raise Http404("There is no such decision.")
    return _decision(undo(found, by(request)))


@organiser.post("raters/{rater}/forget")
def forget(request: HttpRequest, rater: str, body: _Forget) -> Answer:
    """Remove all that says who a rater is; judgements stay."""
    known_rater(rater)
    return asdict(forgetting.forget(rater, comments=body.comments))


@organiser.get("quality", auth=LOOK, response=answers.Quality)
def show_quality(request: HttpRequest) -> Answer:
    """Declared rules, every rater's checks, and whom the rules would leave out."""
    counted = progress(fresh=False)
    checks = rater_checks(counted)
    broken = broken_now(counted, checks)
    return {
        "declared": [rule.model_dump() for rule in current().settings.exclusions],
        "checks": {name: [asdict(check) for check in found] for name, found in checks.items()},
        "to_apply": [{"rater": check.rater, "rule": check.rule} for check in broken.finished],
        "at_work": [{"rater": check.rater, "rule": check.rule} for check in broken.at_work],
    }


@organiser.post("quality/apply")
def apply_rules(request: HttpRequest, body: _Rules) -> Answer:
    """Leave out who finished and breaks a rule, as decisions on record; with `everybody` those at work too."""
    return {"left_out": leave_out_by_rules(by(request), everybody=body.everybody)}


@organiser.post("arbiters")
def invite_arbiter(request: HttpRequest) -> Answer:
    """A link that makes one more account, for somebody else to rule on contested scores."""
    return {"link": arbiter_link(request)}


def _invitation(one: Invited) -> Answer:
    return {"rater": one.name, "group": one.group, "link": one.link}


def _rater(one: RaterProgress) -> Answer:
    return {
        "rater": one.name, "group": one.group, "state": one.state, "excluded": one.excluded, "done": one.done,
        "screens": one.tasks, "judgements": one.judgements, "minutes": round(one.minutes, 2),
        "cost": round(one.cost, 2), "last_saved": one.last.isoformat() if one.last else None,
    }  # fmt: skip


def _decision(one: Decision) -> Answer:
    return {
        "id": one.pk,
        "action": one.action,
        "reason": one.reason,
        "rule": one.rule,
        "by": one.by,
        "at": one.at.isoformat(),
    }


def known_rater(name: str) -> Rater:
    found = Rater.objects.filter(pseudonym=name).first()
    if found is None:
        raise Http404(f"There is no rater {name[:80]!r}.")
    return found
