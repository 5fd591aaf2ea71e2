"""Reliability under two conditions (rounds, rater groups, scenarios): each value, the change, and a test on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.coefficients.options import Options
from accord.coefficients.registry import coefficient
from accord.coefficients.sums import sum_statistic
from accord.comparisons.difference import Difference
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.inference.bootstrap import Resampled
from accord.inference.intervals import percentile_intervals
from accord.inference.permutation import permutation_test
from accord.inference.statistic import SumStatistic
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.table import Ratings

__all__ = ["Condition", "ConditionComparison", "compare_conditions", "condition_names", "conditions_of"]


@dataclass(frozen=True, slots=True)
class Condition:
    """The reliability of the ratings of one condition."""

    name: str
    items: int
    raters: int
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class ConditionComparison:
    """Two conditions of one criterion: the values, and the difference of each coefficient with its tests."""

    criterion: str
    first: Condition
    second: Condition
    shared_items: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One condition laid out for resampling: rows are items of the whole comparison."""

    statistic: SumStatistic
    rows: NDArray[np.intp]


def condition_names(ratings: Ratings, column: str) -> tuple[str, ...]:
    """The conditions of a column, or an error where there is nothing to compare."""
    if column not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
        raise ColumnError(f"There is no column {column!r} to tell conditions apart. Columns: {known}.")
    names = tuple(name for name in ratings.columns[column].compact().names)
    if len(names) < 2:
        only = names[0] if names else "no value"
        raise NotEnoughDataError(
            f"The column {column!r} holds one condition only ({only}); a comparison needs two. "
            "Name the column that tells them apart with --condition."
        )
    return names


def conditions_of(ratings: Ratings, column: str, first: str | None, second: str | None) -> tuple[str, str]:
    """The two conditions to compare: those asked for, or the only two there are."""
    names = condition_names(ratings, column)
    for asked in (first, second):
        if asked is not None and asked not in names:
            raise OptionError(f"The column {column!r} has no {asked!r}. It has: {', '.join(names)}.")
    if first is None and second is None and len(names) > 2:
        raise OptionError(
            f"The column {column!r} holds {len(names)} conditions ({', '.join(names[:8])}). "
            "Say which two to compare with --first and --second."
        )
    others = [name for name in names if name not in (first, second)]
    return first or others[0], second or others[-1]


def compare_conditions(
    ratings: Ratings,
    column: str,
    first: str,
    second: str,
    *,
    coefficients: Sequence[str] = ("krippendorff_alpha",),
    replicates: int = 10_000,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> tuple[ConditionComparison, ...]:
    """Compare two conditions, criterion by criterion, resampling items.

    Items rated under both conditions are drawn together, so that what they have in common cancels out.
    ``second - first`` is the change. Coefficients that do not tell raters apart are also tested by
    exchanging the two conditions item by item.
    """
    results = []
    for group in ratings.split(("criterion",) if "criterion" in ratings.columns else ()):
        parts = [group.ratings.only(**{column: name}) for name in (first, second)]
        criterion = group.by.get("criterion", "")
        if min(len(part) for part in parts) == 0:
            missing = first if len(parts[0]) == 0 else second
            raise NotEnoughDataError(f"There are no ratings of {criterion or 'any criterion'} under {missing!r}.")
        results.append(_compare(criterion, parts, (first, second), coefficients, replicates, rng, confidence))
    return tuple(results)


def _compare(
    criterion: str,
    parts: Sequence[Ratings],
    names: tuple[str, str],
    keys: Sequence[str],
    replicates: int,
    rng: np.random.Generator,
    confidence: float,
) -> ConditionComparison:
    items = list(dict.fromkeys([*parts[0].item.names, *parts[1].item.names]))
    sides = [_laid_out(part, items, keys) for part in parts]
    conditions = [_condition(name, part, side) for name, part, side in zip(names, parts, sides, strict=True)]
    strata = _strata(len(items), sides)
    draws = _change_draws(sides, strata, replicates, rng)
    intervals = percentile_intervals(Resampled(draws), confidence)
    differences: list[Difference] = []
    for place, key in enumerate(keys):
        value = conditions[1].values[key] - conditions[0].values[key]
        common = Difference(
            what=coefficient(key).title, first=names[1], second=names[0], value=value, unit="items",
            method=f"bootstrap over items, percentile, {replicates:,} replicates", replicates=replicates,
            interval=intervals[place],
        )  # fmt: skip
        differences.append(replace(common, p=_bootstrap_p(draws[:, place])))
        if not coefficient(key).identity and (strata == 0).sum() >= 2:
            differences.append(_exchanged(parts, items, strata == 0, key, common, replicates, rng))
    shared = int((strata == 0).sum())
    return ConditionComparison(criterion, conditions[0], conditions[1], shared, tuple(differences))


def _laid_out(part: Ratings, items: Sequence[str], keys: Sequence[str]) -> _Side:
    """One row an item: its features, and its place among all items of the comparison."""
    source = count_source(part)
    codes = source.matrix
    place = {name: at for at, name in enumerate(items)}
    counted = source.item_names()
    rows = np.array([place[name] for name in counted], dtype=np.intp)
    patterns = Patterns(np.ascontiguousarray(codes), np.ones(len(codes), dtype=np.int64))
    return _Side(sum_statistic(patterns, part.scale, keys, Options()), rows)


def _condition(name: str, part: Ratings, side: _Side) -> Condition:
    values = dict(zip(side.statistic.names, (float(v) for v in side.statistic.values()), strict=True))
    return Condition(name, part.items, part.raters, values)


def _strata(items: int, sides: Sequence[_Side]) -> NDArray[np.int64]:
    """0 for items rated under both conditions, 1 or 2 for items rated under the first or second only."""
    seen = np.zeros((2, items), dtype=bool)
    for at, side in enumerate(sides):
        seen[at, side.rows] = True
    return np.where(seen.all(axis=0), 0, np.where(seen[0], 1, 2))


def _item_weights(strata: NDArray[np.int64], count: int, rng: np.random.Generator) -> Floats:
    """Items drawn with replacement inside each stratum: (count, items)."""
    weights = np.zeros((count, len(strata)))
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        weights[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), size=count)
    return weights


