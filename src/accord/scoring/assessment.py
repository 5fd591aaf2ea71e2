"""Direct assessment: quality control of raters by their own scores, z-scores, segment and system means."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Codes, Floats, Integers, renumbered
from accord.design.scale import SAY_DIRECTION, Direction
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.noise import ordered
from accord.ratings.apart import people_of
from accord.ratings.given_again import given_again, in_another_round
from accord.ratings.table import Factor, Ratings
from accord.records import dataclass
from accord.scoring.gate_exclusions import better_is_higher
from accord.scoring.ranking.segments import averaged_over, standardised
from accord.scoring.rater_gate import Outcome, RaterGate, gate_raters, roles_of
from accord.scoring.signature import signature
from accord.tables.later import Later, Settles
from accord.words import counted, steady

__all__ = ["DirectAssessment", "SegmentMean", "SelfReplication", "SystemMean", "direct_assessment"]

ENOUGH_REPEATS = 15


@dataclass(frozen=True, slots=True)
class SegmentMean:
    """Mean of all ratings of one system's version of a segment, raw and standardised."""

    item: str
    system: str
    ratings: int
    raw: float
    z: float
    enough: bool


@dataclass(frozen=True, slots=True)
class SystemMean:
    """Mean of a system's segment means."""

    system: str
    raw: float
    z: float
    segments: int
    ratings: int


@dataclass(frozen=True, slots=True)
class SelfReplication:
    """Correlation of segment means between two halves of the raters, over many random halvings.

    Two raters can be halved in one way only: there are no ends then.
    """

    correlation: float
    low: float
    high: float
    segments: int
    halvings: int

    def to_dict(self) -> dict[str, object]:
        return {
            "correlation": self.correlation, "low": self.low, "high": self.high, "segments": self.segments,
            "halvings": self.halvings, "unit": "raters",
        }  # fmt: skip


class _Versions(NamedTuple):
    """Each system's version of an item: one code a rating, a row of each, and its ratings and their means."""

    code: Integers
    first: NDArray[np.intp]
    ratings: Integers
    raw: Floats
    z: Floats


@dataclass(frozen=True, kw_only=True)
class DirectAssessment(Settles):
    """Who may count, and what those who may have said."""

    raters: tuple[RaterGate, ...]
    segments: Later[tuple[SegmentMean, ...]] = Later()
    versions: int
    """How many segments there are, each system's version counted."""
    enough: int
    """Segments with enough ratings for a score of their own."""
    systems: tuple[SystemMean, ...]
    replication: SelfReplication | None
    minimum: int
    cautions: tuple[str, ...]
    signature: str
    keep_all: bool = False
    """Whether raters who do not pass count too, because somebody asked for it."""

    @property
    def counting(self) -> tuple[str, ...]:
        """The raters whose ratings the scores are made of; one score throughout says nothing, whoever is kept."""
        return tuple(gate.rater for gate in self.raters if (gate.deviates if self.keep_all else gate.kept))

    @property
    def passed(self) -> tuple[str, ...]:
        return tuple(gate.rater for gate in self.raters if gate.kept)

    def __str__(self) -> str:
        lines = [f"Direct assessment: {len(self.passed)} of {len(self.raters)} raters pass"]
        lines += [f"{steady(system.z):8.3f} {steady(system.raw):8.2f}  {system.system}" for system in self.systems]
        return "\n".join([*lines, *self.cautions])

    def to_dict(self) -> dict[str, object]:
        return {
            "raters": [gate.to_dict() for gate in self.raters],
            "systems": [
                {"system": s.system, "z": s.z, "raw": s.raw, "segments": s.segments, "ratings": s.ratings}
                for s in self.systems
            ],
            "segments": self.versions,
            "segments_with_enough_ratings": self.enough,
            "minimum": self.minimum,
            "self_replication": self.replication.to_dict() if self.replication else None,
            "cautions": list(self.cautions),
            "signature": self.signature,
        }


