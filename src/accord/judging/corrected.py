r"""What many scores of a judge say once few human labels correct them: prediction-powered means (PPI++).

.. math:: \hat\theta = \bar y_l + \lambda (\bar f_u - \bar f_l)

with people's mean score y of the labelled items l, and the judge's score f of the labelled and of all other items u.
Any :math:`\lambda` is right on average; the best one makes the error least, and a judge who knows nothing gets none.

Items of one document are alike, so documents are what varies. All that is needed of a document and a system are five
sums, so a million scores become one small table. The error comes from leaving out each labelled document in turn,
with :math:`\lambda` chosen anew; it is never less than if two labels more had been off by one step of the scale.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.judging.reach import Reach, Side
from accord.records import dataclass
from accord.words import counted, steady

__all__ = [
    "LEAST_DOCUMENTS",
    "LEAST_LABELS",
    "Corrected",
    "Correction",
    "Sums",
    "corrected",
    "difference",
    "independent_mean",
    "without_interval",
]

LEAST_LABELS = 10
"""Human labels of a system below which no interval was found to hold as often as it says."""
LEAST_DOCUMENTS = 5
"""Documents with labels below which no interval is given."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the items of each system (rows) and document (columns).

    ``labels`` counts items that people and judge scored, ``people`` and ``there`` are the sums of their scores;
    ``others`` counts items of the judge alone, ``elsewhere`` is the sum of its scores of these. ``step`` is the
    smallest step of the scale, ``ends`` are its ends where it has any.
    """

    labels: Floats
    people: Floats
    there: Floats
    others: Floats
    elsewhere: Floats
    step: float = 0.0
    unit: str = "documents"
    ends: tuple[float, float] | None = None

    @classmethod
    def of(
        cls,
        system: Integers,
        document: Integers,
        people: Floats,
        judge: Floats,
        *,
        step: float = 0.0,
        unit: str = "documents",
        ends: tuple[float, float] | None = None,
    ) -> "Sums":
        """Of items, one place each; ``people`` is nan where nobody but the judge scored it."""
        systems, documents = int(system.max()) + 1, int(document.max()) + 1
        cell = system.astype(np.int64) * documents + document
        known = ~np.isnan(people)

        def summed(rows: np.ndarray, weights: Floats | None = None) -> Floats:
            found = np.bincount(cell[rows], None if weights is None else weights[rows], systems * documents)
            return found.reshape(systems, documents).astype(np.float64)

        return cls(
            summed(known),
            summed(known, people),
            summed(known, judge),
            summed(~known),
            summed(~known, judge),
            step,
            unit,
            ends,
        )

    def together(self) -> "Sums":
        """All systems as one."""
        labels, people, there, others, elsewhere = (
            part.sum(axis=0, keepdims=True)
            for part in (self.labels, self.people, self.there, self.others, self.elsewhere)
        )
        return Sums(labels, people, there, others, elsewhere, self.step, self.unit, self.ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A corrected mean or difference; ``interval`` is missing where ``refused`` says why."""

    mean: float
    standard_error: float
    freedom: float
    interval: Interval | None
    weight: float
    people_only: float
    people_error: float
    judge_only: float
    rated: int
    judged: int
    documents: int
    refused: str = ""
    p: float = float("nan")
    """Of a difference: one less the level of the narrowest of its intervals that reaches 0."""

    def to_dict(self) -> dict[str, object]:
        return {
            "mean": self.mean,
            "standard_error": self.standard_error,
            "degrees_of_freedom": self.freedom,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "weight": self.weight,
            "people_only": self.people_only,
            "people_only_error": self.people_error,
            "judge_only": self.judge_only,
            "rated": self.rated,
            "judged": self.judged,
            "documents": self.documents,
            "refused": self.refused,
        }


@dataclass(frozen=True)
class Left:
    """Means of every system, whole and with each labelled document left out (rows), and what varies beside these."""

    whole: Floats
    left_out: Floats
    weight: float
    beside: Floats
    labels: Floats
    labelled: Floats
    freedom: Floats

    @cached_property
    def elsewhere(self) -> Floats:
        """How documents without labels make the means vary, and together: systems x systems."""
        documents = self.beside.shape[1]
        return np.asarray(documents / max(documents - 1, 1) * (self.beside @ self.beside.T))

    @cached_property
    def own(self) -> Floats:
        """The variance of each system's mean times its labels; nan where it has labels in one document or none."""
        each = [
            _variance(self, one) * self.labels[place] if self.labelled[place] >= 2 else np.nan
            for place, one in enumerate(np.eye(len(self.whole)))
        ]
        return np.array(each)

    @cached_property
    def skewness(self) -> float:
        """How lopsided documents pull at the means, over all systems: of one system there are too few to tell."""
        pulls = self.whole[:, None] - self.left_out
        known = np.where(np.isfinite(pulls), pulls, 0.0)
        n = self.labelled
        with np.errstate(invalid="ignore", divide="ignore"):
            second, third = (np.power(known, power).sum(axis=1) / n for power in (2, 3))
            each = third / second**1.5 * np.sqrt(n * (n - 1)) / (n - 2)
        told = each[(n >= 3) & np.isfinite(each)]
        return float(told.mean()) if len(told) else 0.0


