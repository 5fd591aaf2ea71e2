"""Who leads, who follows and who is last, in one sentence, from the ranks that each system may have."""

from collections.abc import Collection, Sequence
from itertools import combinations

from accord.records import dataclass
from accord.sentences import Sentence, said_of
from accord.words import listed

__all__ = ["STANDINGS", "Standing", "standing", "standing_of_ranks", "told_apart"]

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NAMED = 4
_NAMED_PAIRS = 3
_MOST_NAMED = 6
"""So many systems are named pair by pair."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the sentence is chosen from: each system with the lowest and highest rank it may have, best first.

    ``better`` holds the pairs that differ, where the ranks come from pairs.
    """

    ranks: Sequence[tuple[str, int, int]]
    better: Collection[tuple[str, str]] = ()

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.ranks]

    @property
    def leaders(self) -> list[str]:
        return [name for name, low, _ in self.ranks if low == 1]

    @property
    def is_patchy(self) -> bool:
        """Whether somebody is not shown to be worse than any, and yet stands behind others who are."""
        return bool(self.better) and self.leaders != self.names[: len(self.leaders)]


def _patchy(seen: Standing) -> str:
    better = sorted(seen.better)
    pairs = listed([f"{best} is better than {worse}" for best, worse in better[:_NAMED_PAIRS]])
    more = f" and {len(better) - _NAMED_PAIRS} more" if len(better) > _NAMED_PAIRS else ""
    total = len(seen.ranks) * (len(seen.ranks) - 1) // 2
    differ = "differs" if len(better) == 1 else "differ"
    return f"{seen.names[0]} is ahead, but only {len(better)} of {total} pairs {differ}: {pairs}{more}."


def _followed(seen: Standing, first: str) -> str:
    """Who leads, and every system behind whose place is known."""
    number = len(seen.ranks)
    others = [(name, low) for name, low, high in seen.ranks if low == high and low > 1]
    said = [f"{name} is {_place(low, number)}" for name, low in others if low == number or number <= len(_ORDINALS)]
    return f"{first}{'; ' if said else ''}{', '.join(said)}."


def _several_lead(seen: Standing) -> str:
    leaders = seen.leaders
    shown = leaders if len(leaders) <= _NAMED else [*leaders[:_NAMED], f"{len(leaders) - _NAMED} more"]
    return _followed(seen, f"{listed(shown)} lead and cannot be told apart")


# A table should look like one.
# fmt: off
STANDINGS: tuple[Sentence[Standing], ...] = (
    Sentence("alone", lambda seen: len(seen.ranks) == 1,
             lambda seen: f"There is one system, {seen.names[0]}: nothing to rank."),
    Sentence("patchy", lambda seen: seen.is_patchy, _patchy),
    Sentence("two_alike", lambda seen: len(seen.leaders) == len(seen.ranks) == 2,
             lambda seen: f"{listed(seen.leaders)} cannot be told apart."),
    Sentence("all_alike", lambda seen: len(seen.leaders) == len(seen.ranks),
             lambda seen: f"No order is shown: any of the {len(seen.ranks)} systems may be the best."),
    Sentence("two_apart", lambda seen: len(seen.leaders) == 1 and len(seen.ranks) == 2,
             lambda seen: f"{seen.names[0]} is better than {seen.names[1]}."),
    Sentence("one_leads", lambda seen: len(seen.leaders) == 1,
             lambda seen: _followed(seen, f"{seen.leaders[0]} is best")),
    Sentence("several_lead", lambda seen: len(seen.leaders) > 1, _several_lead),
)
# fmt: on


def standing(names: Sequence[str], better: Collection[tuple[str, str]]) -> str:
    """The sentence from the pairs that differ: a system ranks behind those shown better, before those shown worse."""
    ranks = [
        (name, 1 + sum(worse == name for _, worse in better), len(names) - sum(best == name for best, _ in better))
        for name in names
    ]
    return said_of(STANDINGS, Standing(ranks, better))


def standing_of_ranks(ranks: Sequence[tuple[str, int, int]]) -> str:
    """``B and A lead and cannot be told apart; C is third, D is last.``: names with the lowest and highest rank."""
    return said_of(STANDINGS, Standing(ranks))


def told_apart(names: Sequence[str], better: Collection[tuple[str, str]]) -> str:
    """How many pairs differ, and which where the sentence on the order leaves it open; '' where it leaves nothing.

    ``names`` are in the order of their scores, best first.
    """
    pairs = list(combinations(names, 2))
    alike = [(a, b) for a, b in pairs if (a, b) not in better and (b, a) not in better]
    leaders = {name for name in names if all(worse != name for _, worse in better)}
    is_patchy = set(names[: len(leaders)]) != leaders
    if not better or len(pairs) == 1 or (is_patchy and len(better) <= _NAMED_PAIRS):
        return ""
    if not alike:
        return f"All {len(pairs)} pairs differ."
    count = f"{len(better)} of {len(pairs)} pairs {'differs' if len(better) == 1 else 'differ'}"
    open_still = [f"{a} and {b}" for a, b in alike if not {a, b} <= leaders]
    if len(names) > _MOST_NAMED or not open_still:
        return f"{count}."
    if len(open_still) <= len(better):
        either = " either" if len(open_still) < len(alike) else ""
        return f"{count}. Not told apart{either}: {', '.join(open_still)}."
    beaten = {name: [worse for worse in names if (name, worse) in better] for name in names}
    return f"{count}: {'; '.join(f'{name} beats {listed(worse)}' for name, worse in beaten.items() if worse)}."


def _place(rank: int, number: int) -> str:
    return "last" if rank == number else _ORDINALS[rank - 1]
