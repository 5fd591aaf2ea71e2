"""Advice of the library as a page gives it: what can be done here instead of options of a command."""

import re
from collections.abc import Sequence

from accord.ratings.remark import Remark

__all__ = ["advice_on_page", "remark_on_page"]

_SENTENCE = re.compile(r"[^.;]+(?:\.(?=\S)[^.;]+)*[.;]?\s*")
_OPTION = re.compile(r"(?<!\S)--[a-z]")


def advice_on_page(advice: str) -> str:
    """The advice without the sentences that name an option of a command."""
    if not _OPTION.search(advice):
        return advice
    kept = [part.strip() for part in _SENTENCE.findall(advice) if not _OPTION.search(part)]
    told = " ".join(kept).rstrip(";")
    return told[:1].upper() + told[1:]


def remark_on_page(remark: Remark) -> str:
    """What looks wrong, and what an organiser can do about it in the studio."""
    return " ".join(filter(None, (remark.message, advice_on_page(remark.do) or _decide(remark.who))))


def _decide(who: Sequence[str]) -> str:
    if not who:
        return ""
    names = ", ".join(who[:8])
    whose = f"page of {names}" if len(who) == 1 else f"pages of {names}"
    return f"Decide on the {whose}: there you see what leaving them out changes."
