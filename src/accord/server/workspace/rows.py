"""Lists of study.toml as rows of a form, and back: groups, phases, the questionnaire, questions about the rater."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accord.errors import InputError
from accord.records import dataclass

__all__ = ["ENDS", "GROUPS", "PHASES", "RATER_QUESTIONS", "STATEMENTS", "changed_asked", "changed_rows", "shown_rows"]

Raw = dict[str, Any]
_MOST = 40
ENDS = {"low": 1, "high": 6}
"""The ends of a questionnaire's scale, where study.toml names none."""
_OPENS = {
    "": _("as usual: the first at once, later ones by you"),
    "at-once": _("at once"),
    "organiser": _("when you open it"),
    "finished": _("when everybody has finished the phases before"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """One column of the form: what study.toml calls it, what people read, and how it is filled in."""

    name: str
    title: Promise
    kind: str = "text"
    choices: Mapping[str, Promise] | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of study.toml; a row whose first field is empty is taken away, and the last one is for a new row."""

    name: str
    fields: Sequence[Field]
    key: str
    """How keys of new rows begin."""


GROUPS = Rows("groups", (Field("title", _("Group")), Field("raters", _("Raters"), "number")), "group")
PHASES = Rows(
    "phases",
    (
        Field("title", _("Phase, as raters read it")),
        Field("opens", _("Opens"), "select", _OPENS),
        Field("keep_back", _("Documents kept back for it"), "number"),
        Field("message", _("What raters read while they wait")),
        Field("reserve", _("A reserve"), "check"),
    ),
    "phase",
)
STATEMENTS = Rows("statements", (Field("text", _("Statement")),), "statement")
RATER_QUESTIONS = Rows(
    "rater_questions",
    (
        Field("question", _("Question")),
        Field("choices", _("Answers to choose from, with commas"), "list"),
        Field("required", _("must be answered"), "check"),
    ),
    "about",
)


def shown_rows(rows: Rows, given: Sequence[Raw], form: Mapping[str, str] | None = None) -> Raw:
    """The rows with an empty one after them, as the form shows them; what was typed into ``form`` stays in it."""
    shown = []
    for place, row in enumerate(_with_new(given)):
        names = [(field, f"{rows.name}-{place}-{field.name}") for field in rows.fields]
        is_typed = form is not None and names[0][1] in form
        shown.append(
            [(field, name, _typed(form, name) if is_typed else _shown(field, rows, row)) for field, name in names]
        )
    return {"name": rows.name, "fields": rows.fields, "rows": shown, "count": _filled(shown, len(given))}


def _typed(form: Mapping[str, str] | None, name: str) -> str:
    return form.get(name, "") if form is not None else ""


def _filled(shown: Sequence[Sequence[tuple[Field, str, Any]]], given: int) -> int:
    """How many rows say something; those that are given are counted while they are emptied too."""
    return max(given, sum(bool(row[0][2]) for row in shown))


def _with_new(given: Sequence[Raw]) -> list[Raw]:
    """The rows and those for new ones: the first groups, for example, come in twos."""
    return [*given, {}] if given else [{}, {}]


def _shown(field: Field, rows: Rows, row: Raw) -> Any:
    value = row.get(field.name, "")
    if field is rows.fields[0] and not value:
        value = row.get("key", "")
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def changed_rows(rows: Rows, given: Sequence[Raw], form: Mapping[str, str]) -> list[Raw]:
    """What the form makes of them; all stays as it is where the form does not show them."""
    if f"{rows.name}-0-{rows.fields[0].name}" not in form:
        return deepcopy(list(given))
    kept: list[Raw] = []
    used = {str(row["key"]) for row in given}
    for place, row in enumerate(_with_new(given)):
        first = form.get(f"{rows.name}-{place}-{rows.fields[0].name}", "").strip()
        if not first:
            continue
        new = dict(row) or {"key": _free_key(rows, first, used)}
        for field in rows.fields:
            _put(field, new, form.get(f"{rows.name}-{place}-{field.name}", "").strip(), rows, row)
        kept.append(new)
    if len(kept) > _MOST:
        raise InputError(gettext("At most {most} rows can be given here.").format(most=_MOST))
    return kept


def _put(field: Field, row: Raw, given: str, rows: Rows, before: Raw) -> None:
    """Set a field; what was left as it was shown changes nothing, so that files made by hand stay as they are."""
    if given == str(_shown(field, rows, before)) and field.kind != "check":
        return
    if field.kind == "check":
        value: Any = given == "yes"
    elif field.kind == "number":
        if given and (not given.isdecimal() or len(given) > 6):
            raise InputError(gettext("{name}: give a whole number.").format(name=field.title))
        value = int(given or 0)
    elif field.kind == "list":
        value = [part.strip() for part in given.split(",") if part.strip()]
    else:
        value = given
    if value or field is rows.fields[0]:
        row[field.name] = value
    else:
        row.pop(field.name, None)


def _free_key(rows: Rows, words: str, used: set[str]) -> str:
    """A short name made of the words, that no other row has."""
    plain = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:40].strip("-") or rows.key
    number, key = 2, plain
    while key in used:
        key, number = f"{plain}-{number}", number + 1
    used.add(key)
    return key


def changed_asked(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with what is asked about the rater before the work, and in the questionnaire after it."""
    settings = dict(raw)
    about = changed_rows(RATER_QUESTIONS, settings.pop("rater_questions", []), form)
    asked = dict(settings.pop("questionnaire", {}))
    asked["statements"] = changed_rows(STATEMENTS, asked.get("statements", []), form)
    for name in ("low_label", "high_label"):
        if (words := form.get(f"questionnaire-{name}")) is not None and words.strip() != asked.get(name, ""):
            asked[name] = words.strip()
            if not asked[name]:
                del asked[name]
    for name in ("low", "high"):
        if (given := form.get(f"questionnaire-{name}", "").strip()) and given != str(asked.get(name, ENDS[name])):
            if not given.isdecimal() or len(given) > 3:
                raise InputError(gettext("{name}: give a whole number.").format(name=gettext("Questionnaire")))
            asked[name] = int(given)
    settings |= {"rater_questions": about} if about else {}
    return settings | ({"questionnaire": asked} if asked["statements"] else {})
