"""The answer to "how far do raters agree?": a table of estimates that prints itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Protocol

from accord.ratings.apart import words_of
from accord.ratings.remark import Remark
from accord.records import dataclass
from accord.reliability.estimate import Estimate
from accord.reliability.matrix import PairMatrix
from accord.tables.frames import frame_of
from accord.tables.later import Later, Settles
from accord.tables.result import Result
from accord.tables.table import Column, Table
from accord.words import steady

if TYPE_CHECKING:
    from accord.plots.chart import Chart

__all__ = ["GroupReliability", "Reliability", "SameItems", "TellsItself"]

Cell = str | float | int | None
_PARTS = ("observed", "expected", "observed_disagreement", "expected_disagreement")


class TellsItself(Protocol):
    """A finding, or anything else that is added to a group and gives plain data."""

    def to_dict(self) -> dict[str, object]: ...


@dataclass(frozen=True, slots=True)
class SameItems:
    """What the newest answers before a round gave on the items that were measured again after it."""

    parts: tuple[Mapping[str, str], ...]
    """The phases and guideline versions that they are of, by column."""
    items: int
    are_all: bool
    """Whether these are all items that several raters judged again: some may have had one answer before."""
    values: Mapping[str, float]
    """By the key of the coefficient."""


@dataclass(frozen=True, kw_only=True)
class GroupReliability(Settles):
    """The estimates of one part of the ratings, and what did not fit it.

    ``unsuitable`` says for each coefficient that was left out why it does not fit; ``guesses`` what was
    inferred about the scale; ``findings`` are added by whoever diagnosed the ratings. ``combined`` names the columns
    whose parts this group puts together: disagreement is summed within them, and no ratings are paired across.
    """

    by: Mapping[str, str]
    items: int
    raters: int
    ratings: int
    level: str
    values: int
    estimates: tuple[Estimate, ...]
    unsuitable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    guesses: tuple[str, ...] = ()
    notes: Later[tuple[str, ...]] = Later(())
    matrices: tuple[PairMatrix, ...] = ()
    findings: tuple[TellsItself, ...] = ()
    combined: tuple[str, ...] = ()
    deciding: str = ""
    """Key of the coefficient that a plan of analysis declares to decide here; it is the first of the estimates."""
    same_items: SameItems | None = None
    """What the newest answers before this measurement gave on the same items, where it followed a round."""

    @property
    def title(self) -> str:
        words = [f"{column} {name}" if name else f"no {column}" for column, name in self.by.items()]
        if self.combined:
            words.append(f"combined within {words_of(self.combined)}")
        return ", ".join(words) or "all ratings"

    def __getitem__(self, coefficient: str) -> Estimate:
        """The estimate of a coefficient by its key."""
        for estimate in self.estimates:
            if estimate.coefficient == coefficient:
                return estimate
        reasons = "; ".join(self.unsuitable.get(coefficient, ())) or "it was not computed"
        computed = ", ".join(estimate.coefficient for estimate in self.estimates) or "none"
        raise KeyError(f"There is no {coefficient} here: {reasons}. Computed: {computed}.")

    def __contains__(self, coefficient: object) -> bool:
        return any(estimate.coefficient == coefficient for estimate in self.estimates)

    def left_out(self) -> dict[str, list[str]]:
        """The coefficients that were left out, by the reason in words."""
        by_reason: dict[str, list[str]] = {}
        for key, reasons in self.unsuitable.items():
            by_reason.setdefault("; ".join(reasons), []).append(key)
        return by_reason

    def rows(self) -> Iterator[dict[str, Cell]]:
        """One flat row an estimate, in plain values."""
        for estimate in self.estimates:
            interval = estimate.interval
            yield {
                **self.by,
                **dict.fromkeys(self.combined, "combined"),
                "coefficient": estimate.coefficient,
                "value": estimate.value,
                "low": interval.low if interval else nan,
                "high": interval.high if interval else nan,
                "level": interval.level if interval else nan,
                "method": interval.method if interval else "",
                "question": estimate.question,
                "standard_error": nan if estimate.standard_error is None else estimate.standard_error,
                "items": estimate.items,
                "raters": estimate.raters,
                **{part: estimate.parts.get(part, nan) for part in _PARTS},
                "interpretation": str(estimate.interpretations[0]) if estimate.interpretations else "",
                "cautions": "; ".join(estimate.cautions),
                "signature": estimate.signature,
            }

    def to_dict(self) -> dict[str, object]:
        return {
            "by": dict(self.by),
            "combined": list(self.combined),
            "deciding": self.deciding,
            "items": self.items,
            "raters": self.raters,
            "ratings": self.ratings,
            "level": self.level,
            "values": self.values,
            "guesses": list(self.guesses),
            "notes": list(self.notes),
            "estimates": [estimate.to_dict() for estimate in self.estimates],
            "unsuitable": {key: list(reasons) for key, reasons in self.unsuitable.items()},
            "pairs": [matrix.to_dict() for matrix in self.matrices],
            "findings": [finding.to_dict() for finding in self.findings],
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Reliability(Settles, Result):
    """How far raters agree, group by group.

    ``print(result)`` shows the table; ``result["krippendorff_alpha"]`` is one estimate of the first group, or of the
    group that combines its parts where ratings are kept apart;
    ``to_dict()`` is what ``accord agree --json`` prints, but for the ``findings`` of ``accord diagnose``, which the
    command adds (:meth:`with_findings`); ``to_frame()`` is a data frame of the user's kind; ``sanity`` is what to check
    first.
    """

    rows: int
    items: int
    raters: int
    fingerprint: Later[str] = Later()
    groups: tuple[GroupReliability, ...]
    source: str = ""
    notes: tuple[str, ...] = ()
    sanity: Later[tuple[Remark, ...]] = Later(())

    @property
    def parts(self) -> tuple[GroupReliability, ...]:
        """The groups that are parts of the ratings, without those that combine parts."""
        return tuple(group for group in self.groups if not group.combined)

    def __getitem__(self, coefficient: str) -> Estimate:
        combined = next((group for group in self.groups if group.combined and coefficient in group), self.groups[0])
        return combined[coefficient]

    def __iter__(self) -> Iterator[Estimate]:
        return (estimate for group in self.groups for estimate in group.estimates)

    def __len__(self) -> int:
        return sum(len(group.estimates) for group in self.groups)

    def with_findings(self, findings: Sequence[Sequence[TellsItself]]) -> "Reliability":
        """The same with findings, one sequence per part."""
        told = {id(part): tuple(found) for part, found in zip(self.parts, findings, strict=True)}
        return replace(self, groups=tuple(replace(one, findings=told.get(id(one), ())) for one in self.groups))

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON, in the shape of the contract of ``accord agree --json``."""
        ratings = {
            "rows": self.rows, "items": self.items, "raters": self.raters, "fingerprint": self.fingerprint,
            "source": self.source, "notes": list(self.notes),
        }  # fmt: skip
        sanity = [remark.to_dict() for remark in self.sanity]
        return {"ratings": ratings, "groups": [group.to_dict() for group in self.groups], "sanity": sanity}

    def tables(self) -> tuple[Table, ...]:
        rows = [row for group in self.groups for row in group.rows()]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        return (Table("Agreement", [Column(key, key) for key in keys], rows),)

    def plot(self) -> "Chart":
        """The estimates with their intervals."""
        from accord.plots.of_table import chart_of_tables

        return chart_of_tables(self.tables())

    def to_frame(self, kind: str | None = None) -> Any:
        """One row an estimate, as a frame of pandas, polars or pyarrow: the one asked for, or in use."""
        return frame_of([row for group in self.groups for row in group.rows()], kind)

    def __str__(self) -> str:
        first = "\n".join(self._first)
        return "\n\n".join([*filter(None, [first]), *(_as_text(group) for group in self.groups)])

    def __repr__(self) -> str:
        return f"<Reliability of {self.rows:,} ratings: {len(self)} estimates in {len(self.groups)} groups>\n{self}"

    def _repr_html_(self) -> str:
        from html import escape

        first = "".join(f"<p>{escape(line)}</p>" for line in self._first)
        return first + "".join(_as_html(group) for group in self.groups)

    @property
    def _first(self) -> list[str]:
        return [f"Check first: {remark}" for remark in self.sanity]


