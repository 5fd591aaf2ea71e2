"""The gate of direct assessment: a rater must score degraded items below the originals, by their own scale."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache, partial
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.errors import ColumnError, InputError, NotEnoughDataError
from accord.noise import first_of
from accord.quantiles import median_of, nctdtr, stdtr, stdtrit
from accord.ratings.repeats import row_keys
from accord.ratings.roles import SPELLINGS
from accord.ratings.table import Factor, Ratings
from accord.records import dataclass
from accord.scoring.task_times import started_at, task_times
from accord.words import steady

__all__ = ["Outcome", "RaterGate", "gate_power", "gate_raters", "roles_of"]

_ENOUGH_POWER = 0.8

_TESTED = ("repeat", "reference", "degraded")
_ROLES = {name: role if role in _TESTED else "other" if role else "system" for name, role in SPELLINGS.items() if name}
_Names = NDArray[np.object_]


class Outcome(StrEnum):
    """What the test of degraded items says about a rater."""

    PASSED = "passed"
    FAILED = "failed"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterGate:
    """One rater: the test of degraded against original items, and what else is odd."""

    rater: str
    pairs: int
    difference: float
    """Mean of degraded minus original: below 0 for a careful rater."""
    p: float
    passed: bool
    flags: tuple[str, ...]
    deviation: float
    repeat_difference: float
    """Mean absolute difference between an item and its repeat."""
    ratings: int
    effect: float = nan
    """The difference in standard deviations of the rater's differences, corrected for their number."""
    power: float = nan
    """How probable it is that a usual rater with so many pairs passes; nan where nothing usual is known."""

    @property
    def outcome(self) -> Outcome:
        """A rater who does not pass has failed only if a usual rater with so many pairs would mostly have passed."""
        if self.kept:
            return Outcome.PASSED
        if not self.deviates or (not isnan(self.p) and self.power >= _ENOUGH_POWER):
            return Outcome.FAILED
        return Outcome.CANNOT_TELL

    @property
    def worse_words(self) -> str:
        """How many pairs, and how far copies were scored worse: scores are turned round where low is good."""
        way = "worse" if self.difference < 0 else "better"
        told = "copies scored alike" if self.difference == 0 else f"copies {steady(abs(self.difference)):.2f} {way}"
        return f"{self.pairs} pairs, {told}"

    @property
    def deviates(self) -> bool:
        """Whether the scores vary at all; those of a rater who gives one score say nothing."""
        return self.deviation > 0

    @property
    def kept(self) -> bool:
        return self.passed and self.deviates

    def to_dict(self) -> dict[str, object]:
        return {
            "rater": self.rater, "outcome": str(self.outcome), "kept": self.kept, "power": self.power,
            "pairs": self.pairs, "difference": self.difference, "p": self.p,
            "flags": list(self.flags), "standard_deviation": self.deviation,
            "repeat_difference": self.repeat_difference, "ratings": self.ratings,
        }  # fmt: skip


def roles_of(ratings: Ratings) -> _Names:
    """The role of each row as one of system, repeat, reference, degraded, other (a control item of another kind)."""
    if "role" not in ratings.columns:
        raise ColumnError(
            "No column says which items are degraded copies or repeats, on which direct assessment checks raters. "
            "Name it with --role (system, repeat, reference, degraded); if there are no such items, compare systems "
            "with accord rank --standardise."
        )
    factor = ratings.columns["role"]
    if unknown := [name for name in factor.names if name.casefold() not in _ROLES]:
        raise ColumnError(
            f"The role column has names that are not known: {', '.join(unknown[:5])}. "
            f"Known: {', '.join(sorted(_ROLES))}."
        )
    names = np.array([_ROLES[name.casefold()] for name in factor.names] + ["system"], dtype=object)
    roles: _Names = names[factor.codes]
    if not (roles == "degraded").any():
        raise NotEnoughDataError(
            "No item is degraded, so raters cannot be checked against their own scores. Name such items degraded in "
            "the role column, or compare systems without this check: accord rank --standardise."
        )
    return roles


_TASK = ("batch", "phase", "round")


