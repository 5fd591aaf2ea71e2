"""What a reader gives back: ratings, spans, texts, and a log of every row it dropped, repaired or guessed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from accord.errors import FormatError, Problem
from accord.formats.texts import Texts, texts_of
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["Action", "Imported", "MarkedError", "Repair", "RepairLog", "RowAccount", "Side", "Span"]

_MOST_REASONS = 4


class Side(StrEnum):
    """The text a span lies in."""

    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class Span:
    """A marked stretch of text: half-open, in Unicode code points, as ``text[start:end]`` in Python.

    ``missing`` marks an omission: something that is not in the text. It has no place (start and
    end are 0) unless the tool recorded one.
    """

    item: str
    rater: str
    start: int
    end: int
    side: Side = Side.TARGET
    category: str = ""
    severity: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class MarkedError:
    """One MQM error as a rater counted it; it may have several spans, in the source and in the target, or none."""

    item: str
    rater: str
    category: str
    severity: str


class Action(StrEnum):
    """What a reader did to a row that was not as its format says."""

    DROPPED = "dropped"
    REPAIRED = "repaired"
    GUESSED = "guessed"


@dataclass(frozen=True, slots=True)
class Repair:
    """One row that was not taken as it stands."""

    action: Action
    reason: str
    line: int | None = None
    file: str = ""

    def __str__(self) -> str:
        place = self.file + (f":{self.line}" if self.file else f"line {self.line}") if self.line else self.file
        return f"{place}: {self.action}: {self.reason}" if place else f"{self.action}: {self.reason}"


@dataclass(frozen=True, slots=True)
class RepairLog:
    """Every row that was dropped, repaired or guessed, in the order of the file."""

    entries: tuple[Repair, ...] = ()

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Repair]:
        return iter(self.entries)

    def counts(self) -> dict[Action, int]:
        return {action: n for action in Action if (n := sum(entry.action is action for entry in self.entries))}

    def summary(self) -> str:
        """One sentence with the reasons, the most frequent first, or '' if every row was taken as it stands."""
        parts = [f"{n:,} {action} ({self._reasons(action)})" for action, n in self.counts().items()]
        return f"Rows not taken as they stand: {', '.join(parts)}." if parts else ""

    def _reasons(self, action: Action) -> str:
        found = Counter(entry.reason for entry in self.entries if entry.action is action).most_common()
        told = [reason if len(found) == 1 else f"{n:,}: {reason}" for reason, n in found[:_MOST_REASONS]]
        return "; ".join((*told, *([f"{len(found) - len(told):,} more reasons"] if len(found) > len(told) else [])))

    def refuse(self, source: str) -> None:
        """Raise an error that lists every entry, if there is one."""
        if self.entries:
            raise FormatError(
                f"{source}: {len(self.entries):,} rows cannot be taken as they stand, and reading is strict. "
                "Mend them, or read without strict to have them dropped, repaired or guessed as said here:",
                [Problem(f"{e.action}: {e.reason}", e.line, e.file or None) for e in self.entries],
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RowAccount(PlainData):
    """What became of each row of a file: together they are all of its rows, and ``unknown`` is 0.

    A row is a line of a table, or what a tool answers with once: an annotation, a submission. One that gave ratings
    with a role only is among ``roles``; one that went into a rating begun in another row, as a further error
    of a segment does, is ``merged``; one whose rater gave no answer is ``unanswered``.
    """

    rows: int = 0
    ratings: int = 0
    roles: Mapping[str, int] = field(default_factory=dict)
    merged: int = 0
    unanswered: int = 0
    dropped: int = 0

    @property
    def unknown(self) -> int:
        """Rows of which nothing became."""
        known = self.ratings + sum(self.roles.values()) + self.merged + self.unanswered + self.dropped
        return self.rows - known

    def __add__(self, other: "RowAccount") -> "RowAccount":
        """What became of the rows of two files."""
        names = ("rows", "ratings", "merged", "unanswered", "dropped")
        summed = {name: getattr(self, name) + getattr(other, name) for name in names}
        return RowAccount(roles=dict(Counter(self.roles) + Counter(other.roles)), **summed)

    _beside = ("unknown",)

    def __str__(self) -> str:
        parts = {
            "with ratings": self.ratings,
            **{f"with the role {role}": n for role, n in self.roles.items()},
            "that go into the rating of another row": self.merged,
            "without an answer": self.unanswered,
            "dropped": self.dropped,
            "unknown": self.unknown,
        }
        return f"{self.rows:,} rows: " + ", ".join(f"{n:,} {words}" for words, n in parts.items() if n) + "."


@dataclass(frozen=True)
class Imported:
    """A file of another tool, read: nothing of it is lost without an entry in ``log`` or a word in ``notes``.

    ``format`` is the name of the format, ``reason`` says how it was recognised, ``notes`` states
    what is peculiar to the format (how offsets were converted, what the file does not hold).
    """

    ratings: Ratings
    spans: tuple[Span, ...] = ()
    log: RepairLog = field(default_factory=RepairLog)
    notes: tuple[str, ...] = ()
    format: str = ""
    reason: str = ""
    account: RowAccount | None = None
    """What became of each row; None for a plain table, whose rows the ratings room reads."""
    errors: tuple[MarkedError, ...] = ()
    """The errors that the scores are made of, where a format lists MQM errors."""

    @cached_property
    def texts(self) -> Mapping[str, Texts]:
        """Source and target of each item: the columns of the ratings that the codebook calls texts."""
        return texts_of(self.ratings)
