"""Which number leads after a guideline round: the newest measurement of most items, and no mean over rounds."""

from collections.abc import Mapping, Sequence
from math import isnan

from accord.ratings.apart import ROUNDS
from accord.records import dataclass
from accord.reliability.result import GroupReliability
from accord.reliability.same_items import round_and_beside
from accord.words import counted, listed, steady

__all__ = ["MeasuredAgain", "leading_of", "measured_again", "newest_words"]

_MOST = 4
"""So many earlier values are told one by one; of more, the first and the last."""


@dataclass(frozen=True, slots=True)
class MeasuredAgain:
    """What was measured again after a round, in words, and what was before it on the same items."""

    words: str
    """``Measured again after round 1 under guideline version 3, 89 of 90 items``, or, where few were measured again
    and another number leads, ``8 of 50 items were measured again after round 1 under guideline version 2``"""
    value: str
    """What those few gave; '' where it is the number that leads."""
    before: str
    """``0.73 (guideline versions 1 and 2)``; '' where nothing before it has a value."""
    of: str
    """Of which items that is: ``on the same items``."""

    share: str = ""
    """``8 of 50 items``, where it is few that were measured again."""

    @property
    def note(self) -> str:
        """What stands under a number."""
        before = self.before and f"before {self.of} {self.before}"
        return ", ".join(filter(None, (f"{self.share} measured again: {self.value}", before))) if self.value else before

    @property
    def opening(self) -> str:
        """What criteria that were measured alike have in common; each goes on with ``of_several``."""
        return f"{self.words}: " if self.value else f"{self.words}; {self._at}"

    def of_several(self, about: str) -> str:
        """The same of one criterion of several with this opening; '' where there is nothing to say."""
        if not self.value:
            return self.before and f"{about} was {self.before}"
        return ", ".join(filter(None, (f"{about} {self.value}", self.before and f"before {self.of} {self.before}")))

    @property
    def _at(self) -> str:
        return f"before, {self.of}, "

    def __str__(self) -> str:
        now = f"{self.words}: {self.value}" if self.value else self.words
        return f"{now}; {self._at}it was {self.before}" if self.before else now


def leading_of(whole: GroupReliability, groups: Sequence[GroupReliability]) -> list[GroupReliability]:
    """The parts that stand for all that this group combines after a guideline round; none where it stands for itself.

    That is the newest measurement of most of the items. Of few items that were measured again nobody learns what holds
    of the rest, and taking the newest answers of each would flatter: those were chosen because raters disputed them.
    Versions that changed without a round were measured once each: only what combines them stands for all.
    """
    known = [group for group in groups if _is_in(group, whole) and _has_value(group)]
    if not any(map(_round, known)):
        return []
    found: list[GroupReliability] = []
    for beside in _distinct(known):
        standing = _standing([group for group in known if _beside(group) == beside])
        if not standing:
            return []
        found += standing
    return found


def _standing(parts: Sequence[GroupReliability]) -> Sequence[GroupReliability]:
    """The last measurement that has more than half as many items as the largest; none where several before it have."""
    turns = {_round(part): [one for one in parts if _round(one) == _round(part)] for part in parts}
    items = {turn: sum(map(_items, own)) for turn, own in turns.items()}
    newest = max(turn for turn in turns if 2 * items[turn] > max(items.values()))
    return turns[newest] if newest or len(turns[newest]) == 1 else ()


def measured_again(group: GroupReliability, groups: Sequence[GroupReliability], key: str) -> MeasuredAgain | None:
    """What is said of rounds beside a number that leads for a criterion; None where none was measured again.

    The number may be that of a part, or of what combines its parts.
    """
    wholes = [one for one in groups if one.combined]
    whole = next((one for one in wholes if one is group or _leads(group, one, groups)), None)
    if whole is None or (whole is group and leading_of(group, groups)):
        return None
    own = [one for one in groups if _is_in(one, group if group.combined else whole) and key in one]
    own = [one for one in own if not isnan(one[key].value) and (group.combined or _beside(one) == _beside(group))]
    newest = max(own, key=_round, default=None)
    if newest is None or not _round(newest):
        return None
    items = max(next((one.items for one in whole.estimates), 0), group[key].items)
    if newest is group or _round(newest) == _round(group):
        few = group[key].items
        share = f", {few:,} of {counted(items, 'item')}" if few < items else ""
        words = f"Measured again {_when(group)}{share}"
        return MeasuredAgain(words, "", *_before(group, groups, key))
    few = newest[key].items
    share = f"{few:,} of {counted(items, 'item')}"
    words = f"{share} {'was' if few == 1 else 'were'} measured again {_when(newest)}"
    before = _before(newest, groups, key, leading=group)
    return MeasuredAgain(words, f"{steady(newest[key].value):.2f}", *before, share)


