"""Agreement beside correlation, never one alone (paper 002)."""

from collections.abc import Sequence

from accord.diagnosis.correlation import Side
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Paragraph, Rows, Section
from accord.reporting.scarce_scores import few_scores
from accord.reporting.wording import number_text
from accord.tables.table import Cell, Column, Table

__all__ = ["correlation"]

_COLUMNS = (
    Column("criterion", "criterion"), Column("scope", "raters"), Column("items", "items"), Column("pairs", "pairs"),
    Column("agreement", "same rating"), Column("kappa", "mean κ"), Column("gamma", "mean γ"),
    Column("untied", "untied pairs"), Column("words", "in words"),
)  # fmt: skip
_SURE = 0.05
_CONSISTENT = (
    "Where one of two raters is lower throughout, κ is low and γ high: one is strict, but both are consistent."
)


def correlation(analysis: Analysis) -> Section | None:
    """Raters who disagree may still put items in the same order; the gap says which it is."""
    if not any(side.pairs for side in analysis.sides) or few_scores(analysis):
        return None
    every = [side for side in analysis.sides if side.scope == "all raters" and side.pairs]
    known = [side for side in every if side.gamma == side.gamma]
    if not known:
        why = f"γ has no value: {every[0].words}." if every else ""
        return Section("correlation", "Agreement beside correlation", why) if every else None
    blocks: list[Block] = [
        Paragraph(
            f"κ asks whether raters give the same rating{_weighted(analysis)}, γ whether they put items in the same "
            "order." + (f" {_CONSISTENT}" if any(map(_is_one_way, analysis.sides)) else "")
        ),
        Rows(_table("Agreement and correlation", known)),
    ]
    groups = [
        side for side in analysis.sides if side.scope != "all raters" and side.pairs > 1 and side.gamma == side.gamma
    ]
    if groups:
        title = f"Groups and batches of raters ({len(groups):,})"
        blocks.append(Evidence("group-sides", title, [Rows(_table("Groups and batches of raters", groups))]))
    contrary = _contrary(analysis.sides)
    if contrary:
        title = f"Pairs of raters who order items the other way ({len(contrary):,})"
        blocks.append(Evidence("pair-sides", title, [Rows(_table("Pairs of raters with negative γ", contrary))]))
    return Section("correlation", "Agreement beside correlation", _finding(known), blocks)


def _weighted(analysis: Analysis) -> str:
    """How near counts, where scores have so many values that two equal ones are luck."""
    fine = any(criterion.part.is_fine for criterion in analysis.criteria)
    return " (of scores with many values: weighted by the squared distance)" if fine else ""


def _finding(known: Sequence[Side]) -> str:
    """The criterion where κ and γ lie furthest apart."""
    widest = max(known, key=lambda side: side.gamma - side.kappa)
    about = f" on {_named(widest)}" if len(known) > 1 and widest.criterion else ""
    return f"Mean κ {number_text(widest.kappa)}, mean γ {number_text(widest.gamma)}{about}: {widest.words}."


def _is_one_way(side: Side) -> bool:
    """Whether these are two raters of whom one is lower throughout, while they go together."""
    return side.pairs == 1 and side.sign_p < _SURE and side.gamma > side.kappa


def _named(side: Side) -> str:
    return side.criterion.removeprefix("criterion ")


def _contrary(sides: Sequence[Side]) -> list[Side]:
    """Pairs with a negative γ, where all raters together have a positive one."""
    usual = {side.criterion: side.gamma for side in sides if side.scope == "all raters"}
    pairs = [side for side in sides if side.pairs == 1 and side.scope != "all raters"]
    return [side for side in pairs if side.gamma < 0 < usual.get(side.criterion, 0.0)]


def _table(title: str, sides: Sequence[Side]) -> Table:
    keys = {column.key for column in _COLUMNS}
    rows: list[dict[str, Cell]] = [
        {key: value for key, value in side.to_dict().items() if key in keys} | {"criterion": _named(side)}
        for side in sides
    ]
    several = len({side.criterion for side in sides}) > 1
    columns = [column for column in _COLUMNS if column.key != "criterion" or several]
    return Table(title, columns, rows, ("γ on few untied pairs says little: look at their number.",))
