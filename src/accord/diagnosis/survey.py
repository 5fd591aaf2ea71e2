"""A survey of papers: which coefficients they used, how often, and the average, smallest and largest value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from accord.coefficients.names import is_weighted_somehow, key_named
from accord.coefficients.registry import COEFFICIENTS, PERCENT_AGREEMENT
from accord.errors import Problem, RatingsError
from accord.ratings.number_spellings import numbers_in
from accord.records import dataclass
from accord.scoring.sheet import Sheet, read_sheet
from accord.tables.plain import PlainData

__all__ = ["CoefficientUse", "Exclusion", "Survey", "SurveyedUse", "read_survey", "share", "survey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedUse:
    """One paper that used one coefficient, with the values it reports (one a criterion)."""

    paper: str
    coefficient: str
    values: Sequence[float] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientUse(PlainData):
    """One row of the survey: ``used`` counts papers, the other columns the values in them."""

    coefficient: str
    used: int
    share_of_uses: float
    share_of_papers: float
    average: float
    smallest: float
    largest: float


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
        coefficient=name,
        used=len(uses),
        share_of_uses=len(uses) / total,
        share_of_papers=len({use.paper for use in uses}) / papers,
        average=float(values.mean()) if known else float("nan"),
        smallest=float(values.min()) if known else float("nan"),
        largest=float(values.max()) if known else float("nan"),
    )


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
    percentages: int = 0
    """Values that were given in percent and are told as shares."""
    notes: tuple[str, ...] = ()
    """How the file was read: rows that were taken for no papers."""

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
    sheet = read_sheet(path, wanted=("paper", "coefficient", "value", "excluded"))
    sheet.require("paper", "coefficient")
    cells = {name: [row.text(name) for row in sheet.rows] for name in ("paper", "coefficient", "value", "excluded")}
    cells["coefficient"] = ["" if name.casefold() in _NO_COEFFICIENT else name for name in cells["coefficient"]]
    reasons = _reasons(path, cells["paper"], cells["excluded"])
    values, percentages = _shares(sheet, [_known_name(name) for name in cells["coefficient"]], cells["value"])
    found: dict[tuple[str, str], list[float]] = {}
    for paper, coefficient, value in zip(cells["paper"], cells["coefficient"], values, strict=True):
        if paper and coefficient and not reasons[paper]:
            numbers = found.setdefault((paper, _known_name(coefficient)), [])
            numbers += [] if value is None else [value]
    uses = tuple(SurveyedUse(paper=paper, coefficient=name, values=v) for (paper, name), v in found.items())
    counted = Counter(reason for reason in reasons.values() if reason)
    excluded = tuple(Exclusion(reason, papers) for reason, papers in counted.most_common())
    return Survey(sum(not reason for reason in reasons.values()), uses, excluded, percentages, sheet.notes)


def _known_name(name: str) -> str:
    """The title of the coefficient that a paper means: Fleiss kappa and fleiss are one; else the name as it stands."""
    if is_weighted_somehow(name):
        return "weighted κ (weights not said)"
    key = key_named(name)
    return COEFFICIENTS[key].title if key else name


_NO_COEFFICIENT = frozenset({"none", "no", "-", "\u2013", "\u2014", "n/a", "na", "not reported", "none reported"})


def _shares(sheet: Sheet, names: Sequence[str], texts: Sequence[str]) -> tuple[list[float | None], int]:
    """The values as shares, and how many were percentages: 85 and 85% are .85; what cannot be is refused."""
    marked = [text.rstrip("% ").strip() if text.endswith("%") else text for text in texts]
    numbers, _ = numbers_in([text or None for text in marked])
    problems: list[Problem] = []
    shares: list[float | None] = []
    percentages = 0
    for row, name, text, number in zip(sheet.rows, names, texts, numbers, strict=True):
        # Between 1 and 2 lies neither a share nor a percentage that anybody reports.
        percent = number is not None and (text.endswith("%") or 2 < number <= 100)
        share = number / 100 if percent and number is not None else number
        said = f"{text} ({row.text('paper')}, {name})"
        if text and number is None:
            problems.append(Problem(f"{said} is not a number", row.number, sheet.source))
        elif share is not None and not (0 if name == _PERCENT.title else -1) <= share <= 1:
            problems.append(Problem(f"{said} is not a value it can have", row.number, sheet.source))
        percentages += percent
        shares.append(share)
    if problems:
        raise RatingsError(f"{sheet.source} has values that no coefficient can have:", problems)
    return shares, percentages


_PERCENT = COEFFICIENTS[PERCENT_AGREEMENT]


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
