"""Reliability under two conditions (rounds, rater groups, scenarios): each value, the change, and a test on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord import sizes
from accord.arrays import Floats, distinct
from accord.coefficients.options import Options
from accord.coefficients.registry import KRIPPENDORFF_ALPHA, coefficient
from accord.coefficients.sums import sum_statistic
from accord.comparisons.difference import Difference, bootstrap_p, holm_over
from accord.comparisons.mean_scores import MeanScores, holm_over_means, mean_scores
from accord.comparisons.own_interval import own_interval
from accord.comparisons.rater_permutation import between_raters, can_exchange
from accord.comparisons.units_of_conditions import documents_of, own_raters
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.inference.bootstrap import Resampled, normal_draws
from accord.inference.interval import Interval
from accord.inference.intervals import percentile_intervals
from accord.inference.permutation import PermutationTest, permutation_test
from accord.inference.statistic import SumStatistic
from accord.quantiles import stdtr, stdtrit
from accord.ratings.apart import ROUNDS, kept_apart_within
from accord.ratings.checks import require_ratings
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.names import in_order, made_in_order
from accord.ratings.pooled_units import with_pooled_units
from accord.ratings.rated_elsewhere import rows_of_one_turn, where_else
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.units import FEWEST_DOCUMENTS, FEWEST_ITEMS
from accord.words import counted, listed, steady

__all__ = [
    "ROUNDS",
    "Condition",
    "ConditionComparison",
    "adjusted_over",
    "by_number",
    "compare_conditions",
    "condition_names",
    "conditions_of",
    "order_remark",
    "title_of_part",
]


@dataclass(frozen=True, slots=True)
class Condition:
    """The reliability of the ratings of one condition."""

    name: str
    items: int
    raters: int
    values: dict[str, float]
    rated_once: int = 0
    """Items with one rating only, which say nothing about agreement."""
    ends: Interval | None = None
    """The interval of α by itself."""


@dataclass(frozen=True, slots=True)
class ConditionComparison:
    """Two conditions of one criterion: the values, and the difference of each coefficient with its tests."""

    criterion: str
    first: Condition
    second: Condition
    shared_items: int
    differences: tuple[Difference, ...]
    scores: MeanScores | None = None
    """How high each group scores, where each condition has raters of its own and both rated the same items."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One condition laid out for resampling: rows are items of the whole comparison."""

    statistic: SumStatistic
    rows: NDArray[np.intp]


def condition_names(ratings: Ratings, column: str) -> tuple[str, ...]:
    """The conditions of a column, or an error where there is nothing to compare.

    Phases come in the order that a study declares, numbered rounds by their number, all else in the order of the rows.
    """
    _check_tells_conditions(ratings, column)
    names = tuple(ratings.columns[column].compact().names)
    if len(names) < 2:
        raise NotEnoughDataError(
            f"The column {column!r} holds one condition only ({[*names, 'no value'][0]}); a comparison needs two. "
            "Name the column that tells them apart with --condition."
        )
    if set(names) <= set(declared := _declared_order(ratings, column)):
        return tuple(name for name in declared if name in names)
    return by_number(names) if column in ROUNDS else names


def _check_tells_conditions(ratings: Ratings, column: str) -> None:
    """Stop with one sentence, in the user's own names of columns, where a column cannot tell conditions apart."""
    if column in ratings.columns:
        return
    known = ", ".join(sorted(map(ratings.own_name, ratings.columns))) or "none besides item, rater and value"
    if column in ("item", "rater", "value"):
        raise ColumnError(
            f"The column {ratings.own_name(column)!r} holds the {column}, so it cannot tell conditions apart: raters "
            f"agree or not within a condition. Columns: {known}."
        )
    raise ColumnError(f"There is no column {column!r} to tell conditions apart. Columns: {known}.")


def _declared_order(ratings: Ratings, column: str) -> tuple[str, ...]:
    return ratings.codebook.study.phases if column == "phase" else ()


def order_remark(ratings: Ratings, column: str) -> str:
    """That nothing says which of the rounds came first but their rows; "" where a study or their numbers do."""
    if column not in ROUNDS:
        return ""
    names = condition_names(ratings, column)
    numbered = sum(any(letter.isdigit() for letter in name) for name in names)
    if set(names) <= set(_declared_order(ratings, column)) or numbered >= len(names) - 1:
        return ""
    return (
        f"Nobody declared in which order the {column}s came: {listed(names)} is the order of the rows. "
        "--first and --second say another."
    )


