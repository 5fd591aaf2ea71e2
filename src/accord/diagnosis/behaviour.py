"""How raters worked: the same value on and on, runs copied from one another, impossible speed."""

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers
from accord.diagnosis.case import ALARM, Case, Observation, in_words
from accord.diagnosis.part import Indices, Part
from accord.quantiles import bdtrc, median_of
from accord.reliability.signs.evidence import usual_value
from accord.words import spelled, steady

__all__ = ["copied_runs", "impossible_speed", "straight_lining"]

_STRICT = ALARM / 10
"""Neighbouring items resemble each other, so tests on sequences ask for ten times more."""
_LEAST_RUN = 8
_ALIKE = 0.3
"""Raters are never taken to be alike by chance on fewer items than this share."""
_HABIT = 0.9
"""However fond of a value, an honest rater repeats it no more often than this unless the others do so too."""
_QUICK, _OFTEN_QUICK = 0.1, 0.2
_TENTH = 0.1


def straight_lining(case: Case) -> Iterator[Observation]:
    """A rater who gives one value many times in a row, where neither the items nor the rater's habits explain it.

    The chance of each rating in the run is the largest of: the rater's own share of that value, the share of it
    among the others on the same item, and how often the others repeat it on the next item.
    """
    part = case.part
    if not len(part.rows):
        return
    order = np.lexsort((part.place, part.rater))
    rater, code = part.rater[order], part.code[order]
    starts = np.flatnonzero(np.r_[True, (rater[1:] != rater[:-1]) | (code[1:] != code[:-1])])
    lengths = np.diff(np.r_[starts, len(code)])
    if lengths.max() < _LEAST_RUN:
        return
    chance = np.maximum(_chance_of_each(part)[order], _repeats_of_others(part, rater, code))
    logs = np.add.reduceat(np.log(chance), starts)
    probabilities = np.minimum(1.0, np.exp(logs) * len(code))
    worst: dict[int, int] = {}
    for run in np.flatnonzero((probabilities < _STRICT) & (lengths >= _LEAST_RUN)).tolist():
        who, here = int(rater[starts[run]]), slice(int(starts[run]), int(starts[run] + lengths[run]))
        habit = _own_repeats(rater, code, here)
        probabilities[run] = min(1.0, float(np.prod(np.maximum(chance[here], habit))) * len(code))
        if probabilities[run] < _STRICT and (who not in worst or probabilities[run] < probabilities[worst[who]]):
            worst[who] = run
    for who, run in worst.items():
        value = spelled(part.ratings.scale.values[int(code[starts[run]])])
        yield Observation(
            message=f"{part.name(who)} gave the value {value} in {lengths[run]} ratings in a row",
            who=(part.name(who),),
            evidence={
                "run": int(lengths[run]),
                "first_item": part.item_names[int(part.item[order][starts[run]])],
                "sequence": "order column" if part.has_order else "rows as they came",
            },
            sure=in_words(float(probabilities[run])),
        )


def _chance_of_each(part: Part) -> Floats:
    """For each rating: the larger of its rater's share of the value and that of the others on the item."""
    counts = part.value_counts
    own = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[part.rater, part.code]
    overall = counts.sum(axis=0) / max(counts.sum(), 1)
    key = part.item * len(part.ratings.scale.values) + part.code
    _, inverse, same = np.unique(key, return_inverse=True, return_counts=True)
    others = np.bincount(part.item)[part.item] - 1
    seen: Floats = (same[inverse] - 1 + overall[part.code]) / (others + 1)
    chance: Floats = np.maximum(np.minimum(own, _HABIT), seen)
    return chance


def _repeats_of_others(part: Part, rater: Indices, code: Indices) -> Floats:
    """For each rating in sequence: how often the other raters give its value again on their next item."""
    counts = part.value_counts
    own = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[rater, code]
    cell = rater[:-1] * counts.shape[1] + code[:-1]
    same_rater = rater[1:] == rater[:-1]
    again = same_rater & (code[1:] == code[:-1])
    followed, repeated = (
        np.bincount(cell[rows], minlength=counts.size).reshape(counts.shape) for rows in (same_rater, again)
    )
    others_followed = followed.sum(axis=0)[code] - followed[rater, code]
    others_repeated = repeated.sum(axis=0)[code] - repeated[rater, code]
    # Five imagined ratings with the rater's own share keep rare values from deciding.
    rate: Floats = (others_repeated + 5 * own) / (others_followed + 5)
    return rate


def _own_repeats(rater: Indices, code: Indices, run: slice) -> float:
    """How often the rater of a run gives its value twice in a row elsewhere."""
    value, who = code[run.start], rater[run.start]
    elsewhere = np.ones(len(code), dtype=bool)
    elsewhere[run] = False
    mine = (rater[:-1] == who) & (rater[1:] == who) & elsewhere[:-1] & elsewhere[1:]
    given = mine & (code[:-1] == value)
    share = float(np.mean(code[(rater == who) & elsewhere] == value)) if (elsewhere & (rater == who)).any() else 0.0
    rate = (int((given & (code[1:] == value)).sum()) + 5 * share) / (int(given.sum()) + 5)
    return min(rate, _HABIT)


