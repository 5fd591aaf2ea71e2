"""The style sheets by name, so that a page that stands alone can carry them."""

from functools import cache
from pathlib import Path

__all__ = ["FOLDER", "sheet"]

FOLDER = Path(__file__).with_name("css")


@cache
def sheet(name: str) -> str:
    """A sheet: ``tokens`` (type and colours), ``answer`` (how pages open), ``components`` (what they are built of)."""
    return (FOLDER / f"{name}.css").read_text(encoding="utf-8")
