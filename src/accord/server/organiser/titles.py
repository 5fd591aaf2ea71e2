"""Names as people know them: titles of scenarios and phases instead of their keys, versions with what they are of."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord.ratings.guideline_rounds import round_of
from accord.server.guidelines import latest_number
from accord.server.models_organiser import Round
from accord.server.study import current

__all__ = ["combined_title", "in_titles", "part_title", "scenario_title", "shown_title", "titles_of_parts", "turn_of"]


def scenario_title(key: str) -> str:
    """The title that study.toml gives a scenario, or its key."""
    scenario = current().scenarios.get(key)
    return (scenario.title if scenario else "") or key


def _phase_titles() -> dict[str, str]:
    return {phase.key: phase.title or phase.key for phase in current().settings.phases}


def turn_of(phase: str) -> int:
    """The guideline round after which it was measured again, 0 if none."""
    # Results of an earlier Accord counted the first measurement too.
    older = re.fullmatch(r"round-(\d+)", phase)
    number = int(older[1]) - 1 if older else round_of(phase)
    return 0 if phase in _phase_titles() else number


def part_title(column: str, name: str) -> str:
    """What a part of the ratings is called, by the column that keeps it apart; in the library's English."""
    if column == "guideline":
        return f"guideline version {name}"
    if column == "phase":
        turn = turn_of(name)
        return f"after round {turn}" if turn else _phase_titles().get(name, name)
    return scenario_title(name) if column == "scenario" else name


def shown_title(group: Mapping[str, Any]) -> str:
    """A group of results as the pages call it: its criterion, and what tells it from other parts of the criterion."""
    criterion, *parts = str(group["title"]).split(" · ")
    if group.get("combined"):
        return " · ".join(filter(None, (criterion, combined_title(group["combined"]))))
    titles = {name: _spoken(column, name) for column, name in group["by"].items()}
    version = group.get("of", {}).get("guideline", "")
    if version and version not in parts and latest_number() > 1:
        # Without its version a number is taken for that of all of them.
        parts, titles = [*parts, version], {**titles, version: _spoken("guideline", version)}
    return " · ".join([criterion, *(titles.get(part, part) for part in parts)])


def combined_title(columns: Sequence[str]) -> str:
    """What a number combines: versions of the guideline and rounds are said, scenarios are what a criterion has."""
    is_turned = bool({"phase", "round"} & set(columns))
    if is_turned and not Round.objects.exclude(measured_at=None).exists():
        # Without a guideline round the phases are those of the plan, or a reserve.
        return _("phases and guideline versions combined") if "guideline" in columns else _("phases combined")
    if "guideline" in columns:
        return _("rounds and guideline versions combined") if is_turned else _("guideline versions combined")
    return _("rounds combined") if is_turned else ""


def _spoken(column: str, name: str) -> str:
    """A part in the reader's language."""
    if column == "phase" and (turn := turn_of(name)):
        return _("after round %(n)s") % {"n": turn}
    return _("guideline version %(n)s") % {"n": name} if column == "guideline" else part_title(column, name)


def titles_of_parts(parts: Sequence[Mapping[str, str]]) -> list[str]:
    """What tells each part from the others, by the columns in which they differ; empty where there is one part."""
    differ = [column for column in (parts[0] if parts else ()) if len({part.get(column) for part in parts}) > 1]
    return [" · ".join(_spoken(column, part[column]) for column in differ if part.get(column)) for part in parts]


def in_titles(text: str) -> str:
    """A sentence of the library, in which ``scenario RS`` and ``phase main`` become the titles of these."""
    keys = {"scenario": current().scenarios, "phase": _phase_titles()}
    for column, known in keys.items():
        if known:
            names = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
            text = re.sub(
                rf"\b{column} ({names})(?![\w-])", lambda found: f"“{part_title(*found[0].split(' ', 1))}”", text
            )
    text = re.sub(r"\bphase ((?:after-)?round-\d+)", lambda found: part_title("phase", found[1]), text)
    if not keys["phase"]:
        text = re.sub(r"\bno phase\b", "before the first round", text)
    return re.sub(r"\bguideline (?=\d)", "guideline version ", text)
