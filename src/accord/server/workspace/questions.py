"""The questions of a draft as a form, and back: what the form does not show stays as study.toml has it."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accord.design.criterion import COMPARING
from accord.design.known_answers import range_of, right_between
from accord.errors import InputError
from accord.server.workspace.error_points import point_lines, with_points
from accord.server.workspace.task_words import with_task_words

__all__ = [
    "UNWORDED",
    "changed_criteria",
    "changed_practice",
    "is_fresh",
    "new_keys",
    "practised",
    "shown_criteria",
    "shown_practice",
]

Raw = dict[str, Any]
_MOST = 30
UNWORDED = gettext_noop("What do you want to know?")
"""What an added question says until somebody words it."""
_NEW: dict[str, Raw] = {
    "scale": {"kind": "scale", "level": "ordinal", "best": "high", "values": [1, 2, 3, 4, 5]},
    "slider": {"kind": "slider", "best": "high", "low": 0.0, "high": 100.0},
    "categories": {"kind": "categories", "values": ["wrong", "fine"], "several": False},
}
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
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


def shown_criteria(raw: Mapping[str, Any], form: Mapping[str, str] | None = None) -> list[Raw]:
    """Each question with its answers as lines of text; what was typed into ``form`` stays in it."""
    typed = form if form is not None and is_fresh(raw, form) else {}
    return [_shown(one, place, typed) for place, one in enumerate(raw.get("criteria", []))]


def _shown(criterion: Raw, place: int, typed: Mapping[str, str]) -> Raw:
    fields = {
        "key": criterion.get("key", ""),
        "question": criterion.get("question", ""),
        "answers": _answer_lines(criterion),
        "points": point_lines(criterion),
    }
    fields |= {name: criterion.get(name, "") for name in ("best", "definition", "help")} | _line_words(criterion)
    kept = {name: typed.get(f"{name}-{place}", value) for name, value in fields.items()}
    how = KINDS.get(criterion.get("kind", ""), criterion.get("kind", ""))
    return {
        **criterion,
        "key_now": criterion.get("key", ""),
        "how": how,
        "place": place,
        **kept,
        "is_removed": f"remove-{place}" in typed,
    }


def _line_words(criterion: Mapping[str, Any]) -> Raw:
    """The words along a line as raters read them: at both ends, and the anchors between; an anchor goes first."""
    anchors: dict[Any, str] = {_value(str(at)): words for at, words in criterion.get("anchors", {}).items()}
    ends = {name: criterion.get(name.removesuffix("_label")) for name in ("low_label", "high_label")}
    shown = {name: anchors.pop(at, criterion.get(name, "")) for name, at in ends.items()}
    return {**shown, "between": "\n".join(f"{at} = {words}" for at, words in anchors.items())}


def _answer_lines(criterion: Mapping[str, Any]) -> str:
    labels = criterion.get("labels") or [""] * len(criterion.get("values", ()))
    pairs = zip(criterion.get("values", ()), labels, strict=False)
    return "\n".join(f"{value} = {label}" if label not in ("", str(value)) else str(value) for value, label in pairs)


def changed_criteria(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the questions of the form; one is taken away where that is asked for, not by emptying it.

    A form that adds or removes questions and comes again, when there are more or fewer, was sent twice: it has done its
    work.
    """
    settings = deepcopy(dict(raw))
    criteria: list[Raw] = []
    if not is_fresh(raw, form):
        if form.get("add") or any(name.startswith("remove-") for name in form):
            return settings
        raise InputError(
            gettext("The questions were changed on another page meanwhile. Look at them, then change yours.")
        )
    for place, one in enumerate(settings.get("criteria", [])):
        if f"question-{place}" not in form:
            criteria.append(one)
        elif form.get(f"remove-{place}") != "yes":
            criteria.append(_changed(one, place, form))
    if form.get("add") in _NEW:
        criteria.append(
            {
                "key": _free_key(criteria),
                "question": gettext(UNWORDED),
                **deepcopy(_NEW[form["add"]]),
            }
        )
    _refuse_twice([one["key"] for one in criteria])
    if not criteria:
        raise InputError(gettext("A study asks at least one question."))
    if len(criteria) > _MOST:
        raise InputError(f"A study asks at most {_MOST} questions.")
    settings = with_new_keys({**settings, "criteria": criteria}, new_keys(raw, form))
    return with_task_words(settings, form)


