"""How scores of the same items differ between two scenarios: the distribution, and each item (paper 004)."""

from dataclasses import replace

import numpy as np

from accord.arrays import distinct
from accord.comparisons.misevaluation import paired_scores
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.inference.intervals import t_interval
from accord.inference.jackknife import jackknife_of
from accord.inference.multiple import adjusted
from accord.inference.pseudo_items import effective_units
from accord.noise import ordered
from accord.quantiles import stdtr
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.words import spelled, steady

__all__ = ["ItemShift", "ScoreShift", "score_shifts"]

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class ItemShift:
    """The mean score of one item in both scenarios."""

    item: str
    first: float
    second: float

    @property
    def change(self) -> float:
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class ScoreShift:
    """One criterion: what share of the ratings each value takes in each scenario, and how items move.

    ``change`` is the mean over items of second minus first. Where documents are named, interval and p ask about other
    documents (each left out in turn, t); else about other items (t, and Wilcoxon's signed-rank test); ``method`` says
    so. ``rose`` and ``fell`` count items, ``items`` has the largest moves first.
    """

    criterion: str
    first: str
    second: str
    values: tuple[str, ...]
    shares: dict[str, tuple[float, ...]]
    change: float
    interval: Interval | None
    p: float
    rose: int
    fell: int
    absolute: float
    items: tuple[ItemShift, ...]
    method: str = ""
    adjusted: float | None = None
    """p after Holm's correction over criteria."""
    direction: Direction = Direction.UNKNOWN
    """Which end of the scale is good: a rise of errors is no gain."""

    @property
    def verdict(self) -> str:
        """Which scenario has the better scores, where interval and p leave no doubt and the good end is known."""
        if not self.direction.is_known or not self.is_shown:
            return ""
        return f"{'better' if self.direction.sign * self.change > 0 else 'worse'} in {self.second}"

    @property
    def is_shown(self) -> bool:
        """Whether scores as a whole are shown to move: interval and p both say so, p after correction."""
        if self.interval is None or self.interval.low <= 0 <= self.interval.high:
            return False
        return (self.p if self.adjusted is None else self.adjusted) < 1 - self.interval.level

    @property
    def words(self) -> str:
        """Whether the mean is shown to move, and apart from that how many items do."""
        share = (self.rose + self.fell) / max(len(self.items), 1)
        moving = (
            f"{steady(share):.0%} of {len(self.items)} items move, by {steady(self.absolute):.2f} on average over all"
        )
        if self.interval is None:
            return f"not tested; {moving}"
        if not self.is_shown:
            return f"no shift of the mean is shown; {moving}"
        told = (
            f"scores {'rise' if self.change > 0 else 'fall'} by {steady(abs(self.change)):.2f} in {self.second}; "
            f"{moving}"
        )
        return f"{told}; {self.verdict} on average" if self.verdict else told


def score_shifts(
    ratings: Ratings, *, first: str, second: str, scenario: str = "scenario", confidence: float = 0.95
) -> tuple[ScoreShift, ...]:
    """Every ordered criterion whose items were rated in both scenarios; items that check the rater do not count."""
    ratings = ordinary(ratings) or ratings
    found = []
    for group in ratings.split(("criterion",) if "criterion" in ratings.columns else ()):
        if group.ratings.level.has_order and scenario in group.ratings.columns:
            paired = paired_scores(group.ratings, first, second, scenario)
            if paired:
                items = [ItemShift(item, *means) for item, means in paired.items()]
                found.append(
                    _shift(group.by.get("criterion", ""), group.ratings, (first, second), scenario, items, confidence)
                )
    if not found:
        raise NotEnoughDataError(f"No item was scored both in {first!r} and in {second!r}.")
    if len(found) > 1:
        families = adjusted(np.array([one.p for one in found]))
        found = [replace(one, adjusted=float(p)) for one, p in zip(found, families, strict=True)]
    return tuple(found)


def _shift(
    criterion: str, ratings: Ratings, names: tuple[str, str], scenario: str, items: list[ItemShift], level: float
) -> ScoreShift:
    changes = np.array([item.change for item in items])
    documents = _documents(ratings, items)
    interval, p, method = (
        _over_items(changes, level) if documents is None else _over_documents(changes, documents, level)
    )
    words = tuple(spelled(value) for value in ratings.scale.values)
    shares = {}
    for name in names:
        part = ratings.named(**{scenario: name})
        counts = np.bincount(part.value, minlength=len(words))
        shares[name] = tuple((counts / max(counts.sum(), 1)).tolist())
    items = ordered(items, lambda item: abs(item.change), lambda item: item.item, highest=True)
    return ScoreShift(
        criterion, *names, words, shares, float(changes.mean()), interval, p, int((changes > _SAME).sum()),
        int((changes < -_SAME).sum()), float(np.abs(changes).mean()), tuple(items), method,
        direction=ratings.criterion.direction,
    )  # fmt: skip


def _documents(ratings: Ratings, items: list[ItemShift]) -> np.ndarray | None:
    """The number of each item's document; None where an item names none, or each item is one."""
    factor = ratings.columns.get("document")
    if factor is None:
        return None
    of_item = np.full(ratings.items, -1, dtype=np.int64)
    of_item[ratings.item.codes] = factor.codes
    place = {name: at for at, name in enumerate(ratings.item.names)}
    found = of_item[[place[item.item] for item in items]]
    if (found < 0).any() or len(distinct(found)) == len(found):
        return None
    return np.asarray(np.unique(found, return_inverse=True)[1]).reshape(-1)


_Judged = tuple[Interval | None, float, str]


def _over_documents(changes: np.ndarray, documents: np.ndarray, level: float) -> _Judged:
    """Other documents: each left out in turn."""

    sizes, sums = np.bincount(documents), np.bincount(documents, changes)
    count = len(sizes)
    if count < FEWEST_DOCUMENTS:
        few = "one document is" if count == 1 else f"{count} documents are"
        return None, float("nan"), f"No test: {few} too few to speak of other documents."
    without = (changes.sum() - sums) / (len(changes) - sizes)
    left_out = jackknife_of(np.array([changes.mean()]), without[:, None], "documents")
    error, freedom = float(left_out.standard_errors[0]), max(effective_units(sizes) - 1, 1.0)
    if not error > _SAME:
        return None, float("nan"), "No test: all documents move alike."
    method = f"jackknife over {count} documents, t({steady(freedom):.3g})"
    middle = float(changes.mean())
    p = float(2 * stdtr(freedom, -abs(middle) / error))
    interval = t_interval(middle, error, freedom, level=level, method=method, highest=np.inf)
    return interval, p, f"Interval and p: {method}: other documents, these raters."


def _over_items(changes: np.ndarray, level: float) -> _Judged:
    """Other items: t for the interval, Wilcoxon's signed-rank test for p."""
    from scipy.stats import wilcoxon

    moved = np.abs(changes) > _SAME
    p = float(wilcoxon(changes[moved]).pvalue) if moved.sum() >= 2 else float("nan")
    words = "Interval: Student's t over items; p: Wilcoxon's signed-rank test: other items, these raters."
    if len(changes) < 2:
        return None, p, words
    error, method = float(changes.std(ddof=1) / np.sqrt(len(changes))), f"Student's t over {len(changes)} items"
    interval = t_interval(float(changes.mean()), error, len(changes) - 1, level=level, method=method, highest=np.inf)
    return interval, p, words
