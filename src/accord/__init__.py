"""Accord: human evaluation from design to publishable report, with the reliability of every judgement.

Everything public is here and is imported when first used, so that ``import accord`` stays light.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from accord.design.scale import Level as Level
    from accord.design.scale import Scale as Scale
    from accord.errors import AccordError as AccordError
    from accord.formats.sources import read as read
    from accord.ratings.table import Ratings as Ratings
    from accord.reliability.run import agreement as agreement

_HOME = {
    "agreement": "accord.reliability.run",
    "AccordError": "accord.errors",
    "Level": "accord.design.scale",
    "Scale": "accord.design.scale",
    "Ratings": "accord.ratings.table",
    "read": "accord.formats.sources",
}
"""Public name -> module it lives in."""

__all__ = [
    "AccordError",
    "Diagnosis",
    "Finding",
    "Level",
    "Ratings",
    "Scale",
    "__version__",
    "agreement",
    "diagnose",
    "read",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


class _Room(ModuleType):
    """A room that shares its name with a public function: calling it calls the function."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(_HOME[name]), name)(*arguments, **options)


class _Accord(ModuleType):
    """This package: ``accord.agreement(...)`` is a call, ``accord.agreement.registry`` is a module."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Accord
