"""Names as people know them: the title of a scenario instead of its key."""

import re
from collections.abc import Mapping
from typing import Any

from accord.server.study import current

__all__ = ["in_titles", "scenario_title", "shown_title"]


def scenario_title(key: str) -> str:
    """The title that study.toml gives a scenario, or its key."""
    scenario = current().scenarios.get(key)
    return (scenario.title if scenario else "") or key


def shown_title(group: Mapping[str, Any]) -> str:
    """A group of results as the pages call it: its criterion, and what tells it from other parts of the criterion."""
    criterion, *parts = str(group["title"]).split(" · ")
    if group.get("combined"):
        return criterion
    scenario = group["by"].get("scenario")
    return " · ".join([criterion, *(scenario_title(part) if part == scenario else part for part in parts)])


def in_titles(text: str) -> str:
    """A sentence of the library, in which ``scenario RS`` becomes the title of that scenario."""
    keys = sorted(map(re.escape, current().scenarios), key=len, reverse=True)
    if not keys:
        return text
    return re.sub(rf"\bscenario ({'|'.join(keys)})(?!\w)", lambda found: f"“{scenario_title(found[1])}”", text)
