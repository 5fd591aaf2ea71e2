"""Settings of rater pairs, derived from the groups of the raters: who saw the same, who saw different things."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct_rows, every_pair
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = ["DIFF", "SAME", "SOURCE", "SOURCE_VS_REFERENCE", "PairSettings", "pair_settings", "rater_groups"]

SAME, DIFF, SOURCE, SOURCE_VS_REFERENCE = "SAME", "DIFF", "SOURCE", "SOURCE vs REF"


@dataclass(frozen=True, slots=True)
class PairSettings:
    """All pairs of raters with the setting each belongs to.

    ``pairs`` holds rater numbers (first < second), ``setting`` the name of each pair's setting,
    ``groups`` the group of each rater, ``shown`` the raters in the order in which tables show them.
    """

    raters: tuple[str, ...]
    groups: tuple[str, ...]
    pairs: NDArray[np.int64]
    setting: NDArray[np.object_]
    shown: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Settings that occur, in reading order."""
        order = (SOURCE, SAME, DIFF, SOURCE_VS_REFERENCE)
        return tuple(name for name in order if (self.setting == name).any())

    def of(self, name: str) -> NDArray[np.bool_]:
        """Which pairs belong to a setting."""
        return np.asarray(self.setting == name, dtype=bool)

    def counts(self) -> dict[str, int]:
        return {name: int(self.of(name).sum()) for name in self.names}


def rater_groups(ratings: Ratings, column: str) -> dict[str, str]:
    """The group of each rater; an error names the raters that stand in several."""
    if column not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
        raise ColumnError(f"There is no column {column!r} that names the groups of raters. Columns: {known}.")
    factor = ratings.columns[column]
    combinations = distinct_rows([ratings.rater.codes, factor.codes]).tolist()
    names = (*factor.names, "")
    seen: dict[str, list[str]] = {}
    for rater, group in combinations:
        seen.setdefault(ratings.rater.names[rater], []).append(names[group])
    mixed = {rater: groups for rater, groups in seen.items() if len(groups) > 1}
    if mixed:
        rater, groups = next(iter(mixed.items()))
        raise OptionError(
            f"{len(mixed)} raters stand in more than one {column}, for instance {rater!r} in {', '.join(groups)}. "
            "Pairs of raters can only be compared where each rater saw one condition; "
            "to compare the same raters under several, use --design document-context or rounds."
        )
    return {rater: groups[0] for rater, groups in seen.items()}


def pair_settings(
    raters: Sequence[str], groups: Mapping[str, str], source_groups: Sequence[str] = (), shown: Sequence[str] = ()
) -> PairSettings:
    """SOURCE within a group that saw the source, SAME within any other, DIFF between two of these."""
    present = sorted({groups[rater] for rater in raters})
    if len(present) < 2:
        raise NotEnoughDataError(
            f"All raters belong to one group ({present[0]!r}), so nothing can be compared between groups. "
            "Name the column that tells the groups apart with --condition."
        )
    unknown = [name for name in source_groups if name not in present]
    if unknown:
        raise OptionError(f"No rater belongs to the group {unknown[0]!r}. Groups: {', '.join(present)}.")
    first, second = every_pair(len(raters))
    own = [groups[rater] for rater in raters]
    setting = [_setting(own[i], own[j], source_groups) for i, j in zip(first, second, strict=True)]
    return PairSettings(
        tuple(raters),
        tuple(own),
        np.stack([first, second], axis=1).astype(np.int64),
        np.array(setting, dtype=object),
        tuple(shown),
    )


def _setting(one: str, other: str, source_groups: Sequence[str]) -> str:
    seen = (one in source_groups) + (other in source_groups)
    if one == other:
        return SOURCE if seen else SAME
    return {0: DIFF, 1: SOURCE_VS_REFERENCE}.get(seen, SOURCE)
