"""Who leads, who follows and who is last, in one sentence, from the ranks that each system may have."""

from collections.abc import Collection, Sequence
from itertools import combinations

from accord.words import listed

__all__ = ["standing", "standing_of_ranks", "told_apart"]

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NAMED = 4
_MOST_NAMED = 6
"""So many systems are named pair by pair."""


def standing(names: Sequence[str], better: Collection[tuple[str, str]]) -> str:
    """The sentence from the pairs that differ: a system ranks behind those shown better, before those shown worse."""
    leaders = [name for name in names if all(worse != name for _, worse in better)]
    if better and leaders != list(names[: len(leaders)]):
        # Who is not shown to be worse is no leader where others who are stand before it.
        pairs = listed([f"{best} is better than {worse}" for best, worse in sorted(better)][:3])
        more = f" and {len(better) - 3} more" if len(better) > 3 else ""
        total = len(names) * (len(names) - 1) // 2
        differ = "differs" if len(better) == 1 else "differ"
        return f"{names[0]} is ahead, but only {len(better)} of {total} pairs {differ}: {pairs}{more}."
    ranks = [
        (name, 1 + sum(worse == name for _, worse in better), len(names) - sum(best == name for best, _ in better))
        for name in names
    ]
    return standing_of_ranks(ranks)


def standing_of_ranks(ranks: Sequence[tuple[str, int, int]]) -> str:
    """``B and A lead and cannot be told apart; C is third, D is last.``: names with the lowest and highest rank."""
    number = len(ranks)
    leaders = [name for name, low, _ in ranks if low == 1]
    if number == 1:
        return f"There is one system, {leaders[0]}: nothing to rank."
    if len(leaders) == number:
        return (
            f"No order is shown: any of the {number} systems may be the best."
            if number > 2
            else (f"{listed(leaders)} cannot be told apart.")
        )
    shown = leaders if len(leaders) <= _NAMED else [*leaders[:_NAMED], f"{len(leaders) - _NAMED} more"]
    first = f"{leaders[0]} is best" if len(leaders) == 1 else f"{listed(shown)} lead and cannot be told apart"
    others = [(name, low) for name, low, high in ranks if low == high and low > 1]
    said = [f"{name} is {_place(low, number)}" for name, low in others if low == number or number <= len(_ORDINALS)]
    return f"{first}{'; ' if said else ''}{', '.join(said)}."


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