def _change_draws(
    sides: Sequence[_Side], strata: NDArray[np.int64], replicates: int, rng: np.random.Generator
) -> Floats:
    step = max(1, 4_000_000 // max(1, len(strata)))
    parts = []
    for start in range(0, replicates, step):
        weights = _item_weights(strata, min(step, replicates - start), rng)
        one, other = (side.statistic.evaluate(weights[:, side.rows] @ side.statistic.features) for side in sides)
        parts.append(other - one)
    return np.concatenate(parts)


def _bootstrap_p(draws: Floats) -> float:
    """Twice the smaller share of replicates on one side of zero, the observed sample counted once."""
    defined = draws[~np.isnan(draws)]
    smaller = min((defined <= 0).sum(), (defined >= 0).sum())
    return float(min(1.0, 2 * (smaller + 1) / (len(defined) + 1)))


def _exchanged(
    parts: Sequence[Ratings],
    items: Sequence[str],
    shared: NDArray[np.bool_],
    key: str,
    common: Difference,
    replicates: int,
    rng: np.random.Generator,
) -> Difference:
    """Exchange the two conditions item by item on the shared items: does it matter which is which?"""
    tables = [count_source(part) for part in parts]
    width = max(table.matrix.shape[1] for table in tables)
    stacked = []
    for table in tables:
        place = {name: row for row, name in enumerate(table.item_names())}
        rows = [place[name] for name, both in zip(items, shared, strict=True) if both]
        codes = table.matrix[rows]
        stacked.append(np.pad(codes, ((0, 0), (0, width - codes.shape[1])), constant_values=-1))
    patterns = Patterns(np.concatenate(stacked), np.ones(2 * len(stacked[0]), dtype=np.int64))
    statistic = sum_statistic(patterns, parts[0].scale, [key], Options())
    one, other = np.split(statistic.features, 2)
    observed = _value(statistic, other.sum(axis=0)) - _value(statistic, one.sum(axis=0))
    draws = []
    step = max(1, 4_000_000 // max(1, len(one)))
    for start in range(0, replicates, step):
        swap = rng.random((min(step, replicates - start), len(one))) < 0.5
        moved = swap.astype(np.float64) @ (other - one)
        before, after = one.sum(axis=0) + moved, other.sum(axis=0) - moved
        draws.append(statistic.evaluate(after)[:, 0] - statistic.evaluate(before)[:, 0])
    test = permutation_test(observed, np.concatenate(draws), exact=False, unit="conditions of an item")
    return replace(
        common, value=observed, interval=None, p=test.p, unit="conditions of an item",
        method=f"conditions exchanged on {len(one):,} shared items, two-sided, {replicates:,} arrangements",
    )  # fmt: skip


def _value(statistic: SumStatistic, sums: Floats) -> float:
    return float(statistic.evaluate(sums[None, :])[0, 0])
