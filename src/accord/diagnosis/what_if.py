"""What would raise kappa: more joint agreement, less agreement by chance, or a finer scale, before anyone tries it."""

from functools import cache

import numpy as np

from accord.arrays import Floats
from accord.coefficients.kappa import chance_corrected
from accord.coefficients.weights import WEIGHTS
from accord.diagnosis.items import decomposition
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError, OptionError
from accord.quantiles import ndtr, ndtri
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["FinerScale", "Sensitivity", "finer_scale", "sensitivity", "uniform_chance"]

_NODES = 60
_MOST_VALUES = 20
"""Of more values two equal ones are luck, and the cuts between them are noise: the model then says nothing."""
_FAR_OFF = 0.1
"""Where the model misses kappa as it is by more than this, what it says of another scale is worth nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity(PlainData):
    """Kappa as joint and independent agreement make it, and how much it moves with either.

    ``joint_needed`` is the joint agreement that reaches the target with chance agreement as it is,
    ``independent_needed`` the chance agreement that does with joint agreement as it is (nan if none does).
    """

    weights: str
    joint: float
    independent: float
    kappa: float
    by_joint: float
    by_independent: float
    target: float
    joint_needed: float
    independent_needed: float


def sensitivity(joint: float, independent: float, *, target: float = 0.67, weights: str = "identity") -> Sensitivity:
    r"""The derivatives of :math:`\kappa = (p_o - p_e) / (1 - p_e)`.

    :math:`d\kappa/dp_o = 1 / (1 - p_e)` and :math:`d\kappa/dp_e = -(1 - p_o) / (1 - p_e)^2`.
    """
    for name, share in (("joint", joint), ("independent", independent)):
        if not 0 <= share <= 1:
            raise OptionError(f"The {name} agreement must lie between 0 and 1, not {share}.")
    if independent == 1:
        raise NotEnoughDataError("Independent agreement is 1: every rater uses one value, and kappa has no value.")
    needed = (joint - target) / (1 - target) if target < 1 else float("nan")
    return Sensitivity(
        weights=weights, joint=joint, independent=independent, kappa=_kappa(joint, independent),
        by_joint=1 / (1 - independent), by_independent=-(1 - joint) / (1 - independent) ** 2, target=target,
        joint_needed=independent + target * (1 - independent),
        independent_needed=needed if needed >= 0 else float("nan"),
    )  # fmt: skip


def uniform_chance(values: int, weights: str = "linear") -> float:
    """Agreement by chance of raters who use each of so many values equally often.

    Without weights it falls with more values, 1/q; with linear weights it rises: 1 - (q + 1) / (3q).
    """
    if values < 2:
        raise OptionError(f"A scale needs at least two values, not {values}.")
    return 1 / values if weights == "identity" else 1 - (values + 1) / (3 * values)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinerScale(PlainData):
    """What another number of values is predicted to do to both parts of kappa.

    The prediction holds the raters as they are: a continuous impression, the same for all up to normal noise,
    cut into values. The cuts of the new scale are spaced like those of the old one.
    """

    values: int
    weights: str
    joint: float
    independent: float
    kappa: float
    uniform_chance: float


def finer_scale(part: Part, *, values: int, weights: str = "linear") -> tuple[FinerScale, FinerScale]:
    """The scale as it is (as the model sees it) and with so many values; or why the model does not hold."""
    if not part.ordered:
        raise NotEnoughDataError("A finer scale is predicted for ordered values only; these are nominal.")
    scale = part.ratings.scale
    reach = scale.high - scale.low if scale.any_between and scale.low is not None and scale.high is not None else 0
    if (many := len(scale.values)) > _MOST_VALUES or reach >= _MOST_VALUES:
        has = f"this one goes from {scale.low:g} to {scale.high:g}" if reach else f"these ratings use {many}"
        raise NotEnoughDataError(
            f"Another number of values is predicted for scales of {_MOST_VALUES} values at most, and {has}: cut the "
            "scores into the values you think of and compute agreement on those."
        )
    if values < 2:
        raise OptionError(f"A scale needs at least two values, not {values}.")
    shares = part.value_counts.sum(axis=0) / max(len(part.code), 1)
    shares = shares[shares > 0]
    observed = decomposition(part, weights=weights)
    if not len(observed.pairs) or len(shares) < 2:
        raise NotEnoughDataError("No two raters share an item, or all ratings are equal: nothing can be predicted.")
    cuts = _cuts(shares)
    now = len(shares)
    common = _common_share(cuts, float(observed.joint.mean()), weights)
    places = np.linspace(0, now, values + 1)[1:-1]
    finer = np.interp(places, np.arange(1, now), cuts)
    inside = (places >= 1) & (places <= now - 1)
    step = np.diff(cuts).mean() if len(cuts) > 1 else 1.0
    # Beyond the outermost old cut the spacing goes on as it was on average.
    finer = np.where(inside, finer, np.where(places < 1, cuts[0] - (1 - places) * step, finer))
    finer = np.where(places > now - 1, cuts[-1] + (places - (now - 1)) * step, finer)
    fitted = _predicted(cuts, common, weights)
    _require_fit(fitted.kappa, _kappa(*observed.means[:2]))
    return fitted, _predicted(finer, common, weights)


def _require_fit(fitted: float, observed: float) -> None:
    """Refuse where raters are not those of the model, who cut one impression at the same places."""
    if abs(fitted - observed) > _FAR_OFF:
        raise NotEnoughDataError(
            "Another number of values cannot be predicted: the model supposes raters who use the scale alike, and "
            f"gives kappa {steady(fitted):.2f} for the scale as it is, where it is {steady(observed):.2f}."
        )


def _cuts(shares: Floats) -> Floats:

    cuts: Floats = ndtri(np.cumsum(shares)[:-1])
    return cuts


@cache
def _normal_places() -> tuple[Floats, Floats]:
    """Impressions of a normal distribution and how much each counts: the same in every step of a search."""
    nodes, counted = np.polynomial.hermite_e.hermegauss(_NODES)
    return nodes, counted / counted.sum()


def _cell_table(cuts: Floats, common: float) -> Floats:
    """Probability of each pair of values when two raters share this part of the variance of their impressions."""

    nodes, counted = _normal_places()
    edges = (cuts - np.sqrt(common) * nodes[:, None]) / np.sqrt(max(1 - common, 1e-9))
    cumulative = np.concatenate([np.zeros((_NODES, 1)), ndtr(edges), np.ones((_NODES, 1))], axis=1)
    given = np.diff(cumulative, axis=1)
    table: Floats = (given * counted[:, None]).T @ given
    return table


def _kappa(joint: float, independent: float) -> float:
    return float(chance_corrected(np.array(joint), np.array(independent)).value)


def _common_share(cuts: Floats, joint: float, weights: str) -> float:
    """The shared part of the variance that makes two raters agree as much as they did."""
    from scipy.optimize import brentq

    agree = WEIGHTS[weights](np.arange(len(cuts) + 1, dtype=np.float64))

    def excess(common: float) -> float:
        return float((_cell_table(cuts, common) * agree).sum()) - joint

    if excess(0.0) >= 0:
        return 0.0
    if excess(0.999) <= 0:
        return 0.999
    return float(brentq(excess, 0.0, 0.999, xtol=1e-6))


def _predicted(cuts: Floats, common: float, weights: str) -> FinerScale:
    table = _cell_table(cuts, common)
    agree = WEIGHTS[weights](np.arange(len(table), dtype=np.float64))
    share = table.sum(axis=0)
    joint, independent = float((table * agree).sum()), float(share @ agree @ share)
    return FinerScale(
        values=len(table), weights=weights, joint=joint, independent=independent,
        kappa=_kappa(joint, independent), uniform_chance=uniform_chance(len(table), weights),
    )  # fmt: skip


def what_if(part: Part, *, target: float = 0.67, weights: str = "linear") -> Sensitivity:
    """The sensitivity of the mean kappa of these ratings."""
    parts = decomposition(part, weights=weights)
    joint, independent, _ = parts.means
    if not len(parts.pairs):
        raise NotEnoughDataError("No two raters share an item: there is no kappa to raise.")
    return sensitivity(joint, independent, target=target, weights=parts.weights)
