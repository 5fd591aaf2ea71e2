"""``accord prefer``: systems by pairwise preferences with ties."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.scoring.preferences import Preferences, bradley_terry_davidson, read_preferences
from accord.tables.table import Cell, Column, Table

__all__ = ["prefer"]

_Comparisons = Annotated[
    Path,
    typer.Argument(
        metavar="COMPARISONS",
        help="One row a comparison: first, second, preferred (a system, first, second or tie), rater and item if "
        "known; "
        "or the ratings of a pairwise study.",
    ),
]
_Criterion = Annotated[str | None, typer.Option(help="Which criterion of a pairwise study, if it asks several.")]
_Confidence = Annotated[float, typer.Option(min=0.01, max=0.999, help="Confidence of the intervals.")]


def prefer(
    comparisons: _Comparisons,
    criterion: Annotated[
        str | None, typer.Option(help="Which criterion of a pairwise study, if it asks several.")
    ] = None,
    confidence: _Confidence = 0.95,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Rank systems by pairwise preferences with ties (Bradley-Terry-Davidson), and look for circles."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    result = bradley_terry_davidson(read_preferences(comparisons, criterion=criterion), level=confidence)
    emit([_systems(result), _pairs(result)], result.to_dict(), form, lines=_lines(result))


def _systems(result: Preferences) -> Table:
    rows: list[dict[str, Cell]] = [
        {"system": s.name, "ability": s.ability, "low": s.interval.low, "high": s.interval.high, "wins": s.wins,
         "ties": s.ties, "losses": s.losses}
        for s in result.systems
    ]  # fmt: skip
    title = f"Preferences of {result.comparisons:,} comparisons"
    return Table(title, [Column(key, key) for key in rows[0]], rows, (result.method, result.signature))


def _pairs(result: Preferences) -> Table:
    rows: list[dict[str, Cell]] = [
        {"system": p.first, "against": p.second, "difference": p.difference, "p": p.p, "adjusted_p": p.adjusted,
         "wins": p.wins, "ties": p.ties, "losses": p.losses}
        for p in result.pairs
    ]  # fmt: skip
    columns = [Column(key, key.replace("_", " ")) for key in rows[0]]
    return Table("Pairs of systems, Holm over pairs", columns, rows)


def _lines(result: Preferences) -> list[str]:
    lines = []
    if result.tie:
        lines.append(f"Equal systems would tie with probability {result.tie / (2 + result.tie):.3f}.")
    if result.misfit_freedom > 0:
        lines.append(f"Fit: deviance {result.misfit:.2f} on {result.misfit_freedom} degrees of freedom, "
                     f"p {result.misfit_p:.3f}.")  # fmt: skip
    if not result.circles:
        lines.append("No three systems run in a circle.")
    return [*lines, *result.cautions]
