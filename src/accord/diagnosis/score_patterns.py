"""Clusters of score patterns: items or systems whose criteria are scored alike, and what they are good for."""

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, distinct, distinct_rows
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.noise import first_of, ordered
from accord.ratings.names import in_order
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = [
    "Cluster", "Clustering", "TaskAssociation", "mean_scores", "score_patterns", "task_association", "unit_labels",
]  # fmt: skip

_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster(PlainData):
    """Units that are scored alike: how many, some of their names, and their mean score on each criterion."""

    number: int
    size: int
    members: tuple[str, ...]
    means: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """All clusters, the best scored first. ``labels`` gives each unit its cluster; ``silhouette`` is how well apart
    they lie, from -1 to 1: below 0.25 there is hardly a structure."""

    unit: str
    criteria: tuple[str, ...]
    clusters: tuple[Cluster, ...]
    labels: dict[str, int]
    silhouette: float
    left_out: int


def score_patterns(ratings: Ratings, *, unit: str = "item", clusters: int = 0) -> Clustering:
    """Ward's clusters of the mean scores of each unit on all criteria, each criterion standardised.

    ``clusters`` 0 takes the number from two to six that lies furthest apart (silhouette). Units without a
    score on some criterion are left out and counted.
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import pdist, squareform

    names, criteria, table = mean_scores(ratings, unit)
    complete = np.asarray(~np.isnan(table).any(axis=1))
    units, scores = [name for name, ok in zip(names, complete, strict=True) if ok], table[complete]
    if len(units) < 4:
        raise NotEnoughDataError(
            f"Only {len(units)} {unit}s have a score on every criterion: clusters need at least four."
        )
    if len(units) > _MOST:
        raise NotEnoughDataError(f"{len(units):,} {unit}s are too many to compare each with each; choose some first.")
    if clusters and not 2 <= clusters < len(units):
        raise OptionError(
            f"{clusters} clusters of {len(units)} {unit}s: ask for 2 to {len(units) - 1}, or 0 to choose."
        )
    spread = scores.std(axis=0)
    if not (spread > 0).any():
        raise NotEnoughDataError(f"All {unit}s have the same scores: there are no patterns to tell apart.")
    distances = pdist((scores - scores.mean(axis=0)) / np.where(spread > 0, spread, 1))
    tree, square = linkage(distances, method="ward"), squareform(distances)
    tried = [clusters] if clusters else list(range(2, min(6, len(units) - 1) + 1))
    cut = {count: fcluster(tree, count, criterion="maxclust") for count in tried}
    best = first_of(tried, lambda count: _silhouette(square, cut[count]), highest=True)
    return _clustering(
        unit, criteria, units, scores, cut[best], _silhouette(square, cut[best]), len(names) - len(units)
    )


def mean_scores(ratings: Ratings, unit: str) -> tuple[list[str], tuple[str, ...], Floats]:
    """Units x criteria: mean scores, nan where there is none."""
    if unit not in ("item", "rater") and unit not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none"
        raise ColumnError(f"There is no column {unit!r} whose scores could be clustered. Columns: item, {known}.")
    columns, criteria = [], []
    names = list(ratings.factor(unit).names)
    place = {name: at for at, name in enumerate(names)}
    for group in ratings.split():
        part = group.ratings
        if not part.level.has_order:
            continue
        factor = part.factor(unit)
        rows = factor.codes >= 0
        counts = np.bincount(factor.codes[rows], minlength=len(factor.names)).astype(float)
        counts[counts == 0] = np.nan
        means = np.bincount(factor.codes[rows], weights=part.scores[rows], minlength=len(factor.names)) / counts
        column = np.full(len(names), np.nan)
        column[[place[name] for name in factor.names]] = means
        columns.append(column)
        criteria.append(group.by.get("criterion") or "score")
    if not columns:
        raise NotEnoughDataError("Clusters of scores need at least one criterion whose values have an order.")
    return names, tuple(criteria), np.stack(columns, axis=1)


def _silhouette(square: Floats, labels: NDArray[np.integer]) -> float:
    """Mean over units of (nearest other cluster - own cluster) / the larger of the two distances."""
    kinds = distinct(labels)
    if len(kinds) < 2:
        return -1.0
    within = np.stack([square[:, labels == kind].mean(axis=1) for kind in kinds], axis=1)
    sizes = np.array([(labels == kind).sum() for kind in kinds])
    own = np.searchsorted(kinds, labels)
    rows = np.arange(len(labels))
    size = sizes[own]
    a = within[rows, own] * size / np.maximum(size - 1, 1)
    others = within.copy()
    others[rows, own] = np.inf
    b = others.min(axis=1)
    value = np.where(size > 1, (b - a) / np.maximum(np.maximum(a, b), 1e-300), 0.0)
    return float(value.mean())


def _clustering(
    unit: str, criteria: tuple[str, ...], units: list[str], scores: Floats, labels: NDArray[np.integer],
    silhouette: float, left_out: int,
) -> Clustering:  # fmt: skip
    order = ordered(distinct(labels), lambda kind: float(scores[labels == kind].mean()), highest=True)
    number = {int(kind): place + 1 for place, kind in enumerate(order)}
    clusters = tuple(
        Cluster(
            number=number[int(kind)],
            size=int((labels == kind).sum()),
            members=tuple(name for name, label in zip(units, labels, strict=True) if label == kind)[:12],
            means=dict(zip(criteria, scores[labels == kind].mean(axis=0).tolist(), strict=True)),
        )
        for kind in order
    )
    named = {name: number[int(label)] for name, label in zip(units, labels, strict=True)}
    return Clustering(
        unit=unit, criteria=criteria, clusters=clusters, labels=named, silhouette=silhouette, left_out=left_out
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAssociation:
    """Clusters against a column such as the task an output was good enough for: counts, Cramér's V and its p.

    ``shares`` gives for each name of the column the share of each cluster; ``p`` is by permutation of the units.
    """

    column: str
    names: tuple[str, ...]
    counts: dict[int, dict[str, int]]
    cramers_v: float
    p: float
    units: int


def task_association(
    ratings: Ratings, clustering: Clustering, column: str, rng: np.random.Generator, *, permutations: int = 5_000
) -> TaskAssociation:
    """Whether what can be done with an output (or any other label of it) goes with its score pattern."""
    label = unit_labels(ratings, clustering.unit, column)
    shared = in_order([name for name in clustering.labels if name in label])
    names = tuple(sorted({label[name] for name in shared}))
    if len(names) < 2:
        raise NotEnoughDataError(f"The column {column!r} has fewer than two names among the clustered units.")
    rows = np.array([clustering.labels[name] - 1 for name in shared])
    columns = np.array([names.index(label[name]) for name in shared])
    shape = (len(clustering.clusters), len(names))
    observed = _chi_square(rows, columns, shape)
    drawn = np.array([_chi_square(rows, rng.permutation(columns), shape) for _ in range(permutations)])
    table = np.zeros(shape, dtype=np.int64)
    np.add.at(table, (rows, columns), 1)
    least = max(1, min(distinct(rows).size, distinct(columns).size) - 1)
    return TaskAssociation(
        column=column,
        names=names,
        units=len(shared),
        cramers_v=float(np.sqrt(observed / (len(shared) * least))),
        counts={at + 1: dict(zip(names, map(int, row), strict=True)) for at, row in enumerate(table)},
        p=float((1 + (drawn >= observed - 1e-9).sum()) / (1 + permutations)),
    )


def unit_labels(ratings: Ratings, unit: str, column: str) -> dict[str, str]:
    """What a column says of each unit; an error names a unit of which it says two things."""
    if column not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none"
        raise ColumnError(f"There is no column {column!r} to set against the scores. Columns: {known}.")
    factor, units = ratings.columns[column], ratings.factor(unit)
    known_rows = (units.codes >= 0) & (factor.codes >= 0)
    pairs = distinct_rows([units.codes[known_rows], factor.codes[known_rows]])
    label: dict[str, str] = {}
    for code, name in pairs:
        before = label.setdefault(str(units.names[code]), str(factor.names[name]))
        if before != factor.names[name]:
            raise OptionError(
                f"The {unit} {units.names[code]!r} has more than one {column!r} ({before} and {factor.names[name]}); "
                f"one is needed for each {unit}."
            )
    return label


def _chi_square(rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]) -> float:
    table = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float((np.square(table - expected)[expected > 0] / expected[expected > 0]).sum())
