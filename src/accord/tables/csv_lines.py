"""Lines of CSV: one way to write them."""

import csv
from typing import Any, TextIO

__all__ = ["csv_writer"]


def csv_writer(out: TextIO, delimiter: str = ",") -> Any:
    """A writer of lines that end in a newline, in which a carriage return within a cell is quoted too."""

    class Lines:
        def write(self, line: str) -> int:
            return out.write(line.removesuffix("\r\n") + "\n")

    return csv.writer(Lines(), delimiter=delimiter, lineterminator="\r\n")
