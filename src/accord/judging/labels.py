"""How many human labels more, and which items next: for a wanted half-width, with a random part that keeps it valid."""

from collections.abc import Sequence

import numpy as np

from accord.judging.corrected import LEAST_DOCUMENTS, LEAST_LABELS, Corrected
from accord.judging.panel import Panel
from accord.noise import order_of
from accord.quantiles import stdtrit
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["Next", "labels_for", "labels_to_reach", "next_items"]

_MOST = 10_000_000


@dataclass(frozen=True, slots=True)
class Next(PlainData):
    """An item to label: drawn at ``random`` (it may enter the corrected mean), or ``targeted`` for what it shows."""

    item: str
    sampling: str
    why: str


def labels_for(one: Corrected, half_width: float) -> int | None:
    """Labels in all for an interval of the same level that reaches so far, spread over documents as they are now.

    The error falls with the root of the labels down to what the judge's own scores leave; None where it never gets
    there or where nothing is known yet.
    """
    if one.interval is None or not one.standard_error > 0 or half_width <= 0:
        return None
    return labels_to_reach(one.interval.width / 2, half_width, one.rated, one.freedom + 1, level=one.interval.level)


def labels_to_reach(reach: float, wanted: float, labels: int, documents: float, *, level: float) -> int | None:
    """Labels in all with which an interval reaches as far as wanted, where so many reach so far now; None if never.

    The error falls with the root of the labels, and t with the documents, which are labelled as densely as now.
    """
    if not reach > 0 or not wanted > 0:
        return None
    now = float(stdtrit(max(documents - 1, 1.0), (1 + level) / 2))

    def suffice(number: int) -> bool:
        freedom = max(number * documents / labels - 1, 1.0)
        shorter: float = reach * float(stdtrit(freedom, (1 + level) / 2)) / now * (labels / number) ** 0.5
        return shorter <= wanted

    few = most = max(labels, LEAST_LABELS)
    while not suffice(most):
        few, most = most, 2 * most
        if few > _MOST:
            return None
    while most - few > 1:
        middle = (few + most) // 2
        few, most = (few, middle) if suffice(middle) else (middle, most)
    return most


def next_items(panel: Panel, number: int, rng: np.random.Generator, others: Sequence[Panel] = ()) -> list[Next]:
    """Half at random, first of systems and documents with too few labels; half where the judge is most out of line.

    Out of line is far from the other judges where there are any, else far from its own mean.

    The second half must be marked ``sampling`` targeted when it comes back: it shows errors, and is no random sample.
    """
    free = np.flatnonzero(panel.counts == 0)
    if not len(free) or number < 1:
        return []
    random = _random(panel, free, max(1, -(-number // 2)), rng)
    left = panel.counts == 0
    left[random] = False
    rest = np.flatnonzero(left)
    targeted = _targeted(panel, rest, number - len(random), others)
    names = panel.names(np.concatenate([random, targeted]).astype(np.int64))
    own = "the judge's score is far from its mean in this system" if panel.ordered else "the judge seldom says so"
    odd = "the judges are far apart on it" if others else own
    why = ["drawn at random within its system"] * len(random) + [odd] * len(targeted)
    kinds = ["random"] * len(random) + ["targeted"] * len(targeted)
    return [Next(name, kind, reason) for name, kind, reason in zip(names, kinds, why, strict=True)]


def _random(panel: Panel, free: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """In turn from each system, the one with the fewest labels first; a new document each time while there are any."""
    system, names = panel.systems
    labels = np.bincount(system[panel.labelled], minlength=len(names)).astype(float)
    pools: list[list[int]] = [[] for _ in names]
    for one in sorted(range(len(names)), key=names.__getitem__):  # whichever system comes first in the rows
        pools[one] = rng.permutation(free[system[free] == one]).tolist()
    seen: list[set[int]] = [
        set(panel.cluster[panel.labelled[system[panel.labelled] == one]].tolist()) for one in range(len(names))
    ]
    chosen: list[int] = []
    while len(chosen) < number and any(pools):
        one = min((place for place, pool in enumerate(pools) if pool), key=lambda place: (labels[place], names[place]))
        fresh = next((item for item in pools[one] if int(panel.cluster[item]) not in seen[one]), None)
        few = len(seen[one]) < LEAST_DOCUMENTS
        item = fresh if fresh is not None and few else pools[one][0]
        pools[one].remove(item)
        seen[one].add(int(panel.cluster[item]))
        labels[one] += 1
        chosen.append(item)
    return np.array(chosen, dtype=np.int64)


def _targeted(panel: Panel, rest: np.ndarray, number: int, others: Sequence[Panel]) -> np.ndarray:
    if number < 1 or not len(rest):
        return np.empty(0, dtype=np.int64)
    if others:
        apart = np.max([_distance(panel, other) for other in others], axis=0)[rest]
        return np.asarray(rest[order_of(apart, highest=True)][:number])
    system, names = panel.systems
    many = np.maximum(np.bincount(system, minlength=len(names)), 1)
    if panel.ordered:
        means = np.bincount(system, panel.judge, len(names)) / many
        unusual = np.abs(panel.judge - means[system])[rest]
    else:
        # Labels have no distance: unusual is the one that the judge seldom gives in this system.
        cell = system * (int(panel.judge.max()) + 1) + panel.judge.astype(np.int64)
        unusual = -(np.bincount(cell)[cell] / many[system])[rest]
    return np.asarray(rest[order_of(unusual, highest=True)][:number])


def _distance(panel: Panel, other: Panel) -> np.ndarray:
    """How far another judge lies from this one on each item (1 for another label); 0 where it judged nothing."""
    place = np.minimum(np.searchsorted(other.items, panel.items), len(other.items) - 1)
    apart = np.abs(other.judge[place] - panel.judge)
    apart = apart if panel.ordered else (apart > 0).astype(float)
    return np.where(other.items[place] == panel.items, apart, 0.0)
