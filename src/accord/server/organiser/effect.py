"""What leaving a rater out would change, shown before anybody decides."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

from accord.reliability.run import agreement
from accord.server.organiser.analysis import split_columns, watched
from accord.server.organiser.ratings import Collected

__all__ = ["Effect", "effect_of"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One coefficient of one criterion with a rater and without."""

    group: str
    coefficient: str
    with_rater: float | None
    without: float | None

    @property
    def change(self) -> float | None:
        return None if self.with_rater is None or self.without is None else self.without - self.with_rater


def effect_of(collected: Collected, rater: str, excluded: Iterable[str]) -> list[Effect]:
    """Every coefficient that fits, from the same ratings; others who are left out stay so."""
    others = set(excluded) - {rater}
    before, after = _values(collected, others), _values(collected, {*others, rater})
    keys = list(dict.fromkeys([*before, *after]))
    return [Effect(group, title, before.get((group, title)), after.get((group, title))) for group, title in keys]


def _values(collected: Collected, leave_out: Iterable[str]) -> dict[tuple[str, str], float | None]:
    found: dict[tuple[str, str], float | None] = {}
    for key, ratings in collected.analysed(leave_out).items():
        for group in agreement(
            ratings, coefficients=watched(ratings), by=split_columns(ratings), interval="none"
        ).groups:
            rest = [name for column, name in group.by.items() if column != "criterion" and name]
            title = " · ".join([key, *rest])
            for one in group.estimates:
                found[title, one.title] = None if isnan(one.value) else one.value
    return found
