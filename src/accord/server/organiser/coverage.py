"""Who has judged what: screens of each document and rater, done and given."""

from collections.abc import Iterable, Sequence
from typing import Any

from accord.records import dataclass
from accord.server.models import Rater
from accord.server.organiser.work import ScreenCount, screens_by_document
from accord.server.phases import closed_phases
from accord.server.study import current

__all__ = ["Cell", "Coverage", "count_coverage", "shortened"]

_DOCUMENTS, _RATERS = 12, 12
"""As many rows and columns as can be read beside other charts; a page of its own has them all."""

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """Screens of one document for one rater."""

    done: int
    given: int

    @property
    def state(self) -> str:
        if not self.given:
            return "none"
        return "done" if self.done >= self.given else "begun" if self.done else "todo"

    @property
    def left(self) -> int:
        return self.given - self.done


@dataclass(frozen=True, slots=True)
class Coverage:
    """Documents by raters; ``documents`` and ``of_raters`` are how many there are in all."""

    raters: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    documents: int = 0
    of_raters: int = 0

    @property
    def is_short(self) -> bool:
        return len(self.rows) < self.documents or len(self.raters) < self.of_raters

    def to_plain(self) -> Plain:
        return {
            "raters": list(self.raters),
            "rows": [[name, [[cell.done, cell.given] for cell in cells]] for name, cells in self.rows],
        }

    @classmethod
    def of_plain(cls, plain: Plain) -> "Coverage":
        rows = tuple((name, tuple(Cell(*cell) for cell in cells)) for name, cells in plain["rows"])
        return cls(tuple(plain["raters"]), rows, len(rows), len(plain["raters"]))


def count_coverage(screens: Iterable[ScreenCount] | None = None) -> Coverage:
    """Every document in the order of the study, every rater in the order of the places; closed phases aside."""
    study, closed = current(), closed_phases()
    names = {rater.pk: rater.pseudonym for rater in Rater.people.all()}
    counts: dict[str, dict[Any, list[int]]] = {}
    for one in screens_by_document(study) if screens is None else screens:
        if one.phase not in closed:
            cell = counts.setdefault(one.document, {}).setdefault(one.rater, [0, 0])
            cell[0] += one.done
            cell[1] += one.tasks
    order = [name for name in study.study.documents if name in counts]
    rows = tuple((name, tuple(Cell(*counts[name].get(key, (0, 0))) for key in names)) for name in order)
    return Coverage(tuple(names.values()), rows, len(rows), len(names))


def shortened(whole: Coverage, documents: int = _DOCUMENTS, raters: int = _RATERS) -> Coverage:
    """So many rows and columns as can be read: those with the most left to do, in their usual order."""
    columns = _most_left([sum(cells[at].left for _, cells in whole.rows) for at in range(len(whole.raters))], raters)
    rows = _most_left([sum(cell.left for cell in cells) for _, cells in whole.rows], documents)
    return Coverage(
        tuple(whole.raters[at] for at in columns),
        tuple((whole.rows[row][0], tuple(whole.rows[row][1][at] for at in columns)) for row in rows),
        whole.documents,
        whole.of_raters,
    )


def _most_left(left: Sequence[int], most: int) -> list[int]:
    places = range(len(left))
    return sorted(sorted(places, key=lambda at: -left[at])[:most])
