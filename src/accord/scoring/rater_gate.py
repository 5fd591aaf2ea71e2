"""The gate of direct assessment: a rater must score degraded items below the originals, by their own scale."""

from dataclasses import dataclass
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from accord.errors import ColumnError, NotEnoughDataError
from accord.ratings.counts import Floats
from accord.ratings.table import Ratings

__all__ = ["RaterGate", "gate_raters", "roles_of"]

_ROLES = {
    "system": "system", "tgt": "system", "repeat": "repeat", "chk": "repeat", "dup": "repeat", "ref": "reference",
    "reference": "reference", "bad_ref": "degraded", "bad": "degraded", "badref": "degraded", "degraded": "degraded",
}  # fmt: skip
_Names = NDArray[np.object_]


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

    @property
    def deviates(self) -> bool:
        """Whether the scores vary at all; those of a rater who gives one score say nothing."""
        return self.deviation > 0

    @property
    def kept(self) -> bool:
        return self.passed and self.deviates

    def to_dict(self) -> dict[str, object]:
        return {
            "rater": self.rater, "kept": self.kept, "pairs": self.pairs, "difference": self.difference, "p": self.p,
            "flags": list(self.flags), "standard_deviation": self.deviation,
            "repeat_difference": self.repeat_difference, "ratings": self.ratings,
        }  # fmt: skip


def roles_of(ratings: Ratings) -> _Names:
    """The role of each row as one of system, repeat, reference, degraded."""
    if "role" not in ratings.columns:
        raise ColumnError(
            "Direct assessment needs a column that tells system, repeat, reference and degraded items apart: --role."
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
        raise NotEnoughDataError("No item is degraded, so raters cannot be checked against their own scores.")
    return roles


def gate_raters(
    ratings: Ratings, roles: _Names, *, alpha: float, fastest: float, longest_run: int
) -> tuple[RaterGate, ...]:
    """Each rater tested and flagged, in the order of the ratings."""
    scores = ratings.scores
    places = np.split(
        np.argsort(ratings.rater.codes, kind="stable"),
        np.cumsum(np.bincount(ratings.rater.codes, minlength=ratings.raters))[:-1],
    )
    return tuple(
        _gate(ratings, scores, name, rows, roles[rows], alpha, fastest, longest_run)
        for name, rows in zip(ratings.rater.names, places, strict=True)
    )


def _gate(
    ratings: Ratings, all_scores: Floats, name: str, rows: NDArray[np.intp], roles: _Names, alpha: float,
    fastest: float, longest_run: int,
) -> RaterGate:  # fmt: skip
    scores = all_scores[rows]
    keys = _keys(ratings, rows)
    degraded = _differences(keys, roles, scores, "degraded")
    repeats = _differences(keys, roles, scores, "repeat")
    p = _paired_p(degraded)
    deviation = float(scores.std(ddof=1)) if len(scores) > 1 and scores.min() != scores.max() else 0.0
    return RaterGate(
        rater=name, pairs=len(degraded), difference=float(degraded.mean()) if len(degraded) else nan, p=p,
        passed=not isnan(p) and p < alpha, flags=_flags(ratings, rows, roles, scores, deviation, fastest, longest_run),
        deviation=deviation, repeat_difference=float(np.abs(repeats).mean()) if len(repeats) else nan,
        ratings=len(rows),
    )  # fmt: skip


def _keys(ratings: Ratings, rows: NDArray[np.intp]) -> list[tuple[int, ...]]:
    """Item, and task where it is known: a copy is compared with the original of the same task."""
    # A degraded copy may carry the mark #bad, so that it is an item of its own for every other analysis.
    index: dict[str, int] = {}
    base = [index.setdefault(item.removesuffix("#bad"), len(index)) for item in ratings.item.names]
    parts = [np.array(base)[ratings.item.codes[rows]]]
    if "batch" in ratings.columns:
        parts.append(ratings.columns["batch"].codes[rows])
    return list(zip(*(part.tolist() for part in parts), strict=True))


def _differences(keys: list[tuple[int, ...]], roles: _Names, scores: Floats, role: str) -> Floats:
    """Score of each copy minus that of its original."""
    originals = {
        key: score for key, kind, score in zip(keys, roles, scores.tolist(), strict=True) if kind == "system"
    }  # fmt: skip
    found = [
        score - originals[key]
        for key, kind, score in zip(keys, roles, scores.tolist(), strict=True)
        if kind == role and key in originals
    ]
    return np.array(found, dtype=np.float64)


def _paired_p(differences: Floats) -> float:
    """One-sided paired t-test that degraded items score lower; nan for fewer than two pairs."""
    from scipy.special import stdtr

    n = len(differences)
    if n < 2:
        return nan
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    if deviation == 0:
        return 1.0 if mean >= 0 else 0.0
    return float(stdtr(n - 1, mean / (deviation / np.sqrt(n))))


def _flags(
    ratings: Ratings, rows: NDArray[np.intp], roles: _Names, scores: Floats, deviation: float, fastest: float,
    longest_run: int,
) -> tuple[str, ...]:  # fmt: skip
    flags = []
    means = {
        role: scores[roles == role].mean() for role in ("degraded", "system", "reference") if (roles == role).any()
    }
    if list(means.values()) != sorted(means.values()):
        flags.append("means out of order: " + ", ".join(f"{role} {mean:.3g}" for role, mean in means.items()))
    if deviation == 0:
        flags.append("one and the same score throughout")
    if "time_s" in ratings.numbers and (times := ratings.numbers["time_s"][rows]).size:
        shortest = float(np.nanmin(times)) if np.isfinite(times).any() else nan
        if shortest < fastest:
            flags.append(f"a task done in {shortest:.0f} s (less than {fastest:g})")
    if "order" in ratings.numbers:
        run = _longest_run(scores[np.argsort(ratings.numbers["order"][rows], kind="stable")])
        if run > longest_run:
            flags.append(f"one score {run} times in a row")
    return tuple(flags)


def _longest_run(scores: Floats) -> int:
    changes = np.flatnonzero(np.diff(scores) != 0) + 1
    return int(np.diff(np.concatenate(([0], changes, [len(scores)]))).max()) if len(scores) else 0
