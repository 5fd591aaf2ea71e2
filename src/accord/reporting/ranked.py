"""What a ranking of systems allows to say first: sentences, numbers and bars, by a table of conditions."""

from collections.abc import Callable, Sequence

from accord.look.bar import Bar, shared_ends
from accord.records import dataclass
from accord.reporting.document import Number, Rows
from accord.reporting.wording import ends_text, number_text
from accord.scoring.ranking.result import PairTest, Ranking
from accord.scoring.ranking.segments import MEANS_OVER
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed, p_text, steady

__all__ = [
    "RANKED",
    "Ranked",
    "Rankings",
    "ranked_answer",
    "ranked_numbers",
    "shared_words",
    "system_bars",
    "systems_forest",
]

Rankings = Sequence[tuple[str, Ranking]]
_NAMED = 4
_FOREST = 12


@dataclass(frozen=True, slots=True)
class Ranked:
    """A condition on a ranking and the sentence that it allows; ``name`` is `` by adequacy`` or nothing."""

    key: str
    holds: Callable[[Ranking], bool]
    say: Callable[[Ranking, str], str]


def _few(names: Sequence[str]) -> list[str]:
    more = len(names) - _NAMED
    return [*names[:_NAMED], f"{more} more"] if more > 1 else [*names]


def _all_lead(ranking: Ranking) -> bool:
    return len(ranking.leaders) == len(ranking.systems)


# A table should look like one.
# fmt: off
RANKED = (
    Ranked("no direction", lambda ranking: not ranking.direction.is_known,
           lambda ranking, name: f"Nobody said which end of the scale is good, so no system is called best{name}."),
    Ranked("one", lambda ranking: len(ranking.leaders) == 1,
           lambda ranking, name: f"{ranking.leaders[0]} is best{name}."),
    Ranked("all", _all_lead,
           lambda ranking, name: f"No winner{name}: {listed(_few(ranking.leaders))} cannot be told apart."),
    Ranked("several", lambda ranking: 1 < len(ranking.leaders) < len(ranking.systems),
           lambda ranking, name: f"{listed(_few(ranking.leaders))} may each be best{name}; "
                                 f"{_rest(ranking)} not."),
)
# fmt: on


def _rest(ranking: Ranking) -> str:
    names = [system.name for system in ranking.systems if system.name not in ranking.leaders]
    return f"{names[0]} is" if len(names) == 1 else f"the other {len(names)} are"


def ranked_answer(rankings: Rankings) -> str:
    """One sentence for each outcome, criteria of the same outcome together; '' without rankings."""
    outcomes: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    by_name = dict(rankings)
    for name, ranking in rankings:
        row = next(row for row in RANKED if row.holds(ranking))
        outcomes.setdefault((row.key, ranking.leaders), []).append(name)
    said = []
    for (key, _), names in outcomes.items():
        row = next(row for row in RANKED if row.key == key)
        about = f" by {listed(names)}" if any(names) else ""
        said.append(row.say(by_name[names[0]], about))
    return " ".join(said)


def ranked_numbers(rankings: Rankings) -> list[Number]:
    """The difference between the first two systems, and how many pairs are told apart."""
    for name, ranking in rankings[:1]:
        numbers = []
        about = f", {name}" if name else ""
        pair = _first_two(ranking)
        if pair is not None:
            numbers.append(_difference(pair, about, shared_words(pair, ranking), _adjusted(ranking)))
        if len(ranking.pairs) > 1 and ranking.direction.is_known:
            apart = sum(one.winner is not None for one in ranking.pairs)
            numbers.append(Number(f"Pairs of systems told apart{about}", f"{apart} of {len(ranking.pairs)}"))
        return numbers
    return []


def shared_words(pair: PairTest, ranking: Ranking) -> str:
    """`` on the 35 segments that both have`` where one has more: the difference is then not that of the two means."""
    both = [system.segments for system in ranking.systems if system.name in (pair.first, pair.second)]
    return f" on {counted(pair.segments, 'segment')} that both have" if max(both) > pair.segments else ""


def _difference(pair: PairTest, about: str, shared: str, adjusted: str) -> Number:
    """The difference of two systems with its interval, on a line that has 0 on it."""
    value = f"{steady(pair.difference):+.2f}".replace("-", "\u2212")
    note = f"difference of mean scores{shared}, {p_text(pair.adjusted)}{adjusted}"
    label, ends = f"{pair.first} against {pair.second}{about}", pair.interval
    if ends is None:
        return Number(label, value, ends_text(None), note)
    # Who reads on meets a wider interval than that of one difference, or one that ends at 0: say what it is.
    together = ends.method.partition(", ")[2]
    note = f"{note}; interval of {together}" if together else note
    axis = shared_ends([0.0, ends.low, ends.high])
    bar = Bar(
        pair.difference, ends.low, ends.high, f"{value}, {ends.level:.0%} interval {ends_text(ends)}", axis, (0.0,)
    )
    return Number(label, value, ends_text(ends), note, bar)


def _adjusted(ranking: Ranking) -> str:
    several = len(ranking.pairs) > 1 or "criteria together" in ranking.method
    return " after Holm" if several and "Holm" in ranking.method else ""


def _first_two(ranking: Ranking) -> PairTest | None:
    names = {system.name for system in ranking.systems[:2]}
    return next((pair for pair in ranking.pairs if {pair.first, pair.second} == names), None)


def system_bars(ranking: Ranking) -> list[Bar | None]:
    """Each system's mean score with its interval, on one axis."""
    known = [system.interval for system in ranking.systems if system.interval]
    if not known:
        return []
    reach = shared_ends([end for ends in known for end in (ends.low, ends.high)])
    return [
        None if one.interval is None else Bar(
            one.score, one.interval.low, one.interval.high, f"{number_text(one.score)}, {ends_text(one.interval)}",
            reach)
        for one in ranking.systems
    ]  # fmt: skip


def systems_forest(rankings: Rankings) -> list[Rows]:
    """Mean scores of the systems by the first criterion, with ranks where a winner may be named."""
    for name, ranking in rankings[:1]:
        rows: list[dict[str, Cell]] = [
            {"name": _place(one.ranks, one.name, ranking), "value": one.score, "ends": ends_text(one.interval)}
            for one in ranking.systems[:_FOREST]
        ]
        columns = (Column("name", ""), Column("value", "mean score", 2), Column("ends", "interval"))
        more = len(ranking.systems) - len(rows)
        notes = [f"{counted(more, 'more system')} under Ranking of systems."] if more else []
        notes += [f"Intervals: {ends.level:.0%}, {ends.method}." for ends in (ranking.systems[0].interval,) if ends]
        # α beside it may be of the newest measurement alone.
        notes += [f"{said.partition(';')[0]}." for said in ranking.cautions if said.startswith(MEANS_OVER)]
        table = Table(f"Systems, mean {name or 'score'}", columns, rows, notes)
        return [Rows(table, bars=system_bars(ranking)[:_FOREST])]
    return []


def _place(ranks: str, name: str, ranking: Ranking) -> str:
    return f"{name} ({ranks})" if ranking.direction.is_known else name
