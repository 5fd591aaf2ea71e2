"""SAS .sas7bdat and transport files (.xpt): wide or long, with values declared missing."""

from pathlib import Path

from accord.errors import UnreadableFileError
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions
from accord.formats.spss import labelled_table, opened
from accord.ratings.text_file import file_bytes

__all__ = ["detect", "read"]

_MARK = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_TRANSPORT = b"HEADER RECORD*******LIB"


def detect(sample: str, path: Path) -> str | None:
    if sample.startswith(_TRANSPORT.decode()):
        return "the file begins with the header of a SAS library"
    if sample.startswith("\0" * 12) and path.is_file():
        with path.open("rb") as file:
            if file.read(len(_MARK)) == _MARK:
                return "the file begins as SAS tables do"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the variables; values declared missing are no ratings. Labels of values lie in a file of their own."""
    content = file_bytes(path)
    if content.startswith(_TRANSPORT):
        function = "read_xport"
    elif content.startswith(_MARK):
        function = "read_sas7bdat"
    else:
        raise UnreadableFileError(f"{path} is neither a SAS table (.sas7bdat) nor a transport file (.xpt).")
    return labelled_table(path, options, "sas", "SAS", *opened(path, "SAS", function, encoding=options.encoding))
