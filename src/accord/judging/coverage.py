"""Does the human sample cover what the judge scored? Where it does not, no score of the judge can be corrected."""

import numpy as np

from accord.arrays import Floats, distinct
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import listed, steady

__all__ = ["Gap", "gaps_of"]

_GROUPS = ("system", "language_pair", "domain", "scenario", "prompt", "rubric", "version")
_SHIFT, _P = 0.3, 0.01
_BEYOND, _MOST = 0.2, 0.5
_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Gap(PlainData):
    """What people did not label; ``refuses`` says that a corrected mean over all items would be a guess.

    ``systems`` are those that have no label at all.
    """

    words: str
    refuses: bool
    systems: tuple[str, ...] = ()


def gaps_of(panel: Panel) -> list[Gap]:
    """Everything that keeps the human sample from standing for the rest."""
    labelled = panel.counts > 0
    if labelled.all():
        return []
    return [*_groups(panel, labelled), *_shift(panel, labelled), *_beyond(panel, labelled)]


def _groups(panel: Panel, labelled: np.ndarray) -> list[Gap]:
    found = []
    for column in _GROUPS:
        told = panel.column(column)
        if told is None:
            continue
        codes, names = told
        total = np.bincount(codes[codes >= 0], minlength=len(names))
        some = np.bincount(codes[(codes >= 0) & labelled], minlength=len(names))
        bare = np.flatnonzero((total > 0) & (some == 0))
        if not len(bare):
            continue
        share = float(total[bare].sum() / len(codes))
        who = listed([names[int(code)] for code in bare[:5]]) + (f" and {len(bare) - 5} more" if len(bare) > 5 else "")
        words = (
            f"People labelled nothing of the {column.replace('_', ' ')} {who}, which is {steady(share):.0%} of what "
            f"{panel.name} scored. How it errs there is not known."
        )
        systems = tuple(names[int(code)] for code in bare) if column == "system" else ()
        found.append(Gap(words, share > _SHARE, systems))
    return found


def _shift(panel: Panel, labelled: np.ndarray) -> list[Gap]:
    """Whether the judge scores the labelled items otherwise than the rest of the same system."""
    if not panel.ordered:
        return []
    system, names = panel.systems
    centred = panel.judge - _means(panel.judge, system, len(names))
    spread = float(centred.std())
    if not spread > 0 or labelled.sum() < 10:
        return []
    gap, error, units = _contrast(panel, centred, labelled)
    from accord.quantiles import stdtr

    p = float(2 * stdtr(max(units - 1, 1), -abs(gap) / error)) if error > 0 else 1.0
    if p >= _P or abs(gap) < _SHIFT * spread:
        return []
    here, there = panel.judge[labelled].mean(), panel.judge[~labelled].mean()
    words = (
        f"{panel.name} gives the items that people labelled {steady(here):.2f} on average and the rest "
        f"{steady(there):.2f} "
        f"({steady(abs(gap) / spread):.1f} standard deviations apart, p {p:.2g}): they were not drawn at random."
    )
    return [Gap(words, True)]


def _means(values: Floats, group: np.ndarray, groups: int) -> Floats:
    total = np.bincount(group, values, groups) / np.maximum(np.bincount(group, minlength=groups), 1)
    return np.asarray(total[group])


def _contrast(panel: Panel, values: Floats, first: np.ndarray) -> tuple[float, float, int]:
    """Mean of the first minus mean of the rest, with its error over documents."""
    here, there = float(values[first].mean()), float(values[~first].mean())
    pull = np.where(first, (values - here) / first.sum(), -(values - there) / (~first).sum())
    sums = by_cluster(pull[:, None], panel.cluster, int(panel.cluster.max()) + 1)[:, 0]
    units = len(distinct(panel.cluster[first]))
    return here - there, float(np.sqrt(sums @ sums * units / max(units - 1, 1))), units


def _beyond(panel: Panel, labelled: np.ndarray) -> list[Gap]:
    """Scores and lengths that lie beyond all that people labelled."""
    found = []
    numbers = {"score of the judge": panel.judge if panel.ordered else None, "length": panel.lengths}
    for name, values in numbers.items():
        if values is None or labelled.sum() < 10 or np.isnan(values).any():
            continue
        low, high = values[labelled].min(), values[labelled].max()
        outside = float(((values[~labelled] < low) | (values[~labelled] > high)).mean())
        if outside > _BEYOND:
            words = (
                f"{steady(outside):.0%} of the other items have a {name} that no labelled item has "
                f"(labelled: {low:g} to {high:g}; all: {values.min():g} to {values.max():g})."
            )
            found.append(Gap(words, outside > _MOST))
    return found
