"""What stands above the texts of each task, heading and instruction, as a form and back."""

from collections.abc import Mapping
from typing import Any

from django.utils import translation

from accord.server.headings import said_of_protocol
from accord.server.workspace.spoken import pages_spoken

__all__ = ["shown_task_words", "with_task_words"]

Raw = dict[str, Any]


def shown_task_words(raw: Mapping[str, Any], typed: Mapping[str, str]) -> list[Raw]:
    """Each task with the words raters read above its texts; what was typed stays in the form."""
    return [
        {
            "place": place,
            "key": one.get("key", ""),
            "heading": typed.get(f"heading-{place}", _as_read(raw, one)),
            "instruction": typed.get(_instruction(place), one.get("instruction", "")),
            "instruction_name": _instruction(place),
        }
        for place, one in enumerate(raw.get("scenarios", []))
    ]


def with_task_words(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with headings and instructions of the form; a protocol's heading stays what every language says."""
    made = []
    for place, one in enumerate(raw.get("scenarios", [])):
        changed = dict(one)
        if (told := form.get(f"heading-{place}")) is not None and told.strip() != _as_read(raw, one):
            changed = {**changed, "title": told.strip()}
        if (told := form.get(_instruction(place))) is not None:
            changed = {**changed, "instruction": told.strip()}
        made.append(changed)
    return {**raw, "scenarios": made} if made else dict(raw)


def _instruction(place: int) -> str:
    return f"instruction-{place}" if place else "instruction"


def _as_read(raw: Mapping[str, Any], scenario: Mapping[str, Any]) -> str:
    """The heading as raters read it in the language of their pages."""
    with translation.override(pages_spoken(raw)[0]):
        return said_of_protocol(str(scenario.get("title", "")))