@dataclass(frozen=True)
class Correction:
    """All that is said about systems from one set of sums."""

    sums: Sums
    level: float = 0.95

    @cached_property
    def _made(self) -> Left:
        return left_out(self.sums)

    @cached_property
    def _plain(self) -> Left:
        return left_out(self.sums, weight=0.0)

    def system(self, place: int) -> Corrected:
        """The corrected mean of one system."""
        return self._of({place: 1.0})

    def difference(self, first: int, second: int) -> Corrected:
        """First minus second; documents that both share make it a paired one."""
        return self._of({first: 1.0, second: -1.0})

    def overall(self) -> Corrected:
        """All systems, each with the share of the items that the judge scored."""
        judged = (self.sums.labels + self.sums.others).sum(axis=1)
        if len(judged) == 1 or (self._made.labelled < 2).any():
            # A system without a label of its own cannot be weighed in: whoever asks is told by the coverage check.
            together = Correction(self.sums.together(), self.level)
            return together.system(0)
        return self._of(dict(enumerate(judged / judged.sum())))

    def _of(self, contrast: Mapping[int, float]) -> Corrected:
        weights = np.zeros(len(self._made.whole))
        weights[list(contrast)] = list(contrast.values())
        return _corrected_of(self.sums, self._made, self._plain, weights, self.level)


def corrected(sums: Sums, *, level: float = 0.95) -> list[Corrected]:
    """The corrected mean of each system."""
    made = Correction(sums, level)
    return [made.system(place) for place in range(len(sums.labels))]


def difference(sums: Sums, first: int, second: int, *, level: float = 0.95) -> Corrected:
    """The corrected difference of two systems, first minus second."""
    return Correction(sums, level).difference(first, second)


def left_out(sums: Sums, weight: float | None = None) -> Left:
    """Every mean as it is and without each labelled document; ``weight`` None is the best, 0 is people alone."""
    with_label = sums.labels.sum(axis=0) > 0
    parts = [part[:, with_label] for part in (sums.labels, sums.people, sums.there, sums.others, sums.elsewhere)]
    totals = [
        sums.labels.sum(axis=1),
        sums.people.sum(axis=1),
        sums.there.sum(axis=1),
        sums.others.sum(axis=1),
        sums.elsewhere.sum(axis=1),
    ]
    own = _best_weight(parts, totals) if weight is None else weight
    whole = _mean(totals, own)
    rest = [total[:, None] - part for total, part in zip(totals, parts, strict=True)]
    weights = _weights_left_out(parts, totals) if weight is None else np.full(rest[0].shape[1], own)
    without = _mean(rest, weights[None, :])
    beside = _beside(sums, with_label, own)
    documents = np.square(totals[0]) / np.maximum(np.square(parts[0]).sum(axis=1), 1e-300)
    return Left(
        whole, without, own, beside, totals[0], (parts[0] > 0).sum(axis=1).astype(float), np.maximum(documents - 1, 1.0)
    )


def _mean(parts: list[Floats], weight: Floats | float) -> Floats:
    labels, people, there, others, elsewhere = parts
    with np.errstate(invalid="ignore", divide="ignore"):
        more = np.where(others > 0, elsewhere / others - there / labels, 0.0)
        found: Floats = people / labels + weight * more
    return found


def _moments(labels: Floats, people: Floats, there: Floats) -> Floats:
    """Of each document, what the best weight is made of."""
    return np.stack([people * there, there * there, labels * people, labels * there, labels * labels])


