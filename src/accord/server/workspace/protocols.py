"""Protocols as cards to choose from, in the reader's language: what raters do, not what the field calls it."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accord.design.preset import PRESETS, preset_settings, protocol_title
from accord.server.workspace.questions import KINDS

__all__ = ["protocol_cards", "protocol_name"]

_FIRST = ("esa", "direct-assessment-segments", "mqm", "pairwise", "document-context", "fluency")
_NAMES: Mapping[str, Promise] = {
    "direct-assessment": _("Direct assessment"),
    "direct-assessment-documents": _("Direct assessment of whole documents"),
    "direct-assessment-segments": _("Direct assessment of sentences within their documents"),
    "document-context": _("Sentences alone, sentences in context, documents"),
    "esa": _("Error spans, then a score"),
    "fluency": _("Fluency"),
    "monolingual": _("Adequacy against a reference"),
    "mqm": _("Errors by category and severity"),
    "pairwise": _("Systems in pairs"),
    "plato": _("Clarity, coherence and six more assessments of translated notices"),
    "quality-check": _("Quality check of delivered jobs"),
    "reference-bias": _("Source, same reference, different reference"),
}


def protocol_name(name: str) -> str:
    """What the protocol is called; one that nobody translated is called as its own file says."""
    return str(_NAMES.get(name) or protocol_title(name))


def protocol_cards() -> list[dict[str, Any]]:
    """Every protocol, the most usual ones first."""
    return [_card(name) for name in (*_FIRST, *(name for name in PRESETS if name not in _FIRST))]


def _card(name: str) -> dict[str, Any]:
    """What a rater will do, for somebody who does not know the name of the protocol."""
    raw = preset_settings(name)
    kinds = [criterion["kind"] for criterion in raw["criteria"]]
    seconds = raw["scenarios"][0].get("seconds_per_item") or raw.get("cost", {}).get("seconds_per_item", 30)
    return {
        "name": name,
        "title": protocol_name(name),
        "kinds": kinds,
        "kind": kinds[0],
        "answers": [KINDS[kind] for kind in dict.fromkeys(kinds)],
        "seconds": seconds,
        "instruction": raw["scenarios"][0].get("instruction", ""),
        "several": max(scenario.get("systems", 1) for scenario in raw["scenarios"]),
        "in_context": any(scenario["kind"] != "random-sentence" for scenario in raw["scenarios"]),
    }
