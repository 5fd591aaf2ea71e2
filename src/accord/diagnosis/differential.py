"""Differential functioning: does a rater, an item or a criterion work otherwise in one group than in another?

Groups may differ in level, and that is no fault. So they are compared at equal level: an item (or a rater)
of one group with those of the other group whose ratings are as high on the whole.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, distinct, renumbered
from accord.diagnosis.part import Part, parts_of
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.inference.multiple import adjusted
from accord.inference.stratified import CommonOdds, common_odds, compare_in_strata
from accord.noise import order_of, ordered
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["STUDIED", "DifferentialFunctioning", "differential_functioning"]

STUDIED = {"rater": "item", "criterion": "item", "item": "rater"}
"""What may be studied, and the units whose level is held equal."""

_PASSES = 10
_MOST_STRATA = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferentialFunctioning(PlainData):
    """One rater, item or criterion, and how the focal group fares on it against the reference group at equal level.

    ``difference`` is in points of the scale; ``effect`` is the same in standard deviations of the ratings studied.
    Where there are two values, ``odds_ratio`` is the odds of the upper one in the focal group over those
    in the reference group, and ``delta`` is 2.35 times its logarithm. ``size`` is A (negligible), B or C (large).
    """

    criterion: str
    studied: str
    reference: str
    focal: str
    units_reference: int
    units_focal: int
    strata: int
    chi_square: float
    p: float
    adjusted_p: float
    difference: float
    interval: Interval | None
    effect: float
    odds_ratio: float
    odds_interval: Interval | None
    delta: float
    size: str
    method: str

    @property
    def differs(self) -> bool:
        """Whether the difference stands after Holm's allowance for all tests, and is not negligible."""
        return self.adjusted_p < 0.05 and self.size in ("B", "C")

    @property
    def words(self) -> str:
        if np.isnan(self.p):
            return f"not comparable: none of {self.focal} lies at the level of any of {self.reference}"
        if not self.differs:
            return "no difference shown"
        return f"{self.focal} gets {'lower' if self.difference < 0 else 'higher'} values at equal level"

    _beside = ("differs", "words")


@dataclass(frozen=True, slots=True)
class _Answers:
    """Units x studied: mean score of each cell, nan where there is none; and the group of each unit."""

    criterion: str
    studied: Sequence[str]
    scores: Floats
    group: NDArray[np.object_]
    binary: bool


def differential_functioning(
    ratings: Ratings, *, between: str, of: str = "rater", reference: str = "", correct: bool = False,
    purify: bool = True, confidence: float = 0.95,
) -> list[DifferentialFunctioning]:  # fmt: skip
    """Every rater (item, criterion) in every group of the column ``between`` against the reference group.

    Units of equal level are those whose ratings have the same mean, the studied one included and the strictness
    of raters taken out. ``purify`` makes the level anew without those found to differ, the plainest first and ten at
    most. ``correct`` is the continuity correction, for two values. The largest group is the reference
    unless one is named.
    """
    if of not in STUDIED:
        raise OptionError(f"What is studied is one of {', '.join(STUDIED)}, not {of!r}.")
    made = _criteria(ratings, between) if of == "criterion" else _parts(ratings, between, of)
    found: list[DifferentialFunctioning] = []
    for answers in made:
        groups = _groups(answers, between, reference)
        for focal in groups[1:]:
            found += _tested(answers, groups[0], focal, correct=correct, purify=purify, confidence=confidence)
    every = adjusted(np.array([one.p for one in found]))
    if np.isnan(every).all():
        raise NotEnoughDataError(
            f"No {STUDIED[of]} of one group of {between!r} lies at the level of any of another group: nothing can be "
            f"compared at equal level. More {STUDIED[of]}s in each group are needed."
        )
    told = [replace(one, adjusted_p=float(p)) for one, p in zip(found, every, strict=True)]
    return ordered(ordered(told, lambda one: one.p, size=0), lambda one: one.adjusted_p, size=0)


def _parts(ratings: Ratings, between: str, of: str) -> list[_Answers]:
    made = []
    for part in map(_ordered, parts_of(ratings)):
        units, studied = (part.item, part.rater) if of == "rater" else (part.rater, part.item)
        rows, unit = np.unique(units, return_inverse=True)
        columns, column = np.unique(studied, return_inverse=True)
        scores = np.full((len(rows), len(columns)), np.nan)
        scores[unit, column] = part.score
        names = part.rater_names if of == "rater" else part.item_names
        group = _group_of(part, between, unit, len(rows), STUDIED[of])
        chosen = [names[code] for code in columns]
        made.append(_Answers(part.title, chosen, scores, group, len(distinct(part.code)) == 2))
    return made


