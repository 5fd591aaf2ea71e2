"""What leaving a rater out would change, shown before anybody decides."""

from collections.abc import Iterable
from math import isnan

from accord.records import dataclass
from accord.server.organiser.analysis import reliability_of, rows_of
from accord.server.organiser.ratings import Collected
from accord.server.organiser.titles import shown_title
from accord.server.organiser.which_part import Identity, known_by

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
    names = {group: name for (group, _), (name, _) in reversed([*before.items(), *after.items()])}
    keys = list(dict.fromkeys([*before, *after]))
    return [
        Effect(names[key[0]], key[1], *(found.get(key, ("", None))[1] for found in (before, after))) for key in keys
    ]


def _values(collected: Collected, leave_out: Iterable[str]) -> dict[tuple[Identity, str], tuple[str, float | None]]:
    """The name of its group and the value of each coefficient, by what the group is and what the coefficient is."""
    ratings = collected.analysed(leave_out)
    if ratings is None:
        return {}
    found = {}
    for row in rows_of(ratings, reliability_of(ratings, interval="none")):
        for one in row["group"].estimates:
            found[known_by(row), one.title] = shown_title(row), None if isnan(one.value) else one.value
    return found
