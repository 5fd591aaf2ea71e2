"""How long each task of a rater took, with the time of tasks that were open at once shared between them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from accord.errors import ColumnError, InputError
from accord.ratings.table import Ratings

__all__ = ["TaskTime", "started_at", "task_times"]


@dataclass(frozen=True, slots=True)
class TaskTime:
    """One task (HIT): the seconds it was open, and the seconds left when overlaps are shared."""

    task: str
    seconds: float
    corrected: float

    @property
    def concurrent(self) -> bool:
        """Whether another task of the rater was open at the same time, by more than rounding."""
        return self.corrected < self.seconds - 1


def started_at(ratings: Ratings, column: str | None) -> NDArray[np.float64] | None:
    """Seconds since 1970 at which the task of each row was begun; nan where the cell is empty."""
    if column is None:
        return None
    if column not in ratings.columns:
        raise ColumnError(f"--started {column}: there is no such column. Known: {', '.join(ratings.columns)}.")
    factor = ratings.columns[column]
    try:
        stamps = [_seconds(name) for name in factor.names]
    except ValueError as error:
        raise InputError(f"--started {column}: {error} is no time. Write 2026-01-31T14:05:00, or seconds.") from None
    return np.array([*stamps, np.nan])[factor.codes]


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(repr(text)) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def task_times(
    ratings: Ratings, rows: NDArray[np.intp], started: NDArray[np.float64] | None = None
) -> tuple[TaskTime, ...]:
    """The tasks of one rater. A time that is the same all over a task is the task's; else times are summed."""
    times = ratings.numbers["time_s"][rows]
    begun = np.full(len(rows), np.nan) if started is None else started[rows]
    known = np.isfinite(times)
    tasks = [str(name) for name in ratings.columns["batch"].labels()[rows]] if "batch" in ratings.columns else []
    made: list[tuple[str, float, float]] = []
    for name in dict.fromkeys(tasks) if tasks else [""]:
        own = known & np.array([task == name for task in tasks]) if tasks else known
        if not own.any():
            continue
        alike = bool((times[own] == times[own][0]).all())
        # Without tasks every time stands for itself, and the shortest is the one to look at.
        seconds = float(times[own][0]) if alike else float(times[own].sum() if tasks else times[own].min())
        first = begun[own][np.isfinite(begun[own])]
        made.append((name, seconds, float(first.min()) if first.size else float("nan")))
    shares = _shared(made)
    return tuple(TaskTime(name, seconds, share) for (name, seconds, _), share in zip(made, shares, strict=True))


def _shared(tasks: list[tuple[str, float, float]]) -> list[float]:
    """Every stretch of time is divided by the number of tasks open in it."""
    ends = sorted({edge for _, seconds, begun in tasks if begun == begun for edge in (begun, begun + seconds)})
    shares = [0.0 if begun == begun else seconds for _, seconds, begun in tasks]
    for low, high in pairwise(ends):
        within = [place for place, (_, seconds, begun) in enumerate(tasks) if begun <= low and high <= begun + seconds]
        for place in within:
            shares[place] += (high - low) / len(within)
    return shares
