"""What was asked for, checked once, and how it is written into a signature."""

from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256

import numpy as np

from accord import __version__
from accord.arrays import Floats
from accord.coefficients.options import Options
from accord.coefficients.registry import CoefficientSpec
from accord.coefficients.reported import Use
from accord.inference.interval import Interval
from accord.ratings.counts import CountSource
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.plan import Plan

__all__ = ["Origin", "Request", "signature"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Coefficients (None for all that fit), options, the plan of the intervals, and whether pairs are wanted.

    ``told`` says that only what a person is told gets an interval: ``deciding`` if it is there, and what is reported
    for this ``use`` of the ratings.
    """

    asked: tuple[str, ...] | None = None
    options: Options = field(default_factory=Options)
    plan: Plan = field(default_factory=Plan)
    pairs: bool = False
    told: bool = False
    use: Use | None = None
    deciding: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a value was computed from: the fingerprints of all ratings and of what the ratings of this part mean."""

    ratings: str
    codebook: str = ""

    @classmethod
    def of(cls, whole: Ratings | CountSource, part: Ratings | CountSource) -> "Origin":
        """Of a part of ratings; bare counts have no codebook."""
        return cls(whole.fingerprint, part.codebook.fingerprint if isinstance(part, Ratings | StoredRatings) else "")


def signature(
    spec: CoefficientSpec, request: Request, interval: Interval | None, origin: Origin, by: Mapping[str, str]
) -> str:
    """All that is needed to compute a value again: version, options, seed, fingerprints of codebook and ratings."""
    options, plan = request.options, request.plan
    parts = [f"accord {__version__}", spec.key]
    of = spec.coefficient
    if of.weighted or of.weights:
        parts.append(f"weights:{_named(of.weights_taken(options), of.weights)}")
    if spec.by_metric:
        parts.append(f"metric:{_named(options.metric_or(''), 'level')}")
    if of.missing_rule(options):
        parts.append(f"missing:{options.icc_missing}")
    parts += [f"{column}:{name}" for column, name in by.items()]
    if interval:
        parts += [interval.method, f"confidence:{plan.confidence:g}"]
    if interval and interval.replicates:
        parts += [f"replicates:{interval.replicates}", f"seed:{plan.seed}"]
    meaning = [f"codebook:{origin.codebook}"] if origin.codebook else []
    return "|".join([*parts, *meaning, f"ratings:{origin.ratings}"])


def _named(choice: str | Floats, default: str) -> str:
    if isinstance(choice, str):
        return choice or default
    return f"own-{sha256(np.ascontiguousarray(choice, dtype=np.float64).tobytes()).hexdigest()[:8]}"
