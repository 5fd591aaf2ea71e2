"""The text of a Data Package on disk, and where it lies beside its table.

Whatever lies where a codebook is expected is read, or refused in words. A codebook that is passed over in silence lets
raters count again whom somebody left out.
"""

import codecs
import errno
import json
from pathlib import Path

from accord.errors import FormatError, UnreadableFileError

__all__ = ["PACKAGE_NAME", "package_json", "package_places", "package_text_at"]

PACKAGE_NAME = "datapackage.json"
_NO_SUCH_FILE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MEND = "Save it as UTF-8, or move it away if it is no codebook."


def package_places(table: Path) -> tuple[Path, ...]:
    """A file for this table alone comes before the one of the folder."""
    return (table.with_name(f"{table.name}.{PACKAGE_NAME}"), table.with_name(PACKAGE_NAME)) if table.name else ()


def package_text_at(place: Path, table: str) -> str | None:
    """The text that lies there, in UTF-8, or in UTF-16 with its mark; None where nothing lies."""
    try:
        data = place.read_bytes()
    except OSError as error:
        if error.errno in _NO_SUCH_FILE and not place.is_symlink():
            return None
        why = f"{_cannot(table)}: {error.strerror or error}. Make it readable, or move it away."
        raise UnreadableFileError(f"{place} {why}") from None
    except ValueError:  # no file can have such a name, nor has the table
        return None
    encoding = "utf-16" if data.startswith(_UTF_16) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-16":
            raise FormatError(f"{place} {_cannot(table)}: its UTF-16 is damaged. {_MEND}") from None
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"{place}:{line}: not UTF-8, so the codebook of {table} cannot be read. {_MEND}") from None
    if "\x00" in text:
        raise FormatError(f"{place} {_cannot(table)}: it is UTF-16 without a mark, or no text. {_MEND}")
    return text


def package_json(text: str, where: str, table: str) -> object:
    """What the text holds as JSON; an error names the line where it ends to be."""
    try:
        return json.loads(text)
    except ValueError as error:
        line, why = getattr(error, "lineno", 1), getattr(error, "msg", str(error))
    except RecursionError:
        line, why = 1, "it is nested too deeply"
    raise FormatError(f"{where}:{line}: not JSON, so the codebook of {table} cannot be read: {why}.")


def _cannot(table: str) -> str:
    return f"lies where the codebook of {table} is expected and cannot be read"
