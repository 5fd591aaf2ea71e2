"""Raters: severity, consistency, drift, and how each uses the scale."""

from collections.abc import Mapping, Sequence

import numpy as np

from accord.arrays import distinct
from accord.design.scale import NO_DIRECTION, Direction
from accord.diagnosis.severity import RaterEffect
from accord.inference.interval import Interval
from accord.look.bar import Bar
from accord.noise import first_of, order_of, ordered
from accord.plots.ratings import category_use, ratings_per_item
from accord.reporting.analysis import Analysis, CriterionAnalysis
from accord.reporting.document import Block, Evidence, Figure, Paragraph, Rows, Section
from accord.reporting.scarce_scores import few_scores
from accord.reporting.wording import capital, ends_text, number_text, on
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed, spelled, steady

__all__ = ["compared", "differing", "extremes", "raters", "use_title"]

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
    """The parts where a rater differs from the others; the rest is folded away."""
    if few_scores(analysis):
        return None
    blocks: list[Block] = [Paragraph(_hasty(analysis))] if analysis.hasty else []
    alike: list[Block] = []
    for place, criterion in enumerate(analysis.criteria):
        (blocks if differing(criterion) or len(analysis.criteria) == 1 else alike).extend(_criterion(place, criterion))
    if alike:
        parts = [one.title for one in analysis.criteria if one.effects and not differing(one)]
        title = f"Where no rater is shown to differ ({len(parts)}): {listed(parts)}"
        blocks.append(Evidence("raters-alike", title, alike))
    return Section("raters", "Raters", _finding(analysis), blocks) if blocks else None


def _hasty(analysis: Analysis) -> str:
    """The same note as on the pages: a pace that nobody declared to be too fast leaves nobody out."""
    return (
        f"Far faster than the study expects: {listed(analysis.hasty)}. This is a note, no verdict: texts may be short, "
        "or the declared time too long."
    )


def differing(criterion: CriterionAnalysis) -> list[RaterEffect]:
    """Raters whose whole interval lies above or below the average rater, the furthest first."""
    known = [one for one in criterion.effects if one.interval is not None and not _holds(one.interval, 0.0)]
    return ordered(known, lambda one: abs(one.severity), lambda one: one.rater, highest=True)


def _holds(interval: Interval, number: float) -> bool:
    return number in interval


def _finding(analysis: Analysis) -> str:
    """Who differs most from the others, and how many hurried."""
    who = counted(len(analysis.hasty), "rater")
    hasty = f" {capital(who)} worked far faster than the study expects." if analysis.hasty else ""
    return f"{_severity(analysis)}{hasty}"


def _severity(analysis: Analysis) -> str:
    """Who differs most from the others, by the interval; nobody where every interval holds nought."""
    found = [(criterion, one) for criterion in analysis.criteria for one in differing(criterion)]
    if not found and not any(criterion.part.ordered for criterion in analysis.criteria):
        return "The values have no order, so no rater is called strict or lenient: compare how often each gives them."
    if not found:
        known = any(one.interval is not None for criterion in analysis.criteria for one in criterion.effects)
        return (
            "No rater is shown to rate higher or lower than the others."
            if known
            else "Raters share too few items to be compared."
        )
    criterion, one = first_of(found, lambda pair: _sureness(pair[1]), lambda pair: pair[1].rater, highest=True)
    raters = len({effect.rater for _, effect in found})
    words = f"{one.rater} {compared(one, criterion.part.direction)}{on(criterion.title)}"
    others = (
        f"; {counted(raters - 1, 'other rater')} also {'differs' if raters == 2 else 'differ'}" if raters > 1 else ""
    )
    return f"{words}{others}."


def _sureness(effect: RaterEffect) -> float:
    """How many times its half-width an effect is away from nought."""
    return abs(effect.severity) / (effect.interval.width / 2) if effect.interval and effect.interval.width else 0.0


def compared(effect: RaterEffect, direction: Direction) -> str:
    """``rates 0.57 higher than the average rater (0.31 to 0.83), more leniently``: by sign and good end."""
    ends = effect.interval
    interval = f" ({number_text(ends.low)} to {number_text(ends.high)})" if ends else ""
    way = "higher" if effect.severity > 0 else "lower"
    words = f"rates {steady(abs(effect.severity)):.2f} {way} than the average rater{interval}"
    if not direction.is_known:
        return words
    return f"{words}, more {'leniently' if effect.severity * direction.sign > 0 else 'strictly'}"


