"""Formats: read and write other tools' files, and report every repaired row."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.formats.imported import Imported as Imported
    from accord.formats.imported import Repair as Repair
    from accord.formats.imported import RepairLog as RepairLog
    from accord.formats.imported import Span as Span
    from accord.formats.reading import detect as detect
    from accord.formats.reading import read as read
    from accord.formats.registry import FORMATS as FORMATS
    from accord.formats.registry import FormatSpec as FormatSpec
    from accord.formats.writing import write as write

_HOME = {
    "FORMATS": "registry",
    "FormatSpec": "registry",
    "Imported": "imported",
    "Repair": "imported",
    "RepairLog": "imported",
    "Span": "imported",
    "detect": "reading",
    "read": "reading",
    "write": "writing",
}

__all__ = ["FORMATS", "FormatSpec", "Imported", "Repair", "RepairLog", "Span", "detect", "read", "write"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'accord.formats' has no attribute {name!r}")
    return getattr(import_module(f"accord.formats.{_HOME[name]}"), name)
