"""The pages of guideline rounds."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.answer_values import penalty_of_marks
from accord.server.guidelines import latest
from accord.server.models import GuidelineVersion, Remark
from accord.server.models_organiser import Change, DesignerRating, Round, RoundItem
from accord.server.organiser import rounds
from accord.server.organiser.judgements import ItemName, Said, item_of, said_about, shown_value, texts_of
from accord.server.organiser.overlay import ShownMark, marks_in_words
from accord.server.organiser.pages import organiser_view, show, text_of, who
from accord.server.organiser.publishing import what_it_parts
from accord.server.organiser.remeasured import OtherScale, compare_round, other_scales, stop_advice
from accord.server.organiser.snapshot import are_current, latest_snapshot
from accord.server.organiser.toast import say_done
from accord.server.organiser.worked_examples import agreed_items
from accord.server.study import LoadedStudy, current

__all__ = [
    "change", "judge", "measure", "one_round", "open_round", "overview", "publish", "publish_version", "rate",
]  # fmt: skip

_HERE = "organiser-rounds"
_QUEUED = 10


@organiser_view("GET")
def overview(request: HttpRequest) -> HttpResponse:
    """All rounds, the versions they led to, and the queue of disputed items."""
    return _overview(request)


def _overview(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    study = current()
    turns = [(turn, compare_round(turn)) for turn in Round.objects.select_related("version", "published")]
    context = {
        "turns": [(turn, found, stop_advice(turn, found)) for turn, found in turns],
        "queues": [
            (key, *_shortened(rounds.queue(key, 1_000)), rounds.is_by_points(key))
            for key, asked in study.criteria.items()
            if rounds.can_rate(asked)
        ],
        "is_current": are_current(latest_snapshot()),
        "text": latest().text,
        "versions": GuidelineVersion.objects.order_by("-number"),
        "log": _log(),
        "problem": problem,
    }
    return show(request, "rounds", context, here=_HERE, status=status)


def _shortened(disputed: Sequence[dict[str, Any]]) -> tuple[Sequence[dict[str, Any]], str]:
    """The most disputed items, and how many of all these are where there are more."""
    if len(disputed) <= _QUEUED:
        return disputed, ""
    return disputed[:_QUEUED], _("{number} of {total}").format(number=_QUEUED, total=len(disputed))


def _log() -> list[tuple[Change | None, GuidelineVersion | None]]:
    """What was changed, the newest first: the changes of rounds, and versions published without one."""
    changes = Change.objects.select_related("round", "item", "version").prefetch_related("remarks")
    versions = GuidelineVersion.objects.filter(number__gt=1, changes=None)
    found = [(one.at, one, None) for one in changes] + [(one.published_at, None, one) for one in versions]
    return [(change, version) for _at, change, version in sorted(found, key=lambda one: one[0], reverse=True)]


@organiser_view("POST")
def publish_version(request: HttpRequest) -> HttpResponse:
    """Publish a new version of the guideline at once, outside of a round."""
    text = request.POST.get("text", "").replace("\x00", "")[:500_000]
    change = text_of(request, "change")
    try:
        rounds.refuse_version(text, change)
        if request.POST.get("sure") != "yes" and (told := what_it_parts()):
            return _ask_to_publish(request, told, [("text", text), ("change", change)])
        made = rounds.publish_version(text, change)
    except InputError as error:
        return _overview(request, str(error), 400)
    say_done(request, _("Version {n} is published; raters read it before they go on.").format(n=made.number))
    return redirect("organiser-rounds")


def _ask_to_publish(
    request: HttpRequest, told: list[str], fields: list[tuple[str, str]], turn: Round | None = None
) -> HttpResponse:
    """What was written stays in the form of the question; ``turn`` is the round that publishes, if one does."""
    context = {
        "title": _("Publish version {n}?").format(n=latest().number + 1),
        "verb": _("Publish to all raters"),
        "own_lines": told,
        "fields": [*fields, ("sure", "yes")],
        "action": reverse("organiser-publish", args=[turn.number]) if turn else reverse("organiser-guidelines"),
        "back": reverse("organiser-round", args=[turn.number]) if turn else reverse(_HERE),
        "afterwards": _("Every version is kept. Raters read the new one before they go on."),
    }
    return show(request, "ask", context, here=_HERE)


@organiser_view("POST")
def open_round(request: HttpRequest) -> HttpResponse:
    """Begin a round with the most disputed items."""
    try:
        made = rounds.open_round(
            request.POST.get("criterion", ""), int(request.POST.get("items", "0")),
            float(request.POST.get("target", "nan")), float(request.POST.get("smallest_gain", "nan")), who(request),
        )  # fmt: skip
    except ValueError:
        return _overview(request, "Give numbers for items, target and smallest gain.", 400)
    except InputError as error:
        return _overview(request, str(error), 400)
    return redirect("organiser-round", made.number)


@organiser_view("GET")
def one_round(request: HttpRequest, number: int) -> HttpResponse:
    """One round, step by step."""
    return _page(request, get_object_or_404(Round, number=number))


def _page(request: HttpRequest, turn: Round, problem: str = "", status: int = 200) -> HttpResponse:
    study = current()
    found = compare_round(turn)
    scales = other_scales(turn.criterion)
    cards = [_card(study, turn, item, who(request)) for item in turn.items.all()]
    context = {
        "turn": turn, "criterion": study.criteria[turn.criterion], "cards": cards,
        "by_points": rounds.is_by_points(turn.criterion), "weights": _weights(study.criteria[turn.criterion]),
        "open": sum(not card["item"].verdict for card in cards),
        "vague": sum(card["item"].verdict == RoundItem.Verdict.VAGUE for card in cards),
        "changes": turn.changes.select_related("item").prefetch_related("remarks"), "text": latest().text,
        "agreed": [] if turn.published_id else agreed_items(study, turn),  # type: ignore[attr-defined]
        "found": found, "advice": stop_advice(turn, found), "scopes": rounds.SCOPES,
        "scales": scales if isinstance(scales, OtherScale) else None,
        "no_scales": scales if isinstance(scales, str) else "", "problem": problem,
        "is_answered": turn.tasks.filter(task__judgements__isnull=False).exists(),  # type: ignore[attr-defined]
    }  # fmt: skip
    return show(request, "round", context, here=_HERE, status=status)


def _card(study: LoadedStudy, turn: Round, item: RoundItem, me: str) -> dict[str, Any]:
    """A disputed item as a designer sees it: others' answers only after one's own."""
    name = item_of(study, item.name)
    last = {rating.designer: rating for rating in item.ratings.order_by("id")}
    mine: DesignerRating | None = last.get(me)
    said = _said_before(study, turn, name) if name else []
    texts = texts_of(study, name) if name else []
    designers = [(one.designer, _words(study, turn, one.value), one.comment) for one in last.values()]
    return {
        "item": item, "here": next((text for text in texts if text.is_here), None), "mine": mine,
        "mine_words": _words(study, turn, mine.value) if mine else "",
        "designers": designers if mine else [],
        "waiting": len(last), "said": [(one, *_marked(study, one)) for one in said] if mine else [],
        "remarks": Remark.objects.filter(task__in=_tasks(said)).exclude(text="") if mine else [],
    }  # fmt: skip


def _weights(criterion: CriterionSettings) -> str:
    """What one error of each severity costs, as "Major 5, Minor 1": points are given in these."""
    own = {one.key: (one.label or one.key).partition(": ")[0] for one in criterion.severities}
    costs = {one.key: one.weight for one in criterion.severities} | criterion.weights
    return ", ".join(f"{own.get(key, key)} {points:g}" for key, points in costs.items())


def _marked(study: LoadedStudy, one: Said) -> tuple[str, list[ShownMark]]:
    """The points of a rater's marks, and the marks in words; nothing where nothing is marked."""
    criterion = study.criteria[one.criterion]
    if criterion.kind != "spans" or one.raw is None:
        return "", []
    return f"{penalty_of_marks(criterion, one.raw):g}", marks_in_words(criterion, one.raw, one.texts)


