"""The history of a vendor or system: earlier evaluations, what they expect of the next, and which look odd."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from math import isnan, nan
from pathlib import Path
from statistics import fmean, median

from accord.design.scale import Direction
from accord.errors import FormatError, NotEnoughDataError, OptionError, Problem
from accord.inference.interval import Interval
from accord.ratings.coding import MISSING_TOKENS
from accord.ratings.number_spellings import numbers_in
from accord.ratings.remark import rows_in_words
from accord.records import dataclass
from accord.scoring.prior import Prior
from accord.scoring.sheet import Row, Sheet, read_sheet
from accord.words import counted

__all__ = ["Evaluation", "History", "Record", "read_history"]

COLUMNS = (
    "score", "date", "vendor", "words", "reviewer", "trained", "specification", "content", "language_pair",
    "improper", "exclude", "job",
)  # fmt: skip
SMALL_SAMPLE, LARGE_SAMPLE = 500, 10_000
"""Words outside which an evaluation is flagged: a convention, set your own."""
_OUTLYING = 3.5
_RARE = 0.1
_NO = {"no", "n", "false", "0", "untrained"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One quality score with all that is needed to judge it later."""

    score: float
    day: date | None = None
    vendor: str = ""
    words: int | None = None
    reviewer: str = ""
    trained: bool | None = None
    specification: str = ""
    content: str = ""
    language_pair: str = ""
    improper: str = ""
    """How the metric was misapplied, such as repeated errors counted; '' if it was not."""
    exclude: str = ""
    """The irrelevant cause for which it was taken out; '' if it counts."""
    job: str = ""
    """The work that was scored: several scores of one work say how much a score errs; '' is a work of its own."""