def by_number(names: Sequence[str]) -> tuple[str, ...]:
    """Names by the number in them (r2 before r10); those without one keep their order, at the end."""
    digits = {name: "".join(letter for letter in name if letter.isdigit()) for name in names}
    return tuple(sorted(names, key=lambda name: float(digits[name]) if digits[name] else np.inf))


def title_of_part(by: Mapping[str, str], apart: Sequence[str]) -> str:
    """``adequacy, before``: the criterion, and the parts it is kept apart in."""
    return ", ".join(filter(None, (by.get("criterion", ""), *(by[name] for name in apart))))


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
    ratings: Ratings | StoredRatings,
    column: str,
    first: str,
    second: str,
    *,
    coefficients: Sequence[str] = (KRIPPENDORFF_ALPHA,),
    replicates: int = 10_000,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> tuple[ConditionComparison, ...]:
    """Compare two conditions, criterion by criterion; ``second - first`` is the change.

    The first difference of each coefficient decides, by the unit that the conditions differ in. Where each has
    raters of its own, raters are exchanged between them. Where the raters are the same, other documents are asked
    about if documents are named (a jackknife), else other items (a bootstrap); what was rated under both
    conditions stays together, so that what it has in common cancels out. Coefficients that do not tell
    raters apart are also tested by exchanging the two conditions on each document or item. p is adjusted over the
    criteria (Holm).

    What is kept apart beside them, such as scenarios where phases are compared, is compared part by part; parts that
    have one condition only are left out.

    Parameters
    ----------
    ratings, column, first, second
        Ratings, the column that tells conditions apart, and its two names.
    coefficients
        Keys of the coefficients to compare.
    replicates, rng, confidence
        Number of resamples, the random numbers they are drawn with, and the confidence of the intervals.

    Returns
    -------
    tuple of ConditionComparison
        One a criterion.

    Examples
    --------
    >>> import accord
    >>> import numpy as np
    >>> ratings = accord.read("rounds.csv", engine="memory")
    >>> first, second = ratings.columns["phase"].names[:2]
    >>> rng = np.random.default_rng(0)
    >>> made = accord.compare_conditions(ratings, "phase", first, second, replicates=200, rng=rng)
    >>> made[0].second.name == second
    True
    """
    ratings = require_ratings(ratings, "compare_conditions")
    apart = kept_apart_within(ratings.named(**{column: (first, second)}), column)
    groups = list(ratings.split((*(("criterion",) if "criterion" in ratings.columns else ()), *apart)))
    titles = [title_of_part(group.by, apart) for group in groups]
    turns = [name for name in ROUNDS if name != column and name in ratings.columns and name not in apart]

    def compared(place: int) -> ConditionComparison | None:
        # Units of pooled parts are found before the conditions are parted, so that both call an item the same.
        units = with_pooled_units(groups[place].ratings)
        whole = [units.named(**{column: name}) for name in (first, second)]
        parts = [part.where(rows) if not (rows := rows_of_one_turn(part, turns)).all() else part for part in whole]
        if min(len(part) for part in parts) == 0:
            if apart:
                return None
            missing = first if len(parts[0]) == 0 else second
            raise NotEnoughDataError(f"There are no ratings of {titles[place] or 'any criterion'} under {missing!r}.")
        made = _compare(titles[place], parts, (first, second), coefficients, replicates, rng, confidence)
        return _with_note(made, sum(map(len, whole)) - sum(map(len, parts)), turns)

    results = [made for made in made_in_order(titles, compared) if made is not None]
    if not results:
        raise NotEnoughDataError(f"No {' and '.join(apart)} has ratings both under {first!r} and under {second!r}.")
    return adjusted_over(results)


def _with_note(made: ConditionComparison, away: int, turns: Sequence[str]) -> ConditionComparison:
    """That ratings of a condition were compared with nobody's, beside the method."""
    if not away:
        return made
    said = (
        f"{counted(away, 'rating is', 'ratings are')} compared with nobody's, as others gave theirs {where_else(turns)}"
    )
    return replace(made, differences=tuple(replace(one, method=f"{one.method}; {said}") for one in made.differences))


