"""A survey of papers: which coefficients they used, how often, and the average, smallest and largest value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from accord.errors import ColumnError, RatingsError

__all__ = ["CoefficientUse", "Exclusion", "Survey", "SurveyedUse", "read_survey", "share", "survey"]


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


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One criterion of exclusion, in the words of the surveyor, and how many papers it left out."""

    reason: str
    papers: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The uses in a file, how many papers it lists, those without a coefficient included, and who was left out."""

    papers: int
    uses: tuple[SurveyedUse, ...]
    excluded: tuple[Exclusion, ...] = ()

    @property
    def considered(self) -> int:
        """Papers that were looked at: surveyed and left out."""
        return self.papers + sum(one.papers for one in self.excluded)


def read_survey(path: str | Path) -> Survey:
    """A table of papers (CSV, TSV, xlsx): columns ``paper``, ``coefficient`` and ``value``, one row a value.

    A row without a coefficient is a paper that reports none; one without a value names the coefficient only.
    A column ``excluded`` gives the reason why a paper was looked at and left out: such papers are counted by
    reason and take no part in the survey.
    """
    from accord.ratings.files import read_file

    table = read_file(Path(path))
    missing = [name for name in ("paper", "coefficient") if name not in table.columns]
    if missing:
        known = ", ".join(table.columns)
        raise ColumnError(f"{path} has no column {' and no column '.join(map(repr, missing))}. It has: {known}.")
    cells = {
        name: [str(cell or "").strip() for cell in table.columns[name]] if name in table.columns else [""] * len(table)
        for name in ("paper", "coefficient", "value", "excluded")
    }
    reasons = _reasons(path, cells["paper"], cells["excluded"])
    found: dict[tuple[str, str], list[float]] = {}
    for paper, coefficient, value in zip(cells["paper"], cells["coefficient"], cells["value"], strict=True):
        if paper and coefficient and not reasons[paper]:
            numbers = found.setdefault((paper, coefficient), [])
            if value:
                try:
                    numbers.append(float(value))
                except ValueError:
                    raise RatingsError(f"{path}: {value!r} ({paper}, {coefficient}) is no number.") from None
    uses = tuple(SurveyedUse(paper=paper, coefficient=name, values=v) for (paper, name), v in found.items())
    counted = Counter(reason for reason in reasons.values() if reason)
    excluded = tuple(Exclusion(reason, papers) for reason, papers in counted.most_common())
    return Survey(sum(not reason for reason in reasons.values()), uses, excluded)


def _reasons(path: str | Path, papers: Sequence[str], excluded: Sequence[str]) -> dict[str, str]:
    """Why each paper was left out; "" for those that were not. A paper cannot be both."""
    found: dict[str, str] = {}
    for paper, reason in zip(papers, excluded, strict=True):
        if paper and found.setdefault(paper, reason) != reason:
            raise RatingsError(
                f"{path}: the rows of {paper!r} do not agree why it was left out ({found[paper] or 'not at all'}, "
                f"{reason or 'not at all'}). Give every row of a paper the same reason, or none."
            )
    return found
