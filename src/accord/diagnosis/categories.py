"""Categories: who uses which value how often, and whether a skew lies in the items or in the raters."""

from collections.abc import Iterator

import numpy as np

from accord.arrays import renumbered
from accord.diagnosis.case import ALARM, Case, Observation, in_words
from accord.diagnosis.part import Indices, Part
from accord.quantiles import bdtr
from accord.records import dataclass
from accord.reliability.signs.use_of_values import FEW_VALUES, PREVALENT
from accord.tables.plain import PlainData
from accord.words import counted, spelled

__all__ = ["CategoryUse", "SkewCause", "category_use", "own_use_of_scale", "skew_cause", "unused_values"]

_SKEWED = PREVALENT
_NOTABLE = 0.15
"""Honest raters of unlike exactness differ a little in their use of a value; more than this share is worth a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryUse(PlainData):
    """How often one rater gave one value, and how that departs from the other raters on the same items."""

    rater: str
    value: str
    ratings: int
    share: float
    share_of_others: float
    departure: float
    """Standardised: beyond 3 either way the value is over- or under-used."""


def category_use(part: Part) -> list[CategoryUse]:
    """Every rater and every value of the scale, unused ones included."""
    counts = part.value_counts
    expected, seen = _expected_from_others(part)
    uses = []
    for rater in part.raters:
        total = int(counts[rater].sum())
        for code, value in enumerate(part.ratings.scale.values):
            share = counts[rater, code] / total
            other = expected[rater, code] / seen[rater] if seen[rater] else float("nan")
            error = _error(expected[rater, code], seen[rater])
            uses.append(
                CategoryUse(
                    rater=part.name(int(rater)),
                    value=spelled(value),
                    ratings=int(counts[rater, code]),
                    share=float(share),
                    share_of_others=float(other),
                    departure=float((share - other) / error),
                )
            )
    return uses


def _error(expected: float, seen: float) -> float:
    """The standard error of a share; of one that nearly nobody or everybody has, with half a rating added to each side.

    Else a value that the others never use would seem infinitely overused after two ratings.
    """
    if not seen:
        return float("nan")
    share = expected / seen if 1 <= expected <= seen - 1 else (expected + 0.5) / (seen + 1)
    return float(np.sqrt(share * (1 - share) / seen))


def _expected_from_others(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """For each rater: how often each value would occur if the others' mean use on those items were followed."""
    values = len(part.ratings.scale.values)
    items, item = renumbered(part.item)
    table = np.zeros((len(items), values))
    np.add.at(table, (item, part.code), 1)
    sizes = table.sum(axis=1)
    expected = np.zeros((len(part.rater_names), values))
    seen = np.zeros(len(part.rater_names))
    for rater in part.raters:
        mine = np.flatnonzero((part.rater == rater) & (sizes[item] >= 2))
        others = table[item[mine]]
        others[np.arange(len(mine)), part.code[mine]] -= 1
        expected[rater] = (others / (sizes[item[mine]] - 1)[:, None]).sum(axis=0)
        seen[rater] = len(mine)
    return expected, seen


@dataclass(frozen=True, slots=True, kw_only=True)
class SkewCause(PlainData):
    """A skewed scale: are the items alike, or do raters prefer a value whatever the item?"""

    value: str
    share: float
    agreed_share: float
    """Share of the items with two or more ratings on which every rater gave the most frequent value."""
    between_raters: float
    """Largest difference between two raters' shares of that value."""
    cause: str


def skew_cause(part: Part) -> SkewCause:
    """The most frequent value, and which of the two causes of its frequency the ratings support."""
    counts = part.value_counts[part.raters]
    usual = int(counts.sum(axis=0).argmax())
    share = float(counts[:, usual].sum() / counts.sum())
    shares = counts[:, usual] / counts.sum(axis=1)
    difference = float(shares.max() - shares.min())
    _, item = renumbered(part.item)
    sizes, hits = np.bincount(item), np.bincount(item, part.code == usual)
    shared = sizes >= 2
    agreed = float((hits[shared] == sizes[shared]).mean()) if shared.any() else float("nan")
    if share < _SKEWED:
        cause = "not skewed: no value takes four fifths of the ratings"
    elif difference > 0.2:
        cause = "raters differ in how often they use it: look at the scale and its guideline"
    else:
        apart = f"shares at most {counted(round(100 * difference), 'point')} apart"
        cause = f"every rater uses it about as often ({apart}), so it is the items that are alike"
    value = part.ratings.scale.values[usual]
    return SkewCause(
        value=spelled(value),
        share=share,
        agreed_share=agreed,
        between_raters=difference,
        cause=cause,
    )


