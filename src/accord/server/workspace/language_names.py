"""What a protocol says about the languages of its own texts: in a draft it names those of the study."""

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from django.utils.translation import get_language_info

from accord.design.preset import PRESETS, preset_guidelines, preset_settings
from accord.server.workspace.drafts import Draft, replace_file

__all__ = ["follow_languages", "guidelines_in", "languages_followed", "languages_still_said"]

Raw = dict[str, Any]
Languages = Mapping[str, str]
_SIDES = ("source", "target")


def _name(code: str | None) -> str:
    """The English name of a language, because protocols are written in English; empty where none is known."""
    if (code or "").casefold() == "zh":
        return "Chinese"
    try:
        return str(get_language_info((code or "").casefold())["name"])
    except KeyError:
        return ""


def _renamed(text: str, before: Languages, after: Languages) -> str:
    """The text with the names of other languages; both sides at once, as they may change places."""
    pairs = {_name(before.get(side)): _name(after.get(side)) for side in _SIDES}
    known = {old: new for old, new in pairs.items() if old and new}
    if not known:
        return text
    return re.sub(rf"\b({'|'.join(map(re.escape, known))})\b", lambda found: known[found[1]], text)


def guidelines_in(protocol: str, languages: Languages) -> str:
    """The guidelines of the protocol for texts in these languages."""
    return _renamed(preset_guidelines(protocol), preset_settings(protocol)["languages"], languages)


def follow_languages(draft: Draft, settings: Raw, languages: Languages) -> Raw:
    """The settings for texts in these languages; what the protocol says and nobody changed names them."""
    before, protocol = settings.get("languages", {}), str(draft.said.get("protocol", ""))
    changed = {**deepcopy(settings), "languages": dict(languages)}
    if protocol not in PRESETS or dict(before) == dict(languages):
        return changed
    own = preset_settings(protocol)
    asked = [*own["criteria"], *own["scenarios"]]
    now = _follows((str(one.get(name, "")) for one in asked for name in _WORDS), own["languages"], before, languages)
    for part in (*changed.get("criteria", []), *changed.get("scenarios", [])):
        part |= {name: now[part[name]] for name in _WORDS if part.get(name) in now}
    lines = _follows(preset_guidelines(protocol).splitlines(), own["languages"], before, languages)
    text = draft.guidelines
    followed = "\n".join(lines.get(line, line) for line in text.split("\n"))
    if followed != text:
        replace_file(draft, draft.guidelines_file.name, followed)
    return changed


_WORDS = ("question", "help", "instruction")


def _follows(said: Iterable[str], own: Languages, before: Languages, after: Languages) -> dict[str, str]:
    """What the protocol says, as it read for the languages before: how it reads now, where that is another thing."""
    pairs = {_renamed(words, own, before): _renamed(words, own, after) for words in said if words}
    return {old: new for old, new in pairs.items() if old != new}


def languages_followed(draft: Draft) -> list[str]:
    """A sentence about the names that were changed, where the guidelines or a question have them."""
    raw, own = draft.raw, preset_settings(str(draft.said.get("protocol", "")))
    if not own:
        return []
    languages = raw.get("languages", {})
    said = draft.guidelines.split("\n")
    said += [str(one.get("question", "")) for one in raw.get("criteria", [])]
    words = [
        *preset_guidelines(str(draft.said["protocol"])).splitlines(),
        *(one["question"] for one in own["criteria"]),
    ]
    if not set(_follows(words, own["languages"], own["languages"], languages).values()) & set(said):
        return []
    names = " and ".join(filter(None, (_name(languages.get(side)) for side in _SIDES)))
    before = " and ".join(filter(None, (_name(own["languages"].get(side)) for side in _SIDES)))
    return [f"What the protocol said about {before} now says {names}."]


def languages_still_said(draft: Draft) -> list[str]:
    """Languages of the protocol's own texts that the guidelines name, and that the study does not have."""
    own = preset_settings(str(draft.said.get("protocol", ""))).get("languages", {})
    text = draft.guidelines if own and draft.said.get("has_texts") else ""
    here = {_name(code) for code in draft.raw.get("languages", {}).values()}
    return [name for name in map(_name, own.values()) if name and name not in here and re.search(rf"\b{name}\b", text)]