def is_fresh(raw: Mapping[str, Any], form: Mapping[str, str]) -> bool:
    """Whether the form was shown with as many questions as there are now."""
    now = str(len(raw.get("criteria", [])))
    return form.get("asked", now) == now


def _free_key(criteria: list[Raw]) -> str:
    used = {one["key"] for one in criteria}
    return next(key for number in range(1, _MOST + 2) if (key := f"question-{number}") not in used)


def _changed(criterion: Raw, place: int, form: Mapping[str, str]) -> Raw:
    changed = {**criterion, "question": form[f"question-{place}"].strip()}
    if not changed["question"]:
        empty = gettext("The question “{key}” has no words. Write some, or tick “{remove}”.")
        raise InputError(empty.format(key=criterion["key"], remove=gettext("Take this question away")))
    if key := form.get(f"key-{place}", "").strip():
        changed["key"] = key if key == criterion["key"] else _sound_key(key)
    for name in ("definition", "help"):
        if (words := form.get(f"{name}-{place}")) is not None:
            changed = _with(changed, name, words.strip())
    changed = _with_line_words(changed, place, form)
    if (best := form.get(f"best-{place}")) is not None:
        changed.pop("best", None)
        changed |= {"best": best} if best in ("high", "low") else {}
    if (lines := form.get(f"answers-{place}")) is not None and criterion["kind"] in ("scale", "categories", "spans"):
        changed |= _answers(lines, criterion)
    return with_points(changed, form.get(f"points-{place}") if criterion.get("severities") else None)


def _sound_key(key: str) -> str:
    if not _KEY.fullmatch(key):
        words = gettext("The short name “{key}” must begin with a letter or digit and have only letters, digits, . _ -")
        raise InputError(words.format(key=key[:80]))
    return key


def _refuse_twice(keys: list[str]) -> None:
    if twice := next((key for key in keys if keys.count(key) > 1), ""):
        raise InputError(gettext("Two questions have the short name “{key}”.").format(key=twice))


def new_keys(raw: Mapping[str, Any], form: Mapping[str, str]) -> dict[str, str]:
    """New short names of questions by the old ones; none where the form was sent from another state of them."""
    if not is_fresh(raw, form):
        return {}
    given = [(one["key"], form.get(f"key-{place}", "").strip(), place) for place, one in enumerate(raw["criteria"])]
    return {old: key for old, key, place in given if key and key != old and form.get(f"remove-{place}") != "yes"}


def with_new_keys(settings: Raw, renamed: Mapping[str, str]) -> Raw:
    """The settings, in which everything that speaks of a question by its short name has the new one."""
    if not renamed:
        return settings
    changed = deepcopy(settings)
    for part in ("practice", "exclusions"):
        for one in changed.get(part, []):
            if one.get("criterion") in renamed:
                one["criterion"] = renamed[one["criterion"]]
    plan = changed.get("analysis", {})
    if isinstance(plan, dict) and plan.get("criterion") in renamed:
        plan["criterion"] = renamed[plan["criterion"]]
    return changed


def _with(criterion: Raw, name: str, value: Any) -> Raw:
    """The question with this in it, or without it where it is empty."""
    rest = {key: kept for key, kept in criterion.items() if key != name}
    return {**criterion, name: value} if value else rest


