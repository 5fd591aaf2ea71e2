"""How long each task of a rater took, with the time of tasks that were open at once shared between them."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.errors import ColumnError, InputError
from accord.ratings.table import Ratings
from accord.records import dataclass

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
        raise InputError(f"--started {column}: {error} is not a time. Write 2026-01-31T14:05:00, or seconds.") from None
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
    begun = None if started is None else started[rows]
    known = np.isfinite(times)
    all_known = bool(known.all())
    made: list[tuple[str, float, float]] = []
    for name, own in _tasks(ratings, rows):
        own = own if all_known else own[known[own]]
        if not len(own):
            continue
        spent = times[own]
        # Without tasks every time stands for itself, and the shortest is the one to look at.
        seconds = spent[0] if (spent == spent[0]).all() else spent.min() if name is None else spent.sum()
        first = begun[own][np.isfinite(begun[own])] if begun is not None else np.zeros(0)
        made.append((name or "", float(seconds), float(first.min()) if first.size else float("nan")))
    shares = _shared(made)
    return tuple(TaskTime(name, seconds, share) for (name, seconds, _), share in zip(made, shares, strict=True))


def _tasks(ratings: Ratings, rows: NDArray[np.intp]) -> Iterator[tuple[str | None, NDArray[np.intp]]]:
    """The tasks among these rows in order of appearance, each with its places; None for rows that name no tasks."""
    factor = ratings.columns.get("batch")
    if factor is None:
        yield None, np.arange(len(rows))
        return
    codes = factor.codes[rows]
    order = np.argsort(codes, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    for places in sorted(groups, key=lambda places: int(places[0])):
        code = int(codes[places[0]])
        yield (factor.names[code] if code >= 0 else ""), places


def _shared(tasks: list[tuple[str, float, float]]) -> list[float]:
    """Every stretch of time is divided by the number of tasks open in it."""
    lengths = np.array([seconds for _, seconds, _ in tasks])
    begun = np.array([start for _, _, start in tasks])
    dated = np.isfinite(begun)
    if not dated.any():
        return [float(length) for length in lengths]
    starts, ends = begun[dated], begun[dated] + lengths[dated]
    edges = distinct(np.concatenate((starts, ends)))
    change = np.zeros(len(edges))
    np.add.at(change, np.searchsorted(edges, starts), 1)
    np.add.at(change, np.searchsorted(edges, ends), -1)
    alone = np.diff(edges) / np.maximum(np.cumsum(change)[:-1], 1)
    until = np.concatenate(([0.0], np.cumsum(alone)))
    shares = lengths.copy()
    # Rounded, as sums of many stretches would else fall short of a whole second by nothing to speak of.
    shares[dated] = np.round(until[np.searchsorted(edges, ends)] - until[np.searchsorted(edges, starts)], 6)
    return [float(share) for share in shares]