def gate_raters(
    ratings: Ratings, roles: _Names, *, alpha: float, fastest: float, longest_run: int, started: str | None = None,
    rejections: str | None = None,
) -> tuple[RaterGate, ...]:  # fmt: skip
    """Each rater tested and flagged, in the order of the ratings.

    ``started`` names the column with the time at which a task was begun, so that tasks open at once share their
    time; ``rejections`` that with the number of the rater's earlier tasks that were rejected.
    """
    scores = ratings.scores
    begun, rejected = started_at(ratings, started), _rejections(ratings, rejections)
    places = np.split(
        np.argsort(ratings.rater.codes, kind="stable"),
        np.cumsum(np.bincount(ratings.rater.codes, minlength=ratings.raters))[:-1],
    )
    made, keys = [], cache(partial(_keys, ratings))
    by_role = {role: roles == role for role in ("degraded", "system", "reference")}
    degraded, repeats = (
        _differences(ratings, keys, copies, by_role["system"]) for copies in (by_role["degraded"], roles == "repeat")
    )
    for place, (name, rows) in enumerate(zip(ratings.rater.names, places, strict=True)):
        flags = [
            *_score_flags(ratings, rows, by_role, scores[rows], longest_run),
            *_time_flags(ratings, rows, begun, fastest),
            *_rejection_flags(rejected, rows),
        ]
        made.append(_gate(name, degraded[place], repeats[place], scores[rows], alpha, tuple(flags)))
    usual = _usual_effect(made)
    return tuple(replace(gate, power=gate_power(gate.pairs, usual, alpha)) for gate in made)


def _usual_effect(gates: Sequence[RaterGate]) -> float:
    """The median over raters of the effect that degrading has on their scores; nan where no rater shows one."""
    known = [gate.effect for gate in gates if not isnan(gate.effect)]
    return median_of(known) if known else nan


def gate_power(pairs: int, effect: float, alpha: float) -> float:
    """How probable it is that a rater whom degrading moves by so many standard deviations passes with so many pairs.

    Examples
    --------
    >>> round(gate_power(10, 1.0, 0.05), 2), round(gate_power(3, 1.0, 0.05), 2)
    (0.9, 0.37)
    """
    if pairs < 2 or isnan(effect):
        return nan
    if effect <= 0:
        return alpha
    return float(1 - nctdtr(pairs - 1, effect * np.sqrt(pairs), stdtrit(pairs - 1, 1 - alpha)))


def _rejections(ratings: Ratings, column: str | None) -> Floats | None:
    if column is None:
        return None
    if column not in ratings.columns:
        raise ColumnError(f"--rejections {column}: there is no such column. Known: {', '.join(ratings.columns)}.")
    factor = ratings.columns[column]
    try:
        numbers = [float(name) for name in factor.names]
    except ValueError:
        raise InputError(f"--rejections {column}: the column must hold numbers of rejected tasks.") from None
    return np.array([*numbers, 0.0])[factor.codes]


def _differences(
    ratings: Ratings,
    keys_of_rows: Callable[[], NDArray[np.int64]],
    are_copies: NDArray[np.bool_],
    are_originals: NDArray[np.bool_],
) -> list[Floats]:
    """For each rater the scores of these copies less those of their originals, which are the last of a key."""
    copies = np.flatnonzero(are_copies)
    if not len(copies):
        return [np.zeros(0)] * ratings.raters
    keys, originals = keys_of_rows(), np.flatnonzero(are_originals)[::-1]
    known, last = np.unique(keys[originals], return_index=True)
    place = np.minimum(np.searchsorted(known, keys[copies]), max(len(known) - 1, 0))
    found = known[place] == keys[copies] if len(known) else np.zeros(len(copies), dtype=bool)
    copies, original = copies[found], originals[last[place[found]]]
    apart = ratings.scores[copies] - ratings.scores[original]
    rater = ratings.rater.codes[copies]
    ends = np.cumsum(np.bincount(rater, minlength=ratings.raters))[:-1]
    return np.split(apart[np.argsort(rater, kind="stable")], ends)


