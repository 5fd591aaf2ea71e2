"""Rater effects: who is severe or lenient, who drifts, who is inconsistent with the rest."""

from collections.abc import Iterator

import numpy as np

from accord.arrays import Floats, distinct, renumbered
from accord.diagnosis.case import ALARM, Case, Observation, in_words
from accord.diagnosis.consistency import least_consistent
from accord.diagnosis.part import Indices, Part
from accord.inference.interval import Interval
from accord.noise import order_of, ordered, settled
from accord.quantiles import median_of, stdtr, stdtrit
from accord.records import dataclass
from accord.reliability.signs.copies import may_be_copies
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = [
    "CrossedFit", "RaterEffect", "crossed_fit", "drifting_raters", "inconsistent_raters", "rater_effects",
    "severe_raters",
]  # fmt: skip

_FAR = 0.5
"""Strictness matters from so many standard deviations of all ratings on."""
_LEAST_FREEDOM = 10
_MOVED = 0.3
"""Drift matters from so many standard deviations of all ratings on."""
_DRIFTING = ALARM / 2
"""Items of a document resemble each other, which the error of a trend knows in part only."""
_INCONSISTENT = 2 * ALARM
"""Twice the usual: at ALARM a random rater of 3 x 50 was missed too often. Honest sets accused: .004 to .016."""
_METHOD = "least squares with items and raters crossed, Student's t"
_DENSE = 2_000_000
"""Cells of items x raters up to which a full table is the fastest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterEffect(PlainData):
    """One rater among the others, on the items they share.

    ``severity`` is how far the rater's values lie below (negative) or above (positive) those of the average
    rater on the same items; ``strictness`` calls it strict or lenient where the good end of the scale is known.
    ``rest`` is the correlation with the mean of the other raters, their own
    severities taken out. ``drift`` is the change of severity from the rater's first to last item.
    """

    rater: str
    items: int
    mean: float
    spread: float
    severity: float
    interval: Interval | None
    rest: float
    drift: float
    drift_p: float
    strictness: str = ""


@dataclass(frozen=True, slots=True)
class CrossedFit:
    """Additive fit of items and raters: effect and error of each rater; of each row the score without the effect."""

    rows: Indices
    effect: Floats
    error: Floats
    adjusted: Floats
    residual: Floats
    freedom: int


def crossed_fit(part: Part, raters: Indices | None = None) -> CrossedFit | None:
    """Effects of these raters (of all) with the items eliminated; raters that share no item, even through others, are
    compared within their group only. :attr:`Part.crossed` keeps that of all."""
    raters = part.raters if raters is None else raters
    rows = np.flatnonzero(np.isin(part.rater, raters))
    rows = rows[np.bincount(part.item[rows])[part.item[rows]] >= 2]
    if not len(rows):
        return None
    _, item = renumbered(part.item[rows])
    sizes = np.bincount(item)
    rater, score = np.searchsorted(raters, part.rater[rows]), part.score[rows]
    normal = _normal_matrix(item, rater, sizes, len(raters))
    mean = np.bincount(item, score) / sizes
    right = np.bincount(rater, score - mean[item], minlength=len(raters))
    inverse, rank = _inverse(normal)
    size = float(np.abs(score).max())
    effect = settled(inverse @ right, size)
    left = score - effect[rater]
    residual = settled(left - (np.bincount(item, left) / sizes)[item], size)
    freedom = len(rows) - len(sizes) - rank
    variance = float(np.square(residual).sum()) / freedom if freedom > 0 else float("nan")
    error = np.sqrt(np.maximum(np.diag(inverse), 0) * variance)
    return CrossedFit(rows, effect, error, left, residual, freedom)


def _inverse(normal: Floats) -> tuple[Floats, int]:
    """The inverse on what is estimable, and its rank: each group of linked raters leaves one direction open."""
    sizes, directions = np.linalg.eigh(normal)
    kept = sizes > 1e-9 * max(float(sizes[-1]), 1e-300)
    inverse: Floats = (directions[:, kept] / sizes[kept]) @ directions[:, kept].T
    return inverse, int(kept.sum())


def _normal_matrix(item: Indices, rater: Indices, sizes: Indices, raters: int) -> Floats:
    """Ratings of each rater on the diagonal, minus what the items take away."""
    share = 1 / np.sqrt(sizes[item])
    if len(sizes) * raters <= _DENSE:
        cells = np.bincount(item * raters + rater, share, len(sizes) * raters).reshape(-1, raters)
        shared = np.asarray(cells.T @ cells, dtype=np.float64)
    else:
        from scipy.sparse import csr_array

        design = csr_array((share, (item, rater)), shape=(len(sizes), raters))
        shared = (design.T @ design).toarray()
    return np.diag(np.bincount(rater, minlength=raters).astype(np.float64)) - shared


def rater_effects(part: Part, *, confidence: float = 0.95) -> list[RaterEffect]:
    """Severity with its interval, consistency and drift of each rater, the strictest first.

    Strict is to give worse scores. Where nobody said which end is good, the rater of the lowest scores is first.
    """
    fit = part.crossed
    rest = _rest_correlations(part, fit)
    drift = _drifts(part, fit)
    effects = []
    for place, rater in enumerate(part.raters):
        score = part.score[part.rater == rater]
        interval = None
        if fit is not None and fit.freedom > 0:
            half = float(stdtrit(fit.freedom, (1 + confidence) / 2)) * float(fit.error[place])
            middle = float(fit.effect[place])
            interval = Interval(low=middle - half, high=middle + half, level=confidence, method=_METHOD)
        effects.append(
            RaterEffect(
                rater=part.name(int(rater)), items=len(score),
                mean=float(score.mean()) if part.ordered else float("nan"),
                spread=float(score.std(ddof=1)) if part.ordered and len(score) > 1 else float("nan"),
                severity=float(fit.effect[place]) if fit else float("nan"), interval=interval,
                rest=rest[place][0], drift=drift[place][0], drift_p=drift[place][1],
                strictness=part.direction.strictness(float(fit.effect[place])) if fit else "",
            )
        )  # fmt: skip
    sign, size = part.direction.sign or 1, float(np.abs(part.score).max(initial=0.0)) if part.ordered else 0.0
    return ordered(effects, lambda one: sign * one.severity, lambda one: one.rater, size=size)


def _rest_correlations(part: Part, fit: CrossedFit | None) -> list[tuple[float, int]]:
    """Each rater against the mean of the others on the same items, and the number of items."""
    if fit is None:
        return [(float("nan"), 0)] * len(part.raters)
    rater, others = np.searchsorted(part.raters, part.rater[fit.rows]), _others(part, fit)
    return [_correlation(fit.adjusted[rater == one], others[rater == one]) for one in range(len(part.raters))]


def _others(part: Part, fit: CrossedFit) -> Floats:
    """Of each rating of the fit: the mean of the other ratings of its item, strictness taken out."""
    _, item = renumbered(part.item[fit.rows])
    others: Floats = (np.bincount(item, fit.adjusted)[item] - fit.adjusted) / (np.bincount(item)[item] - 1)
    return others


def _correlation(x: Floats, y: Floats) -> tuple[float, int]:
    if len(x) < 3 or x.std() < 1e-12 or y.std() < 1e-12:
        return float("nan"), len(x)
    return float(np.corrcoef(x, y)[0, 1]), len(x)


def _drifts(part: Part, fit: CrossedFit | None) -> list[tuple[float, float]]:
    """Change of severity from a rater's first to last item, and its p; nothing without an order column.

    One drifting rater moves the item means and so all residuals the other way: changes are taken from their median.
    Scenarios follow each other and are judged differently, which is no drift: change is taken within each. Nor is it
    drift that a strict rater has less room among bad items: change is taken at equal level of the items. Who gave one
    value throughout did not change: the items of that rater did.
    """

    if fit is None or not part.has_order:
        return [(float("nan"), float("nan"))] * len(part.raters)
    rater, place, scenario = part.rater[fit.rows], part.place[fit.rows], _scenario(part)[fit.rows]
    level, score = _others(part, fit), part.score[fit.rows]
    own = [rater == one for one in part.raters]
    lines = [_slope(place[mine], fit.residual[mine], scenario[mine], level[mine]) for mine in own]
    slopes = [slope for slope, _, _ in lines if not np.isnan(slope)]
    usual = median_of(slopes) if slopes else 0.0
    return [
        (slope - usual, float(2 * stdtr(freedom, -abs(slope - usual) / error)) if error > 0 else float("nan"))
        if len(distinct(score[mine])) > 1
        else (float("nan"), float("nan"))
        for mine, (slope, error, freedom) in zip(own, lines, strict=True)
    ]


def _scenario(part: Part) -> Indices:
    """The scenario of each rating; one for all without such a column."""
    column = part.ratings.columns.get("scenario")
    return np.zeros(len(part.rows), dtype=np.int64) if column is None else column.codes[part.rows].astype(np.int64)


def _slope(place: Floats, residual: Floats, scenario: Indices, level: Floats) -> tuple[float, float, int]:
    """Least squares over the rank of the place, from 0 to 1, within scenarios: slope, its error, degrees of freedom."""
    _, scenario = np.unique(scenario, return_inverse=True)
    freedom = len(place) - 2 - (int(scenario.max()) + 1 if len(scenario) else 0)
    if len(place) < 10 or freedom < 1:
        return float("nan"), float("nan"), 0
    level = _within(level, scenario)
    x = _within(np.argsort(np.argsort(place, kind="stable"), kind="stable") / (len(place) - 1), scenario)
    x = _at_equal(level, x)
    spread = float(x @ x)
    if place.min() == place.max() or spread < 1e-12:
        return float("nan"), float("nan"), 0
    y = _at_equal(level, _within(residual, scenario))
    slope = float(x @ y) / spread
    left = y - slope * x
    variance = max(float(left @ left) / freedom / spread, _of_neighbours(x * left, place) / spread**2)
    return slope, float(np.sqrt(variance)), freedom


def _at_equal(level: Floats, values: Floats) -> Floats:
    """The values without what the level of the item explains of them by a straight line."""
    spread = float(level @ level)
    return values - level * (float(level @ values) / spread) if spread > 1e-12 else values


def _of_neighbours(scores: Floats, place: Floats) -> float:
    """Variance of the sum of the scores where neighbouring ones go together (Newey and West)."""
    ordered = scores[np.argsort(place, kind="stable")]
    reach = min(10, len(ordered) // 5)
    together = (float(ordered[lag:] @ ordered[:-lag]) * (1 - lag / (reach + 1)) for lag in range(1, reach + 1))
    return (float(ordered @ ordered) + 2 * sum(together)) * len(ordered) / (len(ordered) - 2)


def _within(values: Floats, scenario: Indices) -> Floats:
    """Each value less the mean of its scenario."""
    centred: Floats = values - (np.bincount(scenario, values) / np.bincount(scenario))[scenario]
    return centred


def severe_raters(case: Case) -> Iterator[Observation]:
    """A rater who surely differs in strictness from the others on the same items, by half a deviation or more.

    The one who lies furthest is looked at first and then left out, as he makes the others look the other way.
    """
    part = case.part
    spread = float(part.score.std()) if part.ordered and len(part.score) else 0.0
    chosen = part.raters
    while spread > 0 and len(chosen) > 1:
        found = _furthest(part, chosen)
        if found is None or found.p * len(part.raters) >= ALARM or abs(found.apart) < _FAR * spread:
            return
        yield _severe(part, found, spread)
        chosen = chosen[chosen != found.rater]


def _severe(part: Part, found: "_Apart", spread: float) -> Observation:
    """Who lies apart, and from whom. Of two raters nobody can tell which one is off, so both are named."""
    name, word = part.name(found.rater), part.direction.strictness(found.apart)
    other = next((part.name(int(one)) for one in part.raters if one != found.rater), "") if _are_two(part) else ""
    far = (
        f"{steady(abs(found.apart)):.2f} {'lower' if found.apart < 0 else 'higher'} than {other or 'the other raters'}"
    )
    called = f" is {word}:" if word and not other else ""
    either = f": {name} is {word}, {other} is {_OPPOSITE[word]}, or both" if word and other else ""
    return Observation(
        message=f"{name}{called} rates {far} on the same items, "
        f"{steady(abs(found.apart) / spread):.1f} standard deviations of all ratings{either}",
        who=(name, other) if other else (name,),
        evidence={
            "apart": found.apart,
            "standard_error": found.error,
            "deviation_of_all_ratings": spread,
            **({"strictness": word} if word and not other else {}),
        },
        sure=in_words(found.p * len(part.raters), "raters of equal strictness"),
    )


_OPPOSITE = {"strict": "lenient", "lenient": "strict"}


def _are_two(part: Part) -> bool:
    return len(part.raters) == 2


@dataclass(frozen=True, slots=True)
class _Apart:
    """The rater furthest from the others: by how much, its standard error and the probability of that by chance."""

    rater: int
    apart: float
    error: float
    p: float


def _furthest(part: Part, chosen: Indices) -> _Apart | None:
    fit = part.crossed if chosen is part.raters else crossed_fit(part, chosen)
    if fit is None or fit.freedom < _LEAST_FREEDOM:
        return None
    # The mean of all raters has a share of this one in it: the others alone lie further away.
    scale = len(chosen) / (len(chosen) - 1)
    apart, error = fit.effect * scale, fit.error * scale
    distance = np.divide(np.abs(apart), error, out=np.zeros(len(apart)), where=error > 1e-12)
    places = _by_all(part, chosen)
    place = int(places[order_of(distance[places], highest=True)[0]])
    p = 2 * float(stdtr(fit.freedom, -distance[place]))
    return _Apart(int(chosen[place]), float(apart[place]), float(error[place]), p)


def _by_all(part: Part, chosen: Indices) -> Indices:
    """The places of these raters, those first who lie furthest from all: the last two lie as far from one another."""
    names = [part.name(int(one)) for one in chosen]
    fit = part.crossed
    far = np.zeros(len(chosen)) if fit is None else np.abs(fit.effect[np.searchsorted(part.raters, chosen)])
    return order_of(far, names, highest=True)


def _becoming(part: Part, change: float) -> str:
    word = {"strict": "stricter", "lenient": "more lenient"}.get(part.direction.strictness(change), "")
    return f": {word} towards the end" if word else ""


def drifting_raters(case: Case) -> Iterator[Observation]:
    """A rater who becomes more lenient or more severe in the course of the work."""
    part = case.part
    fit = part.crossed if part.has_order else None
    least = _MOVED * float(part.score.std()) if len(part.score) else 0.0
    for rater, (slope, p) in zip(part.raters, _drifts(part, fit), strict=True):
        if p * len(part.raters) < _DRIFTING and abs(slope) >= least:
            yield Observation(
                message=f"{part.name(int(rater))} moves by {steady(slope):+.2f} from the first item to the last, "
                f"relative to the middle rater{_becoming(part, slope)}",
                who=(part.name(int(rater)),),
                evidence={"change": slope, "p": p},
                sure=in_words(p * len(part.raters)),
            )


def inconsistent_raters(case: Case) -> Iterator[Observation]:
    """A rater who goes with the rest surely less than the others do; a rater who does not read goes with nobody.

    Of two copies one is left out first: a copy goes with its model more closely than any honest rater does.
    """
    part = case.part
    chosen = case.independent
    relation = "r" if part.ordered else "agreement beyond chance"
    while len(chosen) >= 3:
        found = least_consistent(part, chosen, case.rng)
        if found is None or found.p * len(part.raters) >= _INCONSISTENT:
            return
        others = chosen[chosen != found.rater]
        if len(others) == 2 and _may_be_copies(case, others):
            return
        name = part.name(found.rater)
        how = "hardly correlates with the others at all, like answers given without reading"
        if found.surely_related:
            how = "correlates with the others less than they do with one another"
        elif found.surely_opposed:
            how = "goes against the others, as if the scale were turned round"
        yield Observation(
            message=f"{name} {how}: the mean {relation} with another rater is {steady(found.own):.2f}; among the "
            f"others it is {steady(found.others):.2f}",
            who=(name,),
            evidence={"correlation_with_others": found.own, "correlation_among_others": found.others},
            sure=in_words(found.p * len(part.raters), "honest raters who differ in exactness as is usual"),
        )
        chosen = others


def _may_be_copies(case: Case, raters: Indices) -> bool:
    """Whether one of two raters may be a copy of the other, so that a third cannot be measured by them."""
    pairs = case.pair_counts
    met = np.isin(pairs.first, raters) & np.isin(pairs.second, raters)
    return bool(met.any()) and may_be_copies(case, np.flatnonzero(met))
