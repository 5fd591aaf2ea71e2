"""Accord: human evaluation from design to publishable report, with the reliability of every judgement.

Everything public is here and is imported when first used, so that ``import accord`` stays light.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from accord.comparisons.conditions import compare_conditions as compare_conditions
    from accord.design.scale import Level as Level
    from accord.design.scale import Scale as Scale
    from accord.diagnosis.examination import Diagnosis as Diagnosis
    from accord.diagnosis.examination import diagnose as diagnose
    from accord.diagnosis.finding import Finding as Finding
    from accord.errors import AccordError as AccordError
    from accord.functions.answer import Answer as Answer
    from accord.functions.assessing import da as da
    from accord.functions.auditing import audit as audit
    from accord.functions.comparing import compare as compare
    from accord.functions.files import convert as convert
    from accord.functions.files import simulate as simulate
    from accord.functions.judging import judge as judge
    from accord.functions.mqm import mqm as mqm
    from accord.functions.preferring import prefer as prefer
    from accord.inference.interval import Interval as Interval
    from accord.ratings.codebook import Codebook as Codebook
    from accord.ratings.description import Description as Description
    from accord.ratings.description import describe as describe
    from accord.ratings.table import Ratings as Ratings
    from accord.reading import read as read
    from accord.reliability.estimate import Estimate as Estimate
    from accord.reliability.result import Reliability as Reliability
    from accord.reliability.run import agreement as agreement
    from accord.reporting.writing import report as report
    from accord.scoring.ranking.rank import rank as rank
    from accord.scoring.scarce import score as score

_HOME = {
    "AccordError": "accord.errors",
    "Answer": "accord.functions.answer",
    "Codebook": "accord.ratings.codebook",
    "Description": "accord.ratings.description",
    "Diagnosis": "accord.diagnosis.examination",
    "Estimate": "accord.reliability.estimate",
    "Finding": "accord.diagnosis.finding",
    "Interval": "accord.inference.interval",
    "Level": "accord.design.scale",
    "Ratings": "accord.ratings.table",
    "Reliability": "accord.reliability.result",
    "Scale": "accord.design.scale",
    "agreement": "accord.reliability.run",
    "audit": "accord.functions.auditing",
    "compare": "accord.functions.comparing",
    "compare_conditions": "accord.comparisons.conditions",
    "convert": "accord.functions.files",
    "da": "accord.functions.assessing",
    "describe": "accord.ratings.description",
    "diagnose": "accord.diagnosis.examination",
    "judge": "accord.functions.judging",
    "mqm": "accord.functions.mqm",
    "prefer": "accord.functions.preferring",
    "rank": "accord.scoring.ranking.rank",
    "read": "accord.reading",
    "report": "accord.reporting.writing",
    "score": "accord.scoring.scarce",
    "simulate": "accord.functions.files",
}
"""Public name -> module it lives in."""

__all__ = [
    "AccordError", "Answer", "Codebook", "Description", "Diagnosis", "Estimate", "Finding", "Interval", "Level",
    "Ratings", "Reliability", "Scale", "__version__", "agreement", "audit", "compare", "compare_conditions",
    "convert", "da", "describe", "diagnose", "judge", "mqm", "prefer", "rank", "read", "report", "score", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    found = globals()[name] = getattr(_import_module(_HOME[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
