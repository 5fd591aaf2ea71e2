"""Three reliabilities: stability (a rater with himself), accuracy (with gold) and reproducibility (with others)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Floats, distinct
from accord.coefficients.batch import divided
from accord.coefficients.kappa import CohenKappa
from accord.coefficients.order import order_of_columns
from accord.coefficients.ranks import Gamma
from accord.coefficients.registry import COHEN_KAPPA, COHEN_KAPPA_QUADRATIC
from accord.design.scale import Value
from accord.diagnosis.case import Case, Observation
from accord.diagnosis.pairs import SharedRows
from accord.diagnosis.part import Indices, Part
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.noise import ranked
from accord.ratings.counting import count_source
from accord.ratings.factor import Factor
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.plan import Unit
from accord.reliability.signs.observation import CERTAIN
from accord.reliability.ways import interval_alone
from accord.tables.plain import PlainData
from accord.words import counted, listed, steady

__all__ = ["Reliability", "accuracy", "across", "repeats", "replication", "reproducibility", "stability"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability(PlainData):
    """One rater (or all) against himself at a later time, or against gold.

    ``difference`` is the mean of later minus earlier, or of rater minus gold. ``error`` is the standard error of
    measurement, the deviation of the differences over the root of 2; ``detectable`` the smallest change of
    one score that is more than noise, 1.96 times the root of 2 times that. ``kappa`` is weighted quadratically where
    the values have an order, and ``low`` and ``high`` are the 95% interval that two raters would get on so many items;
    what several raters say of one item goes together. nan under 10 comparisons or 4 items that several raters repeated,
    and where more than 1,500 values were given.
    """

    kind: str
    rater: str
    items: int
    agreement: float
    weights: str
    kappa: float
    low: float
    high: float
    gamma: float
    pearson: float
    difference: float
    absolute_difference: float
    error: float
    detectable: float


def stability(part: Part) -> list[Reliability]:
    """First rating against each later one of the same rater and item: all raters, then each."""
    repeats, first = _with_their_firsts(part)
    if not len(repeats):
        raise NotEnoughDataError(
            "No rater rated an item twice: stability needs repeats, in rows of their own or marked by an occasion."
        )
    rater = part.ratings.rater.codes.astype(np.int64)
    return _compared("stability", part, rater[repeats], earlier=first, later=repeats)


def _with_their_firsts(part: Part) -> tuple[Indices, Indices]:
    """Repeats, and the first rating of each; a repeat of what the rater never rated before says nothing."""
    item, rater = part.ratings.item.codes.astype(np.int64), part.ratings.rater.codes.astype(np.int64)
    key = item * len(part.rater_names) + rater
    firsts = part.rows[np.argsort(key[part.rows])]
    if not len(firsts) or not len(part.repeats):
        return part.repeats[:0], firsts[:0]
    place = np.minimum(np.searchsorted(key[firsts], key[part.repeats]), len(firsts) - 1)
    known = key[firsts[place]] == key[part.repeats]
    return part.repeats[known], firsts[place[known]]


def repeats(case: Case) -> Iterator[Observation]:
    """Items that raters rated again: how far they gave the same answer, and who did least."""
    if not len(_with_their_firsts(case.part)[0]):
        return
    everyone, *each = stability(case.part)
    interval = f" [{steady(everyone.low):.2f}, {steady(everyone.high):.2f}]" if not np.isnan(everyone.low) else ""
    weighted = "weighted kappa" if everyone.weights != "identity" else "kappa"
    kept = _least_stable(each)
    yield Observation(
        message=f"{counted(everyone.items, 'rating was', 'ratings were')} repeated later: "
        f"{steady(everyone.agreement):.0%} are the same, {weighted} {steady(everyone.kappa):.2f}{interval}{kept}",
        who=tuple(one.rater for one in each)[:50],
        evidence={"repeats": everyone.items, "agreement": everyone.agreement, "kappa": everyone.kappa,
                  "error_of_measurement": everyone.error, "smallest_change_beyond_noise": everyone.detectable},
        sure=CERTAIN,
    )  # fmt: skip


def _least_stable(each: Sequence[Reliability]) -> str:
    """Whoever repeats least, by kappa and then by agreement: all who are alike there, and nobody where all are."""
    ranks = ranked([one.agreement if np.isnan(one.kappa) else one.kappa for one in each])
    lowest = [one for one, rank in zip(each, ranks, strict=True) if rank == ranks.min()]
    shares = ranked([one.agreement for one in lowest])
    least = [one for one, rank in zip(lowest, shares, strict=True) if rank == shares.min()]
    if len(least) == len(each):
        return ""
    named = listed([f"{one.rater} ({steady(one.agreement):.0%} of {one.items})" for one in least])
    return f"; least stable {'is' if len(least) == 1 else 'are'} {named}"


def accuracy(part: Part) -> list[Reliability]:
    """Each rater against the right answers: rows of a rater named gold, or with the role gold."""
    if not len(part.gold):
        raise NotEnoughDataError(
            "There are no right answers to compare with: name a rater 'gold', or mark rows with the role 'gold'."
        )
    item = part.ratings.item.codes.astype(np.int64)
    order = np.argsort(item[part.gold], kind="stable")
    gold_items = item[part.gold][order]
    place = np.minimum(np.searchsorted(gold_items, item[part.rows]), len(order) - 1)
    known = gold_items[place] == item[part.rows]
    if not known.any():
        raise NotEnoughDataError("No rater rated an item that has a right answer.")
    rows = part.rows[known]
    return _compared("accuracy", part, part.rater[known], earlier=part.gold[order][place[known]], later=rows)


def _compared(kind: str, part: Part, rater: Indices, *, earlier: Indices, later: Indices) -> list[Reliability]:
    found = [_reliability(kind, part, "all raters", earlier, later)]
    for one in distinct(rater):
        mine = rater == one
        found.append(_reliability(kind, part, part.name(int(one)), earlier[mine], later[mine]))
    return found


def _reliability(kind: str, part: Part, name: str, earlier: Indices, later: Indices) -> Reliability:
    agreement = float(np.mean(part.ratings.value[earlier] == part.ratings.value[later]))
    kappa, interval = _kappa(part, earlier, later), _interval(part, earlier, later)
    nothing = float("nan")
    low, high = (interval.low, interval.high) if interval else (nothing, nothing)
    found = Reliability(
        kind=kind, rater=name, items=len(earlier), agreement=agreement, weights=_weights(part), kappa=kappa, low=low,
        high=high, gamma=nothing, pearson=nothing, difference=nothing, absolute_difference=nothing, error=nothing,
        detectable=nothing,
    )  # fmt: skip
    if not part.ordered:
        return found
    x, y = part.ratings.scores[earlier], part.ratings.scores[later]
    _, ranks = np.unique(np.concatenate((x, y)), return_inverse=True)
    order = order_of_columns(ranks[: len(x)], ranks[len(x) :])
    spread = float((y - x).std(ddof=1)) if len(x) > 1 else nothing
    error = spread / np.sqrt(2)
    flat = len(x) < 3 or x.std() < 1e-12 or y.std() < 1e-12
    return replace(
        found, gamma=float(Gamma().of_order(order)),
        pearson=nothing if flat else float(np.corrcoef(x, y)[0, 1]), difference=float((y - x).mean()),
        absolute_difference=float(np.abs(y - x).mean()), error=float(error),
        detectable=float(1.96 * np.sqrt(2) * error),
    )  # fmt: skip


_MOST_VALUES = 1_500


def _weights(part: Part) -> str:
    """A near miss on a scale with order is no full disagreement: 71 after 70 is nearly the same answer."""
    return "quadratic" if part.ordered else "identity"


def _kappa(part: Part, earlier: Indices, later: Indices) -> float:
    """Cohen's kappa of two answers to each item, by the weights of the level."""
    scale = part.ratings.scale
    used, both = np.unique(part.ratings.value[np.concatenate([earlier, later])], return_inverse=True)
    if not 2 <= len(used) <= _MOST_VALUES:
        return float("nan")
    cells = both[: len(earlier)] * len(used) + both[len(earlier) :]
    table = np.bincount(cells, minlength=len(used) ** 2).reshape(1, len(used), len(used))
    shown = replace(scale, values=tuple(scale.values[code] for code in used.tolist()))
    return float(CohenKappa(_weights(part)).of_pair_table(table, shown).value[0])


