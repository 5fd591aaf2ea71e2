"""Systems by the choices between them, as ``accord prefer`` tells them."""

from dataclasses import replace

from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Listing, Quoted, Rows, Section
from accord.reporting.wording import on
from accord.scoring.preference_words import further, pairs_table, preferred, systems_table

__all__ = ["preference_answer", "preferences"]


def preferences(analysis: Analysis) -> Section | None:
    """Abilities, pairs of systems, and what else is to know, for every criterion that chooses between systems."""
    blocks: list[Block] = []
    for place, (name, found) in enumerate(analysis.preferences):
        systems = systems_table(found)
        blocks += [
            Rows(replace(systems, title=f"{systems.title}{on(name)}", notes=(f"{found.method}.",))),
            Rows(pairs_table(found)),
            Listing(further(found)),
            Evidence(f"preferences-{place}", "How to compute it again", [Quoted(found.signature, "Signature")]),
        ]
    return Section("preferences", "Preferred systems", preference_answer(analysis), blocks) if blocks else None


def preference_answer(analysis: Analysis) -> str:
    """Who is preferred, a sentence a criterion; '' where nobody chose between systems."""
    said = []
    for name, found in analysis.preferences:
        words = preferred(found, analysis.confidence)
        said.append(f"{name}: {words}" if name and len(analysis.preferences) > 1 else words)
    return " ".join(said)
