"""What preferences say, in a sentence, two tables and what else is to know of them."""

from accord.scoring.preferences import Preferences
from accord.scoring.standing import standing, told_apart
from accord.tables.table import Cell, Column, Table
from accord.words import counted, p_text, steady

__all__ = ["further", "pairs_table", "preferred", "systems_table"]


def preferred(result: Preferences, confidence: float) -> str:
    """Who leads and who follows, and how many pairs differ."""
    names, better = _names(result), _better(result, confidence)
    return f"{standing(names, better)} {told_apart(names, better)}".rstrip()


def _names(result: Preferences) -> list[str]:
    return [system.name for system in result.systems]


def _better(result: Preferences, confidence: float) -> set[tuple[str, str]]:
    """Who is preferred to whom, by the pairs that differ after Holm's correction."""
    return {
        (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
        for pair in result.pairs
        if pair.adjusted < 1 - confidence
    }


def systems_table(result: Preferences) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "system": s.name,
            "ability": s.ability,
            "low": s.interval.low,
            "high": s.interval.high,
            "wins": s.wins,
            "ties": s.ties,
            "losses": s.losses,
        }
        for s in result.systems
    ]
    title = f"Preferences of {result.comparisons:,} comparisons"
    return Table(title, [Column(key, key) for key in rows[0]], rows, (result.method, result.signature))


def pairs_table(result: Preferences) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "system": p.first,
            "against": p.second,
            "difference": p.difference,
            "p": p.p,
            "adjusted_p": p.adjusted,
            "wins": p.wins,
            "ties": p.ties,
            "losses": p.losses,
        }
        for p in result.pairs
    ]
    columns = [Column(key, key.replace("_", " ")) for key in rows[0]]
    return Table("Pairs of systems, Holm over pairs", columns, rows, is_detail=True)


def further(result: Preferences) -> list[str]:
    """Ties, fit, circles and cautions, a sentence each."""
    lines = []
    if result.tie:
        lines.append(f"Equal systems would tie with probability {steady(result.tie / (2 + result.tie)):.3f}.")
    if result.misfit_p >= 0.05:  # a bad fit is among the cautions
        lines.append(
            f"One ability for each system may explain who wins (ties apart: deviance {steady(result.misfit):.2f} on "
            f"{counted(result.misfit_freedom, 'degree')} of freedom, {p_text(result.misfit_p)})."
        )
    if not result.circles and len(result.systems) > 2:
        lines.append("No circle of three systems is shown.")
    return [*lines, *result.cautions]