def _criterion(place: int, criterion: CriterionAnalysis) -> list[Block]:
    blocks: list[Block] = []
    if not criterion.part.ordered:
        blocks += [Rows(_shares(criterion))] if len(criterion.part.ratings.scale.values) <= _MOST_VALUES else []
    elif criterion.effects:
        blocks.append(Rows(_table(criterion), bars=_bars(criterion)))
    if len(criterion.part.raters) > 1 and (use := _use(criterion)) is not None:
        blocks.append(Evidence(f"use-{place}", f"How raters use the scale{on(criterion.title)}", use))
    return blocks


def _bars(criterion: CriterionAnalysis) -> list[Bar | None]:
    """How far each rater is from the average one, on one axis around nought."""
    known = [one.interval for one in criterion.effects if one.interval is not None]
    if not known:
        return []
    reach = 1.1 * max(max(abs(ends.low), abs(ends.high)) for ends in known) or 1.0
    return [
        None if one.interval is None else Bar(
            one.severity, one.interval.low, one.interval.high,
            f"{one.rater}: {number_text(one.severity)}, {ends_text(one.interval)}",
            (-reach, reach), (0.0,))
        for one in criterion.effects
    ]  # fmt: skip


def extremes(effects: Sequence[RaterEffect], direction: Direction) -> str:
    """Who is strictest and who most lenient; who rates lowest and highest where no end is known to be good."""
    first, last = effects[0].rater, effects[-1].rater
    if effects[0].severity == effects[-1].severity:
        return "No rater rates higher or lower than another"
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
    columns = [column for column in _COLUMNS if any(_has_number(row[column.key]) for row in rows)]
    told = any(column.key == "severity" for column in columns)
    return Table(
        f"Raters{on(criterion.title)}",
        columns,
        rows,
        (_AGAINST.get(criterion.part.direction, NO_DIRECTION),) if told else (),
    )


def _shares(criterion: CriterionAnalysis) -> Table:
    """How often each rater gives each value: what values without an order allow to say of a rater."""
    part = criterion.part
    words = [spelled(value) for value in part.ratings.scale.values]
    rows: list[dict[str, Cell]] = []
    for rater in part.raters:
        counts = part.value_counts[rater]
        shares: dict[str, Cell] = {
            f"value-{at}": f"{steady(count / max(1, counts.sum())):.0%}" for at, count in enumerate(counts)
        }
        rows.append({"rater": part.name(int(rater)), "ratings": int(counts.sum()), **shares})
    columns = [Column("rater", "rater"), Column("ratings", "ratings")]
    columns += [Column(f"value-{at}", word) for at, word in enumerate(words)]
    return Table(f"How often each rater gives each value{on(criterion.title)}", columns, rows)


def _has_number(cell: Cell) -> bool:
    return cell is not None and cell == cell


def use_title(words: Sequence[str], counts: Mapping[str, Sequence[int]]) -> str:
    """Which value raters use most unlike each other, and who gives it least and most."""
    shares = np.array([np.array(row) / max(1, sum(row)) for row in counts.values()])
    widest = int(order_of(shares.max(axis=0) - shares.min(axis=0), highest=True)[0])
    names, column = list(counts), shares[:, widest]
    least, most = (int(order_of(column, names, highest=highest)[0]) for highest in (False, True))
    return (
        f"Raters differ most in giving {words[widest]}: {names[least]} gives it to {steady(column[least]):.0%} of "
        f"items, {names[most]} to {steady(column[most]):.0%}"
    )


def _use(criterion: CriterionAnalysis) -> list[Block] | None:
    part = criterion.part
    values = part.ratings.scale.values
    if len(values) > _MOST_VALUES:
        return None
    words = [spelled(value) for value in values]
    counts = {part.name(int(rater)): part.value_counts[rater].tolist() for rater in part.raters}
    title = use_title(words, counts)
    blocks: list[Block] = [Figure(category_use(words, counts, title=title, subtitle=criterion.title))]
    if part.ordered and part.items <= _FEW_ITEMS and len(part.raters) <= _MOST_VALUES:
        table = part.matrix()
        names = [part.item_names[code] for code in distinct(part.item)]
        series = {part.name(int(rater)): table[:, at].tolist() for at, rater in enumerate(part.raters)}
        most = (
            f"; {criterion.items.most[0].item} is the most disputed" if criterion.items.most else ": none is disputed"
        )
        chart = ratings_per_item(names, series, title=f"Ratings of every item{most}", axis=criterion.title or "rating")
        blocks.append(Figure(chart))
    return blocks
