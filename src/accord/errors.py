"""Every error a user can meet, as a tree.

AccordError
├── InputError                    something the user gave cannot be used
│   ├── UnreadableFileError       missing, empty, a directory, binary, truncated, too large
│   ├── ColumnError               a column is missing, or a mapping names one that is not there
│   ├── RatingsError              rows that cannot be ratings; all of them at once, with row numbers
│   ├── FormatError               a file is not what its format says
│   ├── StudyError                mistakes in a study folder; all of them at once, with file and line
│   └── OptionError               an option outside its range, or options that contradict each other
├── NotEnoughDataError            the question is sound, the ratings are too few to answer it
├── MissingExtraError             an optional part is not installed
└── OperationError                the machine refused: disk full, port taken, database away

The text of an error is written for its reader: what, where, why, and what to do.
The command line prints it as it is, the web page and the report show the same sentence.
"""

from collections.abc import Sequence

from accord.records import dataclass

__all__ = [
    "AccordError",
    "ColumnError",
    "FormatError",
    "InputError",
    "MissingExtraError",
    "NotEnoughDataError",
    "OperationError",
    "OptionError",
    "Problem",
    "RatingsError",
    "StudyError",
    "UnreadableFileError",
]

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at one place of the user's input."""

    message: str
    row: int | None = None
    file: str | None = None

    def __str__(self) -> str:
        place = self.file or ""
        if self.row is not None:
            place += f":{self.row}" if place else f"row {self.row}"
        return f"{place}: {self.message}" if place else self.message


class AccordError(Exception):
    """The root: catch this one to catch them all."""


class InputError(AccordError):
    """Something the user gave cannot be used."""


class UnreadableFileError(InputError):
    """The file is missing, empty, a directory, binary, truncated or too large."""


class ColumnError(InputError):
    """A column is missing, or a mapping names one that is not there."""


class _CollectedError(InputError):
    """Many problems in one error, so that the user mends them in one go."""

    def __init__(self, summary: str, problems: Sequence[Problem] = ()) -> None:
        self.summary = summary
        self.problems = tuple(problems)
        super().__init__(summary)

    def __str__(self) -> str:
        lines = [self.summary, *(f"  {problem}" for problem in self.problems[:_SHOWN])]
        if (more := len(self.problems) - _SHOWN) > 0:
            lines.append(f"  ... and {more:,} more of the same kind")
        return "\n".join(lines)


class RatingsError(_CollectedError):
    """Rows that cannot be ratings."""


class FormatError(_CollectedError):
    """A file is not what its format says."""


class StudyError(_CollectedError):
    """Mistakes in a study folder."""


class OptionError(InputError):
    """An option is outside its range, or two options contradict each other."""


class NotEnoughDataError(AccordError):
    """The question is sound, but the ratings are too few to answer it."""


class MissingExtraError(AccordError):
    """An optional part of Accord is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional part. In Accord's own folder, run: pip install '.[{extra}]'")


class OperationError(AccordError):
    """The machine refused: disk full, port taken, database away."""