def _said_before(study: LoadedStudy, turn: Round, name: ItemName) -> list[Said]:
    """What each rater who counts said last under the version that is discussed, or an earlier one; no repeats."""
    last: dict[str, Said] = {}
    for one in said_about(study, name):
        known = one.criterion == turn.criterion and one.counts and not one.excluded and one.occasion == 1
        if known and last.get(one.rater, one).guideline <= one.guideline <= turn.version.number:
            last[one.rater] = one
    return sorted(last.values(), key=lambda one: one.rater)


def _words(study: LoadedStudy, turn: Round, value: Any) -> str:
    kind = study.criteria[turn.criterion].kind
    return f"{value:g} points" if kind in ("spans", "post_edit") else shown_value(study, turn.criterion, value)


def _tasks(said: list[Any]) -> list[int]:
    from accord.server.models import Judgement

    return list(Judgement.objects.filter(pk__in=[one.key for one in said]).values_list("task", flat=True))


def _tried(request: HttpRequest, turn: Round, action: Callable[[], object]) -> HttpResponse:
    """Do it and go back to the round, or say on the page why not."""
    try:
        action()
    except InputError as error:
        return _page(request, turn, str(error), 400)
    return redirect("organiser-round", turn.number)


@organiser_view("POST")
def rate(request: HttpRequest, number: int, key: int) -> HttpResponse:
    """A designer's own rating of a disputed item."""
    item = get_object_or_404(RoundItem.objects.select_related("round"), pk=key, round__number=number)
    value, comment = text_of(request, "value"), text_of(request, "comment")
    return _tried(request, item.round, lambda: rounds.rate_item(item, who(request), value, comment))


