"""A remark: what looks wrong in ratings before anything is computed, in which rows, and what to do about it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.arrays import in_an_array
from accord.ratings.raw import FILE_STEP
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["Places", "Remark", "rows_in_words"]

_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark(PlainData):
    """What was seen, the rows of the file it stands in, whom it is about, and what to do."""

    code: str
    message: str
    do: str
    rows: tuple[str, ...] = ()
    who: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.message} {self.do}"


@dataclass(frozen=True, slots=True)
class Places:
    """Where each rating stood: the line of its file; fewer lines than ratings are there over again (wide tables).

    ``rows`` are the ratings that are left of all that there were; None where none left.
    """

    lines: Sequence[int] | NDArray[np.integer[Any]]
    files: tuple[str, ...] = ()
    rows: NDArray[np.intp] | None = None

    def of(self, rows: NDArray[Any]) -> "Places":
        """The places of some of the ratings."""
        chosen = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp, copy=False)
        return Places(self.lines, self.files, chosen if self.rows is None else self.rows[chosen])

    def file_and_line(self, row: int) -> tuple[int, int]:
        """The place of its file among the files, and the line of a rating."""
        known = row if self.rows is None else int(self.rows[row])
        return divmod(int(self.lines[known % len(self.lines)]), FILE_STEP)

    def of_all(self, ratings: int) -> NDArray[np.intp]:
        """The lines of all ratings, so many, as one array; of one file."""
        lines = in_an_array(self.lines)
        return lines[(np.arange(ratings) if self.rows is None else self.rows) % len(lines)]

    def word(self, row: int) -> str:
        """The line of a rating, with its file where there are several."""
        file, line = self.file_and_line(row)
        return f"{line} of {self.files[file]}" if self.files else str(line)

    def words(self, rows: Sequence[int] | NDArray[np.intp]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.word(int(row)) for row in rows))


def rows_in_words(rows: Sequence[str]) -> str:
    """«row 17», «rows 17, 40 and 3 more»."""
    if len(rows) == 1:
        return f"row {rows[0]}"
    shown = list(rows[:_SHOWN])
    if len(rows) > _SHOWN:
        return f"rows {', '.join(shown)} and {len(rows) - _SHOWN:,} more"
    return f"rows {', '.join(shown[:-1])} and {shown[-1]}"