def _criteria(ratings: Ratings, between: str) -> list[_Answers]:
    """Items by criteria, each score the mean over raters; scales that differ are made alike, from 0 to 1."""
    parts = parts_of(ratings, ("criterion",) if "criterion" in ratings.columns else ())
    if len(parts) < 2:
        raise NotEnoughDataError("There is one criterion only: its items have no other criterion to be matched by.")
    names = sorted({name for part in parts for name in part.item_names})
    place = {name: row for row, name in enumerate(names)}
    scores, group = np.full((len(names), len(parts)), np.nan), np.full(len(names), "", dtype=object)
    ends = [(min(part.ratings.scale.numbers), max(part.ratings.scale.numbers)) for part in map(_ordered, parts)]
    unlike = len(set(ends)) > 1
    for column, (part, (low, high)) in enumerate(zip(parts, ends, strict=True)):
        codes, item = renumbered(part.item)
        rows = [place[part.item_names[code]] for code in codes]
        mean = np.bincount(item, part.score) / np.bincount(item)
        scores[rows, column] = (mean - low) / max(high - low, 1e-12) if unlike else mean
        group[rows] = _group_of(part, between, item, len(codes), "item")
    binary = len(distinct(scores[~np.isnan(scores)])) == 2
    title = "all criteria, each scale from 0 to 1" if unlike else "all criteria"
    return [_Answers(title, [part.by["criterion"] for part in parts], scores, group, binary)]


def _ordered(part: Part) -> Part:
    """The same part, if its values can be said to be higher and lower."""
    if not part.ordered and len(distinct(part.code)) > 2:
        raise NotEnoughDataError(
            f"{part.title}: its values have no order, so no two items can be said to be of equal level. "
            "Differential functioning needs two values, or ordered ones: declare --level or --scale."
        )
    return part


def _group_of(part: Part, between: str, unit: NDArray[np.int64], units: int, kind: str) -> NDArray[np.object_]:
    """The group of each unit; a unit in two groups has no level of its own to be matched by."""
    if between not in part.ratings.columns:
        known = ", ".join(sorted(part.ratings.columns)) or "none"
        raise ColumnError(f"There is no column {between!r} to compare between. Columns to choose from: {known}.")
    factor = part.ratings.columns[between]
    code = factor.codes[part.rows]
    low, high = np.full(units, len(factor.names)), np.full(units, -1)
    np.minimum.at(low, unit, np.where(code < 0, len(factor.names), code))
    np.maximum.at(high, unit, code)
    split = np.flatnonzero((high >= 0) & (low != high))
    if len(split):
        names = part.item_names if kind == "item" else part.rater_names
        codes = part.item if kind == "item" else part.rater
        name = names[int(codes[np.flatnonzero(unit == split[0])[0]])]
        other = "rater or criterion" if kind == "rater" else "item"
        hint = f" To compare groups of {'items' if kind == 'rater' else 'raters'}, study each {other}."
        raise OptionError(
            f"{kind} {name!r} has ratings in {factor.names[low[split[0]]]!r} and in {factor.names[high[split[0]]]!r} "
            f"of {between!r}: every {kind} must lie in one group.{hint}"
        )
    named: NDArray[np.object_] = np.array([*factor.names, ""], dtype=object)[high]
    return named


def _groups(answers: _Answers, between: str, reference: str) -> list[str]:
    """The reference group first, the others by size."""
    names, sizes = np.unique(answers.group[answers.group != ""].astype(str), return_counts=True)
    ordered = [str(name) for _, name in sorted(zip(-sizes, names, strict=True))]
    if len(ordered) < 2:
        raise NotEnoughDataError(
            f"{answers.criterion}: the column {between!r} holds "
            f"{'one group' if ordered else 'no group'} only: there is nothing to compare."
        )
    if reference and reference not in ordered:
        raise OptionError(f"There is no group {reference!r} in {between!r}. Groups: {', '.join(ordered)}.")
    first = reference or ordered[0]
    return [first, *(name for name in ordered if name != first)]


def _tested(
    answers: _Answers, reference: str, focal: str, *, correct: bool, purify: bool, confidence: float
) -> list[DifferentialFunctioning]:
    """All studied ones of two groups; the one that differs most leaves the level of the others, until none is new."""
    rows = np.isin(answers.group, (reference, focal)) & ((~np.isnan(answers.scores)).sum(axis=1) >= 2)
    if not rows.any():
        raise NotEnoughDataError(
            f"{answers.criterion}: no unit of {reference!r} or {focal!r} has two ratings, so its level is unknown."
        )
    pair = replace(answers, scores=answers.scores[rows], group=answers.group[rows])
    left_out: set[int] = set()
    while True:
        found = [
            _functioning_of_criterion(
                pair, column, left_out - {column}, (reference, focal), correct=correct, confidence=confidence
            )
            for column in range(len(pair.studied))
        ]
        holm = adjusted(np.array([one.p for one in found])).tolist()
        new = {place for place, one in enumerate(found) if replace(one, adjusted_p=holm[place]).differs} - left_out
        if not (purify and new) or len(left_out) == min(_PASSES, len(found) - 2):
            break
        plainest = sorted(new)
        left_out.add(plainest[order_of([found[place].chi_square for place in plainest], highest=True)[0]])
    return found


