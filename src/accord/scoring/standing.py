"""Who leads, who follows and who is last, in one sentence, from the ranks that each system may have."""

from collections.abc import Collection, Sequence
from itertools import combinations

from accord.records import dataclass
from accord.sentences import Sentence, said_of
from accord.words import listed

__all__ = ["STANDINGS", "Standing", "standing", "standing_of_ranks", "told_apart"]

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NAMED = 4
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
    pairs = listed([f"{best} is better than {worse}" for best, worse in better[:3]])
    more = f" and {len(better) - 3} more" if len(better) > 3 else ""
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
    """``A beats C. Not told apart: A and B, B and C.``: the pairs that differ, and those that do not."""
    total = len(names) * (len(names) - 1) // 2
    if len(names) > _MOST_NAMED:
        return f"{len(better)} of {total} pairs of systems are told apart, {total - len(better)} are not."
    beaten = {name: [worse for worse in names if (name, worse) in better] for name in names}
    beats = [f"{name} beats {listed(worse)}" for name, worse in beaten.items() if worse]
    alike = [f"{a} and {b}" for a, b in combinations(names, 2) if (a, b) not in better and (b, a) not in better]
    first = f"{'; '.join(beats)}." if beats else "No system is shown to beat another."
    return f"{first} Not told apart: {', '.join(alike)}." if alike else f"{first} All are told apart."


def _place(rank: int, number: int) -> str:
    return "last" if rank == number else _ORDINALS[rank - 1]
