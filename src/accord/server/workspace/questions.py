"""The questions of a draft as a form, and back: what the form does not show stays as study.toml has it."""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accord.errors import InputError

__all__ = ["changed_criteria", "changed_practice", "shown_criteria"]

Raw = dict[str, Any]
_MOST = 30
_NEW: dict[str, Raw] = {
    "scale": {"kind": "scale", "level": "ordinal", "best": "high", "values": [1, 2, 3, 4, 5]},
    "slider": {"kind": "slider", "best": "high", "low": 0.0, "high": 100.0},
    "categories": {"kind": "categories", "values": ["wrong", "fine"], "several": False},
}
KINDS = {
    "scale": _("a scale"),
    "slider": _("a score on a line"),
    "number": _("a number"),
    "categories": _("categories"),
    "spans": _("marked words"),
    "pairwise": _("the better of two"),
    "post_edit": _("a corrected text"),
    "ranking": _("an order"),
}


def shown_criteria(raw: Mapping[str, Any]) -> list[Raw]:
    """Each question with its answers as lines of text."""
    return [
        {
            **one,
            "how": KINDS.get(one.get("kind", ""), one.get("kind", "")),
            "answers": _answer_lines(one),
            "place": place,
        }
        for place, one in enumerate(raw.get("criteria", []))
    ]


def _answer_lines(criterion: Mapping[str, Any]) -> str:
    labels = criterion.get("labels") or [""] * len(criterion.get("values", ()))
    pairs = zip(criterion.get("values", ()), labels, strict=False)
    return "\n".join(f"{value} = {label}" if label else str(value) for value, label in pairs)


def changed_criteria(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the questions of the form; a question without words is taken away."""
    settings = deepcopy(dict(raw))
    criteria = []
    for place, one in enumerate(settings.get("criteria", [])):
        question = form.get(f"question-{place}")
        if question is None:
            criteria.append(one)
        elif form.get(f"remove-{place}") != "yes" and question.strip():
            criteria.append(_changed(one, place, form))
    if form.get("add") in _NEW:
        criteria.append(
            {
                "key": _free_key(criteria),
                "question": gettext("What do you want to know?"),
                **deepcopy(_NEW[form["add"]]),
            }
        )
    if not criteria:
        raise InputError(gettext("A study asks at least one question."))
    if len(criteria) > _MOST:
        raise InputError(f"A study asks at most {_MOST} questions.")
    settings["criteria"] = criteria
    for part in settings.get("scenarios", [])[:1]:
        if (instruction := form.get("instruction")) is not None:
            part["instruction"] = instruction.strip()
    return settings


def _free_key(criteria: list[Raw]) -> str:
    used = {one["key"] for one in criteria}
    return next(key for number in range(1, _MOST + 2) if (key := f"question-{number}") not in used)


def _changed(criterion: Raw, place: int, form: Mapping[str, str]) -> Raw:
    changed = {**criterion, "question": form[f"question-{place}"].strip()}
    for name in ("low_label", "high_label", "help"):
        if (given := form.get(f"{name}-{place}")) is not None:
            changed[name] = given.strip()
    changed = {
        name: value for name, value in changed.items() if value != "" or name not in ("low_label", "high_label", "help")
    }
    if (best := form.get(f"best-{place}")) is not None:
        changed.pop("best", None)
        changed |= {"best": best} if best in ("high", "low") else {}
    if (lines := form.get(f"answers-{place}")) is not None and criterion["kind"] in ("scale", "categories", "spans"):
        changed |= _answers(lines, criterion)
    return changed


def _answers(lines: str, criterion: Mapping[str, Any]) -> Raw:
    parts = [re.split(r"\s*=\s*", line.strip(), maxsplit=1) for line in lines.splitlines() if line.strip()]
    values = [_value(part[0]) if criterion["kind"] == "scale" else part[0] for part in parts]
    labels = [part[1] if len(part) > 1 else "" for part in parts]
    if not any(labels):
        return {"values": values, "labels": []} if criterion.get("labels") else {"values": values}
    return {"values": values, "labels": [label or str(value) for label, value in zip(labels, values, strict=True)]}


def _value(text: str) -> int | float | str:
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def changed_practice(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the practice items of the form: those to keep, and a new one if it has a text."""
    settings = deepcopy(dict(raw))
    kept = [one for place, one in enumerate(settings.get("practice", [])) if form.get(f"forget-{place}") != "yes"]
    if (target := form.get("practice-target", "").strip()) and (criterion := form.get("practice-criterion", "")):
        new: Raw = {"target": target, "criterion": criterion}
        if source := form.get("practice-source", "").strip():
            new["source"] = source
        if expected := form.get("practice-expected", "").strip():
            new["expected"] = [_value(part.strip()) for part in expected.split(",") if part.strip()]
        if feedback := form.get("practice-feedback", "").strip():
            new["feedback"] = feedback
        kept.append(new)
    settings.pop("practice", None)
    return {**settings, "practice": kept} if kept else settings
