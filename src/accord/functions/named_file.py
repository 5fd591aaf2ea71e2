"""Functions that read a file of their own kind take its name; anything else is refused with what to do."""

import os
from pathlib import Path

from accord.errors import OptionError

__all__ = ["named_file"]


def named_file(source: object, function: str) -> Path:
    """The path; a frame has no lines and no format, so it must be written first."""
    if isinstance(source, str | os.PathLike):
        return Path(source)
    raise OptionError(
        f"accord.{function} reads a file, but was given a {type(source).__name__}: give the name of the file. "
        "A data frame is written first, for example with frame.to_csv('file.csv', index=False)."
    )
