"""Diagnosis: what is wrong with the ratings, and with whom."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.diagnosis.correlation import agreement_with_correlation as agreement_with_correlation
    from accord.diagnosis.correlation import pair_averages as pair_averages
    from accord.diagnosis.differential import DifferentialFunctioning as DifferentialFunctioning
    from accord.diagnosis.differential import differential_functioning as differential_functioning
    from accord.diagnosis.examination import Diagnosis as Diagnosis
    from accord.diagnosis.examination import diagnose as diagnose
    from accord.diagnosis.finding import Finding as Finding
    from accord.diagnosis.finding import Severity as Severity
    from accord.diagnosis.part import Part as Part
    from accord.diagnosis.part import parts_of as parts_of
    from accord.diagnosis.registry import FINDINGS as FINDINGS

_HOME = {
    "agreement_with_correlation": "correlation", "pair_averages": "correlation", "Diagnosis": "examination",
    "diagnose": "examination", "Finding": "finding", "Severity": "finding", "Part": "part", "parts_of": "part",
    "FINDINGS": "registry", "DifferentialFunctioning": "differential", "differential_functioning": "differential",
}  # fmt: skip

__all__ = [
    "FINDINGS",
    "Diagnosis",
    "DifferentialFunctioning",
    "Finding",
    "Part",
    "Severity",
    "agreement_with_correlation",
    "diagnose",
    "differential_functioning",
    "pair_averages",
    "parts_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'accord.diagnosis' has no attribute {name!r}")
    return getattr(import_module(f"accord.diagnosis.{_HOME[name]}"), name)
