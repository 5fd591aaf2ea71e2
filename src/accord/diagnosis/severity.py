"""Rater effects: who is severe or lenient, who drifts, who is inconsistent with the rest."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from accord.arrays import Floats
from accord.diagnosis.case import ALARM, Case, Observation, in_words
from accord.diagnosis.part import Indices, Part
from accord.inference.interval import Interval

__all__ = [
    "CrossedFit", "RaterEffect", "crossed_fit", "drifting_raters", "inconsistent_raters", "rater_effects",
    "severe_raters",
]  # fmt: skip

_FAR = 1.0
_CLOSE = 0.8
"""An honest rater goes with the rest at least this many times as closely as the others usually do."""
_SURELY_RELATED = 1.96
_METHOD = "least squares with items and raters crossed, t law"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterEffect:
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

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "interval": self.interval.to_dict() if self.interval else None}


@dataclass(frozen=True, slots=True)
class CrossedFit:
    """Additive fit of items and raters: effect and error of each rater; of each row the score without the effect."""

    rows: Indices
    effect: Floats
    error: Floats
    adjusted: Floats
    residual: Floats
    freedom: int


def crossed_fit(part: Part) -> CrossedFit | None:
    """Effects of raters with the items eliminated; raters that share no item are compared within their group only."""
    _, item = np.unique(part.item, return_inverse=True)
    sizes = np.bincount(item)
    rows = np.flatnonzero(sizes[item] >= 2)
    if not len(rows):
        return None
    _, item = np.unique(item[rows], return_inverse=True)
    sizes = np.bincount(item)
    rater, score = np.searchsorted(part.raters, part.rater[rows]), part.score[rows]
    normal = _normal_matrix(item, rater, sizes, len(part.raters))
    mean = np.bincount(item, score) / sizes
    right = np.bincount(rater, score - mean[item], minlength=len(part.raters))
    inverse, rank = _inverse(normal)
    effect = inverse @ right
    left = score - effect[rater]
    residual = left - (np.bincount(item, left) / sizes)[item]
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
    from scipy.sparse import csr_array

    design = csr_array((1 / np.sqrt(sizes[item]), (item, rater)), shape=(len(sizes), raters))
    shared: Floats = (design.T @ design).toarray()
    return np.diag(np.bincount(rater, minlength=raters).astype(np.float64)) - shared


def rater_effects(part: Part, *, confidence: float = 0.95) -> list[RaterEffect]:
    """Severity with its interval, consistency and drift of each rater, the strictest first.

    Strict is to give worse scores. Where nobody said which end is good, the rater of the lowest scores is first.
    """
    from scipy.special import stdtrit

    fit = crossed_fit(part) if part.ordered else None
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
                rater=part.name(int(rater)), items=len(score), mean=float(score.mean()),
                spread=float(score.std(ddof=1)) if len(score) > 1 else float("nan"),
                severity=float(fit.effect[place]) if fit else float("nan"), interval=interval,
                rest=rest[place][0], drift=drift[place][0], drift_p=drift[place][1],
                strictness=part.direction.strictness(float(fit.effect[place])) if fit else "",
            )
        )  # fmt: skip
    return sorted(effects, key=lambda effect: (part.direction.sign or 1) * effect.severity)


def _rest_correlations(part: Part, fit: CrossedFit | None) -> list[tuple[float, int]]:
    """Each rater against the mean of the others on the same items, and the number of items."""
    if fit is None:
        return [(float("nan"), 0)] * len(part.raters)
    rater = np.searchsorted(part.raters, part.rater[fit.rows])
    _, item = np.unique(part.item[fit.rows], return_inverse=True)
    level = part.score[fit.rows] - fit.effect[rater]
    sizes = np.bincount(item)
    others = ((np.bincount(item, level))[item] - level) / (sizes[item] - 1)
    return [_correlation(level[rater == one], others[rater == one]) for one in range(len(part.raters))]


def _correlation(x: Floats, y: Floats) -> tuple[float, int]:
    if len(x) < 3 or x.std() < 1e-12 or y.std() < 1e-12:
        return float("nan"), len(x)
    return float(np.corrcoef(x, y)[0, 1]), len(x)


def _drifts(part: Part, fit: CrossedFit | None) -> list[tuple[float, float]]:
    """Change of severity from a rater's first to last item, and its p; nothing without an order column.

    One drifting rater moves the item means and so all residuals the other way: changes are taken from their median.
    Scenarios follow each other and are judged differently, which is no drift: change is taken within each.
    """
    from scipy.special import stdtr

    if fit is None or not part.has_order:
        return [(float("nan"), float("nan"))] * len(part.raters)
    rater, place, scenario = part.rater[fit.rows], part.place[fit.rows], _scenario(part)[fit.rows]
    lines = [_slope(place[mine], fit.residual[mine], scenario[mine]) for mine in (rater == one for one in part.raters)]
    slopes = [slope for slope, _, _ in lines if not np.isnan(slope)]
    usual = float(np.median(slopes)) if slopes else 0.0
    return [
        (slope - usual, float(2 * stdtr(freedom, -abs(slope - usual) / error)) if error > 0 else float("nan"))
        for slope, error, freedom in lines
    ]


def _scenario(part: Part) -> Indices:
    """The scenario of each rating; one for all without such a column."""
    column = part.ratings.columns.get("scenario")
    return np.zeros(len(part.rows), dtype=np.int64) if column is None else column.codes[part.rows].astype(np.int64)


def _slope(place: Floats, residual: Floats, scenario: Indices) -> tuple[float, float, int]:
    """Least squares over the rank of the place, from 0 to 1, within scenarios: slope, its error, degrees of freedom."""
    _, scenario = np.unique(scenario, return_inverse=True)
    freedom = len(place) - 1 - (int(scenario.max()) + 1 if len(scenario) else 0)
    if len(place) < 10 or freedom < 1:
        return float("nan"), float("nan"), 0
    x = _within(np.argsort(np.argsort(place, kind="stable"), kind="stable") / (len(place) - 1), scenario)
    spread = float(x @ x)
    if place.min() == place.max() or spread < 1e-12:
        return float("nan"), float("nan"), 0
    y = _within(residual, scenario)
    slope = float(x @ y) / spread
    left = y - slope * x
    return slope, float(np.sqrt(left @ left / freedom / spread)), freedom


def _within(values: Floats, scenario: Indices) -> Floats:
    """Each value less the mean of its scenario."""
    centred: Floats = values - (np.bincount(scenario, values) / np.bincount(scenario))[scenario]
    return centred


def severe_raters(case: Case) -> Iterator[Observation]:
    """A rater whose values lie more than one standard deviation of all ratings from the average rater's."""
    from scipy.special import stdtr

    part = case.part
    fit = crossed_fit(part) if part.ordered else None
    if fit is None or fit.freedom < 10:
        return
    spread = float(part.score.std())
    for place, rater in enumerate(part.raters):
        effect, error = float(fit.effect[place]), float(fit.error[place])
        if spread == 0 or error == 0 or np.isnan(error):
            continue
        p = float(stdtr(fit.freedom, -(abs(effect) - _FAR * spread) / error)) * len(part.raters)
        if p < ALARM:
            yield Observation(
                message=f"{part.name(int(rater))}{_called(part, effect)} rates {abs(effect):.2f} "
                f"{'lower' if effect < 0 else 'higher'} than the average rater on the same items, more than one "
                f"standard deviation of all ratings ({spread:.2f})",
                who=(part.name(int(rater)),),
                evidence={"severity": effect, "standard_error": error, "deviation_of_all_ratings": spread},
                sure=f"that it exceeds one standard deviation: p = {min(p, 1.0):.2g}, all raters allowed for",
            )