@dataclass(frozen=True, slots=True)
class Record:
    """An evaluation in its history: what was expected of it before, and what is odd about it."""

    evaluation: Evaluation
    prior: float
    flags: tuple[str, ...]
    passed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Evaluations in the order they were made; those with a reason in ``exclude`` count for nothing."""

    evaluations: tuple[Evaluation, ...]
    source: str = ""
    small: int = SMALL_SAMPLE
    large: int = LARGE_SAMPLE
    direction: Direction = Direction.HIGH
    """Which end is good: high for quality scores, low for points of errors."""
    notes: tuple[str, ...] = ()
    """Which columns were taken for which, and which rows of the file are none of these evaluations."""

    @property
    def counted(self) -> tuple[Evaluation, ...]:
        return tuple(evaluation for evaluation in self.evaluations if not evaluation.exclude)

    def prior(self, *, before: date | None = None, fixed: date | None = None) -> Prior:
        """The running mean of what was known before a day (or of all), as the guess for the next score."""
        known = [e for e in self.counted if before is None or e.day is None or e.day < before]
        if not known:
            raise NotEnoughDataError(
                f"{self.source or 'The history'} holds no early enough evaluation that counts. Give --prior instead."
            )
        dates = [evaluation.day for evaluation in known if evaluation.day]
        return Prior(
            value=fmean(evaluation.score for evaluation in known),
            origin=f"running mean of {len(known)} earlier evaluation{'s' * (len(known) > 1)}",
            fixed=fixed or (max(dates) if dates else None),
            measured=before,
            earlier=tuple(evaluation.score for evaluation in known),
            works=_works(known),
        )

    def records(self, threshold: float | None = None) -> tuple[Record, ...]:
        """Each evaluation with the running mean of those before it, its flags and whether it passed."""
        outlying = self._outliers()
        usual = _usual([e.specification for e in self.evaluations])
        made, earlier = [], list[float]()
        for place, evaluation in enumerate(self.evaluations):
            flags = (["outlier"] if place in outlying else []) + self._flags(evaluation, usual)
            passed = None if threshold is None else self._passes(evaluation, threshold)
            made.append(Record(evaluation, fmean(earlier) if earlier else nan, tuple(flags), passed))
            if not evaluation.exclude:
                earlier.append(evaluation.score)
        return tuple(made)

    def fails(self, threshold: float) -> int:
        return sum(not self._passes(evaluation, threshold) for evaluation in self.counted)

    def _passes(self, evaluation: Evaluation, threshold: float) -> bool:
        return self.direction.sign * evaluation.score >= self.direction.sign * threshold

    def fail_share(self, threshold: float, level: float = 0.8) -> Interval:
        """Clopper-Pearson interval of the share of FAILs."""
        from scipy.special import betaincinv

        n, x, tail = len(self.counted), self.fails(threshold), (1 - level) / 2
        low = float(betaincinv(x, n - x + 1, tail)) if x else 0.0
        high = float(betaincinv(x + 1, n - x, 1 - tail)) if x < n else 1.0
        return Interval(low=low, high=high, level=level, method="Clopper-Pearson over evaluations")

    def classification(self, threshold: float, rare: float = _RARE) -> str:
        """'mostly PASS' where the interval of the share of FAILs says that they are rare (at most one in ten unless
        told otherwise), 'not mostly PASS' where it says that they are not, else 'undecided'."""
        if not self.counted:
            raise NotEnoughDataError("No evaluation of this history counts, so it cannot be classified.")
        share = self.fail_share(threshold)
        if share.high <= rare:
            return "mostly PASS"
        return "not mostly PASS" if share.low > rare else "undecided"

    def _outliers(self) -> set[int]:
        """Places whose modified z (from median and MAD) is above 3.5; needs five scores to say anything."""
        scores = [evaluation.score for evaluation in self.evaluations]
        if len(scores) < 5:
            return set()
        middle = median(scores)
        spread = median(abs(value - middle) for value in scores)
        if spread == 0:
            return set()
        return {place for place, value in enumerate(scores) if 0.6745 * abs(value - middle) / spread > _OUTLYING}

    def _flags(self, evaluation: Evaluation, usual: str) -> list[str]:
        words = evaluation.words
        tests = (
            (words is not None and words < self.small, f"very small sample (fewer than {self.small} words)"),
            (words is not None and words > self.large, f"very large sample (more than {self.large} words)"),
            (evaluation.trained is False, "reviewer not trained"),
            (bool(usual) and evaluation.specification not in ("", usual), f"other specification than {usual}"),
            (bool(evaluation.improper), f"metric misapplied: {evaluation.improper}"),
            (bool(evaluation.exclude), f"left out: {evaluation.exclude}"),
        )
        return [words_of for holds, words_of in tests if holds]


def _works(evaluations: Sequence[Evaluation]) -> tuple[tuple[float, ...], ...]:
    """Scores of one job together, others alone."""
    found: dict[object, list[float]] = {}
    for place, evaluation in enumerate(evaluations):
        found.setdefault(evaluation.job or place, []).append(evaluation.score)
    return tuple(tuple(scores) for scores in found.values())


def _usual(names: Sequence[str]) -> str:
    given = [name for name in names if name]
    return max(given, key=lambda name: (given.count(name), -given.index(name))) if given else ""


def read_history(
    path: str | Path,
    *,
    vendor: str | None = None,
    direction: Direction = Direction.HIGH,
    scale: tuple[float, float] | None = None,
    columns: Mapping[str, str] | None = None,
    missing: Iterable[str] = MISSING_TOKENS,
    drop_off_scale: bool = False,
    encoding: str | None = None,
    workbook_sheet: str | None = None,
) -> History:
    """A sheet with the column ``score`` and any of the others, called as ``columns`` says; by date if all have one.

    A score off the ``scale`` is an error that names its row, as it would move the mean of all, or is left out with a
    note; a word of ``missing`` is no score, and its row is left out with a note.
    """
    sheet = read_sheet(path, wanted=COLUMNS, named=columns, encoding=encoding, sheet=workbook_sheet)
    sheet.require("score")
    sheet = _without_missing(sheet, frozenset(word.lower() for word in missing) - MISSING_TOKENS)
    # A column decides how its commas are meant, not a cell.
    numbers = {"score": numbers_in([row.text("score") or None for row in sheet.rows])[0]}
    # Words are counted, so that a sign within their number parts thousands.
    whole = [re.sub(r"(?<=\d)[.,' \u00a0\u202f](?=\d{3}(?!\d))", "", row.text("words")) for row in sheet.rows]
    numbers["words"] = numbers_in([text or None for text in whole])[0]
    problems: list[Problem] = []
    made, off = [], []
    for place, row in enumerate(sheet.rows):
        if drop_off_scale and _is_off(numbers["score"][place], scale):
            off.append(str(row.number))
            continue
        try:
            made.append(_evaluation(row, {name: found[place] for name, found in numbers.items()}, scale))
        except ValueError as error:
            problems.append(Problem(str(error), row.number, sheet.source))
    if problems:
        raise FormatError(f"{sheet.source} has rows that are not evaluations:", problems)
    notes = sheet.notes
    notes += (f"left out {rows_in_words(off)}: off the scale, as asked",) if off else ()
    if not made:
        raise NotEnoughDataError(f"{sheet.source} has no evaluation left.")
    if vendor is not None:
        others = sum(evaluation.vendor != vendor for evaluation in made)
        notes += (f"{counted(others, 'row')} of other vendors left out, as asked",) if others else ()
        made = [evaluation for evaluation in made if evaluation.vendor == vendor]
        if not made:
            raise NotEnoughDataError(f"{sheet.source} has no evaluation of {vendor!r}.")
    elif len(vendors := sorted({evaluation.vendor for evaluation in made})) > 1:
        raise OptionError(
            f"{sheet.source} holds the evaluations of {len(vendors)} vendors ({', '.join(vendors)}). "
            "One history is about one of them: choose it with --vendor."
        )
    if all(evaluation.day for evaluation in made):
        made.sort(key=lambda evaluation: str(evaluation.day))
    return History(evaluations=tuple(made), source=sheet.source, direction=direction, notes=notes)


def _without_missing(sheet: Sheet, words: frozenset[str]) -> Sheet:
    """The rows that have a score, where the user named words for none."""
    gone = [row for row in sheet.rows if row.text("score").lower() in words]
    if not gone:
        return sheet
    told = f"left out {rows_in_words([str(row.number) for row in gone])}: no score, as --missing says"
    kept = tuple(row for row in sheet.rows if row not in gone)
    return replace(sheet, rows=kept, notes=(*sheet.notes, told))


def _is_off(score: float | None, scale: tuple[float, float] | None) -> bool:
    return score is not None and scale is not None and not scale[0] <= score <= scale[1]


def _evaluation(row: Row, numbers: Mapping[str, float | None], scale: tuple[float, float] | None) -> Evaluation:
    score, words = (_number(row, name, numbers[name]) for name in ("score", "words"))
    if isnan(score):
        raise ValueError("the score is missing")
    if scale is not None and _is_off(score, scale):
        raise ValueError(
            f"the score {score:g} is off the scale {scale[0]:g} to {scale[1]:g}; declare another with --scale, or "
            "leave it out with --drop-off-scale"
        )
    trained = row.text("trained").lower()
    return Evaluation(
        score=score,
        day=_day(row.text("date")),
        words=None if isnan(words) else int(words),
        trained=None if trained == "" else trained not in _NO,
        vendor=row.text("vendor"),
        reviewer=row.text("reviewer"),
        specification=row.text("specification"),
        content=row.text("content"),
        language_pair=row.text("language_pair"),
        improper=row.text("improper"),
        exclude=row.text("exclude"),
        job=row.text("job"),
    )


def _number(row: Row, column: str, number: float | None) -> float:
    text = row.text(column)
    if text and number is None:
        raise ValueError(f"{text!r} in column {column!r} is not a number")
    return nan if number is None else number


def _day(text: str) -> date | None:
    if not text:
        return None
    # Days written with points put the day first everywhere; 01/02/2026 is two days, so it is refused.
    pointed = re.match(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b", text)
    try:
        if pointed:
            return date(int(pointed[3]), int(pointed[2]), int(pointed[1]))
        return date.fromisoformat(text[:10].replace("/", "-"))
    except ValueError:
        raise ValueError(f"{text!r} is not a date; write it as 2026-01-31") from None
