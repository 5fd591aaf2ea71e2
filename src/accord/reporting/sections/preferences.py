"""Systems by the choices between them, as ``accord prefer`` tells them."""

from collections.abc import Sequence
from dataclasses import replace

from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Listing, Quoted, Rows, Section
from accord.reporting.wording import on
from accord.scoring.preference_result import Preferences
from accord.scoring.preference_words import further, pairs_table, preferred, raters_table, systems_table

__all__ = ["Chosen", "preference_answer", "preferences"]

Chosen = Sequence[tuple[str, Preferences]]


def preferences(analysis: Analysis) -> Section | None:
    """Abilities, pairs of systems, and what else is to know, for every criterion that chooses between systems."""
    blocks: list[Block] = []
    for place, (name, found) in enumerate(analysis.preferences):
        systems = systems_table(found)
        blocks += [
            Rows(replace(systems, title=f"{systems.title}{on(name)}", notes=(f"{found.method}.",))),
            *_of_raters(place, found),
            Rows(pairs_table(found)),
            Listing(further(found)),
            Evidence(f"preferences-{place}", "How to compute it again", [Quoted(found.signature, "Signature")]),
        ]
    said = preference_answer(analysis.preferences, analysis.confidence)
    return Section("preferences", "Preferred systems", said, blocks) if blocks else None


def _of_raters(place: int, found: Preferences) -> list[Block]:
    """The choices of each of a few raters: beside two systems shown, behind more folded."""
    table = raters_table(found)
    if table is None:
        return []
    return [Evidence(f"raters-{place}", table.title, [Rows(table)])] if table.is_detail else [Rows(table)]


def preference_answer(preferences: Chosen, confidence: float) -> str:
    """Who is preferred, a sentence a criterion; '' where nobody chose between systems."""
    said = []
    for name, found in preferences:
        words = preferred(found, confidence)
        said.append(f"{name}: {words}" if name and len(preferences) > 1 else words)
    return " ".join(said)
