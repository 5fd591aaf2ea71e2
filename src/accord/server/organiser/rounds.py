"""Guideline rounds: disputed items rated again by designers, a verdict on each, a new version, a new measurement."""

import random
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.noise import ordered
from accord.ratings.codebook import ROLES
from accord.ratings.study_codebook import system_names
from accord.server.guidelines import latest, publish
from accord.server.models import GuidelineVersion, Rater, RaterState, Remark, Task
from accord.server.models_organiser import Change, DesignerRating, Round, RoundItem
from accord.server.organiser.decisions import give_again
from accord.server.organiser.ratings import left_out_now
from accord.server.organiser.snapshot import are_current, latest_snapshot, problem
from accord.server.organiser.titles import shown_title, turn_of
from accord.server.organiser.worked_examples import with_examples
from accord.server.study import LoadedStudy, current
from accord.server.validation import check_value

__all__ = [
    "SCOPES", "add_change", "can_rate", "designer_value", "is_by_points", "judge_item", "measure_again", "open_round",
    "publish_round", "publish_version", "queue", "rate_item", "refuse_version",
    "round_text",
]  # fmt: skip

SCOPES = {
    "all": _("all items"),
    "others": _("the disputed items and as many others, drawn at random"),
    "disputed": _("the disputed items only"),
}
"""What is measured again. Disputed items alone get better by chance: the next dispute is rarely as large."""


def queue(criterion: str, most: int = 50) -> list[dict[str, Any]]:
    """The most disputed items of a criterion in its newest round, by the newest results: each once, at its worst."""
    groups = _newest(criterion)
    size = "apart" if is_by_points(criterion) else "entropy"
    found: dict[str, dict[str, Any]] = {}
    for group in groups:
        for one in group["disputed"]:
            known = found.get(one["item"])
            if known is None or (one[size] or 0.0) > (known[size] or 0.0):
                found[one["item"]] = {**one, "part": shown_title(group) if len(groups) > 1 else ""}
    return ordered(found.values(), lambda one: one[size] or 0.0, highest=True)[:most]


def is_by_points(criterion: str) -> bool:
    """Whether its disputes are told in points: of very many values each rating is another, and entropy says nothing."""
    return any(group.get("far") for group in _newest(criterion))


def _newest(criterion: str) -> list[dict[str, Any]]:
    """What was found in the newest round of a criterion, under each version and in each scenario."""
    snapshot = latest_snapshot()
    found = snapshot.results["groups"] if snapshot else []
    groups = [group for group in found if group["criterion"] == criterion and not group.get("combined")]
    newest = max((turn_of(group["by"].get("phase", "")) for group in groups), default=0)
    return [group for group in groups if turn_of(group["by"].get("phase", "")) == newest]


def open_round(criterion: str, items: int, target: float, smallest_gain: float, by: str) -> Round:
    """Take the most disputed items into a new round; the stop rule is fixed now, before anything is known."""
    if criterion not in current().criteria:
        raise InputError(f"The study has no criterion {criterion!r}.")
    if not 1 <= items <= 200 or not 0 < target < 1 or not 0 < smallest_gain < 1:
        raise InputError("Take 1 to 200 items; the target and the smallest gain lie between 0 and 1.")
    disputed = queue(criterion, items)
    if not disputed and are_current(latest_snapshot()):
        raise InputError(f"No item of {criterion!r} is disputed in the newest results, so there is nothing to discuss.")
    if not disputed:
        told = problem() or "New results are being computed."
        raise InputError(f"{told} Which items of {criterion!r} are disputed is known then; try again in a moment.")
    with transaction.atomic():
        last = Round.objects.last()
        if last is not None and last.measured_at is None:
            raise InputError(f"Round {last.number} is not finished: publish its version and measure again first.")
        made = Round.objects.create(
            number=last.number + 1 if last else 1, criterion=criterion, version=latest(), target=target,
            smallest_gain=smallest_gain, opened_by=by,
        )  # fmt: skip
        RoundItem.objects.bulk_create(
            RoundItem(round=made, name=one["item"], entropy=one["entropy"]) for one in disputed
        )
    return made


def can_rate(criterion: CriterionSettings) -> bool:
    """Whether a designer's answer fits into one field of a form."""
    return criterion.kind in ("scale", "slider", "number", "spans", "post_edit") or not criterion.several


def designer_value(criterion: CriterionSettings, text: str) -> Any:
    """What a designer typed, as the raters' pages would have sent it; penalties are given as points."""
    if criterion.kind == "scale":
        known = {str(value): value for value in criterion.values}
        if text not in known:
            raise InputError(f"{text!r} is not on the scale of {criterion.key}.")
        return known[text]
    if criterion.kind == "categories":
        value: Any = [text] if text else []
        check_value(criterion, value, {}, 1)
        return value
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"{text!r} is not a number.") from None
    if criterion.kind in ("slider", "number"):
        check_value(criterion, number, {}, 1)
    elif not 0 <= number < 10_000:
        raise InputError("Give points from 0.")
    return number


def rate_item(item: RoundItem, designer: str, text: str, comment: str) -> DesignerRating:
    """A designer's own rating; others' are not shown before."""
    value = designer_value(current().criteria[item.round.criterion], text)
    return DesignerRating.objects.create(item=item, designer=designer, value=value, comment=comment)


