"""Raters: severity, consistency, drift, and how each uses the scale."""

from collections.abc import Mapping, Sequence

import numpy as np

from accord.design.scale import ASK_DIRECTION, Direction
from accord.diagnosis.severity import RaterEffect
from accord.plots.raters import severity
from accord.plots.ratings import category_use, ratings_per_item
from accord.reporting.analysis import Analysis, CriterionAnalysis
from accord.reporting.document import Block, Evidence, Figure, Rows, Section
from accord.reporting.wording import on
from accord.tables.table import Cell, Column, Table

__all__ = ["extremes", "raters", "use_title"]

_COLUMNS = (
    Column("rater", "rater"), Column("items", "items"), Column("mean", "mean", 2),
    Column("severity", "against the average rater", 2), Column("low", "low", 2), Column("high", "high", 2),
    Column("rest", "correlation with the rest", 2), Column("drift", "drift", 2),
)  # fmt: skip
_AGAINST = {
    Direction.HIGH: "Against the average rater: above zero is lenient, below is strict, on the same items.",
    Direction.LOW: "Against the average rater: above zero is strict, below is lenient, on the same items; low is good.",
}
_MOST_VALUES = 12
_FEW_ITEMS = 60


def raters(analysis: Analysis) -> Section | None:
    blocks: list[Block] = []
    for place, criterion in enumerate(analysis.criteria):
        blocks += _criterion(place, criterion)
    return Section("raters", "Raters", blocks) if blocks else None


def _criterion(place: int, criterion: CriterionAnalysis) -> list[Block]:
    blocks: list[Block] = []
    known = [effect for effect in criterion.effects if effect.interval is not None]
    if len(known) >= 2:
        ends = known[0], known[-1]
        about = f"{criterion.title}: " if criterion.title else ""
        title = f"{about}{extremes(known, criterion.part.direction)}"
        first, last = (f"{abs(end.severity):.2f} {'lower' if end.severity < 0 else 'higher'}" for end in ends)
        subtitle = f"they score {first} and {last} than the average rater of the same items; 95% intervals"
        chart = severity(
            [effect.rater for effect in known], [effect.severity for effect in known],
            [effect.interval.low for effect in known if effect.interval],
            [effect.interval.high for effect in known if effect.interval], title=title, subtitle=subtitle,
        )  # fmt: skip
        blocks.append(Figure(chart))
    if criterion.effects:
        blocks.append(Rows(_table(criterion)))
    if len(criterion.part.raters) > 1 and (use := _use(criterion)) is not None:
        blocks.append(Evidence(f"use-{place}", f"How raters use the scale{on(criterion.title)}", use))
    return blocks


def extremes(effects: Sequence[RaterEffect], direction: Direction) -> str:
    """Who is strictest and who most lenient; who rates lowest and highest where no end is known to be good."""
    first, last = effects[0].rater, effects[-1].rater
    if not direction.is_known:
        return f"{first} rates lowest, {last} highest"
    return f"{first} is strictest, {last} most lenient"


def _table(criterion: CriterionAnalysis) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "rater": effect.rater, "items": effect.items, "mean": effect.mean, "severity": effect.severity,
            "low": effect.interval.low if effect.interval else None,
            "high": effect.interval.high if effect.interval else None,
            "rest": effect.rest, "drift": effect.drift,
        }
        for effect in criterion.effects
    ]  # fmt: skip
    columns = [column for column in _COLUMNS if any(_known(row[column.key]) for row in rows)]
    told = any(column.key == "severity" for column in columns)
    return Table(
        f"Raters{on(criterion.title)}",
        columns,
        rows,
        (_AGAINST.get(criterion.part.direction, ASK_DIRECTION),) if told else (),
    )


def _known(cell: Cell) -> bool:
    return cell is not None and cell == cell


def use_title(words: Sequence[str], counts: Mapping[str, Sequence[int]]) -> str:
    """Which value raters use most unlike each other, and who gives it least and most."""
    shares = np.array([np.array(row) / max(1, sum(row)) for row in counts.values()])
    widest = int(np.argmax(shares.max(axis=0) - shares.min(axis=0)))
    names, column = list(counts), shares[:, widest]
    least, most = int(column.argmin()), int(column.argmax())
    return (
        f"Raters differ most in giving {words[widest]}: {names[least]} gives it to {column[least]:.0%} of items, "
        f"{names[most]} to {column[most]:.0%}"
    )


def _use(criterion: CriterionAnalysis) -> list[Block] | None:
    part = criterion.part
    values = part.ratings.scale.values
    if len(values) > _MOST_VALUES:
        return None
    words = [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
    counts = {part.name(int(rater)): part.value_counts[rater].tolist() for rater in part.raters}
    title = use_title(words, counts)
    blocks: list[Block] = [Figure(category_use(words, counts, title=title, subtitle=criterion.title))]
    if part.ordered and part.items <= _FEW_ITEMS and len(part.raters) <= _MOST_VALUES:
        table = part.matrix()
        names = [part.item_names[code] for code in np.unique(part.item)]
        series = {part.name(int(rater)): table[:, at].tolist() for at, rater in enumerate(part.raters)}
        most = (
            f"; {criterion.items.most[0].item} is the most disputed" if criterion.items.most else ": none is disputed"
        )
        chart = ratings_per_item(names, series, title=f"Ratings of every item{most}", axis=criterion.title or "rating")
        blocks.append(Figure(chart))
    return blocks