def adjusted_over(comparisons: Sequence[ConditionComparison]) -> tuple[ConditionComparison, ...]:
    """p after Holm's correction over all criteria and pairs of conditions: of agreement, and of mean scores."""
    made = holm_over([one.differences for one in comparisons])
    chances = holm_over_means([one.scores for one in comparisons])
    return tuple(
        replace(one, differences=new, scores=one.scores and replace(one.scores, adjusted=chance))
        for one, new, chance in zip(comparisons, made, chances, strict=True)
    )


def _compare(
    criterion: str,
    parts: Sequence[Ratings],
    names: tuple[str, str],
    keys: Sequence[str],
    replicates: int,
    rng: np.random.Generator,
    confidence: float,
) -> ConditionComparison:
    items = in_order(list({*parts[0].item.names, *parts[1].item.names}))
    place = {name: at for at, name in enumerate(items)}
    sides = [_laid_out(part, place, keys) for part in parts]
    conditions = [
        _condition(name, part, side, confidence) for name, part, side in zip(names, parts, sides, strict=True)
    ]
    strata = _strata(len(items), sides)
    shared = int((strata == 0).sum())
    common = [
        Difference(
            what=coefficient(key).title, first=names[1], second=names[0], unit="", method="", replicates=replicates,
            value=conditions[1].values[key] - conditions[0].values[key],
        )
        for key in keys
    ]  # fmt: skip
    documents = documents_of(parts, items)
    own = own_raters(parts)
    found = [] if own is None else [between_raters(parts, own, keys, common, shared, replicates, rng, confidence)]
    if documents is not None:
        found.append(_over_documents(sides, documents, strata, common, confidence))
    if documents is None or own is not None:
        found.append(_over_items(sides, strata, common, replicates, rng, confidence))
    if shared >= 2:
        found.append(_exchanged(parts, items, strata == 0, keys, common, documents, replicates, rng))
    differences: list[Difference] = []
    for key in range(len(keys)):
        tests = [test for made in found if (test := made[key]) is not None]
        differences += [replace(test, sensitivity=place > 0) for place, test in enumerate(tests)]
    scores = mean_scores(parts) if own is not None and can_exchange(parts, shared) else None
    return ConditionComparison(criterion, conditions[0], conditions[1], shared, tuple(differences), scores)


_Differences = list[Difference | None]
_ROUNDING = 1e-24


def _over_items(
    sides: Sequence[_Side], strata: NDArray[np.int64], common: Sequence[Difference], replicates: int,
    rng: np.random.Generator, confidence: float,
) -> _Differences:  # fmt: skip
    """Would other items, judged by these raters, show it? With as few as ``agree`` gives no interval for, none says."""
    items = min(len(side.rows) for side in sides)
    if items < FEWEST_ITEMS:
        why = f"no test over items: {items} {'item is' if items == 1 else 'items are'} too few to speak for others"
        return [replace(one, unit="items", method=why, replicates=0) for one in common]
    draws = _change_draws(sides, strata, replicates, rng)
    intervals = percentile_intervals(Resampled(draws), confidence)
    drawn = ", sums at their normal limit" if sizes.sums_are_normal(len(strata), replicates) else ""
    method = f"bootstrap over items, percentile, {replicates:,} replicates{drawn}: other items, these raters"
    return [
        replace(one, unit="items", method=method, interval=intervals[place], p=bootstrap_p(draws[:, place]))
        for place, one in enumerate(common)
    ]


def _over_documents(
    sides: Sequence[_Side], documents: NDArray[np.int64], strata: NDArray[np.int64], common: Sequence[Difference],
    confidence: float,
) -> _Differences:  # fmt: skip
    """Would other documents, judged by these raters, show it? Each document is left out in turn."""
    numbers = np.unique(documents, return_inverse=True)[1]
    count = int(numbers.max()) + 1
    without = _without_documents(sides, numbers, count)
    # A document belongs to the stratum of its items: under both conditions, or under one of them only.
    stratum = np.array([strata[numbers == at].min() for at in range(count)])
    variance, spent = np.zeros(len(common)), np.zeros(len(common))
    often = [int((stratum == each).sum()) for each in distinct(stratum)]
    for each, size in zip(distinct(stratum), often, strict=True):
        left = without[stratum == each]
        part = (size - 1) / size * np.square(left - left.mean(axis=0)).sum(axis=0)
        variance, spent = variance + part, spent + np.square(part) / max(size - 1, 1)
    made: _Differences = []
    for place, one in enumerate(common):
        few = count < FEWEST_DOCUMENTS or min(often) < 2
        if few or not _ROUNDING < variance[place] < np.inf:
            why = f"{count} documents are too few to speak for others" if few else "documents do not differ"
            made.append(replace(one, unit="documents", method=f"no test over documents: {why}"))
            continue
        freedom, error = variance[place] ** 2 / spent[place], float(np.sqrt(variance[place]))
        reach = float(stdtrit(freedom, (1 + confidence) / 2)) * error
        method = f"jackknife over {count} documents, t({steady(freedom):.3g}): other documents, these raters"
        ends = Interval(low=one.value - reach, high=one.value + reach, level=confidence, method=method)
        p = float(2 * stdtr(freedom, -abs(one.value) / error))
        made.append(replace(one, unit="documents", method=method, interval=ends, p=p, replicates=0))
    return made


