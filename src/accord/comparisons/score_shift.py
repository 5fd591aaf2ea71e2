"""How scores of the same items differ between two scenarios: the distribution, and each item (paper 004)."""

from dataclasses import dataclass, replace

import numpy as np

from accord.comparisons.misevaluation import paired_scores
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.inference.multiple import adjusted
from accord.ratings.table import Ratings

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

    ``change`` is the mean over items of second minus first, with its interval (t over items) and the p-value of
    Wilcoxon's signed-rank test; ``moved`` counts items that rose and fell. ``items`` has the largest moves first.
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
    adjusted: float | None = None
    """p after Holm's correction over criteria."""
    direction: Direction = Direction.UNKNOWN
    """Which end of the scale is good: a rise of errors is no gain."""

    @property
    def verdict(self) -> str:
        """Which scenario has the better scores, where the interval leaves no doubt and the good end is known."""
        if not self.direction.is_known or self.interval is None or self.interval.low <= 0 <= self.interval.high:
            return ""
        return f"{'better' if self.direction.sign * self.change > 0 else 'worse'} in {self.second}"

    @property
    def words(self) -> str:
        """Divergent where items move, homogeneous where they hardly do."""
        share = (self.rose + self.fell) / max(len(self.items), 1)
        kind = "divergent" if share >= 0.5 else "homogeneous"
        told = f"{kind}: {share:.0%} of {len(self.items)} items move, by {self.absolute:.2f} on average over all"
        return f"{told}; {self.verdict} on average" if self.verdict else told


def score_shifts(
    ratings: Ratings, *, first: str, second: str, scenario: str = "scenario", confidence: float = 0.95
) -> tuple[ScoreShift, ...]:
    """Every ordered criterion whose items were rated in both scenarios."""
    found = []
    for group in ratings.split(("criterion",) if "criterion" in ratings.columns else ()):
        if group.ratings.level.has_order and scenario in group.ratings.columns:
            paired = paired_scores(group.ratings, first, second, scenario)
            if paired:
                items = [ItemShift(item, *means) for item, means in paired.items()]
                found.append(_shift(group.by.get("criterion", ""), group.ratings, (first, second), scenario, items))
    if not found:
        raise NotEnoughDataError(f"No item was scored both in {first!r} and in {second!r}.")
    if len(found) > 1:
        families = adjusted(np.array([one.p for one in found]))
        found = [replace(one, adjusted=float(p)) for one, p in zip(found, families, strict=True)]
    return tuple(found)


def _shift(
    criterion: str, ratings: Ratings, names: tuple[str, str], scenario: str, items: list[ItemShift]
) -> ScoreShift:
    from scipy.stats import wilcoxon

    changes = np.array([item.change for item in items])
    moved = np.abs(changes) > _SAME
    p = float(wilcoxon(changes[moved]).pvalue) if moved.sum() >= 2 else float("nan")
    words = tuple(f"{value:g}" if isinstance(value, float) else str(value) for value in ratings.scale.values)
    shares = {}
    for name in names:
        part = ratings.only(**{scenario: name})
        counts = np.bincount(part.value, minlength=len(words))
        shares[name] = tuple((counts / max(counts.sum(), 1)).tolist())
    items.sort(key=lambda item: -abs(item.change))
    return ScoreShift(
        criterion, *names, words, shares, float(changes.mean()), _interval(changes), p,
        int((changes > _SAME).sum()), int((changes < -_SAME).sum()), float(np.abs(changes).mean()), tuple(items),
        direction=ratings.criterion.direction,
    )  # fmt: skip


def _interval(changes: np.ndarray, level: float = 0.95) -> Interval | None:
    from scipy.special import stdtrit

    if len(changes) < 2:
        return None
    reach = float(stdtrit(len(changes) - 1, (1 + level) / 2)) * float(changes.std(ddof=1)) / np.sqrt(len(changes))
    middle = float(changes.mean())
    return Interval(
        low=middle - reach, high=middle + reach, level=level, method=f"Student's t over {len(changes)} items"
    )
