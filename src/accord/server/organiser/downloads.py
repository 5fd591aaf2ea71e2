"""Files of the organiser's side: the ratings as they were analysed, who was left out and why, decisions, revisions."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse

from accord.design.scale import Value
from accord.ratings.roles import ordinary
from accord.server.export import lines_of_one_moment, zip_of
from accord.server.models import GuidelineVersion
from accord.server.models_organiser import Access, Change, Contest, Decision, DesignerRating
from accord.server.one_moment import one_moment
from accord.server.organiser.arbitration import rated_name, steps_of
from accord.server.organiser.pages import organiser_view
from accord.server.organiser.ratings import collect, collect_named, excluded_raters, whole_codebook
from accord.server.study import current

__all__ = ["FILES", "analysed_rows", "download", "exclusion_rows"]

Row = Mapping[str, Any]


def analysed_rows(*, named: bool = False) -> Iterator[Row]:
    """Exactly the ratings behind the numbers: control items and excluded raters are not in it."""
    analysed = (collect_named() if named else collect()).analysed()
    ratings = None if analysed is None else ordinary(analysed)
    if ratings is None:
        return
    columns = {"item": ratings.item.labels(), "rater": ratings.rater.labels(), "value": map(_cell, ratings.labels())}
    columns |= {name: factor.labels() for name, factor in ratings.columns.items()} | dict(ratings.numbers)
    for cells in zip(*columns.values(), strict=True):
        yield dict(zip(columns, cells, strict=True))


def _cell(value: Value) -> Value:
    return "|".join(sorted(value)) if isinstance(value, frozenset) else value


def exclusion_rows() -> Iterator[Row]:
    """The rules declared before collection, then every rater whom a decision or a rule leaves out today."""
    for rule in current().settings.exclusions:
        yield {"kind": "declared rule", "rule": rule.rule, "limit": rule.limit, "reason": rule.reason}
    decided = excluded_raters()
    for one in collect().left_out:
        by = decided.get(one.rater)
        yield {
            "kind": "excluded rater", "rater": one.rater, "rule": one.rule, "reason": one.reason,
            "by": by.by if by else "the rule", "at": by.at.isoformat() if by else "",
        }  # fmt: skip


def _decisions() -> Iterator[Row]:
    for one in Decision.objects.select_related("rater"):
        yield {
            "rater": one.rater.pseudonym, "action": one.action, "reason": one.reason, "rule": one.rule, "by": one.by,
            "at": one.at.isoformat(),
        }  # fmt: skip


def _revisions() -> Iterator[Row]:
    for change in Change.objects.select_related("round", "item", "version").prefetch_related("remarks"):
        yield {
            "round": change.round.number, "version": change.version.number if change.version else "",
            "item": change.item.name if change.item else "", "verdict": change.item.verdict if change.item else "",
            "change": change.text, "comments": " / ".join(remark.text for remark in change.remarks.all()),
            "by": change.by, "at": change.at.isoformat(),
        }  # fmt: skip
    for version in GuidelineVersion.objects.filter(number__gt=1, changes=None):
        yield {"version": version.number, "change": version.change, "at": version.published_at.isoformat()}


def _designers() -> Iterator[Row]:
    for rating in DesignerRating.objects.select_related("item__round"):
        yield {
            "round": rating.item.round.number, "item": rating.item.name, "designer": rating.designer,
            "value": rating.value, "comment": rating.comment, "at": rating.at.isoformat(),
        }  # fmt: skip


def _arbitration() -> Iterator[Row]:
    """Every ruling in order, with the value in force before and after the ruling."""
    study = current()
    cases = Contest.objects.select_related("judgement__task__rater").order_by("id")
    for step in (step for contested in cases for step in steps_of(study, contested)):
        one, case = step.ruling, step.ruling.contest
        judgement = case.judgement
        yield {
            "contest": case.pk, "judgement": str(judgement.uuid), "rater": judgement.task.rater.pseudonym,
            "item": rated_name(study, judgement), "criterion": judgement.criterion, "reason": case.reason,
            "contested_by": case.by, "ruling": one.ruling,
            "error": one.mark if one.marks is None and one.ruling != "score" else "",
            "severity": one.severity if one.ruling == "downgrade" else "",
            "score": one.severity if one.ruling == "score" else "", "note": one.note,
            "marked": one.marked, "marks": "" if one.marks is None else json.dumps(one.marks, ensure_ascii=False),
            "before": step.before, "after": step.after, "by": one.by, "at": one.at.isoformat(),
        }  # fmt: skip


def _accesses() -> Iterator[Row]:
    for one in Access.objects.all().iterator():
        yield {"by": one.by, "what": one.what, "at": one.at.isoformat()}


FILES: Mapping[str, tuple[Sequence[str], Callable[[], Iterator[Row]]]] = {
    "analysed": (
        ("item", "rater", "criterion", "value", "system", "document", "segment", "scenario", "condition", "group",
         "phase", "occasion", "role", "batch", "guideline", "round", "time_s", "order"), analysed_rows),
    "exclusions": (("kind", "rater", "rule", "limit", "reason", "by", "at"), exclusion_rows),
    "decisions": (("rater", "action", "reason", "rule", "by", "at"), _decisions),
    "revisions": (("round", "version", "item", "verdict", "change", "comments", "by", "at"), _revisions),
    "arbitration": (
        ("contest", "judgement", "rater", "item", "criterion", "reason", "contested_by", "ruling", "error", "severity",
         "score", "note", "marked", "marks", "before", "after", "by", "at"), _arbitration),
    "access": (("by", "what", "at"), _accesses),
    "designers": (("round", "item", "designer", "value", "comment", "at"), _designers),
}  # fmt: skip


def file_of(name: str) -> tuple[Sequence[str], Iterator[Row]]:
    """The columns and rows of one of the files."""
    columns, rows = FILES[name]
    return columns, rows()


@organiser_view("GET")
def download(request: HttpRequest, name: str) -> HttpResponseBase:
    """One of the files, row by row."""
    key, _, ending = name.rpartition(".")
    if key not in FILES or ending not in ("csv", "zip"):
        raise Http404
    if ending == "zip":
        with one_moment():
            return zip_of(key, file_of(key), whole_codebook() if key == "analysed" else None)
    response = StreamingHttpResponse(lines_of_one_moment(partial(file_of, key)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{key}.csv"'
    return response
