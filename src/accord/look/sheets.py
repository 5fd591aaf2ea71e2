"""The style sheets by name, so that a page that stands alone can carry them."""

from functools import cache
from importlib.resources import files

__all__ = ["FOLDER", "sheet"]

FOLDER = files("accord.look") / "css"


@cache
def sheet(name: str) -> str:
    """The text of a sheet: ``tokens`` (type and colours) or ``components`` (what pages are built of)."""
    return (FOLDER / f"{name}.css").read_text(encoding="utf-8")
