"""Regular expressions that are compiled when first used, so that the program starts quickly.

What columns and values are called in eight languages takes 25 ms to compile, a sixteenth of what the smallest file
took, and a plain table of items, raters and values asks for hardly any of it.
"""

import re
from typing import Any, cast

__all__ = ["pattern"]


class _Later:
    """An expression that compiles itself at the first question and hands every further one to what was compiled."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copying and pickling look for what a pattern has not
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(text: str, flags: int = 0) -> "re.Pattern[str]":
    """As ``re.compile``, only later."""
    return cast("re.Pattern[str]", _Later(text, flags))
