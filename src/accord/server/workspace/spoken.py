"""In which language raters read buttons and messages: as chosen in the wizard, else as the questions are worded."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings

from accord.design.preset import preset_settings
from accord.design.study import UI_LANGUAGES
from accord.formats.language_guess import guessed_language
from accord.server.languages import language_of_rater
from accord.server.workspace.drafts import Draft

__all__ = ["changed_spoken", "pages_spoken", "shown_spoken"]

Raw = dict[str, Any]
_FIELD = "ui_language"
_WORDS = ("question", "help", "low_label", "high_label", "instruction")


def shown_spoken(draft: Draft, typed: Mapping[str, str]) -> Raw:
    """The languages to choose from; nothing is chosen where the questions say it, or nobody said anything."""
    protocol = preset_settings(str(draft.said.get("protocol", "")))
    guess = draft.said.get("spoken_guess", protocol.get(_FIELD, "en"))
    # Whoever wrote another one into study.toml has chosen it too.
    chosen = "" if draft.raw.get(_FIELD, "en") == guess else pages_spoken(draft.raw)[0]
    return {"chosen": typed.get(_FIELD, chosen), "languages": settings.LANGUAGES}


def pages_spoken(raw: Mapping[str, Any]) -> tuple[str, str]:
    """Code and name of the language of the raters' pages."""
    code = language_of_rater("", str(raw.get(_FIELD, "en")))
    return code, dict(settings.LANGUAGES)[code]


def changed_spoken(draft: Draft, raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with the language that was chosen, or that the questions of these settings are in."""
    if (chosen := form.get(_FIELD)) is None:
        return dict(raw)
    is_guessed = chosen not in UI_LANGUAGES
    code = (_of_questions(raw) if is_guessed else chosen) or raw.get(_FIELD, "en")
    draft.keep(spoken_guess=code if is_guessed else "")
    return {**raw, _FIELD: code} if code != raw.get(_FIELD, "en") else dict(raw)


def _of_questions(raw: Mapping[str, Any]) -> str:
    """A language of the pages, if the words that raters read beside them are in one."""
    found = guessed_language(_read(raw))
    return next((code for code in UI_LANGUAGES if found and code.split("-")[0] == found), "")


def _read(raw: Mapping[str, Any]) -> Iterator[str]:
    for one in (*raw.get("criteria", []), *raw.get("scenarios", [])):
        yield from (str(one[name]) for name in _WORDS if one.get(name))
        yield from map(str, (*one.get("labels", []), *one.get("anchors", {}).values()))
