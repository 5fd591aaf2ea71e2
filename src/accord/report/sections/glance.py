"""Data at a glance: items, raters, overlap, missing, fingerprint."""

import numpy as np

from accord.ratings.table import Ratings
from accord.report.analysis import Analysis
from accord.report.document import Evidence, Listing, Rows, Section
from accord.report.tables import Cell, Column, Table

__all__ = ["glance"]


def glance(analysis: Analysis) -> Section:
    """What was read, and what was guessed on the way in."""
    ratings = analysis.ratings
    facts: list[dict[str, Cell]] = [{"what": name, "value": value} for name, value in _facts(ratings).items()]
    table = Table("What was read", (Column("what", ""), Column("value", "")), facts)
    blocks: list[Rows | Evidence] = [Rows(table)]
    notes = [*dict.fromkeys([*ratings.notes, *(g for group in analysis.reliability.groups for g in group.guesses)])]
    if notes:
        blocks.append(Evidence("guesses", f"What was guessed or repaired ({len(notes)})", [Listing(notes)]))
    return Section("data", "Data at a glance", blocks)


def _facts(ratings: Ratings) -> dict[str, Cell]:
    per_item = np.bincount(ratings.item.codes[ratings.item.codes >= 0], minlength=ratings.items)
    criteria = ratings.columns.get("criterion")
    several = len(criteria.names) if criteria is not None else 1
    facts: dict[str, Cell] = {
        "ratings": len(ratings),
        "items": ratings.items,
        "raters": ratings.raters,
        "criteria": ", ".join(criteria.names) if criteria is not None and several <= 12 else several,
        "ratings an item": f"{per_item.min() / several:g} to {per_item.max() / several:g}" if len(per_item) else "none",
        "seen and left without an answer": ratings.missing,
        "items with one rating only": int(np.sum(per_item <= several)) if len(per_item) else 0,
    }
    for column in ("system", "document", "scenario", "group", "phase"):
        if column in ratings.columns:
            facts[f"{column}s"] = len(ratings.columns[column].names)
    facts["source"] = ratings.source or "a table in memory"
    facts["fingerprint"] = ratings.fingerprint
    return facts
