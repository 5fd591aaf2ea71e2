"""Which number leads after a guideline round: what was measured again last, and not a mean over what it replaced."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

from accord.ratings.apart import ROUNDS
from accord.ratings.guideline_rounds import round_of
from accord.records import dataclass
from accord.reliability.result import GroupReliability
from accord.words import counted, listed, steady

__all__ = ["MeasuredAgain", "measured_again", "newest_of", "newest_words"]

_MOST = 4
"""So many earlier values are told one by one; of more, the first and the last."""


@dataclass(frozen=True, slots=True)
class MeasuredAgain:
    """That a part is the newest measurement, in words, and what the measurement before it gave."""

    words: str
    """``Measured again after round 1 under guideline version 3, 89 of 90 items``"""
    before: str
    """``0.73 (guideline version 1) and 0.64 (guideline version 2)``; '' where nothing before it has a value."""

    def __str__(self) -> str:
        return f"{self.words}; before, it was {self.before}" if self.before else self.words


def newest_of(whole: GroupReliability, groups: Sequence[GroupReliability]) -> list[GroupReliability]:
    """The parts that were measured last after a round, of those that this group combines; none where none was.

    Versions that changed without a round were measured once each: only what combines them stands for all.
    """
    known = [group for group in groups if _is_in(group, whole) and _has_value(group)]
    last = max(map(_round, known), default=0)
    return [group for group in known if last and _round(group) == last]


def measured_again(group: GroupReliability, groups: Sequence[GroupReliability], key: str) -> MeasuredAgain | None:
    """What is said of a part that leads for a criterion; None for any other part."""
    wholes = (one for one in groups if one.combined)
    whole = next((one for one in wholes if any(each is group for each in newest_of(one, groups))), None)
    if whole is None:
        return None
    items = next((one.items for one in whole.estimates), 0)
    share = f", {group[key].items:,} of {counted(items, 'item')}" if key in group and group[key].items < items else ""
    version = group.by.get("guideline", "")
    under = f" under guideline version {version}" if version else ""
    return MeasuredAgain(f"Measured again after round {_round(group)}{under}{share}", _before(group, groups, key))


def newest_words(by: Mapping[str, str]) -> str:
    """What the newest measurement is called beside its number."""
    version = by.get("guideline", "")
    return f"guideline version {version}, measured again" if version else f"measured again after round {_of(by)}"


def _before(group: GroupReliability, groups: Sequence[GroupReliability], key: str) -> str:
    """The values of the measurement before this one, in the same scenario and language."""
    known = [
        one for one in groups
        if not one.combined and key in one and not isnan(one[key].value) and _round(one) < _round(group)
        and _beside(one) == _beside(group)
    ]  # fmt: skip
    last = max(map(_round, known), default=0)
    told = [" ".join(_value(one, key)) for one in known if _round(one) == last]
    return listed(told if len(told) <= _MOST else [f"first {told[0]}", f"last {told[-1]}"])


def _value(group: GroupReliability, key: str) -> Iterator[str]:
    yield f"{steady(group[key].value):.2f}"
    names = {"guideline": f"guideline version {group.by.get('guideline', '')}", "phase": group.by.get("phase", "")}
    told = [names[column] for column in ("phase", "guideline") if group.by.get(column) and not _round(group)]
    if told:
        yield f"({', '.join(told)})"


def _is_in(part: GroupReliability, whole: GroupReliability) -> bool:
    return not part.combined and all(part.by.get(column) == name for column, name in whole.by.items())


def _has_value(group: GroupReliability) -> bool:
    return any(not isnan(one.value) for one in group.estimates)


def _beside(group: GroupReliability) -> dict[str, str]:
    return {column: name for column, name in group.by.items() if column not in ROUNDS}


def _round(group: GroupReliability) -> int:
    return _of(group.by)


def _of(by: Mapping[str, str]) -> int:
    return round_of(by.get("phase", ""))
