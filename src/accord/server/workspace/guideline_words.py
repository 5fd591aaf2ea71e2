"""Words of the questions that the guidelines say too: they follow a change, or the organiser is told of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord.server.workspace.error_points import point_lines

__all__ = ["added_changes", "changed_words", "followed", "still_said"]

Change = tuple[str, str]
"""What raters read before, and what they read now; empty where there are no words any more."""
_PHRASE = 2
"""So many words are enough to know them again; a single one, as "good", may stand in the guidelines for itself."""


def changed_words(before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]) -> list[Change]:
    """The words that raters read at a question and that were changed, question by question."""
    now = {one["key"]: _words(one) for one in after}
    found = [
        (words, now[one["key"]].get(place, ""))
        for one in before
        if one["key"] in now
        for place, words in _words(one).items()
    ]
    return [(old, new) for old, new in dict.fromkeys(found) if old != new]


def _words(criterion: Mapping[str, Any]) -> dict[str, str]:
    """Each with the place it stands at: the question, the ends and anchors of a line, the answers, points of errors."""
    labels = zip(criterion.get("values", ()), criterion.get("labels", ()), strict=False)
    ends = {_at(criterion.get(end)): criterion.get(f"{end}_label", "") for end in ("low", "high")}
    anchors = {_at(at): words for at, words in criterion.get("anchors", {}).items()}
    told = {"question": criterion.get("question", ""), **ends, **anchors}
    told |= {f"answer {value}": label for value, label in labels}
    # What errors cost is often said in the guidelines too, in a table or a sentence of its own.
    told |= {f"points {line.partition(' = ')[0]}": line for line in point_lines(criterion).splitlines()}
    return {place: str(words).strip() for place, words in told.items() if str(words).strip()}


def _at(place: object) -> str:
    """An end and its anchor are one place, however the number is written."""
    try:
        return f"{float(str(place)):g}"
    except ValueError:
        return str(place)


def added_changes(known: Iterable[Sequence[str]], new: Iterable[Change]) -> list[Change]:
    """One list of both: what is changed twice was changed once, and what was changed back was not changed."""
    found: dict[str, str] = {old: now for old, now, *_rest in known}
    for old, now in new:
        first = next((before for before, after in found.items() if after == old), old)
        found[first] = now
    return [(old, now) for old, now in found.items() if old != now]


def followed(text: str, changes: Iterable[Change]) -> str:
    """The guidelines with the new words where they say the old ones, as far as these cannot mean anything else."""
    for old, now in changes:
        if now and len(old.split()) >= _PHRASE:
            text = _place_of(old).sub(now.replace("\\", r"\\"), text)
    return text


def still_said(text: str, changes: Iterable[Sequence[str]]) -> list[Change]:
    """Changes whose old words the guidelines still have."""
    return [(old, now) for old, now in changes if _place_of(old).search(text)]


def _place_of(words: str) -> re.Pattern[str]:
    """Whole words, however lines are broken between them; a full stop at the end may be another sign there."""
    inside = r"\s+".join(map(re.escape, words.rstrip(".").split()))
    return re.compile(rf"(?<!\w){inside}(?!\w)" + (r"\.?" if words.endswith(".") else ""))