def judge_item(item: RoundItem, verdict: str, note: str, by: str) -> None:
    """Genuine disagreement about the text, or a guideline that leaves it open."""
    if verdict not in (RoundItem.Verdict.GENUINE, RoundItem.Verdict.VAGUE):
        raise InputError("A discrepancy is genuine, or the guideline is vague.")
    if not item.ratings.filter(designer=by).exists():
        raise InputError("Rate the item yourself before you say why others differ.")
    item.verdict, item.note, item.decided_by, item.decided_at = verdict, note, by, timezone.now()
    item.save(update_fields=["verdict", "note", "decided_by", "decided_at"])


def add_change(turn: Round, item: RoundItem | None, text: str, remarks: Sequence[int], by: str) -> Change:
    """A line of the revision log, with the item and the comments that gave rise to it."""
    if turn.published_id is not None:  # type: ignore[attr-defined]
        raise InputError(f"The version of round {turn.number} is published: put it into the next round.")
    if not text:
        raise InputError("Say what changes in the guideline.")
    with transaction.atomic():
        change = Change.objects.create(round=turn, item=item, text=text, by=by)
        change.remarks.set(Remark.objects.filter(pk__in=remarks))
    return change


def refuse_version(text: str, change: str) -> None:
    """Say why this cannot be published, where it cannot."""
    if not text.strip():
        raise InputError("The guideline is empty.")
    if not change:
        raise InputError("Say what changes: raters and readers of the report will see it.")
    if text.replace("\r\n", "\n") == latest().text:
        raise InputError("The text is the one that is already published: change it first.")


def publish_version(text: str, change: str) -> GuidelineVersion:
    """Make a changed text the current version without a round; raters must read it before they go on."""
    with transaction.atomic():
        refuse_version(text, change)
        return publish(text.replace("\r\n", "\n"), change)


def round_text(turn: Round, text: str, examples: Sequence[int] = ()) -> tuple[str, list[RoundItem]]:
    """The guideline that a round would publish, and its worked examples; or why it cannot."""
    if turn.published_id is not None:  # type: ignore[attr-defined]
        raise InputError(f"Round {turn.number} has published its version already.")
    if not text.strip():
        raise InputError("The guideline is empty.")
    whole, shown = with_examples(current(), turn, text.replace("\r\n", "\n"), examples)
    if whole == latest().text:
        raise InputError("The text is the one that is already published: change it first.")
    return whole, shown


def publish_round(turn: Round, text: str, examples: Sequence[int] = ()) -> GuidelineVersion:
    """Make the changed text the current version, with items as worked examples; raters read it before they go on."""
    changes = list(turn.changes.all())
    with transaction.atomic():
        whole, shown = round_text(turn, text, examples)
        version = publish(whole, "\n".join(f"- {change.text}" for change in changes))
        turn.changes.update(version=version)
        turn.items.filter(pk__in=[item.pk for item in shown]).update(is_example=True)
        turn.published = version
        turn.save(update_fields=["published"])
    return version


def measure_again(turn: Round, scope: str) -> int:
    """Give raters who count the items of this scope once more; their judgements carry the new version.

    Worked examples are left out: who has read the answer agrees with it, and that measures nothing.
    """
    if scope not in SCOPES:
        raise InputError(f"What is measured is one of: {', '.join(SCOPES)}.")
    if turn.published_id is None:  # type: ignore[attr-defined]
        raise InputError("Publish the changed guideline before you measure again.")
    study = current()
    with transaction.atomic():
        free = Round.objects.filter(pk=turn.pk, measured_at=None).update(measured_at=timezone.now())
        if not free:
            raise InputError(f"Round {turn.number} is measured already.")
        names = _scope(study, turn, scope)
        told = set(turn.items.filter(is_example=True).values_list("name", flat=True))
        given = sum(_give(study, rater, turn, names, told) for rater in _who_counts())
        if not given:
            raise InputError("No rater who counts has judged these items, so nobody can be asked again.")
    return given


def _who_counts() -> list[Rater]:
    out = left_out_now()
    return [rater for rater in Rater.people.exclude(state=RaterState.PAUSED) if rater.pseudonym not in out]


def _scope(study: LoadedStudy, turn: Round, scope: str) -> set[str] | None:
    """Names of the items to measure; None for all of them."""
    if scope == "all":
        return None
    disputed = set(turn.items.values_list("name", flat=True))
    if scope == "disputed":
        return disputed
    ordinary = _ordinary(Task.objects.all())
    others = sorted({name for task in ordinary for name in _names(study, task)} - disputed)
    drawn = random.Random(study.settings.seed + turn.number)  # noqa: S311 - a sample, not a secret
    return disputed | set(drawn.sample(others, min(len(disputed), len(others))))


def _ordinary(tasks: Any) -> Any:
    return tasks.exclude(role__in=list(ROLES)).filter(again=None)


def _names(study: LoadedStudy, task: Task) -> list[str]:
    names = system_names(study.study)
    base = task.item or task.document
    return [f"{base}:{names.get(system, system)}" for system in task.systems] + [base]


def _give(study: LoadedStudy, rater: Rater, turn: Round, names: set[str] | None, told: set[str]) -> int:
    tasks = list(_ordinary(rater.tasks.filter(judgements__isnull=False)).distinct().order_by("order"))
    wanted = [
        task
        for task in tasks
        if (names is None or names.intersection(_names(study, task))) and not told.intersection(_names(study, task))
    ]
    return give_again(rater, wanted, turn.number)