def _slope(moments: Floats, labels: Floats, people: Floats, there: Floats, others: Floats) -> Floats:
    r"""The weight that makes the error of all systems least: documents' deviations of people on those of the judge.

    :math:`\sum_s \sum_d a_{sd} b_{sd} / n_s^2` over :math:`\sum_s \sum_d b_{sd}^2 / n_s^2`, times
    :math:`N / (N + n)` as the judge's mean elsewhere varies too. A judge who goes against people gets none.
    """
    cross, square, with_people, with_judge, count = moments
    with np.errstate(invalid="ignore", divide="ignore"):
        y, f = people / labels, there / labels
        known = labels > 0
        products = np.where(known, (cross - y * with_judge - f * with_people + y * f * count) / labels**2, 0).sum(0)
        squares = np.where(known, (square - 2 * f * with_judge + f * f * count) / labels**2, 0).sum(0)
        found = np.where(squares > 1e-12, products / squares, 0.0)
    share = others.sum(axis=0) / np.maximum(others.sum(axis=0) + labels.sum(axis=0), 1)
    slopes: Floats = np.maximum(found, 0.0) * share
    return slopes


def _best_weight(parts: list[Floats], totals: list[Floats]) -> float:
    moments = _moments(*parts[:3]).sum(axis=2)[:, :, None]
    labels, people, there, others, _ = (total[:, None] for total in totals)
    return float(_slope(moments, labels, people, there, others)[0])


def _weights_left_out(parts: list[Floats], totals: list[Floats]) -> Floats:
    each = _moments(*parts[:3])
    rest = each.sum(axis=2, keepdims=True) - each
    labels, people, there, others = (total[:, None] - part for total, part in zip(totals[:4], parts[:4], strict=True))
    return _slope(rest, labels, people, there, others)


def _beside(sums: Sums, with_label: np.ndarray, weight: float) -> Floats:
    """What each document without labels adds to each system's mean: systems x documents."""
    others, elsewhere = sums.others[:, ~with_label], sums.elsewhere[:, ~with_label]
    count = sums.others.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.elsewhere.sum(axis=1, keepdims=True) / count
        pulls: Floats = np.where(count > 0, weight * (elsewhere - mean * others) / count, 0.0)
    return pulls


def _variance(made: Left, contrast: Floats) -> float:
    """The jackknife over labelled documents, and what documents without labels add."""
    used = np.flatnonzero(contrast)
    change = contrast[used] @ (made.left_out[used] - made.whole[used][:, None])
    change = np.where(np.isfinite(change), change, 0.0)
    joined = len(used) > 1 and (contrast >= 0).all()
    documents = made.left_out.shape[1] if joined else made.labelled[used].min()
    more = float(contrast[used] @ made.elsewhere[np.ix_(used, used)] @ contrast[used])
    return float((documents - 1) / documents * (change @ change) + more)


def _floor(step: float, labels: float) -> float:
    """The variance of a share of which none was seen, Agresti and Coull's, in steps of the scale."""
    share = 2 / (labels + 4)
    return step**2 * share * (1 - share) / (labels + 4)


def _corrected_of(sums: Sums, made: Left, plain: Left, contrast: Floats, level: float) -> Corrected:
    used = np.flatnonzero(contrast)
    refused = _refusal(made, contrast, sums.unit)
    mean = float(contrast[used] @ made.whole[used])
    variance = people = p = float("nan")
    interval = None
    freedom = float(made.freedom[used].min())
    if not refused:
        variance, people = (_floored(sums, one, contrast) for one in (made, plain))
        reach = Reach(_spread(sums, made, contrast, variance), variance, float(made.labelled[used].min()), sums.ends)
        down, up = reach.at(level)
        p = reach.p(mean) if len(reach.sides) > 1 else p
        shape = ", Willink" if sums.ends is None else ", Wilson"
        method = f"PPI++, jackknife over {sums.unit}, t({steady(freedom):.3g}){shape}"
        low, high = _within(sums, contrast, mean - down, mean + up)
        interval = Interval(low=low, high=high, level=level, method=method)
    judge = (sums.there + sums.elsewhere).sum(axis=1) / np.maximum((sums.labels + sums.others).sum(axis=1), 1)
    return Corrected(
        mean=mean,
        standard_error=variance**0.5,
        freedom=freedom,
        interval=interval,
        weight=made.weight,
        people_only=float(contrast[used] @ plain.whole[used]),
        people_error=people**0.5,
        judge_only=float(contrast[used] @ judge[used]),
        rated=int(_fewest(made.labels, contrast)),
        documents=int(made.left_out.shape[1] if (contrast >= 0).all() and len(used) > 1 else made.labelled[used].min()),
        judged=int(_fewest((sums.labels + sums.others).sum(axis=1), contrast)),
        refused=refused,
        p=p,
    )


def _within(sums: Sums, contrast: Floats, low: float, high: float) -> tuple[float, float]:
    """No mean lies beyond the ends of its scale, and no difference beyond the width of it."""
    if sums.ends is None:
        return low, high
    width = sums.ends[1] - sums.ends[0]
    least, most = sums.ends if (contrast >= 0).all() else (-width, width)
    return min(max(low, least), most), min(max(high, least), most)


