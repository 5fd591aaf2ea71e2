"""Lines of CSV: one way to write them, safe to open in a spreadsheet."""

import csv
import re
from collections.abc import Iterable
from typing import Any, TextIO

__all__ = ["CsvWriter", "csv_writer", "guarded", "unguarded"]

_HANDLE = re.compile(r"@\w+")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def guarded(text: str) -> str:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers do not.

    Nor does a bare word such as @maria: it names somebody and can run nothing.
    """
    if not text.startswith(_FORMULA) or _HANDLE.fullmatch(text):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def unguarded(text: str) -> str:
    """The text without that apostrophe."""
    return text[1:] if text.startswith("'") and guarded(text[1:]) == text else text


class CsvWriter:
    """Writes lines that end in a newline; a carriage return within a cell is quoted, a formula is made text."""

    def __init__(self, out: TextIO, delimiter: str = ",") -> None:
        class Lines:
            def write(self, line: str) -> int:
                return out.write(line.removesuffix("\r\n") + "\n")

        self._writer = csv.writer(Lines(), delimiter=delimiter, lineterminator="\r\n")

    def writerow(self, row: Iterable[Any]) -> None:
        self._writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        for row in rows:
            self.writerow(row)


def csv_writer(out: TextIO, delimiter: str = ",") -> CsvWriter:
    """A writer of lines for this file."""
    return CsvWriter(out, delimiter)
