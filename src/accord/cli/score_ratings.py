"""``accord score --ratings``: every item of a file of ratings against the threshold."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from accord.cli.output import Form, emit
from accord.cli.reading import in_memory, say_overruled
from accord.cli.sanity_first import tell_first
from accord.design.scale import Direction
from accord.errors import OptionError
from accord.functions.answer import notes_in_words
from accord.ratings.only_rows import only_rows
from accord.ratings.table import Ratings
from accord.reading import read
from accord.scoring.arf import Law
from accord.scoring.decision import Verdict
from accord.scoring.item_scores import METHOD_WORDS, ItemScore, ends_of_scale, score_items
from accord.scoring.prior import Prior
from accord.scoring.ranking.segments import averaged_over, without_controls
from accord.scoring.signature import signature
from accord.tables.table import Cell, Column, Table
from accord.words import counted, shown_names, steady

__all__ = ["print_items"]

_SHOWN = 20
"""So many items are shown in a terminal; the others are for --csv."""


def print_items(
    path: Path, criterion: str | None, direction: str | None, prior: Prior | None, threshold: float | None,
    level: float, scale: tuple[float, float] | None, law: Law, plot: Path | None, form: Form,
    reading: Mapping[str, Any], where: Sequence[str] | None = None,
) -> None:  # fmt: skip
    """Score each item with the ratings it has; intervals and verdicts in one table.

    Ends, good end and threshold are those of the ratings where they are declared and nothing else is asked for.
    """
    ratings = _asked_ratings(path, criterion, where or (), {**reading, "direction": direction})
    say_overruled(ratings)
    sanity = tell_first(ratings, form)
    meaning = ratings.criterion
    counting, left_out = without_controls(ratings)
    over, told = averaged_over(counting, ("system",), "scores"), [f"{line}." for line in left_out]
    if threshold is None and meaning.threshold is not None:
        threshold = meaning.threshold
        told.append(f"The threshold {threshold:g} is the one declared for {meaning.title}.")
    if threshold is not None and not meaning.direction.is_known:
        told.append(ratings.codebook.direction_question)
    if threshold is not None and meaning.direction is Direction.LOW:
        told.append("Low scores are good here: what is at most the threshold passes.")
    ends, guessed = (scale, "") if scale else ends_of_scale(ratings)
    told += [guessed] if guessed else []
    made = score_items(ratings, prior=prior, threshold=threshold, confidence=level, scale=ends, law=law)
    rows = [_row(one) for one in made]
    heads = {"item": "item", "scores": "scores", "centre": "centre", "half_width": "±", "low": "low on scale",
             "high": "high on scale", "verdict": "verdict", "note": "note"}  # fmt: skip
    columns = [Column(key, head, 2) for key, head in heads.items() if any(row[key] is not None for row in rows)]
    note = f"{100 * level:.4g}% intervals: ARF for one score; for more {METHOD_WORDS}."
    asked = {"level": level, "scale": ends, "threshold": threshold, "where": tuple(where or ()) or None}
    signed = signature("score items", **asked, ratings=ratings.fingerprint)
    shown = rows if form is not Form.TEXT or len(rows) <= _SHOWN + 5 else rows[:_SHOWN]
    rest = (f"{len(rows) - len(shown):,} more items: --csv.",) if len(shown) < len(rows) else ()
    if form is Form.TEXT:
        shown, told_once = _notes_once(shown)
        rest = (*told_once, *rest)
        columns = [column for column in columns if any(row[column.key] is not None for row in shown)]
    table = Table(f"Scores of {counted(len(made), 'item')}", columns, shown, (*rest, note, signed))
    decided = threshold is not None and meaning.direction.is_known
    lines = list(told)
    opening = [f"Against {threshold:g}: {_counted(made)}." if decided else _ends_of(made), *over]
    if prior is not None:
        lines.insert(0, f"Prior {steady(prior.value):.2f}: {prior.words}.")
    lines += [_drawn(plot, made, threshold, level)] if plot else []
    lines += notes_in_words(ratings.notes)
    data = {"items": rows, "level": level, "threshold": threshold, "ratings": ratings.fingerprint,
            "notes": [*over, *left_out, *ratings.notes], "sanity": sanity, "signature": signed}  # fmt: skip
    emit([table], data, form, lines=lines, opening=opening)


def _notes_once(rows: Sequence[dict[str, Cell]]) -> tuple[list[dict[str, Cell]], tuple[str, ...]]:
    """The rows with a note that several share said below them, with the items it is about."""
    where: dict[str, list[str]] = {}
    for row in rows:
        if row["note"]:
            where.setdefault(str(row["note"]), []).append(str(row["item"]))
    shared = {note: items for note, items in where.items() if len(items) > 1}
    told = tuple(f"{shown_names(items)}: {note[:1].lower()}{note[1:]}" for note, items in shared.items())
    return [row | {"note": None} if row["note"] in shared else dict(row) for row in rows], told


def _asked_ratings(path: Path, criterion: str | None, where: Sequence[str], reading: Mapping[str, Any]) -> Ratings:
    """The rows that are asked for, of one criterion."""
    asked = {name: option for name, option in reading.items() if option not in (None, {}, ())}
    return _of_criterion(only_rows(in_memory(path, read(str(path), **asked)), where), criterion)


def _of_criterion(ratings: Ratings, criterion: str | None) -> Ratings:
    groups = {group.by.get("criterion", ""): group.ratings for group in ratings.split()}
    if criterion is not None:
        if criterion not in groups:
            raise OptionError(f"--criterion {criterion}: the ratings have {', '.join(filter(None, groups)) or 'none'}.")
        return groups[criterion]
    if len(groups) > 1:
        raise OptionError(f"The ratings are of {', '.join(groups)}. Choose one with --criterion.")
    return next(iter(groups.values()))


def _row(one: ItemScore) -> dict[str, Cell]:
    interval = one.score.intervals[0] if one.score else None
    known = interval is not None and isfinite(interval.half_width)
    return {
        "item": one.item,
        "scores": one.told,
        "centre": interval.centre if interval else None,
        # The mean is not in the middle of a lopsided interval: no ± holds.
        "half_width": interval.half_width if interval and known and not interval.is_lopsided else None,
        "low": interval.clipped.low if interval and known else None,
        "high": interval.clipped.high if interval and known else None,
        "verdict": str(one.score.decision.verdict) if one.score and one.score.decision else None,
        "note": one.note or None,
    }


def _gravity(verdict: tuple[str, int]) -> int:
    """PASS first, then what is nearly one, then the others."""
    order = [str(one) for one in (Verdict.PASS, Verdict.BORDERLINE_PASS, Verdict.BORDERLINE_FAIL, Verdict.FAIL)]
    return order.index(verdict[0]) if verdict[0] in order else len(order)


def _ends_of(made: Sequence[ItemScore]) -> str:
    """The lowest and the highest item."""
    known = sorted((one.score.intervals[0].centre, one.item) for one in made if one.score)
    if not known:
        return f"{counted(len(made), 'item')}, none with a score."
    (low, first), (high, last) = known[0], known[-1]
    return f"{counted(len(made), 'item')} score from {steady(low):.2f} ({first}) to {steady(high):.2f} ({last})."


def _counted(made: Sequence[ItemScore]) -> str:
    verdicts = Counter(
        str(one.score.decision.verdict) if one.score and one.score.decision else "undecided" for one in made
    )
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items(), key=_gravity))


def _drawn(path: Path, made: Sequence[ItemScore], threshold: float | None, level: float) -> str:
    from accord.plots.scores import score_intervals

    known = [(one, one.score.intervals[0]) for one in made if one.score and isfinite(one.score.intervals[0].half_width)]
    if not known:
        return f"There is no interval to draw, so {path} was not written."
    title = _counted(made) if threshold is not None else f"Scores of {counted(len(known), 'item')}"
    chart = score_intervals(
        [one.item for one, _ in known], [interval.centre for _, interval in known],
        [interval.clipped.low for _, interval in known], [interval.clipped.high for _, interval in known],
        title=title, threshold=threshold, values=[one.values for one, _ in known],
        subtitle=f"Bars: {100 * level:.4g}% intervals, cut to the scale. Dots: their centres. Ticks: the scores.",
    )  # fmt: skip
    chart.save(path)
    return f"Wrote {path}."
