"""Accord: human evaluation from design to publishable report, with the reliability of every judgement.

Everything public is here and is imported when first used, so that ``import accord`` stays light.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from accord.comparisons.conditions import compare_conditions as compare_conditions
    from accord.design.scale import Level as Level
    from accord.design.scale import Scale as Scale
    from accord.diagnosis.examination import Diagnosis as Diagnosis
    from accord.diagnosis.examination import diagnose as diagnose
    from accord.diagnosis.finding import Finding as Finding
    from accord.errors import AccordError as AccordError
    from accord.formats.sources import read as read
    from accord.inference.interval import Interval as Interval
    from accord.ratings.table import Ratings as Ratings
    from accord.reliability.estimate import Estimate as Estimate
    from accord.reliability.result import Reliability as Reliability
    from accord.reliability.run import agreement as agreement
    from accord.report.writing import report as report
    from accord.scoring.ranking.rank import rank as rank
    from accord.scoring.scarce import score as score

_HOME = {
    "AccordError": "accord.errors",
    "Diagnosis": "accord.diagnosis.examination",
    "Estimate": "accord.reliability.estimate",
    "Finding": "accord.diagnosis.finding",
    "Interval": "accord.inference.interval",
    "Level": "accord.design.scale",
    "Ratings": "accord.ratings.table",
    "Reliability": "accord.reliability.result",
    "Scale": "accord.design.scale",
    "agreement": "accord.reliability.run",
    "compare_conditions": "accord.comparisons.conditions",
    "diagnose": "accord.diagnosis.examination",
    "rank": "accord.scoring.ranking.rank",
    "read": "accord.formats.sources",
    "report": "accord.report.writing",
    "score": "accord.scoring.scarce",
}
"""Public name -> module it lives in."""

_ROOMS = frozenset(
    {
        "comparisons",
        "design",
        "diagnosis",
        "formats",
        "inference",
        "planning",
        "plots",
        "ratings",
        "reliability",
        "scoring",
    }
)
"""Rooms that can be reached by name without an import of their own."""

__all__ = [
    "AccordError", "Diagnosis", "Estimate", "Finding", "Interval", "Level", "Ratings", "Reliability", "Scale",
    "__version__", "agreement", "compare_conditions", "diagnose", "rank", "read", "report", "score",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"accord.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_ROOMS})


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
