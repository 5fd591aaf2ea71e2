"""What leaving a rater out would change, shown before anybody decides."""

from collections.abc import Iterable
from math import isnan

from accord.records import dataclass
from accord.server.organiser.analysis import reliability_of, titles_of
from accord.server.organiser.ratings import Collected
from accord.server.organiser.titles import shown_title
from accord.server.organiser.which_part import part_of

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


def effect_of(collected: Collected, rater: str) -> list[Effect]:
    """Every coefficient that fits, from the same ratings; others who are left out stay so."""
    others = {one.rater for one in collected.left_out} - {rater}
    before, after = _values(collected, others), _values(collected, {*others, rater})
    keys = list(dict.fromkeys([*before, *after]))
    return [Effect(group, title, before.get((group, title)), after.get((group, title))) for group, title in keys]


def _values(collected: Collected, leave_out: Iterable[str]) -> dict[tuple[str, str], float | None]:
    ratings = collected.analysed(leave_out)
    if ratings is None:
        return {}
    groups = reliability_of(ratings, interval="none")
    named = [
        shown_title({"title": title, "by": group.by, "combined": group.combined, "of": part_of(ratings, group.by)})
        for title, group in zip(titles_of(ratings, groups), groups, strict=True)
    ]
    return {
        (name, one.title): None if isnan(one.value) else one.value
        for name, group in zip(named, groups, strict=True)
        for one in group.estimates
    }