@organiser_view("POST")
def judge(request: HttpRequest, number: int, key: int) -> HttpResponse:
    """Say whether the text is at fault or the guideline."""
    item = get_object_or_404(RoundItem.objects.select_related("round"), pk=key, round__number=number)
    verdict, note = request.POST.get("verdict", ""), text_of(request, "note")
    return _tried(request, item.round, lambda: rounds.judge_item(item, verdict, note, who(request)))


@organiser_view("POST")
def change(request: HttpRequest, number: int) -> HttpResponse:
    """Add a line to the revision log."""
    turn = get_object_or_404(Round, number=number)
    key = request.POST.get("item", "")
    item = turn.items.filter(pk=int(key)).first() if key.isdecimal() else None
    remarks = [int(one) for one in request.POST.getlist("remarks") if one.isdecimal()]
    text = text_of(request, "text")
    return _tried(request, turn, lambda: rounds.add_change(turn, item, text, remarks, who(request)))


@organiser_view("POST")
def publish(request: HttpRequest, number: int) -> HttpResponse:
    """Publish the changed guideline to all raters, after the question that is asked without a round, too."""
    turn = get_object_or_404(Round, number=number)
    text = request.POST.get("text", "").replace("\x00", "")[:500_000]
    examples = [int(one) for one in request.POST.getlist("examples") if one.isdecimal() and len(one) < 15]
    try:
        rounds.round_text(turn, text, examples)
    except InputError as error:
        return _page(request, turn, str(error), 400)
    if request.POST.get("sure") != "yes" and (told := what_it_parts()):
        fields = [("text", text), *(("examples", str(one)) for one in examples)]
        return _ask_to_publish(request, told, fields, turn)
    return _tried(request, turn, lambda: rounds.publish_round(turn, text, examples))


@organiser_view("POST")
def measure(request: HttpRequest, number: int) -> HttpResponse:
    """Hand items out once more under the new version."""
    turn = get_object_or_404(Round, number=number)
    return _tried(request, turn, lambda: rounds.measure_again(turn, request.POST.get("scope", "")))
