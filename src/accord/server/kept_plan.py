"""The plan of analysis is kept when the first rater is invited; what changes later is kept beside it."""

from accord.design.declared_plan import declared_plan, plan_changes, plan_hash
from accord.ratings.study_facts import KeptPlanFacts
from accord.server.kept_study import study_changes
from accord.server.models import Judgement, Rater
from accord.server.models_organiser import KeptPlan
from accord.server.study import PRACTICE, current

__all__ = ["keep_plan", "kept_plan"]


def keep_plan() -> None:
    """Keep the plan of study.toml as it is now, if somebody is invited and it is another one than before."""
    plan = declared_plan(current().settings)
    last = KeptPlan.objects.last()
    known = last.digest if last is not None else ""
    if plan_hash(plan) != known and Rater.objects.exists():
        judged = Judgement.objects.exclude(task__role=PRACTICE).count()
        KeptPlan.objects.create(digest=plan_hash(plan), plan=plan, judgements=judged)


def kept_plan() -> KeptPlanFacts:
    """What was declared before the first judgement, and every change since then, in words."""
    rows = list(KeptPlan.objects.all())
    before = next((row for row in reversed(rows) if not row.judgements), None)
    if before is not None and not before.plan:
        before = None
    told, changes = dict(before.plan) if before is not None else {}, []
    for row in rows:
        if row.judgements:
            moment = f"On {row.at.date().isoformat()}, after {row.judgements:,} judgements"
            what = "; ".join(plan_changes(told, row.plan))
            changes.append(f"{moment}: {what}." if told else f"{moment}, a plan was first declared.")
            told = dict(row.plan)
    plan = dict(before.plan) if before is not None else told
    digest, date = (before.digest, before.at.date().isoformat()) if before is not None else ("", "")
    return KeptPlanFacts(plan, digest, date, (*changes, *study_changes()))
