"""Parse TOML that a stranger may have written: what would take a machine's memory is refused first."""

import re
import tomllib
from typing import Any

__all__ = ["parse_toml"]

_LARGEST = 5_000_000
_DEEPEST = 64
# tomllib keeps every prefix of a dotted key: 40,000 parts, an 80 kB file, take 6 GB. A part is looked at from its first
# letter only: from each letter of a long text the rest would be read again, 200 kB for minutes.
_DEEP_KEY = re.compile(
    rf"""(?:(?:(?<![A-Za-z0-9_-])[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{_DEEPEST}}}"""
)


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a text, or a TOMLDecodeError that says what is wrong with it."""
    if len(text) > _LARGEST:
        raise tomllib.TOMLDecodeError(f"it has {len(text):,} characters, more than {_LARGEST:,}")
    if (deep := _DEEP_KEY.search(text)) is not None:
        line = text.count("\n", 0, deep.start()) + 1
        raise tomllib.TOMLDecodeError(f"a key on line {line} has more than {_DEEPEST} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise tomllib.TOMLDecodeError(str(error).partition(";")[0]) from None