def _without_documents(sides: Sequence[_Side], numbers: NDArray[np.int64], count: int) -> Floats:
    """The change of every coefficient with each document left out: (documents, coefficients)."""
    values = []
    for side in sides:
        features = side.statistic.features
        sums = np.zeros((count, features.shape[1]))
        np.add.at(sums, numbers[side.rows], features)
        values.append(side.statistic.evaluate(sums.sum(axis=0) - sums))
    return np.asarray(values[1] - values[0])


def _laid_out(part: Ratings, place: Mapping[str, int], keys: Sequence[str]) -> _Side:
    """One row an item: its features, and its place among all items of the comparison."""
    source = count_source(part)
    codes = source.matrix
    counted = source.item_names()
    rows = np.array([place[name] for name in counted], dtype=np.intp)
    patterns = Patterns(np.ascontiguousarray(codes), np.ones(len(codes), dtype=np.int64))
    return _Side(sum_statistic(patterns, part.scale, keys, Options()), rows)


def _condition(name: str, part: Ratings, side: _Side, confidence: float) -> Condition:
    values = dict(zip(side.statistic.names, (float(v) for v in side.statistic.values()), strict=True))
    once = int(np.count_nonzero(np.bincount(part.item.codes) == 1))
    return Condition(name, len(side.rows), part.raters, values, once, own_interval(part, values, confidence))


def _strata(items: int, sides: Sequence[_Side]) -> NDArray[np.int64]:
    """0 for items rated under both conditions, 1 or 2 for items rated under the first or second only."""
    seen = np.zeros((2, items), dtype=bool)
    for at, side in enumerate(sides):
        seen[at, side.rows] = True
    return np.where(seen.all(axis=0), 0, np.where(seen[0], 1, 2))


def _item_weights(strata: NDArray[np.int64], count: int, rng: np.random.Generator) -> Floats:
    """Items drawn with replacement inside each stratum: (count, items)."""
    weights = np.zeros((count, len(strata)))
    for stratum in distinct(strata):
        members = np.flatnonzero(strata == stratum)
        weights[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), size=count)
    return weights


