"""Systems by the choices between them: wins, ties and losses, of all raters and of each of a few."""

from typing import Any

from accord.reporting.sections.preferences import Chosen
from accord.scoring.preference_words import preferred
from accord.server.organiser.ranked import shown_name, with_system_names
from accord.server.organiser.spoken import spoken
from accord.server.study import current

__all__ = ["choices_in_brief", "shown_choices"]

_MOST_SYSTEMS = 8

Plain = dict[str, Any]


def choices_in_brief(chosen: Chosen, confidence: float) -> list[Plain]:
    """These preferences as results keep them, by the codes of the systems."""
    only = next(iter(current().criteria))
    return [
        {
            "criterion": criterion or only,
            "said": preferred(found, confidence),
            "systems": [_counts(one, one.name) for one in found.systems],
            "by_rater": [one.to_dict() for one in found.by_rater],
        }
        for criterion, found in chosen
    ]


def _counts(one: Any, name: str) -> Plain:
    return {"system": name, "wins": one.wins, "ties": one.ties, "losses": one.losses}


def shown_choices(results: Plain) -> list[Plain]:
    """What each criterion chose, under codes, or under the systems' own names once somebody unblinded them."""
    shown = []
    for found in results.get("chosen", []):
        said, is_english = spoken(with_system_names(found["said"]))
        systems = found["systems"]
        shown.append(
            {
                "criterion": found["criterion"],
                "said": said,
                "is_english": is_english,
                "systems": [{**one, "name": shown_name(one["system"])} for one in systems[:_MOST_SYSTEMS]],
                "more": max(0, len(systems) - _MOST_SYSTEMS),
                # Of more systems a rater has as many rows as there are pairs: the report tells them.
                "by_rater": found["by_rater"] if len(systems) == 2 else [],
            }
        )
    return shown