_HEADINGS = ("coefficient", "value", "interval", "n", "interpretation")


def _cells(estimate: Estimate) -> tuple[str, ...]:
    value = "undefined" if isnan(estimate.value) else f"{steady(estimate.value):.3f}"
    interval = f"{estimate.interval.level:.0%} {estimate.interval}" if estimate.interval else ""
    reading = str(estimate.interpretations[0]) if estimate.interpretations else ""
    return estimate.coefficient, value, interval, f"{estimate.items:,} x {estimate.raters:,}", reading


def _footnotes(group: GroupReliability) -> list[str]:
    """Cautions once each with the coefficients they concern, how the intervals were made, the guesses."""
    by_caution: dict[str, list[str]] = {}
    by_method: dict[str, list[str]] = {}
    by_question: dict[str, list[str]] = {}
    for estimate in group.estimates:
        for caution in estimate.cautions:
            by_caution.setdefault(caution, []).append(estimate.coefficient)
        if estimate.interval:
            by_method.setdefault(estimate.interval.method, []).append(estimate.coefficient)
            by_question.setdefault(estimate.question, []).append(estimate.coefficient)
    everything = len(group.estimates)
    lines = [f"caution ({_named(keys, everything)}): {text}" for text, keys in by_caution.items()]
    lines += [f"interval ({_named(keys, everything)}): {method}" for method, keys in by_method.items()]
    lines += [f"the interval answers ({_named(keys, everything)}): {asked}" for asked, keys in by_question.items()]
    lines += [f"left out ({', '.join(keys)}): {reason}" for reason, keys in group.left_out().items()]
    return [*lines, *(f"guess: {guess}" for guess in group.guesses), *(f"note: {note}" for note in group.notes)]


def _named(keys: Sequence[str], everything: int) -> str:
    return "all" if len(keys) == everything > 1 else ", ".join(keys)


def _heading(group: GroupReliability) -> str:
    return (
        f"{group.title}: {group.ratings:,} ratings of {group.items:,} items by {group.raters:,} raters, {group.level}"
    )


def _as_text(group: GroupReliability) -> str:
    body = [_HEADINGS, *(_cells(estimate) for estimate in group.estimates)]
    widths = [max(len(row[place]) for row in body) for place in range(len(_HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in body]
    return "\n".join([_heading(group), *lines, *_footnotes(group)])


def _as_html(group: GroupReliability) -> str:
    from html import escape

    head = "".join(f"<th>{escape(title)}</th>" for title in _HEADINGS)
    rows = "".join(
        f'<tr title="{escape(estimate.signature)}">'
        + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(estimate))
        + "</tr>"
        for estimate in group.estimates
    )
    notes = "".join(f"<li>{escape(line)}</li>" for line in _footnotes(group))
    return f"<table><caption>{escape(_heading(group))}</caption><tr>{head}</tr>{rows}</table><ul>{notes}</ul>"