def _called(part: Part, effect: float) -> str:
    """`` is strict:`` where the good end of the scale is known; nothing where it is not."""
    word = part.direction.strictness(effect)
    return f" is {word}:" if word else ""


def _becoming(part: Part, change: float) -> str:
    word = {"strict": "stricter", "lenient": "more lenient"}.get(part.direction.strictness(change), "")
    return f": {word} towards the end" if word else ""


def drifting_raters(case: Case) -> Iterator[Observation]:
    """A rater who becomes more lenient or more severe in the course of the work."""
    part = case.part
    fit = crossed_fit(part) if part.ordered and part.has_order else None
    for rater, (slope, p) in zip(part.raters, _drifts(part, fit), strict=True):
        if p * len(part.raters) < ALARM:
            yield Observation(
                message=f"{part.name(int(rater))} moves by {slope:+.2f} from the first item to the last, "
                f"relative to the middle rater{_becoming(part, slope)}",
                who=(part.name(int(rater)),),
                evidence={"change": slope, "p": p},
                sure=in_words(p * len(part.raters)),
            )


def inconsistent_raters(case: Case) -> Iterator[Observation]:
    """A rater who goes with the rest surely less than the others do; a rater who does not read goes with nobody."""
    part = case.part
    if not part.ordered or len(part.raters) < 3:
        return
    found = _rest_correlations(part, crossed_fit(part))
    for place, (own, items) in enumerate(found):
        others = [r for other, (r, n) in enumerate(found) if other != place and n >= 10 and not np.isnan(r)]
        if items < 10 or np.isnan(own) or len(others) < 2:
            continue
        usual = float(np.median(others))
        mine = float(np.arctanh(np.clip(own, -0.999, 0.999)) * np.sqrt(items - 3))
        expected = float(np.arctanh(min(usual * _CLOSE, 0.999)) * np.sqrt(items - 3))
        p = _upper_tail(expected - mine) * len(found)
        if usual > 0.2 and p < ALARM:
            unrelated = abs(mine) < _SURELY_RELATED
            how = "hardly goes with the others at all, like answers given without reading" if unrelated else ""
            how = how or "goes with the others less closely than they do with one another"
            yield Observation(
                message=f"{part.name(int(part.raters[place]))} {how}: r = {own:.2f} with the mean of the others; "
                f"for the other raters it is {usual:.2f}",
                who=(part.name(int(part.raters[place])),),
                evidence={"correlation_with_rest": own, "median_of_others": usual, "items": items},
                sure=f"that it is below {_CLOSE:.0%} of the others': p = {min(p, 1.0):.2g}, all raters allowed for",
            )


def _upper_tail(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(-z))