def _functioning_of_criterion(
    answers: _Answers, column: int, left_out: set[int], groups: tuple[str, str], *, correct: bool, confidence: float
) -> DifferentialFunctioning:
    kept = [place for place in range(len(answers.studied)) if place not in left_out]
    score = answers.scores[:, column]
    rows = ~np.isnan(score) & ((~np.isnan(answers.scores[:, kept])).sum(axis=1) >= 2)
    focal = answers.group[rows] == groups[1]
    score, stratum = score[rows], _strata(_levels(answers.scores[rows][:, kept]), focal)
    test = compare_in_strata(score, focal, stratum, correct=correct and answers.binary, confidence=confidence)
    spread = float(score.std()) if len(score) else 0.0
    effect = test.difference / spread if spread > 0 else float("nan")
    upper = (score > np.nanmin(answers.scores)).astype(np.float64)
    odds = common_odds(upper, focal, stratum, confidence=confidence) if answers.binary else _NO_ODDS
    return DifferentialFunctioning(
        criterion=answers.criterion, studied=answers.studied[column], reference=groups[0], focal=groups[1],
        units_reference=test.first, units_focal=test.second, strata=test.strata, chi_square=test.chi_square,
        p=test.p, adjusted_p=test.p, difference=test.difference, interval=test.interval, effect=effect,
        odds_ratio=odds.ratio, odds_interval=odds.interval, delta=2.35 * float(np.log(odds.ratio)),
        size=_size_by_odds(odds, test.p) if not np.isnan(odds.ratio) else _size_by_effect(effect, test.p),
        method="Mantel-Haenszel" if answers.binary else "Mantel",
    )  # fmt: skip


_NO_ODDS = CommonOdds(ratio=float("nan"), log_error=float("nan"), interval=None)


def _levels(scores: Floats) -> Floats:
    """Level of each unit: its mean, with the means of the studied ones taken out where cells are missing."""
    known = ~np.isnan(scores)
    filled, each, all_units = np.where(known, scores, 0), known.sum(axis=0), known.sum(axis=1)
    level: Floats = filled.sum(axis=1) / all_units
    offset = np.zeros(scores.shape[1])
    if known.all():
        return level
    for _ in range(100):
        before = offset
        offset = (filled - known * level[:, None]).sum(axis=0) / np.maximum(each, 1)
        offset -= offset.mean()
        level = (filled - known * offset).sum(axis=1) / all_units
        if np.abs(offset - before).max() < 1e-9:
            break
    return level


def _strata(level: Floats, focal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Equal levels together; groups of about ten of similar level where equal ones are rare, or are very many."""
    kinds, place = np.unique(np.round(level, 9), return_inverse=True)
    met = np.bincount(place[focal], minlength=len(kinds)), np.bincount(place[~focal], minlength=len(kinds))
    compared = min(int(one[(met[0] > 0) & (met[1] > 0)].sum()) for one in met)
    groups = min(_MOST_STRATA, len(level) // 10)
    enough = len(kinds) <= _MOST_STRATA and 2 * compared >= min(focal.sum(), (~focal).sum())
    if enough or groups < 3:
        return place.astype(np.int64)
    ends = np.quantile(level, np.linspace(0, 1, groups + 1)[1:-1])
    return np.searchsorted(ends, level, side="right").astype(np.int64)


def _size_by_odds(odds: CommonOdds, p: float) -> str:
    """The classes of the Educational Testing Service: A below 1 on the delta scale, C above 1.5 and surely above 1."""
    delta, error = abs(2.35 * np.log(odds.ratio)), 2.35 * odds.log_error
    if delta < 1 or not p < 0.05:
        return "A"
    return "C" if delta >= 1.5 and (delta - 1) / error > 1.645 else "B"


def _size_by_effect(effect: float, p: float) -> str:
    """For ordered values: A up to 0.17 standard deviations, B up to 0.25, C beyond."""
    if np.isnan(effect) or np.isnan(p):
        return ""
    if abs(effect) <= 0.17 or not p < 0.05:
        return "A"
    return "B" if abs(effect) <= 0.25 else "C"