def direct_assessment(
    ratings: Ratings, rng: np.random.Generator, *, alpha: float = 0.05, fastest: float = 300, longest_run: int = 8,
    minimum: int = ENOUGH_REPEATS, keep_all: bool = False, as_is: bool = False, halvings: int = 100,
    seed: int | None = None, unique: bool = False, sample: int | None = None, started: str | None = None,
    rejections: str | None = None,
) -> DirectAssessment:  # fmt: skip
    """Gate the raters, standardise their scores, and average by segment and system.

    Needs the columns ``role`` (system, repeat, reference and degraded items) and ``system``. A segment
    score of its own needs ``minimum`` ratings; system scores use all segments. ``as_is`` takes the
    scores as z-scores already, ``keep_all`` only reports the gate. ``unique`` counts a rater once for each
    version of a segment, ``sample`` draws so many of its ratings and leaves out segments that have fewer.
    """
    if not 0 < alpha < 1 or minimum < 1 or (sample is not None and sample < 1):
        raise OptionError("alpha must lie between 0 and 1, and the minimum or sample of ratings must be at least 1.")
    if "system" not in ratings.columns:
        raise ColumnError("Direct assessment needs a column that names the system. Use --system.")
    ratings, told = people_of(ratings)
    roles = roles_of(ratings)  # first, as without degraded items no direction helps
    good = ratings.criterion.direction
    if not good.is_known:
        raise OptionError(f"A rater must score degraded items worse than their originals. {SAY_DIRECTION}")
    gates = gate_raters(
        better_is_higher(ratings), roles, alpha=alpha, fastest=fastest, longest_run=longest_run, started=started,
        rejections=rejections,
    )  # fmt: skip
    wanted = np.array([gate.deviates if keep_all else gate.kept for gate in gates])
    if not wanted.any():
        raise NotEnoughDataError(_nobody(gates))
    fingerprint = ratings.fingerprint
    ratings, roles, again = _without_rounds(ratings, roles)
    scores = ratings.scores
    z = scores if as_is else standardised(scores, ratings.rater.codes, len(gates))
    counts = wanted[ratings.rater.codes] & np.isin(roles, ("system", "repeat")) & np.isfinite(z)
    if not counts.any():
        raise NotEnoughDataError("The raters who pass have rated no system.")
    kept, raw, z = ratings.where(counts), scores[counts], z[counts]
    chosen, said = _chosen(kept, roles[counts], rng, unique, sample)
    kept, raw, z = kept.where(chosen), raw[chosen], z[chosen]
    versions = _versions(kept, raw, z)
    enough = int((versions.ratings >= minimum).sum())
    replication = _replication(kept.rater.in_order_of_names().codes, kept.raters, versions, z, rng, halvings)
    return DirectAssessment(
        raters=gates, segments=lambda: _segment_means(kept, versions, minimum),
        versions=len(versions.first), enough=enough, systems=_system_means(kept, versions, good),
        replication=replication, minimum=minimum, keep_all=keep_all,
        cautions=(
            *averaged_over(kept, ("system",), "takes"), *(f"{line}." for line in (*told, *again)), *said,
            *_cautions(ratings, gates, len(versions.first), enough, minimum, keep_all),
        ),
        signature=signature("da", alpha=alpha, minimum=minimum, keep_all=keep_all or None, as_is=as_is or None,
                            unique=unique or None, sample=sample, started=started, rejections=rejections,
                            seed=seed, ratings=fingerprint),
    )  # fmt: skip


def _without_rounds(
    ratings: Ratings, roles: NDArray[np.object_]
) -> tuple[Ratings, NDArray[np.object_], tuple[str, ...]]:
    """Without what a rater judged again in another round or on a later occasion; control repeats of one round stay."""
    # As in a ranking what checks a rater is put aside first: a text is not judged again after its spoilt copy.
    texts = np.flatnonzero(np.isin(roles, ("system", "repeat")))
    judged = ratings.where(texts)
    again = given_again(judged)
    if again is None:
        return ratings, roles, ()
    out = np.zeros(len(ratings), dtype=bool)
    out[texts] = again & ((roles[texts] != "repeat") | in_another_round(judged))
    if not out.any():
        return ratings, roles, ()
    number = counted(int(out.sum()), "rating that a rater gave again", "ratings that raters gave again")
    told = f"{number} in another round or on a later occasion are left out: only control repeats count beside the first"
    kept = ratings.where(~out)
    # Raters keep their codes, which the gate goes by.
    rater = Factor(ratings.rater.codes[~out], ratings.rater.names)
    return replace(kept, rater=rater), roles[~out], (told,)


