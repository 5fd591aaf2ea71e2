"""Stata .dta: wide or long, with value labels and values declared missing (.a to .z)."""

from pathlib import Path

from accord.errors import UnreadableFileError
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions
from accord.formats.spss import labelled_table, opened
from accord.ratings.text_file import file_bytes

__all__ = ["detect", "read"]

_MARK = b"<stata_dta>"
_OLD = (0x71, 0x72, 0x73)
"""Releases 8 to 12 begin with their number, the order of bytes (1 or 2), 1 and 0."""


def detect(sample: str, path: Path) -> str | None:
    if sample.startswith(_MARK.decode()):
        return "the file begins with <stata_dta>"
    if sample[:1] in map(chr, _OLD) and sample[1:2] in ("\x01", "\x02") and sample[2:4] == "\x01\x00":
        return "the file begins with a release of Stata and the order of its bytes"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the variables; values declared missing are no ratings, labelled values keep their labels."""
    content = file_bytes(path)
    if not content.startswith(_MARK) and (len(content) < 4 or content[0] not in _OLD):
        raise UnreadableFileError(f"{path} is not a Stata file of release 8 or later.")
    return labelled_table(
        path, options, "stata", "Stata", *opened(path, "Stata", "read_dta", encoding=options.encoding)
    )
