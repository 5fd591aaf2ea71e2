"""Diagnose: run every check of the table of findings on every criterion."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from accord.diagnosis.case import Case, Observation
from accord.diagnosis.finding import Finding, Severity
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.registry import FINDINGS, FindingSpec
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.apart import kept_apart
from accord.ratings.checks import require_ratings
from accord.ratings.rated_elsewhere import items_elsewhere, part_named, where_else
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.signs.amount import rated_once
from accord.tables.later import Later, Settles
from accord.tables.result import Result
from accord.tables.table import Column, Table
from accord.words import counted

if TYPE_CHECKING:
    from accord.plots.chart import Chart

__all__ = ["Diagnosis", "diagnose", "diagnose_parts"]

Progress = Callable[[int, int], object]
_SHARING = "no_shared_items"
_ORDER = {severity: place for place, severity in enumerate(Severity)}


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(Settles, Result):
    """What was found, the gravest first, and what was looked at."""

    findings: tuple[Finding, ...]
    checks: int
    criteria: int
    ratings: int
    items: int
    raters: int
    fingerprint: Later[str] = Later()
    seed: int
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = f"{self.ratings:,} ratings, {self.items:,} items, {self.raters:,} raters: {self.summary}"
        return "\n".join([head, *(f"- {finding}" for finding in self.findings), *self.remarks])

    @property
    def summary(self) -> str:
        """How many findings of each severity."""
        if not self.findings:
            return f"nothing found in {self.checks} checks"
        counts = [(kind, sum(finding.severity is kind for finding in self.findings)) for kind in Severity]
        return ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts if count)

    def rows(self) -> list[dict[str, str]]:
        """One row a finding, in words, for a table."""
        return [
            {
                "severity": str(finding.severity), "code": finding.code, "message": finding.message,
                "sure": finding.sure, "advice": finding.advice, "invalidates": ", ".join(finding.invalidates),
            }
            for finding in self.findings
        ]  # fmt: skip

    def tables(self) -> tuple[Table, ...]:
        names = ("severity", "code", "message", "sure", "advice", "invalidates")
        return (Table("Findings", [Column(name, name) for name in names], self.rows()),)

    def lines(self) -> tuple[str, ...]:
        return self.remarks

    def plot(self) -> "Chart":
        """In how many findings of each severity every rater is named."""
        from accord.plots.ratings import category_use

        named = dict.fromkeys(name for finding in self.findings for name in finding.who)
        if not named:
            raise OptionError("There is nothing to draw: no finding is about a rater.")
        counts = {
            name: [sum(name in one.who and one.severity is kind for one in self.findings) for kind in Severity]
            for name in named
        }
        return category_use([str(kind) for kind in Severity], counts, title="Findings about each rater")

    def to_dict(self) -> dict[str, object]:
        return {
            "ratings": {
                "rows": self.ratings, "items": self.items, "raters": self.raters, "fingerprint": self.fingerprint,
            },
            "seed": self.seed, "checks": self.checks, "remarks": list(self.remarks),
            "findings": [finding.to_dict() for finding in self.findings],
        }  # fmt: skip


def diagnose(
    ratings: Ratings | StoredRatings, *, by: Sequence[str] = (), seed: int = 0, progress: Progress | None = None
) -> Diagnosis:
    """Look at these ratings with every check there is, criterion by criterion, and group by group of ``by``.

    What the codebook keeps apart (scenario, condition, phase, ...) is looked at apart.

    Parameters
    ----------
    ratings
        Ratings in memory.
    by
        Columns whose groups are analysed apart.
    seed
        Seed of whatever is drawn at random.
    progress
        Called with what is done and what there is to do.

    Returns
    -------
    Diagnosis
        The findings, errors first.

    Examples
    --------
    >>> import accord
    >>> diagnosis = accord.diagnose(accord.read("adequacy.csv"))
    >>> all(finding.message for finding in diagnosis.findings)
    True
    """
    ratings = require_ratings(ratings, "diagnose")
    if not len(ratings):
        raise NotEnoughDataError("There is not a single rating to look at.")
    return diagnose_parts(ratings, parts_of(ratings, (*by, *kept_apart(ratings, by))), seed=seed, progress=progress)


def diagnose_parts(
    ratings: Ratings, parts: Sequence[Part], *, seed: int = 0, progress: Progress | None = None
) -> Diagnosis:
    """The same where the ratings are parted already, and what was found of pairs of raters is used again."""
    total = len(parts) * len(FINDINGS)
    several = any(len(part.raters) > 1 for part in parts)
    found: list[Finding] = []
    remarks: list[str] = []
    apart = kept_apart(ratings)
    elsewhere = items_elsewhere(ratings, apart) if apart else {}
    for place, part in enumerate(parts):
        case = Case(part, np.random.default_rng(seed))
        sorted_columns = False
        for step, spec in enumerate(FINDINGS.values()):
            # Sorted columns look strict and lenient by construction: that says nothing about people.
            # One model beside several people is a design, not a fault: a remark says that nothing is compared.
            is_design = spec.code == _SHARING and several and len(part.raters) == 1
            seen = [] if is_design or (sorted_columns and spec.about_strictness) else list(spec.check(case))
            sorted_columns |= spec.code == "sorted_raters" and bool(seen)
            items = elsewhere.get(part_named(ratings, part.by), 0) if spec.code == _SHARING else 0
            why = f"; {items:,} of them others rated {where_else(apart)}" if items else ""
            found += [_finding(spec, part, one, why) for one in seen]
            if progress is not None:
                progress(place * len(FINDINGS) + step + 1, total)
        remarks += _remarks(part, case)
    remarks += _rated_once(parts)
    found.sort(key=lambda finding: _ORDER[finding.severity])
    return Diagnosis(
        findings=tuple(found), checks=total, criteria=len(parts), ratings=len(ratings), items=ratings.items,
        raters=ratings.raters, fingerprint=lambda: ratings.fingerprint, seed=seed, remarks=tuple(remarks),
    )  # fmt: skip


def _finding(spec: FindingSpec, part: Part, seen: Observation, why: str = "") -> Finding:
    prefix = "" if not part.by else f"{part.title}: "
    return Finding(
        code=spec.code, severity=spec.severity, message=prefix + seen.message + why, who=seen.who, sure=seen.sure,
        evidence=seen.evidence, invalidates=spec.invalidates, advice=seen.advice or spec.advice, by=part.by,
    )  # fmt: skip


def _rated_once(parts: Sequence[Part]) -> list[str]:
    """How many items say nothing about agreement: the first part in full, the others counted."""
    once = [
        f"{part.title}: {words}" if part.by else words
        for part in parts
        for words in rated_once(part.items, int(np.count_nonzero(np.bincount(part.item) > 1)))
    ]
    others = f" (likewise in {counted(len(once) - 1, 'other part')})" if len(once) > 1 else ""
    return [f"{once[0]}{others}."] if once else []


def _remarks(part: Part, case: Case) -> list[str]:
    """What could not be looked at, or only in part, in words."""
    prefix = "" if not part.by else f"{part.title}: "
    remarks = []
    if case.rows.step > 1:
        remarks.append(f"{prefix}pairs of raters were compared on every {case.rows.step}th item, to save memory.")
    if part.items == 1:
        remarks.append(f"{prefix}There is one item only: nothing can be said about raters from one item.")
    elif len(part.raters) == 1:
        beside = "; beside people: accord judge" if part.by.get("kind") == "model" else ""
        remarks.append(f"{prefix}there is one rater only, so there is nobody to compare with{beside}.")
    return remarks
