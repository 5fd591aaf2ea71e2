"""What MQM scores of systems say first: which differ, by how much, and what would tell the others apart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.noise import first_of, ordered
from accord.records import dataclass
from accord.scoring.mqm_differences import MqmDifferences
from accord.scoring.ranking.result import PairTest, Ranking
from accord.sentences import Sentence, said_of
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed, steady

__all__ = ["MQM_SCORES", "SCORE_UNIT", "MqmSeen", "differences_table", "mqm_opening", "score_tables", "table_of"]

Row = Mapping[str, Any]
SCORE_UNIT = "Score: minus the penalty points per segment, mean over raters, then segments"
_NAMED = 4
"""So many systems are named in the first sentence."""
_NAMED_PAIRS = 3
_TWO = 2
_TOO_FEW = "There are too few documents, or too little spread, to say how far each may be off."


@dataclass(frozen=True, slots=True)
class MqmSeen:
    """Systems as rows of the table, the best first, with what their differences are."""

    rows: Sequence[Row]
    found: MqmDifferences

    @property
    def ranking(self) -> Ranking:
        assert self.found.ranking is not None  # noqa: S101 - asked only where there is one
        return self.found.ranking

    @property
    def apart(self) -> list[PairTest]:
        """The pairs that differ, as the systems stand."""
        return [one for one in self.ranking.pairs if one.winner]


def _scored(row: Row, unit: str = "") -> str:
    level = f"{100 * row.get('level', 0.95):.4g}% interval"
    ends = f" ({level} {steady(row['low']):.2f} to {steady(row['high']):.2f})" if row.get("low") is not None else ""
    return f"{steady(row['score']):z.2f}{unit}{ends}"


def _alone(row: Row) -> str:
    """The score of the only system with its unit, and what it is the mean of: no table says it again."""
    found = f"{counted(row['errors'], 'error')} in " if "errors" in row else ""
    who = "one rater" if row.get("raters") == 1 else f"{row.get('raters')} raters"
    size = f": {found}{counted(row['items'], 'segment')} by {who}" if "items" in row else ""
    return f"{_scored(row, ' penalty points per segment')}{size}"


def _each(seen: MqmSeen) -> str:
    return "; ".join(f"{row['system']} scores {_scored(row)}" for row in seen.rows[:_NAMED])


def _systems(seen: MqmSeen) -> str:
    return _each(seen) if len(seen.rows) <= _NAMED else f"{_each(seen)}; {len(seen.rows) - _NAMED} more below"


def _lack_intervals(seen: MqmSeen) -> bool:
    return all(row.get("low") is None for row in seen.rows)


def _differ(seen: MqmSeen) -> str:
    # Of many pairs the nearest that the best system is shown to beat says most; of two the ranking itself says it.
    named = seen.apart if len(seen.apart) <= _NAMED_PAIRS else seen.apart[:1]
    shown = f" {listed([seen.ranking.ahead(pair) for pair in named])}." if len(seen.rows) > _TWO else ""
    return f"{seen.ranking.sentence()}{shown} {seen.ranking.closing()}".rstrip()


def _cannot_tell(seen: MqmSeen) -> str:
    largest = first_of(seen.ranking.pairs, lambda one: one.p, size=0)
    which = "they" if len(seen.rows) == _TWO else f"any of the {len(seen.rows)} systems"
    untold = f"Cannot tell whether {which} differ: {seen.ranking.ahead(largest)}."
    return f"{untold} {seen.ranking.would_tell(largest)}".rstrip()


# A table should look like one.
# fmt: off
MQM_SCORES: tuple[Sentence[MqmSeen], ...] = (
    Sentence("no_systems", lambda seen: len(seen.rows) == 1 and seen.rows[0]["system"] == "all",
             lambda seen: f"The MQM score is {_alone(seen.rows[0])}."),
    Sentence("one", lambda seen: len(seen.rows) == 1,
             lambda seen: f"{seen.rows[0]['system']} scores {_alone(seen.rows[0])}."),
    Sentence("untested_few", lambda seen: len(seen.rows) > 1 and not seen.found.ranking and _lack_intervals(seen),
             lambda seen: f"{_systems(seen)}. {_TOO_FEW} {seen.found.reason}".rstrip()),
    Sentence("untested", lambda seen: len(seen.rows) > 1 and not seen.found.ranking,
             lambda seen: f"{_systems(seen)}. {seen.found.reason}"),
    Sentence("cannot_tell", lambda seen: len(seen.rows) > 1 and not seen.apart, _cannot_tell),
    Sentence("differ", lambda seen: len(seen.rows) > 1, _differ),
)
# fmt: on
"""Which systems differ where the test shows it, else that it does not, and what would; scores of one as they are."""


def mqm_opening(rows: Sequence[Row], found: MqmDifferences) -> tuple[str, ...]:
    """The sentences above the tables; none where no system was scored."""
    best_first = ordered(rows, lambda row: float(row["score"]), highest=True)
    said = said_of(MQM_SCORES, MqmSeen(best_first, found)) if rows else ""
    return (said,) if said else ()


def differences_table(ranking: Ranking) -> Table:
    """Every pair of systems, first minus second, with what was tested."""
    rows: list[dict[str, Cell]] = [
        {
            "system": pair.first,
            "against": pair.second,
            "difference": pair.difference,
            "low": pair.interval.low if pair.interval else None,
            "high": pair.interval.high if pair.interval else None,
            "p": pair.adjusted,
            "better": pair.winner,
            "segments": pair.segments,
            "documents": pair.documents if ranking.documents else None,
        }
        for pair in ranking.pairs
    ]
    columns = [Column(key, {"p": "adjusted p"}.get(key, key)) for key in rows[0]]
    return Table("Differences between systems", columns, rows, (f"{ranking.method}; these raters.",), is_detail=True)


def score_tables(systems: list[dict[str, Cell]], raters: list[dict[str, Cell]], notes: Sequence[str]) -> list[Table]:
    """Scores of systems and of raters; a table that would repeat the first sentence is a detail."""
    one_system = len(systems) == 1
    about = "Each interval is about this rater on other documents."
    of_raters = (notes[0], about) if one_system else (about,)
    return [
        replace(table_of("MQM scores of systems", systems, notes), is_detail=one_system),
        replace(table_of("MQM scores of raters", raters, of_raters), is_detail=one_system and len(raters) == 1),
    ]


def table_of(title: str, rows: list[dict[str, Cell]], notes: Sequence[str]) -> Table:
    """A table whose columns are the keys of its rows."""
    return Table(title, [Column(key, key) for key in rows[0]], rows, notes)