def _change_draws(
    sides: Sequence[_Side], strata: NDArray[np.int64], replicates: int, rng: np.random.Generator
) -> Floats:
    if sizes.sums_are_normal(len(strata), replicates):
        return _change_draws_at_the_limit(sides, strata, replicates, rng)
    step = max(1, 4_000_000 // max(1, len(strata)))
    parts = []
    for start in range(0, replicates, step):
        weights = _item_weights(strata, min(step, replicates - start), rng)
        one, other = (side.statistic.evaluate(weights[:, side.rows] @ side.statistic.features) for side in sides)
        parts.append(other - one)
    return np.concatenate(parts)


def _change_draws_at_the_limit(
    sides: Sequence[_Side], strata: NDArray[np.int64], replicates: int, rng: np.random.Generator
) -> Floats:
    """The same of very many items: sums over items drawn with replacement are as good as normal."""
    ordered = [np.argsort(side.rows, kind="stable") for side in sides]
    features = [
        np.ascontiguousarray(side.statistic.features[order]) for side, order in zip(sides, ordered, strict=True)
    ]
    stratum = [strata[side.rows[order]] for side, order in zip(sides, ordered, strict=True)]
    start = features[0].shape[1]
    covariance = np.zeros(2 * (start + features[1].shape[1],))
    # An item that was rated under one condition adds nothing to the sums of the other.
    for kind, places in ((0, slice(None)), (1, slice(start)), (2, slice(start, None))):
        here = np.hstack([
            own[which == kind] for at, (own, which) in enumerate(zip(features, stratum, strict=True))
            if kind in (0, at + 1)
        ])  # fmt: skip
        # Items of which no rating counts stand among those of the second condition, and add nothing.
        here = np.vstack((here, np.zeros((np.count_nonzero(strata == kind) - len(here), here.shape[1]))))
        if len(here):
            centred = here - here.mean(axis=0)
            covariance[places, places] += centred.T @ centred
    sums = np.concatenate([own.sum(axis=0) for own in features]) + normal_draws(covariance, replicates, rng)
    one, other = np.split(sums, [start], axis=1)
    return np.asarray(sides[1].statistic.evaluate(other) - sides[0].statistic.evaluate(one))


def _exchanged(
    parts: Sequence[Ratings], items: Sequence[str], shared: NDArray[np.bool_], keys: Sequence[str],
    common: Sequence[Difference], documents: NDArray[np.int64] | None, replicates: int, rng: np.random.Generator,
) -> _Differences:  # fmt: skip
    """Exchange the two conditions on each shared item or document: does it matter which is which?"""
    tables = [count_source(part) for part in parts]
    width = max(table.matrix.shape[1] for table in tables)
    stacked = []
    for table in tables:
        place = {name: row for row, name in enumerate(table.item_names())}
        rows = [place[name] for name, both in zip(items, shared, strict=True) if both]
        codes = table.matrix[rows]
        stacked.append(np.pad(codes, ((0, 0), (0, width - codes.shape[1])), constant_values=-1))
    patterns = Patterns(np.concatenate(stacked), np.ones(2 * len(stacked[0]), dtype=np.int64))
    clusters = np.arange(len(stacked[0])) if documents is None else np.unique(documents[shared], return_inverse=True)[1]
    word = "item" if documents is None else "document"
    unit = "conditions of an item" if documents is None else "conditions of a document"
    made: _Differences = []
    for key, one in zip(keys, common, strict=True):
        if coefficient(key).identity:
            made.append(None)
            continue
        statistic = sum_statistic(patterns, parts[0].scale, [key], Options())
        test = _swapped(statistic, np.asarray(clusters).reshape(-1), replicates, rng, unit)
        if test is None:
            made.append(None)
            continue
        tried = f"all {test.arrangements:,} arrangements" if test.exact else f"{replicates:,} arrangements"
        least = f", smallest possible p {steady(2 / test.arrangements):.2g}" if test.exact else ""
        method = f"conditions exchanged on {clusters.max() + 1:,} shared {word}s, two-sided, {tried}{least}"
        made.append(replace(one, value=test.observed, p=test.p, unit=unit, method=method))
    return made


def _swapped(
    statistic: SumStatistic, clusters: NDArray[np.int64], replicates: int, rng: np.random.Generator, unit: str
) -> PermutationTest | None:
    """The features of both conditions, one above the other, exchanged cluster by cluster; None where undefined."""
    one, other = np.split(statistic.features, 2)
    observed = _value(statistic, other.sum(axis=0)) - _value(statistic, one.sum(axis=0))
    if np.isnan(observed):
        return None
    gain = np.zeros((int(clusters.max()) + 1, one.shape[1]))
    np.add.at(gain, clusters, other - one)
    draws = []
    if sizes.sums_are_normal(len(gain), replicates):
        moved = gain.sum(axis=0) / 2 + normal_draws(gain.T @ gain / 4, replicates, rng)
        before, after = one.sum(axis=0) + moved, other.sum(axis=0) - moved
        drawn = statistic.evaluate(after)[:, 0] - statistic.evaluate(before)[:, 0]
        return permutation_test(observed, drawn, exact=False, unit=unit)
    exact = 2 ** len(gain) <= replicates
    step = max(1, 4_000_000 // max(1, len(gain)))
    for start in range(0, 1 if exact else replicates, step):
        if exact:
            swap = (np.arange(2 ** len(gain))[:, None] >> np.arange(len(gain))) % 2 == 1
        else:
            swap = rng.random((min(step, replicates - start), len(gain))) < 0.5
        moved = swap.astype(np.float64) @ gain
        before, after = one.sum(axis=0) + moved, other.sum(axis=0) - moved
        draws.append(statistic.evaluate(after)[:, 0] - statistic.evaluate(before)[:, 0])
    return permutation_test(observed, np.concatenate(draws), exact=exact, unit=unit)


def _value(statistic: SumStatistic, sums: Floats) -> float:
    return float(statistic.evaluate(sums[None, :])[0, 0])
