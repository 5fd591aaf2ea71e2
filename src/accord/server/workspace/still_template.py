"""What a draft still has from its template, for the last look before the launch: words that nobody chose for it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, override

from accord.design.load import load_study
from accord.design.preset import PRESETS, preset_settings, preset_title
from accord.errors import AccordError
from accord.ratings.study_facts import is_in_context
from accord.server.workspace.drafts import Draft
from accord.server.workspace.language_names import guidelines_in, languages_still_said
from accord.server.workspace.questions import UNWORDED

__all__ = ["unworded_questions", "what_is_still_template"]


def what_is_still_template(draft: Draft) -> dict[str, Any]:
    """The questions without words, and whether title and guidelines are those of the protocol."""
    raw, protocol = draft.raw, str(draft.said.get("protocol", ""))
    known = protocol in PRESETS
    return {
        "unworded": unworded_questions(raw),
        "is_template_title": known and raw.get("title") in (draft.said.get("working_title"), preset_title(protocol)),
        # With the texts of the protocol its guidelines fit, and the page says already that these are examples.
        "are_template_guidelines": known
        and draft.said.get("has_texts", False)
        and draft.guidelines == guidelines_in(protocol, raw.get("languages", {})),
        "languages_still_said": languages_still_said(draft),
        "is_without_context": draft.said.get("has_texts", False) and _is_without_context(draft),
    }


def _is_without_context(draft: Draft) -> bool:
    """Whether raters are told of a text around each sentence, while every sentence stands alone."""
    try:
        study = load_study(draft.folder)
    except AccordError:
        return False
    protocol = str(draft.said.get("protocol", ""))
    if protocol not in PRESETS or any(is_in_context(one, study) for one in study.settings.scenarios):
        return False
    around = [one for one in preset_settings(protocol)["scenarios"] if one["kind"] == "sentence-in-context"]
    return bool({one.get("instruction") for one in around} & {one.instruction for one in study.settings.scenarios})


def unworded_questions(raw: Mapping[str, Any]) -> list[str]:
    """The short names of questions that were added and never worded, in whatever language that was."""
    words = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            words.add(gettext(UNWORDED))
    return [one["key"] for one in raw.get("criteria", []) if one.get("question") in words]