def _nobody(gates: Sequence[RaterGate]) -> str:
    """Why nothing is left: whoever could not be judged has not failed."""
    if not any(gate.pairs for gate in gates):
        return (
            "No rater can be judged: no degraded copy belongs to an original. A copy has the item of its original (or "
            "that item with #bad at its end) and its own role. --keep-all averages the scores without this control."
        )
    unknown = sum(gate.outcome is Outcome.CANNOT_TELL for gate in gates)
    apart = f"; {unknown:,} of {len(gates):,} cannot be judged, as they saw too few copies" if unknown else ""
    return (
        f"No rater passes the quality control{apart}, so there is nothing to average. --keep-all averages all scores."
    )


def _versions(ratings: Ratings, raw: Floats, z: Floats) -> _Versions:
    code, first = _coded_versions(ratings)
    often = np.bincount(code)
    return _Versions(code, first, often, np.bincount(code, raw) / often, np.bincount(code, z) / often)


def _coded_versions(ratings: Ratings) -> tuple[Integers, NDArray[np.intp]]:
    """One code for each system's version of an item, and a row of each."""
    system = ratings.columns["system"]
    key = ratings.item.codes.astype(np.int64) * (len(system.names) + 1) + system.codes
    _, first, code = np.unique(key, return_index=True, return_inverse=True)
    return np.asarray(code).reshape(-1).astype(np.int64), first


def _chosen(
    ratings: Ratings, roles: NDArray[np.object_], rng: np.random.Generator, unique: bool, sample: int | None
) -> tuple[NDArray[np.bool_], list[str]]:
    """Which ratings count: one a rater and version if ``unique``, then ``sample`` of each version at random."""
    keep = np.ones(len(ratings), dtype=bool)
    if not unique and sample is None:
        return keep, []
    code, first = _coded_versions(ratings)
    said = []
    if unique:
        # Originals before repeats: the first rating is the one the rater gave without having seen the item.
        order = np.lexsort((roles != "system", code * ratings.raters + ratings.rater.codes))
        same = np.diff((code * ratings.raters + ratings.rater.codes)[order]) == 0
        keep[order[1:][same]] = False
        said.append(f"Each rater counts once for a segment: {int((~keep).sum()):,} further ratings are left out.")
    if sample is not None:
        # From rows in the order of their names: what is drawn does not hang on the row that comes first.
        named = (ratings.rater, ratings.columns["system"], ratings.item)
        rows = np.lexsort((ratings.value, *(factor.in_order_of_names().codes for factor in named)))
        turn = rows[rng.permutation(len(code))]
        order = turn[np.lexsort((code[turn], ~keep[turn]))]
        order = order[keep[order]]
        starts = np.concatenate(([0], np.cumsum(np.bincount(code[order], minlength=len(first)))))
        place = np.arange(len(order)) - starts[code[order]]
        enough = np.diff(starts) >= sample
        if not enough.any():
            raise NotEnoughDataError(
                f"No segment has {sample} ratings that count: ask for fewer with --sample, or collect more."
            )
        keep[:] = False
        keep[order[(place < sample) & enough[code[order]]]] = True
        said.append(
            f"{sample} ratings are drawn for each of {int(enough.sum()):,} segments; "
            f"{int((~enough).sum()):,} segments that have fewer are left out."
        )
    return keep, said


def _segment_means(ratings: Ratings, found: _Versions, minimum: int) -> tuple[SegmentMean, ...]:
    items, systems = (factor[found.first].labels().tolist() for factor in (ratings.item, ratings.columns["system"]))
    numbers = found.ratings.tolist(), found.raw.tolist(), found.z.tolist()
    return tuple(
        SegmentMean(item, system, count, mean, score, count >= minimum)
        for item, system, count, mean, score in zip(items, systems, *numbers, strict=True)
    )