def _fewest(counts: Floats, contrast: Floats) -> float:
    """How many stand behind a mean of systems, or behind the weaker side of a difference."""
    used = np.flatnonzero(contrast)
    return float(counts[used].sum() if (contrast >= 0).all() else counts[used].min())


def _floored(sums: Sums, made: Left, contrast: Floats) -> float:
    """The variance, not less than steps of the scale allow; that of one system borrows half from all of them."""
    used = np.flatnonzero(contrast)
    found = _variance(made, contrast)
    if len(used) == 1 and len(made.whole) > 1:
        each = made.own[~np.isnan(made.own)]
        found = max(found, (found + float(each.mean()) / float(made.labels[used[0]])) / 2) if len(each) else found
    least = sum(float(contrast[one]) ** 2 * _floor(sums.step, float(made.labels[one])) for one in used)
    return float(max(found, least))


def _spread(sums: Sums, made: Left, contrast: Floats, variance: float) -> tuple[Side, ...]:
    """What the interval is made of: one mean, or the two of a difference."""
    used = np.flatnonzero(contrast)
    if (contrast >= 0).all():
        freedom = float(made.freedom[used].min()) if len(used) == 1 else float(made.freedom[used].max())
        return (Side(float(contrast[used] @ made.whole[used]), variance, freedom, made.skewness),)
    # The first system has the contrast 1, the second -1.
    first, second = int(contrast.argmax()), int(contrast.argmin())
    own = np.eye(len(made.whole))
    return tuple(
        Side(float(made.whole[one]), _floored(sums, made, own[one]), float(made.freedom[one]), made.skewness)
        for one in (first, second)
    )


def _refusal(made: Left, contrast: Floats, unit: str) -> str:
    used = np.flatnonzero(contrast)
    joined = len(used) > 1 and (contrast >= 0).all()
    labels = int(made.labels[used].sum() if joined else made.labels[used].min())
    documents = made.left_out.shape[1] if joined else int(made.labelled[used].min())
    if labels < LEAST_LABELS:
        return f"{counted(labels, 'human label')}, and an interval needs {LEAST_LABELS}"
    if documents < LEAST_DOCUMENTS:
        return f"human labels in {counted(documents, unit.removesuffix('s'))}, and an interval needs {LEAST_DOCUMENTS}"
    return ""


def independent_mean(people: Floats, judge_there: Floats, judge_elsewhere: Floats, *, level: float = 0.95) -> Corrected:
    r"""PPI++ as published, for items that have nothing to do with each other and normal quantiles.

    :math:`\lambda = \mathrm{cov}(y, f_l) / ((1 + n/N)\,\mathrm{var} f)`, kept between 0 and 1; the same numbers as
    ``ppi_mean_ci`` of ppi-python. With few labels or documents :func:`corrected` holds what it says, and this does not.
    """
    from accord.quantiles import ndtri

    y, f, u = (np.asarray(scores, dtype=np.float64) for scores in (people, judge_there, judge_elsewhere))
    if len(y) != len(f):
        raise OptionError(f"People rated {len(y)} items, the judge {len(f)}: give both scores of the same items.")
    if len(y) < 3 or len(u) < 1:
        raise NotEnoughDataError(
            "The correction needs three items that people and judge rated, and some of the judge alone."
        )
    everything = np.concatenate([f, u])
    spread = float(everything.var(ddof=1))
    together = float(np.mean((y - y.mean()) * (f - f.mean())))
    weight = min(max(together / (spread * (1 + len(y) / len(u))), 0.0), 1.0) if spread > 0 else 0.0
    mean = float(y.mean() + weight * (u.mean() - f.mean()))
    error = float(np.sqrt((y - weight * f).var() / len(y) + weight**2 * u.var() / len(u)))
    reach = float(ndtri((1 + level) / 2)) * error
    interval = Interval(low=mean - reach, high=mean + reach, level=level, method="PPI++, items alone, normal")
    return Corrected(
        mean=mean,
        standard_error=error,
        freedom=float("inf"),
        interval=interval,
        weight=weight,
        people_only=float(y.mean()),
        people_error=float(y.std() / np.sqrt(len(y))),
        judge_only=float(everything.mean()),
        rated=len(y),
        judged=len(everything),
        documents=len(y),
    )


def without_interval(one: Corrected, reason: str) -> Corrected:
    """The same where something else forbids an interval."""
    return replace(one, interval=None, refused=reason)