def newest_words(by: Mapping[str, str]) -> str:
    """What a measurement that leads is called beside its number, where there are later or earlier ones."""
    version, turn = by.get("guideline", ""), round_and_beside(by)[0]
    if not turn:
        return f"guideline version {version}" if version else "as first measured"
    return f"guideline version {version}, measured again" if version else f"measured again after round {turn}"


def _leads(group: GroupReliability, whole: GroupReliability, groups: Sequence[GroupReliability]) -> bool:
    return any(each is group for each in leading_of(whole, groups))


def _when(group: GroupReliability) -> str:
    version = group.by.get("guideline", "")
    return f"after round {_round(group)}{f' under guideline version {version}' if version else ''}"


def _before(
    group: GroupReliability, groups: Sequence[GroupReliability], key: str, leading: GroupReliability | None = None
) -> tuple[str, str]:
    """What the newest answers before this measurement gave, and on which items: else two sets are compared."""
    same = group.same_items
    if same is None:
        return _of_all(group, groups, key), "on all items measured then"
    value = same.values.get(key, float("nan"))
    of = "on the same items" if same.are_all else f"on {same.items:,} of these items"
    # The measurement that leads was named where its number stands.
    is_named = leading is not None and not leading.combined and same.parts == (_turn(leading),)
    names = "" if is_named else _names(same.parts)
    return ("" if isnan(value) else " ".join(filter(None, (f"{steady(value):.2f}", names)))), of


def _of_all(group: GroupReliability, groups: Sequence[GroupReliability], key: str) -> str:
    """The values of the last measurement before this one, in the same scenario and language.

    Ratings that a database counted know no items by name.
    """
    known = [
        one for one in groups
        if not one.combined and key in one and not isnan(one[key].value) and _round(one) < _round(group)
        and _beside(one) == _beside(group)
    ]  # fmt: skip
    last = max(map(_round, known), default=0)
    told = [
        " ".join(filter(None, (f"{steady(one[key].value):.2f}", _names([_turn(one)]))))
        for one in known
        if _round(one) == last
    ]
    return listed(told if len(told) <= _MOST else [f"first {told[0]}", f"last {told[-1]}"])


def _names(parts: Sequence[Mapping[str, str]]) -> str:
    """Of which measurement before a round a number is; one after another round is known by its place."""
    if len({round_and_beside(part)[0] for part in parts}) > 1:
        return "(the newest answers of each)"
    if any(round_and_beside(part)[0] for part in parts):
        return ""
    phases, versions = (
        [name for name in dict.fromkeys(part.get(column, "") for part in parts) if name]
        for column in ("phase", "guideline")
    )
    told = f"guideline version{'s' * (len(versions) > 1)} {listed(versions)}" if versions else ""
    names = ", ".join([*phases, told] if told else phases)
    return f"({names})" if names else ""


def _turn(group: GroupReliability) -> Mapping[str, str]:
    return {column: name for column, name in group.by.items() if column in ROUNDS}


def _is_in(part: GroupReliability, whole: GroupReliability) -> bool:
    return not part.combined and all(part.by.get(column) == name for column, name in whole.by.items())


def _has_value(group: GroupReliability) -> bool:
    return any(not isnan(one.value) for one in group.estimates)


def _items(group: GroupReliability) -> int:
    return max((one.items for one in group.estimates), default=0)


def _distinct(groups: Sequence[GroupReliability]) -> list[Mapping[str, str]]:
    return [one for place, one in enumerate(map(_beside, groups)) if one not in list(map(_beside, groups[:place]))]


def _beside(group: GroupReliability) -> Mapping[str, str]:
    return round_and_beside(group.by)[1]


def _round(group: GroupReliability) -> int:
    return round_and_beside(group.by)[0]
