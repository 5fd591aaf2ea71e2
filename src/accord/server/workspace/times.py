"""How long the work takes, as the organiser expects it: fields of the plan, and when to doubt them."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext as _

from accord.design.study import Cost
from accord.errors import InputError

__all__ = ["changed_times", "shown_times", "time_doubts"]

Raw = dict[str, Any]
_LONGEST_SCREEN, _LONGEST_AROUND = 36_000, 6_000
_DEFAULT = Cost.by_default()


def _seconds(raw: Mapping[str, Any], scenario: Mapping[str, Any]) -> float:
    own = scenario.get("seconds_per_item") or raw.get("cost", {}).get("seconds_per_item", _DEFAULT.seconds_per_item)
    return float(own)


def shown_times(raw: Mapping[str, Any], typed: Mapping[str, str]) -> Raw:
    """Seconds of a screen of each scenario, and minutes around the work; what was typed stays."""
    parts = raw.get("scenarios", [])
    around = f"{raw.get('cost', {}).get('minutes_fixed', _DEFAULT.minutes_fixed):g}"
    screens = [
        {
            "name": (name := f"seconds-{place}"),
            # Where there is one scenario only, nothing has to be told apart by it.
            "part": one.get("title") or one.get("key", "") if len(parts) > 1 else "",
            "value": typed.get(name, f"{_seconds(raw, one):g}"),
        }
        for place, one in enumerate(parts)
    ]
    return {"screens": screens, "around": typed.get("minutes_fixed", around)}


def changed_times(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the times of the form; one that was left as it was shown changes nothing."""
    settings = deepcopy(dict(raw))
    shown = shown_times(raw, {})
    for part, one in zip(settings.get("scenarios", []), shown["screens"], strict=True):
        given = form.get(one["name"], one["value"]).strip()
        if given != one["value"]:
            part["seconds_per_item"] = _number(given, _("Seconds for a screen"), 1, _LONGEST_SCREEN)
    given = form.get("minutes_fixed", shown["around"]).strip()
    if given != shown["around"]:
        minutes = _number(given, _("Minutes around the work"), 0, _LONGEST_AROUND)
        settings["cost"] = {**settings.get("cost", {}), "minutes_fixed": minutes}
    return settings


def _number(given: str, name: str, least: int, most: int) -> float:
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not least <= number <= most:
        words = _("{name}: give a number from {least} to {most}.")
        raise InputError(words.format(name=name, least=least, most=f"{most:,}"))
    return int(number) if number.is_integer() else number


def time_doubts(raw: Mapping[str, Any], protocol: Mapping[str, Any]) -> list[str]:
    """Scenarios that ask more or fewer questions than the protocol did, in the time that it gave to its own."""
    told = []
    for part in raw.get("scenarios", []):
        own = next((one for one in protocol.get("scenarios", []) if one["key"] == part.get("key")), None)
        if own is None or _seconds(raw, part) != _seconds(protocol, own):
            continue
        now, before = _asked(raw, part), _asked(protocol, own)
        if now != before:
            words = _("{seconds} seconds for a screen come from the protocol. Its questions: {before}, yours: {now}.")
            told.append(words.format(seconds=f"{_seconds(raw, part):g}", before=before, now=now))
    return told


def _asked(raw: Mapping[str, Any], scenario: Mapping[str, Any]) -> int:
    return sum(scenario["key"] in one.get("scenarios", [scenario["key"]]) for one in raw.get("criteria", []))