def _with_line_words(criterion: Raw, place: int, form: Mapping[str, str]) -> Raw:
    """The question with the words along its line; words of an end and its anchor are one thing and change together."""
    shown = _line_words(criterion)
    given = {name: form.get(f"{name}-{place}", shown[name]).strip() for name in shown}
    given["between"] = "\n".join(line.strip() for line in given["between"].splitlines() if line.strip())
    changed = criterion
    anchors = dict(criterion.get("anchors", {}))
    for name in ("low_label", "high_label"):
        if given[name] != shown[name]:
            changed = _with(changed, name, given[name])
            at = criterion.get(name.removesuffix("_label"))
            anchors = {key: words for key, words in anchors.items() if _value(str(key)) != at}
    if given["between"] != shown["between"]:
        ends = {criterion.get("low"), criterion.get("high")}
        anchors = {key: words for key, words in anchors.items() if _value(str(key)) in ends} | _anchors(
            given["between"]
        )
    return _with(changed, "anchors", anchors) if anchors != criterion.get("anchors", {}) else changed


def _anchors(lines: str) -> dict[str, str]:
    parts = [re.split(r"\s*=\s*", line, maxsplit=1) for line in lines.splitlines()]
    for part in parts:
        if len(part) != 2 or not isinstance(_value(part[0]), int | float) or not part[1]:
            words = gettext("Words between the ends: write a number, “=” and its words on each line, not “{line}”.")
            raise InputError(words.format(line=" = ".join(part)))
    return dict(sorted(parts, key=lambda part: float(part[0])))


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


def practised(raw: Mapping[str, Any]) -> list[Raw]:
    """The questions that can be practised: a practice item has one text, and some compare several."""
    return [one for one in raw.get("criteria", []) if one.get("kind") not in COMPARING]


def shown_practice(raw: Mapping[str, Any]) -> list[Raw]:
    """Each practice item with what is right there in words: on a line from where to where."""
    kinds = {one.get("key"): one for one in raw.get("criteria", [])}
    return [{**one, "right": _right(one, kinds.get(one.get("criterion"), {}))} for one in raw.get("practice", [])]


def _right(practice: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    expected = practice.get("expected", [])
    numbers = [answer for answer in expected if isinstance(answer, int | float)]
    if asked.get("kind") in ("slider", "number") and numbers and len(numbers) == len(expected):
        low, high = right_between(numbers, asked["kind"], asked.get("low"), asked.get("high"))
        return f"{low:g} – {high:g}" if low < high else f"{low:g}"
    return ", ".join(map(str, expected))


def _expected(told: str, criterion: str, criteria: Sequence[Mapping[str, Any]]) -> list[int | float | str]:
    """Right answers as they were typed; of numbers a range may be written with a dash or in words."""
    asked = next((one for one in criteria if one.get("key") == criterion), {})
    ends = range_of(told) if asked.get("kind") in ("slider", "number") else None
    parts = map(str, ends) if ends else (part.strip() for part in told.split(","))
    return [answer for part in parts if part for answer in _answers_of(part, asked)]


def _answers_of(part: str, asked: Mapping[str, Any]) -> list[int | float | str]:
    """One answer, or on a scale of numbers all that lie in a range."""
    values = asked.get("values", ())
    ends = range_of(part) if asked.get("kind") == "scale" and part not in values else None
    within = (
        [value for value in values if not isinstance(value, str) and min(ends) <= value <= max(ends)] if ends else []
    )
    return within or [_value(part)]


def changed_practice(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the practice items of the form: those to keep, and a new one if it has a text."""
    settings = deepcopy(dict(raw))
    kept = [one for place, one in enumerate(settings.get("practice", [])) if form.get(f"forget-{place}") != "yes"]
    if (target := form.get("practice-target", "").strip()) and (criterion := form.get("practice-criterion", "")):
        new: Raw = {"target": target, "criterion": criterion}
        if source := form.get("practice-source", "").strip():
            new["source"] = source
        if expected := form.get("practice-expected", "").strip():
            new["expected"] = _expected(expected, criterion, settings.get("criteria", []))
        if feedback := form.get("practice-feedback", "").strip():
            new["feedback"] = feedback
        kept.append(new)
    settings.pop("practice", None)
    return {**settings, "practice": kept} if kept else settings