def unused_values(case: Case) -> Iterator[Observation]:
    """Values of the declared scale that nobody gave."""
    scale = case.part.ratings.scale
    if not scale.declared or len(scale.values) > FEW_VALUES:
        return
    counts = case.part.value_counts.sum(axis=0)
    unused = [spelled(value) for value, count in zip(scale.values, counts, strict=True) if count == 0]
    if unused:
        yield Observation(
            message=f"nobody gave {', '.join(unused)}, though the scale has "
            f"{'it' if len(unused) == 1 else 'them'}: chance terms that count categories assume a use of it",
            evidence={"values": ", ".join(unused), "ratings": int(counts.sum())},
            sure="certain: counted",
        )


def own_use_of_scale(case: Case) -> Iterator[Observation]:
    """Raters whose use of a value differs from the others' on the same items (exact McNemar test of each value)."""
    part = case.part
    values = len(part.ratings.scale.values)
    if values > FEW_VALUES or len(part.raters) < 2:
        return
    tests = values * len(part.raters)
    found: dict[str, list[tuple[float, str]]] = {}
    rows, others = _against_one_other(part, case.rng)
    differ = part.code[rows] != part.code[others]
    who, mine, theirs = part.rater[rows][differ], part.code[rows][differ], part.code[others][differ]
    shape = (len(part.rater_names), values)
    gains, losses = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    np.add.at(gains, (who, mine), 1)
    np.add.at(losses, (who, theirs), 1)
    compared = np.bincount(part.rater[rows], minlength=len(part.rater_names))
    for rater in part.raters:
        for code in range(values):
            gained, lost = int(gains[rater, code]), int(losses[rater, code])
            p = _two_sided(gained, lost) * tests
            if p < ALARM and abs(gained - lost) >= _NOTABLE * compared[rater]:
                words = f"{spelled(part.ratings.scale.values[code])} too {'often' if gained > lost else 'rarely'}"
                found.setdefault(part.name(int(rater)), []).append((p, words))
    if found:
        shown = "; ".join(f"{name} gives {', '.join(w for _, w in uses)}" for name, uses in list(found.items())[:6])
        more = f"; and {len(found) - 6} more raters" if len(found) > 6 else ""
        yield Observation(
            message=f"compared with the other raters on the same items, {shown}{more}",
            who=tuple(found),
            evidence={"raters": len(found)},
            sure=in_words(min(p for uses in found.values() for p, _ in uses), "raters who use the values alike"),
        )


def _two_sided(gained: int, lost: int) -> float:
    return 2 * float(bdtr(min(gained, lost), gained + lost, 0.5)) if gained + lost else 1.0


def _against_one_other(part: Part, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Rows of items with two ratings or more and, for each, the row of another rater of the item drawn at random."""
    # By names, so that a seed draws the same raters whatever row comes first.
    item, rater = (factor.in_order_of_names().codes[part.rows] for factor in (part.ratings.item, part.ratings.rater))
    order = np.lexsort((rater, item))
    item = item[order]
    starts = np.flatnonzero(np.r_[True, item[1:] != item[:-1]]) if len(item) else np.empty(0, dtype=np.int64)
    sizes = np.diff(np.r_[starts, len(item)])
    start, size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    own = np.arange(len(item)) - start
    shared = np.flatnonzero(size > 1)
    drawn = rng.integers(0, np.maximum(size[shared] - 1, 1))
    drawn += drawn >= own[shared]
    return order[shared], order[start[shared] + drawn]
