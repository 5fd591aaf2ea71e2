"""The style sheets by name, so that a page that stands alone can carry them."""

from functools import cache
from importlib.resources import files

__all__ = ["FOLDER", "sheet"]

FOLDER = files("accord.look") / "css"


@cache
def sheet(name: str) -> str:
    """A sheet: ``tokens`` (type and colours), ``answer`` (how pages open), ``components`` (what they are built of)."""
    return (FOLDER / f"{name}.css").read_text(encoding="utf-8")
