"""What a program may ask about the study as a whole: create it, show it, its quality checks, its report."""

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse

from accord.server.api.endpoint import Call
from accord.server.creating import create_study
from accord.server.invitations import free_places
from accord.server.organiser.progress import progress
from accord.server.organiser.raters import leave_out_by_rules, rater_checks
from accord.server.organiser.who_counts import broken_rules
from accord.server.reporting import report_html
from accord.server.study import current

__all__: list[str] = []

Answer = dict[str, Any]


def show_study(call: Call) -> Answer:
    """Title, criteria, scenarios and places of the study."""
    study = current()
    return {
        "title": study.title, "fingerprint": study.study.fingerprint, "free_places": free_places(),
        "criteria": [{"key": c.key, "question": c.question, "kind": c.kind} for c in study.settings.criteria],
        "scenarios": [{"key": s.key, "kind": s.kind} for s in study.settings.scenarios],
        "documents": len(study.study.documents), "items": len(study.study.items),
        "exclusions": [rule.model_dump() for rule in study.settings.exclusions],
    }  # fmt: skip


def create(call: Call) -> Answer:
    files = {one["name"]: one["text"] for one in call.body.get("files", [])}
    create_study(call.body.get("preset", ""), files, call.by)
    return show_study(call)


def report(call: Call) -> HttpResponse:
    return HttpResponse(report_html(), content_type="text/html; charset=utf-8")


def show_quality(call: Call) -> Answer:
    counted = progress(fresh=False)
    checks = rater_checks(counted)
    broken = broken_rules(checks, counted.raters)
    return {
        "declared": [rule.model_dump() for rule in current().settings.exclusions],
        "checks": {name: [asdict(check) for check in found] for name, found in checks.items()},
        "to_apply": [{"rater": check.rater, "rule": check.rule} for check in broken.finished],
        "at_work": [{"rater": check.rater, "rule": check.rule} for check in broken.at_work],
    }


def apply_rules(call: Call) -> Answer:
    """As the button on the page: the rules were declared before collection, so no other reason is asked for."""
    return {"left_out": leave_out_by_rules(call.by, everybody=bool(call.body.get("everybody")))}
