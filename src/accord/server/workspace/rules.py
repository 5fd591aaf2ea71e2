"""Rules that leave raters out of every number: each with a switch and its limit in the form, and back."""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accord.errors import InputError
from accord.server.organiser.quality import RULES

__all__ = ["TITLES", "changed_rules", "declared_rules", "shown_rules"]

Raw = dict[str, Any]
TITLES: Mapping[str, Promise] = {
    "degraded_not_lower": _("Does not score spoilt copies worse than the originals"),
    "repeats_differ": _("Answers otherwise when the same text comes again"),
    "gold_wrong": _("Misses known answers"),
    "attention_failed": _("Does not notice planted phrases"),
    "too_fast": _("Is too fast"),
    "constant_run": _("Gives one answer many times in a row"),
    "no_variation": _("Gives one answer throughout"),
    "incomplete": _("Does not finish the work"),
}
_LIMITS: Mapping[str, Promise] = {
    "degraded_not_lower": _("p-value from which on"),
    "repeats_differ": _("on average further apart than this share of the scale"),
    "gold_wrong": _("more than this share wrong"),
    "attention_failed": _("more than this share not noticed"),
    "too_fast": _("fewer seconds for a batch than"),
    "constant_run": _("more equal answers in a row than"),
    "incomplete": _("less than this share of the screens"),
}
_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SHOWN = "rules"
"""A field that says that the form has the rules: a switch that is off is not sent."""


def declared_rules(raw: Mapping[str, Any]) -> list[Raw]:
    """What stands in study.toml, in words for the last look."""
    return [_shown(one, is_on=True) for one in raw.get("exclusions", [])]


def shown_rules(raw: Mapping[str, Any], protocol: Mapping[str, Any], typed: Mapping[str, str]) -> list[Raw]:
    """Every rule there is, those of the study first, with what was typed; others have what the protocol says."""
    given = raw.get("exclusions", [])
    shown = [_shown(one, is_on=True) for one in given] + [_shown(one, is_on=False) for one in _others(given, protocol)]
    if _SHOWN in typed:
        for one in shown:
            one |= {"is_on": f"rule-{one['rule']}" in typed, "limit": typed.get(f"limit-{one['rule']}", one["limit"])}
    return shown


def changed_rules(raw: Mapping[str, Any], protocol: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the rules that are switched on; all stay as they are where the form does not show them."""
    settings = deepcopy(dict(raw))
    if _SHOWN not in form:
        return settings
    given = settings.pop("exclusions", [])
    kept = [_limited(one, form) for one in [*given, *_others(given, protocol)] if f"rule-{one['rule']}" in form]
    return {**settings, "exclusions": kept} if kept else settings


def _others(given: list[Raw], protocol: Mapping[str, Any]) -> list[Raw]:
    known = {one["rule"]: deepcopy(one) for one in protocol.get("exclusions", [])}
    there = {one.get("rule") for one in given}
    return [known.get(rule, {"rule": rule}) for rule in TITLES if rule not in there]


def _shown(one: Mapping[str, Any], *, is_on: bool) -> Raw:
    rule = str(one.get("rule", ""))
    limit = one.get("limit", RULES[rule].limit if rule in RULES else None)
    return {
        "rule": rule,
        "title": TITLES.get(rule, rule),
        "limit_title": _LIMITS.get(rule, ""),
        "limit": f"{limit:g}" if isinstance(limit, int | float) and rule in _LIMITS else "",
        "reason": one.get("reason", ""),
        "is_on": is_on,
    }


def _limited(one: Raw, form: Mapping[str, str]) -> Raw:
    """With the limit that was typed; one that was left as it was shown changes nothing."""
    given = form.get(f"limit-{one['rule']}", "").strip()
    if not given or given == _shown(one, is_on=True)["limit"]:
        return one
    try:
        limit = float(given)
    except ValueError:
        limit = -1.0
    if not 0 <= limit < 1e9:
        raise InputError(gettext("“{rule}”: give a number for its limit.").format(rule=TITLES[one["rule"]]))
    known = {key: value for key, value in one.items() if key != "reason" or not _names_limit(one)}
    return {**known, "limit": int(limit) if limit.is_integer() else limit}


def _names_limit(one: Raw) -> bool:
    """Whether the reason speaks of the limit that it was written for, as "more than eight": of another it is false."""
    limit = one.get("limit", RULES[one["rule"]].limit)
    spelled = _NUMBERS[int(limit)] if float(limit).is_integer() and 0 < limit < len(_NUMBERS) else ""
    words = re.findall(r"[\d.]*\d|\w+", str(one.get("reason", "")).casefold())
    return f"{limit:g}" in words or bool(spelled and spelled in words)
