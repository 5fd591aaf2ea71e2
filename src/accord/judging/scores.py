"""What a judge's scores are worth: corrected means, shares and differences of systems, and labels they save."""

from functools import partial
from itertools import combinations

import numpy as np

from accord.arrays import Floats
from accord.design.scale import Direction, Scale
from accord.inference.interval import Interval
from accord.inference.multiple import adjusted
from accord.judging.corrected import Corrected, Correction, Sums, left_out, without_interval
from accord.judging.coverage import Gap, gaps_of
from accord.judging.panel import Panel
from accord.noise import ordered
from accord.quantiles import stdtrit
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import spelled, steady

__all__ = ["Difference", "Measure", "Worth", "measures_of", "worth_of"]

_LABELS = 8
_MEAN = "mean"
_ROUND = 1000
_NEAR_ONE = 0.999


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems, the first with the better corrected score; ``adjusted`` is Holm's p over all pairs."""

    first: str
    second: str
    corrected: Corrected
    p: float
    adjusted: float = float("nan")

    def to_dict(self) -> dict[str, object]:
        return {
            "first": self.first,
            "second": self.second,
            "p": self.p,
            "adjusted_p": self.adjusted,
            **self.corrected.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean score, or the share of one label: over all, of each system (best first), and between systems."""

    name: str
    overall: Corrected
    systems: tuple[tuple[str, Corrected], ...]
    differences: tuple[Difference, ...]
    gaps: tuple[Gap, ...]
    sums: Sums

    def to_dict(self) -> dict[str, object]:
        return {
            "measure": self.name,
            "overall": self.overall.to_dict(),
            "systems": [{"system": name, **one.to_dict()} for name, one in self.systems],
            "differences": [one.to_dict() for one in self.differences],
        }


def measures_of(panel: Panel, *, level: float = 0.95) -> list[Measure]:
    """The mean of scores; of two values the share of the better; of more labels the share of each, commonest first."""
    gaps = tuple(gaps_of(panel))
    scale = panel.part.ratings.scale
    if panel.ordered and len(scale.values) > 2:
        return [_measure(panel, _mean_of(scale), panel.mean, panel.judge, gaps, level, panel.step, panel.ends)]
    numbers = scale.array if panel.ordered else np.arange(len(scale.values), dtype=np.float64)
    order = np.argsort(-np.bincount(panel.part.code, minlength=len(numbers)), kind="stable")
    if panel.ordered or len(numbers) == 2:
        order = np.array([int(np.argmin(numbers) if panel.direction is Direction.LOW else np.argmax(numbers))])
    return [
        _measure(
            panel,
            f"share of {spelled(scale.values[code])}",
            _share(panel, numbers[code]),
            panel.said(partial(np.equal, numbers[code])),
            gaps,
            level,
            1.0,
            (0.0, 1.0),
        )
        for code in order[:_LABELS]
    ]


def _mean_of(scale: Scale) -> str:
    """What the mean is of: words in an order have no numbers of their own, so the ones they stand for are said."""
    if scale.is_numeric:
        return _MEAN
    told = ", ".join(f"{spelled(word)} = {place}" for place, word in enumerate(scale.values))
    return f"{_MEAN} ({told})"


def _share(panel: Panel, value: float) -> Floats:
    """The share of people who gave this value, nan where nobody rated the item."""
    total = np.bincount(panel.item, (panel.value == value).astype(float), len(panel.items))
    shares: Floats = np.full(len(panel.items), np.nan)
    np.divide(total, panel.counts, out=shares, where=panel.counts > 0)
    return shares


def _measure(
    panel: Panel,
    name: str,
    people: Floats,
    judge: Floats,
    gaps: tuple[Gap, ...],
    level: float,
    step: float,
    ends: tuple[float, float] | None,
) -> Measure:
    system, names = panel.systems
    sums = Sums.of(system, panel.cluster, people, judge, step=step, unit=panel.units, ends=ends)
    made = Correction(sums, level)
    overall = made.overall()
    refusing = [gap for gap in gaps if gap.refuses]
    if refusing:
        overall = without_interval(overall, "the human labels do not cover what the judge scored")
    wide = [gap for gap in refusing if not gap.systems]
    told = []
    for place, one in enumerate(names):
        found = made.system(place)
        told.append((one, without_interval(found, "the human labels do not cover it") if wide else found))
    low_is_good = panel.direction is Direction.LOW and panel.ordered and name.startswith(_MEAN)
    told = ordered(told, lambda pair: pair[1].mean, lambda pair: pair[0], highest=not low_is_good)
    pairs = [] if wide or len(names) > 30 else _pairs(made, names, [name for name, _ in told])
    return Measure(name, overall, tuple(told) if len(names) > 1 else (), tuple(pairs), gaps, sums)


def _pairs(made: Correction, names: tuple[str, ...], order: list[str]) -> list[Difference]:
    place = {name: code for code, name in enumerate(names)}
    found = []
    for first, second in combinations(order, 2):
        one = made.difference(place[first], place[second])
        found.append(Difference(first, second, one, one.p))
    p = adjusted(np.array([one.p for one in found])) if found else np.empty(0)
    return [
        Difference(one.first, one.second, one.corrected, one.p, float(more)) for one, more in zip(found, p, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth(PlainData):
    """Beside ``labels`` human labels, so many ``scores`` of the judge are worth as much as ``value`` labels more.

    ``correlation`` is that of people's and the judge's document sums within systems, on which the worth depends.
    """

    scores: int
    labels: int
    value: float
    interval: Interval | None
    correlation: float
    correlation_interval: Interval | None


def worth_of(sums: Sums, *, scores: int = _ROUND, level: float = 0.95) -> Worth | None:
    r"""How many human labels the judge's scores replace: :math:`n / (1 - \rho^2 N / (N + n)) - n`.

    :math:`\rho` is the correlation of document sums; its interval is the jackknife over documents on Fisher's z.
    None where fewer than five documents have labels.
    """
    with_label = sums.labels.sum(axis=0) > 0
    documents = int(with_label.sum())
    labels = int(sums.labels.sum())
    if documents < 5 or labels < 10:
        return None
    rho = _correlations(sums, with_label)
    if not np.isfinite(rho).all():
        return None
    z = np.arctanh(np.clip(rho, -_NEAR_ONE, _NEAR_ONE))
    error = float(np.sqrt((documents - 1) / documents * np.square(z[1:] - z[1:].mean()).sum()))
    # Where documents seldom differ, leaving one out changes little; even unrelated scores vary by so much.
    cells = int((sums.labels > 0).sum()) - len(sums.labels)
    error = max(error, max(cells, 1) ** -0.5)
    freedom = max(min(float(left_out(sums, 0.0).freedom.max()), _deviating(sums, with_label) - 1), 1.0)
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    ends = np.tanh([z[0] - reach, z[0] + reach])
    method = f"jackknife over {sums.unit} on Fisher's z, t({steady(freedom):.3g})"
    low, value, high = (_worth(float(max(one, 0.0)), scores, labels) for one in (ends[0], rho[0], ends[1]))
    return Worth(
        scores=scores,
        labels=labels,
        value=value,
        correlation=float(rho[0]),
        interval=Interval(low=low, high=high, level=level, method=method),
        correlation_interval=Interval(low=float(ends[0]), high=float(ends[1]), level=level, method=method),
    )


def _deviating(sums: Sums, with_label: np.ndarray) -> float:
    """How many documents stand behind a correlation: those that lie off the mean, weighed by how far."""
    n, y, f = (part[:, with_label] for part in (sums.labels, sums.people, sums.there))
    far = np.zeros(n.shape[1])
    for scores in (y, f):
        mean = scores.sum(axis=1, keepdims=True) / np.maximum(n.sum(axis=1, keepdims=True), 1)
        squares = np.square(scores - mean * n).sum(axis=0)
        far += squares / max(float(squares.sum()), 1e-300)
    return float(far.sum() ** 2 / max(float(far @ far), 1e-300))


def _worth(correlation: float, scores: int, labels: int) -> float:
    gain = correlation**2 * scores / (scores + labels)
    return labels / (1 - gain) - labels


def _correlations(sums: Sums, with_label: np.ndarray) -> Floats:
    """The correlation of people's and the judge's deviations, document by document; then without each document."""
    n, y, f = (part[:, with_label] for part in (sums.labels, sums.people, sums.there))
    each = np.stack([n, y, f, y * y, f * f, y * f, n * y, n * f, n * n])
    whole = each.sum(axis=2, keepdims=True)
    left = np.concatenate([whole, whole - each], axis=2)
    count, people, there, yy, ff, yf, ny, nf, nn = left
    with np.errstate(invalid="ignore", divide="ignore"):
        my, mf = people / count, there / count
        products = (yf - my * nf - mf * ny + my * mf * nn) / count**2
        squares = (yy - 2 * my * ny + my**2 * nn) / count**2
        others = (ff - 2 * mf * nf + mf**2 * nn) / count**2
        parts = [np.where(count > 0, part, 0.0).sum(axis=0) for part in (products, squares, others)]
        found: Floats = parts[0] / np.sqrt(parts[1] * parts[2])
    return found
