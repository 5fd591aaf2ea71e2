"""The text of a file: its encoding found out, gzip opened, and what is not text refused in plain words."""

import io
import zlib
from contextlib import suppress
from pathlib import Path

from accord.errors import OptionError, UnreadableFileError
from accord.ratings.chinese_text import chinese_text
from accord.records import dataclass
from accord.words import shown_names

__all__ = ["GUESSED", "MOST_BYTES", "FileText", "decoded", "file_bytes", "is_tar"]

MOST_BYTES = 2 * 1024**3
"""The largest file read into memory, after unpacking (2 GB); larger ones are counted where they lie."""

GUESSED = "was read as"
"""Every note on a guessed encoding has these words."""
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_MAGIC = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file (.xls, .doc); save it as .xlsx or CSV"),
    (b"SQLite format 3", "an SQLite database"),
    (b"$FL2", "an SPSS file"),
    (b"$FL3", "an SPSS file"),
    (b"\x80\x04\x95", "a Python pickle, which could run code when opened"),
)
_CONTROL = bytes(set(range(32)) - {9, 10, 11, 12, 13, 26, 27})


@dataclass(frozen=True, slots=True)
class FileText:
    """Decoded text, and what was guessed to decode it."""

    text: str
    notes: tuple[str, ...] = ()


def file_bytes(path: Path) -> bytes:
    """The bytes of a file, unpacked if they are gzip."""
    if path.is_dir():
        raise UnreadableFileError(f"{path} is a directory. Name a file in it.")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableFileError(f"{path} is larger than {MOST_BYTES // 1024**3} GB. {_TOO_LARGE}")
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnreadableFileError(f"There is no file {path}.") from None
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if not data:
        raise UnreadableFileError(f"{path} is empty.")
    data = _unpacked(data, str(path)) if data[:2] == b"\x1f\x8b" else data
    return _only_file(data, str(path)) if is_tar(data) else data


_PIECE = 1 << 24
_MOST_SWELLING = 300
"""Ratings of one value, by one rater, on numbered items shrink to a sixtieth; a file of zeros to a thousandth."""
_TOO_LARGE = "Save it as Parquet or plain CSV and read it with engine='duckdb', which counts where the file lies."


def _unpacked(data: bytes, source: str) -> bytes:
    import gzip

    try:
        with gzip.open(io.BytesIO(data)) as packed:
            # Piece by piece: asking for all at once would set aside as much memory as may come.
            pieces, size = [], 0
            while piece := packed.read(_PIECE):
                pieces.append(piece)
                size += len(piece)
                if size > MOST_BYTES:
                    raise UnreadableFileError(f"{source} unpacks to more than {MOST_BYTES // 1024**3} GB. {_TOO_LARGE}")
                if size > _PIECE and size > _MOST_SWELLING * len(data):
                    raise UnreadableFileError(
                        f"{source} swells to more than {_MOST_SWELLING} times its size when unpacked, as no table of "
                        "ratings does. Unpack it yourself and look at it first."
                    )
    except (EOFError, OSError, zlib.error):
        raise UnreadableFileError(f"{source} is a damaged or truncated gzip file. Copy it again.") from None
    unpacked = b"".join(pieces)
    if not unpacked:
        raise UnreadableFileError(f"{source} is empty.")
    return unpacked


def is_tar(data: bytes) -> bool:
    """Whether these bytes begin a tar archive."""
    return data[257:262] == b"ustar"


def _only_file(data: bytes, source: str) -> bytes:
    """The file in a tar archive; which of several is meant, nobody can know."""
    import tarfile

    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            held = [member for member in archive.getmembers() if member.isfile()]
            if len(held) != 1:
                names = shown_names([member.name for member in held])
                told = f"holds {len(held):,} files ({names})" if held else "holds no file"
                raise UnreadableFileError(f"{source} is a tar archive that {told}. Unpack it and name one of them.")
            opened = archive.extractfile(held[0])
            content = b"" if opened is None else opened.read()
    except (tarfile.TarError, EOFError, OSError, ValueError):
        raise UnreadableFileError(f"{source} is a damaged or truncated tar archive. Copy it again.") from None
    if not content:
        raise UnreadableFileError(f"{source} is empty.")
    return content


def decoded(data: bytes, source: str, encoding: str | None = None) -> FileText:
    """Text in the encoding named, or found out: by its mark, as UTF-8, as UTF-16, else as Latin-1 with a note."""
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise UnreadableFileError(f"{source} is {what}, not a table of ratings.")
    if encoding is not None:
        return FileText(_checked(_decoded_as(data, encoding, source), source))
    for mark, name in _BOMS:
        if data.startswith(mark):
            return FileText(_checked(_decoded_as(data, name, source), source))
    if data.find(b"\x00") >= 0:
        return _utf_16_without_mark(data, source)
    try:
        return FileText(_checked(data.decode("utf-8"), source))
    except UnicodeDecodeError as error:
        return _latin_1(data, source, error.start)


def _decoded_as(data: bytes, encoding: str, source: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise OptionError(f"The encoding {encoding!r} is not known. Common ones: utf-8, utf-16, latin-1.") from None
    except (UnicodeError, ValueError) as error:
        reason = getattr(error, "reason", "it is damaged")
        raise UnreadableFileError(f"{source} is not text in {encoding.removesuffix('-sig')}: {reason}.") from None


def _utf_16_without_mark(data: bytes, source: str) -> FileText:
    """Western text in UTF-16 has a zero in every second byte; anything else with zeros is no text."""
    for name, zeros in (("utf-16-le", data[1::2]), ("utf-16-be", data[::2])):
        if len(data) % 2 == 0 and zeros.count(0) > 0.7 * len(zeros):
            note = f"{source} has no encoding mark and {GUESSED} {name.upper()}"
            with suppress(UnicodeDecodeError):
                return FileText(_checked(data.decode(name), source), (note,))
    raise _binary(source)


def _latin_1(data: bytes, source: str, first_odd: int) -> FileText:
    sample = data[:100_000]
    if len(sample.translate(None, _CONTROL)) < 0.99 * len(sample):
        raise _binary(source)
    line = data.count(b"\n", 0, first_odd) + 1
    if other := _utf_8_line(data):
        raise UnreadableFileError(
            f"{source} mixes encodings: line {other} is UTF-8 and line {line} is not, so the same name would be read "
            "as two. Save it in one encoding, or name one for all lines (encoding='latin-1', or --encoding latin-1)."
        )
    if (chinese := chinese_text(data)) is not None:
        note = f"{source} is not UTF-8 (line {line}) and {GUESSED} GB 18030 (Chinese); give the encoding if it is not"
        return FileText(_checked(chinese, source), (note,))
    try:
        text, name = data.decode("cp1252"), "Windows Latin-1"
    except UnicodeDecodeError:
        text, name = data.decode("latin-1"), "Latin-1"
    note = f"{source} is not UTF-8 (line {line}) and {GUESSED} {name}; give the encoding if letters look wrong"
    return FileText(_checked(text, source), (note,))


def _utf_8_line(data: bytes) -> int | None:
    """The first line that has letters beyond ASCII and is UTF-8."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.isascii():
            with suppress(UnicodeDecodeError):
                line.decode("utf-8")
                return number
    return None


def _checked(text: str, source: str) -> str:
    if "\x00" in text:
        raise _binary(source)
    if not text or text.isspace():
        raise UnreadableFileError(f"{source} is empty.")
    return text


def _binary(source: str) -> UnreadableFileError:
    return UnreadableFileError(f"{source} is a binary file, not a table of ratings.")