def _system_means(ratings: Ratings, found: _Versions, good: Direction) -> tuple[SystemMean, ...]:
    """Systems from best to worst."""
    system = ratings.columns["system"][found.first]
    made = []
    for code in dict.fromkeys(system.codes.tolist()):
        part = system.codes == code
        raw, z, often = found.raw[part], found.z[part], found.ratings[part]
        name = str(system.names[code]) if code >= 0 else ""
        made.append(SystemMean(name, float(raw.mean()), float(z.mean()), len(often), int(often.sum())))
    return tuple(ordered(made, lambda one: good.sign * one.z, lambda one: one.system, highest=True, size=1.0))


def _replication(
    rater: Codes, raters: int, versions: _Versions, z: Floats, rng: np.random.Generator, halvings: int
) -> SelfReplication | None:
    """Each rater goes to one of two runs at random; segments rated in both are compared."""
    code, often = versions.code, versions.ratings
    if not (often > 1).all():  # what was rated once is never in both runs
        rows = often[code] > 1
        code, rater, z = renumbered(code[rows])[1], rater[rows], z[rows]
        often = np.bincount(code)
    # Segment after segment: sums of neighbours take half of the time.
    order = np.argsort(code, kind="stable")
    place, z, start = rater[order].astype(np.intp), z[order], np.cumsum(often) - often
    whole = np.add.reduceat(z, start)
    found, shared, ways = [], 0, set()
    for _ in range(halvings):
        run = rng.permutation(raters) % 2
        half = run.astype(np.float64)[place]
        n = np.add.reduceat(half, start)
        both = (n > 0) & (n < often)
        segments = int(both.sum())
        if segments < 3:
            continue
        half *= z
        total = np.add.reduceat(half, start)
        rest, others = whole - total, often - n
        if segments < len(both):
            total, rest, n, others = total[both], rest[both], n[both], others[both]
        a, b = rest / others, total / n
        if a.std() > 0 and b.std() > 0:
            found.append(float(np.corrcoef(a, b)[0, 1]))
            shared += segments
            ways.add((run ^ run[0]).tobytes())
    if not found:
        return None
    low, high = np.quantile(found, [0.025, 0.975]) if len(ways) > 1 else (np.nan, np.nan)
    tried = len(found) if len(ways) > 1 else 1
    return SelfReplication(float(np.mean(found)), float(low), float(high), shared // len(found), tried)


def _cautions(
    ratings: Ratings, gates: Sequence[RaterGate], segments: int, enough: int, minimum: int, keep_all: bool
) -> tuple[str, ...]:
    said = []
    if few := segments - enough:
        said.append(
            f"{few:,} of {segments:,} segments have fewer than {minimum} ratings: their own scores are not "
            "reliable, only means over many of them."
        )
    if untold := [gate for gate in gates if gate.outcome is Outcome.CANNOT_TELL]:
        power = [gate.power for gate in untold if not isnan(gate.power)]
        shares = (
            " to ".join(dict.fromkeys(f"{steady(share):.0%}" for share in (min(power), max(power)))) if power else ""
        )
        usual = f" (a usual rater with as few passes in {shares} of cases)" if power else ""
        one = len(untold) == 1
        who, they = ("one rater tells", "This rater") if one else (f"{len(untold)} raters tell", "They")
        fate = f"{they} {'counts' if one else 'count'}, as asked."
        if not keep_all:
            fate = f"{they} {'is' if one else 'are'} left out like those who failed; --keep-all counts them."
        said.append(f"Whether {who} degraded items apart cannot be said from so few pairs{usual}. {fate}")
    if "order" not in ratings.numbers:
        said.append("No column 'order' says in which order items were shown, so runs of one score were not looked for.")
    if "time_s" not in ratings.numbers:
        said.append("No column 'time_s' holds the time of a task, so raters who were too fast were not looked for.")
    if keep_all:
        said.append("Raters who fail the quality control are still counted, as asked.")
    return tuple(said)