def _gate(
    name: str, degraded: Floats, repeats: Floats, scores: Floats, alpha: float, flags: tuple[str, ...]
) -> RaterGate:
    p = _paired_p(degraded)
    return RaterGate(
        rater=name, pairs=len(degraded), difference=float(degraded.mean()) if len(degraded) else nan, p=p,
        passed=not isnan(p) and p < alpha, flags=flags, deviation=_deviation(scores),
        repeat_difference=float(np.abs(repeats).mean()) if len(repeats) else nan, ratings=len(scores),
        effect=_effect(degraded),
    )  # fmt: skip


def _effect(differences: Floats) -> float:
    """How far degraded items lie below their originals, in standard deviations (Hedges' correction)."""
    n = len(differences)
    spread = float(differences.std(ddof=1)) if n > 2 else 0.0
    return float(-differences.mean() / spread) * (1 - 3 / (4 * (n - 1) - 1)) if spread > 0 else nan


def _deviation(scores: Floats) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 and scores.min() != scores.max() else 0.0


def _keys(ratings: Ratings) -> NDArray[np.int64]:
    """A number for rater, item, and task where it is known: a copy is compared with the original of the same task.

    What was measured again in a later phase or round is no original of a copy that was judged before.
    """
    # A degraded copy may carry the mark #bad, so that it is an item of its own for every other analysis.
    index: dict[str, int] = {}
    base = [index.setdefault(item.removesuffix("#bad"), len(index)) for item in ratings.item.names]
    parts = [ratings.rater, Factor(np.array(base, dtype=np.int32)[ratings.item.codes], tuple(index))]
    return row_keys([*parts, *(ratings.columns[name] for name in _TASK if name in ratings.columns)])[0]


def _paired_p(differences: Floats) -> float:
    """One-sided paired t-test that degraded items score lower; nan for fewer than two pairs."""

    n = len(differences)
    if n < 2:
        return nan
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    if deviation == 0:
        return 1.0 if mean >= 0 else 0.0
    return float(stdtr(n - 1, mean / (deviation / np.sqrt(n))))


def _score_flags(
    ratings: Ratings, rows: NDArray[np.intp], by_role: Mapping[str, NDArray[np.bool_]], scores: Floats, longest_run: int
) -> list[str]:
    flags = []
    own = {role: scores[there[rows]] for role, there in by_role.items()}
    means = {role: given.mean() for role, given in own.items() if len(given)}
    if list(means.values()) != sorted(means.values()):
        flags.append("means out of order: " + ", ".join(f"{role} {steady(mean):.3g}" for role, mean in means.items()))
    if _deviation(scores) == 0:
        flags.append("one and the same score throughout")
    if "order" in ratings.numbers:
        run = _longest_run(scores[np.argsort(ratings.numbers["order"][rows], kind="stable")])
        if run > longest_run:
            flags.append(f"one score {run} times in a row")
    return flags


def _time_flags(ratings: Ratings, rows: NDArray[np.intp], started: Floats | None, fastest: float) -> list[str]:
    if "time_s" not in ratings.numbers:
        return []
    tasks = task_times(ratings, rows, started)
    flags = []
    if together := [task for task in tasks if task.concurrent]:
        worst = first_of(together, lambda task: task.corrected)
        flags.append(
            f"{len(together)} tasks open at once: {steady(worst.seconds):.0f} s of one are "
            f"{steady(worst.corrected):.0f} s when shared"
        )
    if tasks and (shortest := min(task.corrected for task in tasks)) < fastest:
        flags.append(f"a task done in {steady(shortest):.0f} s (less than {fastest:g})")
    return flags


def _rejection_flags(rejections: Floats | None, rows: NDArray[np.intp]) -> list[str]:
    most = 0.0 if rejections is None else float(rejections[rows].max())
    return [f"{steady(most):.0f} earlier task{'s' * (most > 1)} rejected"] if most > 0 else []


def _longest_run(scores: Floats) -> int:
    changes = np.flatnonzero(np.diff(scores) != 0) + 1
    return int(np.diff(np.concatenate(([0], changes, [len(scores)]))).max()) if len(scores) else 0
