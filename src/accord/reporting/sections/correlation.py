"""Agreement beside correlation, never one alone (paper 002)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from accord.diagnosis.correlation import Side, words_beside
from accord.noise import first_of
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Paragraph, Rows, Section
from accord.reporting.scarce_scores import few_scores
from accord.reporting.wording import number_text, sentence
from accord.tables.table import Cell, Column, Table

__all__ = ["correlation"]

_COLUMNS = (
    Column("criterion", "criterion"), Column("scope", "raters"), Column("items", "items"), Column("pairs", "pairs"),
    Column("agreement", "same rating"), Column("kappa", "mean κ"), Column("weights", "weights of κ"),
    Column("gamma", "mean γ"), Column("untied", "untied pairs"), Column("words", "in words"),
)  # fmt: skip
_SURE = 0.05
_UNWEIGHTED = "unweighted"
_KAPPAS = {
    _UNWEIGHTED: "unweighted: only the same rating agrees",
    "quadratic": "of scores with many values weighted by the squared distance",
}
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
        return Section("correlation", "Agreement beside correlation", sentence(every[0].words)) if every else None
    weights = _weights(analysis)
    blocks: list[Block] = [
        Paragraph(
            f"Cohen's κ asks whether raters give the same rating ({_weighted(weights)}), γ whether they put items in "
            "the same order." + (f" {_CONSISTENT}" if any(map(_is_one_way, analysis.sides)) else "")
        ),
        Rows(_table("Agreement and correlation", known, weights)),
    ]
    groups = [
        side for side in analysis.sides if side.scope != "all raters" and side.pairs > 1 and side.gamma == side.gamma
    ]
    if groups:
        title = f"Groups and batches of raters ({len(groups):,})"
        blocks.append(Evidence("group-sides", title, [Rows(_table("Groups and batches of raters", groups, weights))]))
    contrary = _contrary(analysis.sides)
    if contrary:
        title = f"Pairs of raters who order items the other way ({len(contrary):,})"
        blocks.append(
            Evidence("pair-sides", title, [Rows(_table("Pairs of raters with negative γ", contrary, weights))])
        )
    return Section("correlation", "Agreement beside correlation", _finding(known, weights), blocks)


def _weights(analysis: Analysis) -> dict[str, str]:
    """By criterion, how near counts in its κ: of scores with many values two equal ones are luck."""
    return {one.part.title: "quadratic" if one.part.is_fine else _UNWEIGHTED for one in analysis.criteria}


def _weight(weights: Mapping[str, str], side: Side) -> str:
    return weights.get(side.criterion, next(iter(weights.values())))


def _weighted(weights: Mapping[str, str]) -> str:
    """Which κ this is, in words."""
    return " and ".join(words for name, words in _KAPPAS.items() if name in weights.values())


def _finding(known: Sequence[Side], weights: Mapping[str, str]) -> str:
    """The criterion where κ and γ lie furthest apart."""
    widest = first_of(known, lambda side: side.gamma - side.kappa, highest=True)
    about = f" on {_named(widest)}" if len(known) > 1 and widest.criterion else ""
    words = words_beside(widest.words, is_weighted=_weight(weights, widest) != _UNWEIGHTED)
    kappa = "κ" if words == widest.words else "unweighted κ, to which a neighbouring answer is as wrong as any,"
    return f"Mean {kappa} {number_text(widest.kappa)}, mean γ {number_text(widest.gamma)}{about}: {words}."


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


def _table(title: str, sides: Sequence[Side], weights: Mapping[str, str]) -> Table:
    """Which κ it is stands in its heading, and in each row where criteria differ in it."""
    keys = {column.key for column in _COLUMNS}
    # A group of raters of the only criterion is of "all ratings".
    kinds = [_weight(weights, side) for side in sides]
    rows: list[dict[str, Cell]] = [
        {key: value for key, value in side.to_dict().items() if key in keys}
        | {"criterion": _named(side), "weights": kind}
        for side, kind in zip(sides, kinds, strict=True)
    ]
    without = {"criterion"} if len({side.criterion for side in sides}) == 1 else set()
    without |= {"weights"} if len(set(kinds)) == 1 else set()
    columns = [
        replace(column, title=f"mean κ, {kinds[0]}") if column.key == "kappa" and "weights" in without else column
        for column in _COLUMNS
        if column.key not in without
    ]
    return Table(title, columns, rows, ("γ on few untied pairs says little: look at their number.",))