def _interval(part: Part, earlier: Indices, later: Indices) -> Interval | None:
    """What agreement gives two raters on as many items: few answers need more than a standard error (promises.md)."""
    rows = np.concatenate([earlier, later])
    if len(distinct(part.ratings.value[rows])) > _MOST_VALUES:
        return None
    key = COHEN_KAPPA_QUADRATIC if part.ordered else COHEN_KAPPA
    place, side = np.tile(np.arange(len(earlier)), 2), np.repeat([0, 1], len(earlier))
    twice = Ratings(
        item=Factor.of([str(one) for one in place]), rater=Factor.of([("first", "later")[one] for one in side]),
        value=part.ratings.value[rows], scale=part.ratings.scale,
        # What several raters say of one item goes together.
        columns={"document": part.ratings.item[rows].compact()},
    )  # fmt: skip
    single = len(distinct(part.ratings.item.codes[earlier])) == len(earlier)
    return interval_alone(count_source(twice), key, Unit.ITEM if single else Unit.DOCUMENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproducibility(PlainData):
    """How far other raters would give the same: mean over pairs of raters; kappa weighted as in Reliability."""

    items: int
    pairs: int
    agreement: float
    weights: str
    kappa: float
    gamma: float


def reproducibility(part: Part) -> Reproducibility:
    """Mean pairwise agreement, kappa and gamma."""
    rows, pairs = part.shared, part.pairs
    if not pairs:
        raise NotEnoughDataError("No two raters share an item: reproducibility cannot be seen.")
    _, sizes = np.unique(part.item, return_counts=True)
    return Reproducibility(
        items=int((sizes >= 2).sum()), pairs=len(pairs), agreement=_mean([pair.agreement for pair in pairs]),
        weights=_weights(part), kappa=_mean([_kappa(part, *sides) for sides in _sides(part, rows)]),
        gamma=_mean([pair.gamma for pair in pairs]),
    )  # fmt: skip


def _sides(part: Part, rows: SharedRows) -> Iterator[tuple[Indices, Indices]]:
    for _, _, here in rows:
        yield part.rows[rows.left[here]], part.rows[rows.right[here]]


def _mean(values: list[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replication(PlainData):
    """Cross-replication reliability of two groups of raters on the items both rated (Wong et al. 2021).

    ``normalised`` is the value over the geometric mean of the two groups' own alphas on these items: 1 says that
    the groups agree with each other as well as their own noise allows. It has no value where an alpha is not above 0.
    """

    items: int
    observed: float
    expected: float
    value: float
    normalised: float


def replication(first: Part, second: Part) -> Replication:
    """One minus observed over expected disagreement of ratings across the groups, never within them.

    Each item weighs by its ratings; disagreement is 0 or 1 for nominal values, else the squared difference.
    """
    place = {name: code for code, name in enumerate(first.item_names)}
    known = np.array([place.get(name, -1) for name in second.item_names], dtype=np.int64)
    values = dict.fromkeys([*first.ratings.scale.values, *second.ratings.scale.values])
    code = {value: position for position, value in enumerate(values)}
    items = len(first.item_names)
    mine, theirs = _item_sums(first, first.item, items, code), _item_sums(second, known[second.item], items, code)
    shared = (mine[:, 0] > 0) & (theirs[:, 0] > 0)
    if not shared.any():
        raise NotEnoughDataError("The two groups share no item: they cannot be compared.")
    mine, theirs = mine[shared], theirs[shared]
    each, weight = across(first.ordered, mine, theirs), mine[:, 0] + theirs[:, 0]
    observed = float(each @ weight / weight.sum())
    expected = float(across(first.ordered, mine.sum(axis=0, keepdims=True), theirs.sum(axis=0, keepdims=True))[0])
    value = 1 - observed / expected if expected > 1e-12 else float("nan")
    own = [_alpha(first, mine), _alpha(second, theirs)]
    normalised = float(value / np.sqrt(own[0] * own[1])) if min(own) > 0 else float("nan")
    return Replication(
        items=int(shared.sum()), observed=observed, expected=expected, value=value, normalised=normalised
    )


def _alpha(part: Part, sums: Floats) -> float:
    """Krippendorff's alpha of one group, with the same disagreement as between the groups."""
    several = sums[sums[:, 0] >= 2]
    if not len(several):
        return float("nan")
    expected = float(_among(part, several.sum(axis=0, keepdims=True))[0])
    observed = float(_among(part, several) @ several[:, 0] / several[:, 0].sum())
    return 1 - observed / expected if expected > 1e-12 else float("nan")


def _among(part: Part, sums: Floats) -> Floats:
    """Mean disagreement of all pairs of two ratings of the same row."""
    size, rest = sums[:, 0], sums[:, 1:]
    if part.ordered:
        apart: Floats = 2 * (size * rest[:, 1] - rest[:, 0] ** 2) / (size * (size - 1))
        return apart
    unequal: Floats = 1 - (rest * (rest - 1)).sum(axis=1) / (size * (size - 1))
    return unequal


def _item_sums(part: Part, item: Indices, items: int, code: Mapping[Value, int]) -> Floats:
    """Of each item: the number of ratings, then the sum and sum of squares, or how often each value was given."""
    keep = item >= 0
    if part.ordered:
        score = part.score[keep]
        features = np.stack([np.ones(len(score)), score, np.square(score)], axis=1)
    else:
        recoded = np.array([code[value] for value in part.ratings.scale.values], dtype=np.int64)[part.code[keep]]
        features = np.zeros((len(recoded), 1 + len(code)))
        features[:, 0] = 1
        features[np.arange(len(recoded)), 1 + recoded] = 1
    sums = np.zeros((items, features.shape[1]))
    np.add.at(sums, item[keep], features)
    return sums


def across(ordered: bool, mine: Floats, theirs: Floats) -> Floats:
    """Mean disagreement of all pairs of one rating here and one there."""
    x, y = divided(mine[:, 1:], mine[:, :1]), divided(theirs[:, 1:], theirs[:, :1])
    if ordered:
        apart: Floats = x[:, 1] - 2 * x[:, 0] * y[:, 0] + y[:, 1]
        return apart
    unequal: Floats = 1 - (x * y).sum(axis=1)
    return unequal