def copied_runs(case: Case) -> Iterator[Observation]:
    """Two raters whose values are equal over a long stretch of items and not elsewhere."""
    part, rows = case.part, case.rows
    if not len(part.code):
        return
    usual, said = usual_value(case), cache(partial(_given_as_often, part))
    pairs = max(len(rows.first), 1)
    for (first, second, here), possible in zip(rows, _could_be_copied(case), strict=True):
        if not possible:
            continue
        left, right = rows.left[here], rows.right[here]
        sequence = np.argsort(part.place[left], kind="stable")
        a, b = part.code[left][sequence], part.code[right][sequence]
        telling = np.flatnonzero((a != usual) | (b != usual))
        start, length = _longest_run(a[telling] == b[telling])
        outside = len(telling) - length
        if length < _LEAST_RUN or outside < _LEAST_RUN:
            continue
        equal = (a == b)[telling]
        equal_outside = int(equal.sum()) - length
        alike = max((equal_outside + 1) / (outside + 2), _goes_on(equal, start, length), _ALIKE)
        run = telling[start : start + length]
        chance = np.maximum(alike, _said_by_others(*said(), left[sequence][run], alike))
        probability = min(1.0, len(telling) * float(np.prod(chance)) * pairs)
        if probability < _STRICT:
            begin = int(part.item[left][sequence][telling[start]])
            yield Observation(
                message=f"{part.name(first)} and {part.name(second)} are equal in {length} informative items in a row, "
                f"but only in {equal_outside} of the {outside} others",
                who=(part.name(first), part.name(second)),
                evidence={"run": length, "first_item": part.item_names[begin], "share_equal_elsewhere": alike},
                sure=in_words(probability),
            )


def _given_as_often(part: Part) -> tuple[Integers, Integers]:
    """Of each rating: how many raters rated its item, and how many gave it the same value."""
    key = part.item * len(part.ratings.scale.values) + part.code
    _, cell, same = np.unique(key, return_inverse=True, return_counts=True)
    return np.bincount(part.item)[part.item], same[cell]


def _said_by_others(rated: Integers, same: Integers, rows: Indices, alike: float) -> Floats:
    """Of each of these ratings: how many raters beside the two gave its value to its item; ``alike`` without any."""
    shares: Floats = (same[rows] - 2 + alike) / (rated[rows] - 1)
    return shares


def _goes_on(equal: NDArray[np.bool_], start: int, length: int) -> float:
    """How often the pair is equal once more where it was equal before, outside the run: neighbours are alike."""
    outside = np.ones(len(equal), dtype=bool)
    outside[start : start + length] = False
    both = outside[1:] & outside[:-1] & equal[:-1]
    return (int((both & equal[1:]).sum()) + 1) / (int(both.sum()) + 2)


def _could_be_copied(case: Case) -> Iterator[bool]:
    """Whether the telling items on which a pair is equal would be an alarm if they all came in a row."""
    counts = case.pair_counts
    alarming = counts.telling * _ALIKE**counts.equal * len(counts.first) < _STRICT
    yield from ((counts.equal >= _LEAST_RUN) & alarming).tolist()


def _longest_run(equal: Indices) -> tuple[int, int]:
    """Start and length of the longest stretch of True."""
    if not len(equal):
        return 0, 0
    edges = np.flatnonzero(np.diff(np.r_[False, equal, False].astype(np.int8)))
    if not len(edges):
        return 0, 0
    lengths = edges[1::2] - edges[::2]
    longest = int(lengths.argmax())
    return int(edges[2 * longest]), int(lengths[longest])


def impossible_speed(case: Case) -> Iterator[Observation]:
    """A rater who is often more than ten times faster than the other raters usually are."""
    part = case.part
    times = part.ratings.numbers.get("time_s")
    if times is None:
        return
    spent = times[part.rows]
    for rater in part.raters:
        mine, others = spent[part.rater == rater], spent[part.rater != rater]
        mine, others = mine[~np.isnan(mine)], others[~np.isnan(others)]
        if len(mine) < 5 or len(others) < 20:
            continue
        limit = _QUICK * median_of(others)
        quick = int((mine < limit).sum())
        probability = min(1.0, float(bdtrc(quick - 1, len(mine), _OFTEN_QUICK) if quick else 1.0) * len(part.raters))
        if probability < _STRICT:
            yield Observation(
                message=f"{part.name(rater)} took less than {_seconds(limit)} s for {quick} of {len(mine)} items; "
                f"half of the other raters' answers took more than {_seconds(median_of(others))} s",
                who=(part.name(rater),),
                evidence={"quick": quick, "items": len(mine), "limit_s": limit, "median_s": median_of(mine)},
                sure=in_words(probability),
            )


def _seconds(time: float) -> str:
    """One digit behind the point, or the first that is not 0: nobody takes less than 0.0 s."""
    return f"{steady(time):.1f}" if time >= _TENTH / 2 else f"{steady(time):.1g}"
