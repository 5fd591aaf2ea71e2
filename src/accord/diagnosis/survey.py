"""A survey of papers: which coefficients they used, how often, and the average, smallest and largest value."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from accord.errors import RatingsError

__all__ = ["CoefficientUse", "SurveyedUse", "share", "survey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedUse:
    """One paper that used one coefficient, with the values it reports (one a criterion)."""

    paper: str
    coefficient: str
    values: Sequence[float] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientUse:
    """One row of the survey: ``used`` counts papers, the other columns the values in them."""

    coefficient: str
    used: int
    share_of_uses: float
    share_of_papers: float
    average: float
    smallest: float
    largest: float

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def survey(uses: Sequence[SurveyedUse]) -> list[CoefficientUse]:
    """One row a coefficient, the most used first. A paper may use several, so shares of uses and of papers differ."""
    if not uses:
        raise RatingsError("The survey is empty: list at least one paper with the coefficient it used.")
    papers = len({use.paper for use in uses})
    by_name: dict[str, list[SurveyedUse]] = {}
    for use in uses:
        by_name.setdefault(use.coefficient, []).append(use)
    total = len(uses)
    rows = [_row(name, found, total, papers) for name, found in by_name.items()]
    return sorted(rows, key=lambda row: -row.used)


def _row(name: str, uses: Sequence[SurveyedUse], total: int, papers: int) -> CoefficientUse:
    values = np.array([value for use in uses for value in use.values], dtype=np.float64)
    known = len(values) > 0
    return CoefficientUse(
        coefficient=name, used=len(uses), share_of_uses=len(uses) / total,
        share_of_papers=len({use.paper for use in uses}) / papers,
        average=float(values.mean()) if known else float("nan"),
        smallest=float(values.min()) if known else float("nan"),
        largest=float(values.max()) if known else float("nan"),
    )  # fmt: skip


def share(counts: Mapping[str, int], of: str) -> dict[str, float]:
    """Each count as a share of the one named: ``share({"with IAA": 24, "all": 135}, of="all")``."""
    if counts.get(of, 0) <= 0:
        raise RatingsError(f"The survey has no count named {of!r} above zero to take shares of.")
    return {name: count / counts[of] for name, count in counts.items() if name != of}
