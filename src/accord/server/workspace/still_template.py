"""What a draft still has from its template, for the last look before the launch: words that nobody chose for it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, override

from accord.design.preset import PRESETS, preset_title
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
    }


def unworded_questions(raw: Mapping[str, Any]) -> list[str]:
    """The short names of questions that were added and never worded, in whatever language that was."""
    words = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            words.add(gettext(UNWORDED))
    return [one["key"] for one in raw.get("criteria", []) if one.get("question") in words]
