"""The plan of analysis as words with a hash, so that it can be kept when collection starts and compared later."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from accord.design.study import Exclusion, StudySettings

__all__ = ["RULES", "declared_plan", "exclusion_words", "plan_changes", "plan_hash"]

RULES: Mapping[str, str] = {
    "degraded_not_lower": "raters who do not score degraded copies worse",
    "repeats_differ": "raters whose repeats differ",
    "gold_wrong": "raters who fail items with known answers",
    "attention_failed": "raters who fail attention items",
    "too_fast": "answers given too fast",
    "constant_run": "long runs of one value",
    "no_variation": "raters who give one value throughout",
    "incomplete": "raters who did not finish",
}
"""What each rule of exclusion looks at."""


def exclusion_words(rules: Sequence[Exclusion]) -> tuple[str, ...]:
    """Each rule in words, with its limit and its reason."""
    return tuple(
        RULES[rule.rule]
        + (f" (limit {rule.limit:g})" if rule.limit is not None else "")
        + (f": {rule.reason}" if rule.reason else "")
        for rule in rules
    )


def declared_plan(settings: StudySettings) -> dict[str, str]:
    """What study.toml declares, by name; empty where there is no plan. Rules of exclusion are part of it."""
    plan = settings.analysis
    if plan is None:
        return {}
    told = {
        "criterion": plan.criterion or "", "coefficient": plan.coefficient, "comparison": plan.comparison,
        "unit": plan.unit or "", "confidence": f"{plan.confidence:g}" if plan.confidence is not None else "",
        "reliability": f"{plan.reliability:g}" if plan.reliability is not None else "", "hypothesis": plan.hypothesis,
        "exclusions": "; ".join(filter(None, (*exclusion_words(settings.exclusions), plan.exclusions))),
    }  # fmt: skip
    return {name: words for name, words in told.items() if words}


def plan_hash(plan: Mapping[str, str]) -> str:
    """The same for the same plan, whatever the order of its lines; "" for none."""
    if not plan:
        return ""
    return hashlib.sha256(json.dumps(dict(sorted(plan.items())), ensure_ascii=False).encode()).hexdigest()[:16]


def plan_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """What differs, one sentence a line of the plan."""
    found = []
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            found.append(f"{name} was {old or 'not declared'}, is {new or 'not declared'}")
    return found
