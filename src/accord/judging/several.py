"""Several judges: do they err together, how many are they worth, and is a panel better than the best of them?"""

from collections.abc import Sequence

import numpy as np

from accord.arrays import Floats
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.noise import order_of
from accord.quantiles import stdtr
from accord.records import dataclass

__all__ = ["JudgePanel", "together"]

_LEAST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePanel:
    """Judges on the items that all of them and people rated.

    ``error`` is each judge's root mean square distance from people's mean, ``weights`` what each would get in the best
    mean of them, ``correlation`` the mean correlation of their errors once people's own noise is taken off, ``worth``
    the effective number n / (1 + (n - 1) r). ``panel_error`` and ``best_error`` are of the plain mean of all judges
    and of the best one; ``p`` tests their difference over documents.
    """

    judges: tuple[str, ...]
    items: int
    error: tuple[float, ...]
    weights: tuple[float, ...]
    correlation: float
    worth: float
    best: str
    best_error: float
    panel_error: float
    p: float

    def to_dict(self) -> dict[str, object]:
        return {
            "judges": [
                {"judge": name, "error": error, "weight": weight}
                for name, error, weight in zip(self.judges, self.error, self.weights, strict=True)
            ],
            "items": self.items,
            "correlation": self.correlation,
            "effective_number": self.worth,
            "best": self.best,
            "best_error": self.best_error,
            "panel_error": self.panel_error,
            "p": self.p,
        }


def together(panels: Sequence[Panel]) -> JudgePanel | None:
    """The judges of these panels on shared labelled items; None where there are too few, or labels without an order."""
    if len(panels) < 2 or not panels[0].ordered:
        return None
    shared = panels[0].items[panels[0].labelled]
    for panel in panels[1:]:
        shared = np.intersect1d(shared, panel.items[panel.labelled])
    if len(shared) < _LEAST:
        return None
    first = panels[0]
    place = np.searchsorted(first.items, shared)
    scores = np.stack([panel.judge[np.searchsorted(panel.items, shared)] for panel in panels])
    people = first.mean[place]
    # A constant shift is no error of order: it is told as severity, and taken off here.
    errors = scores - people
    errors = errors - errors.mean(axis=1, keepdims=True)
    covariance = np.cov(errors) - _noise(first, place)
    spread = np.sqrt(np.maximum(np.diag(covariance), 1e-9))
    matrix = np.clip(covariance / np.outer(spread, spread), -1, 1)
    judges = len(panels)
    rho = float((matrix.sum() - np.trace(matrix)) / (judges * (judges - 1)))
    worth = judges / (1 + (judges - 1) * max(rho, -1 / judges))
    distance = np.sqrt(np.square(errors).mean(axis=1))
    best = int(order_of(distance, [panel.name for panel in panels])[0])
    mean = errors.mean(axis=0)
    change = np.square(mean) - np.square(errors[best])
    cluster = np.unique(first.cluster[place], return_inverse=True)[1]
    return JudgePanel(
        judges=tuple(panel.name for panel in panels),
        items=len(shared),
        error=tuple(distance.tolist()),
        weights=tuple(_weights(covariance).tolist()),
        correlation=rho,
        worth=min(float(worth), float(judges)),
        best=panels[best].name,
        best_error=float(distance[best]),
        panel_error=float(np.sqrt(np.square(mean).mean())),
        p=_p(change, cluster),
    )


def _noise(panel: Panel, place: np.ndarray) -> float:
    """The variance of people's mean around what all people would say; 0 where one person rated each item."""
    squares = np.bincount(panel.item, np.square(panel.value), len(panel.items))[place]
    counts, mean = panel.counts[place], panel.mean[place]
    several = counts >= 2
    if not several.any():
        return 0.0
    within = (squares - counts * mean**2)[several].sum() / (counts[several] - 1).sum()
    return float(within * np.mean(1 / counts))


def _weights(covariance: Floats) -> Floats:
    """Those that make the error of a weighted mean least, none below 0."""
    judges = len(covariance)
    used = np.arange(judges)
    ridge = 0.05 * float(np.trace(covariance)) / judges
    while True:
        own = covariance[np.ix_(used, used)] + max(ridge, 1e-9) * np.eye(len(used))
        solved = np.linalg.solve(own, np.ones(len(used)))
        if len(used) == 1 or (solved > 0).all():
            break
        used = used[solved > solved.min()]
    weights = np.zeros(judges)
    weights[used] = solved / solved.sum()
    return weights


def _p(change: Floats, cluster: np.ndarray) -> float:
    documents = int(cluster.max()) + 1
    if documents < 5:
        return float("nan")
    sums = by_cluster((change - change.mean())[:, None], cluster, documents)[:, 0]
    error = float(np.sqrt(sums @ sums * documents / (documents - 1))) / len(change)
    return float(2 * stdtr(documents - 1, -abs(change.mean()) / error)) if error > 0 else float("nan")
