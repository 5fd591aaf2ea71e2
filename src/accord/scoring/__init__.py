"""Scoring: scores and decisions, from one scarce score to a ranking of systems."""

from importlib import import_module
from typing import Any

_HOME = {
    "accord.scoring.arf": ("Law", "alpha_of_k", "half_width_factor"),
    "accord.scoring.calibrated": ("CalibratedScore", "calibrated_score", "penalty_points"),
    "accord.scoring.critical_tables": ("k_table", "t_table"),
    "accord.scoring.decision": ("Decision", "Verdict"),
    "accord.scoring.assessment": ("DirectAssessment", "direct_assessment"),
    "accord.scoring.history": ("Evaluation", "History", "read_history"),
    "accord.scoring.item_scores": ("ItemScore", "score_items"),
    "accord.scoring.mqm": (
        "MqmError",
        "arbitrated",
        "mqm_segments",
        "mqm_systems",
        "read_mqm_errors",
        "repeated_errors",
    ),
    "accord.scoring.mqm_means": ("system_intervals",),
    "accord.scoring.mqm_ratings": ("Penalties", "read_penalties"),
    "accord.scoring.error_rates": ("Variation", "error_rate", "operating_curve", "sampling_plan"),
    "accord.scoring.preference_rows": ("read_preferences",),
    "accord.scoring.preference_result": ("Preference", "Preferences"),
    "accord.scoring.preferences": ("bradley_terry_davidson",),
    "accord.scoring.prior": ("Prior",),
    "accord.scoring.ranking": ("Averaging", "Preset", "Ranking", "ResamplingUnit", "rank"),
    "accord.scoring.scarce": ("Score", "score"),
    "accord.scoring.segment_sampling": ("sample_segment_sets",),
    "accord.scoring.student": ("scores_needed",),
}
"""Module -> the public names that live in it; each is imported when first used."""

_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE)


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'accord.scoring' has no attribute {name!r}")
    return getattr(import_module(_MODULE[name]), name)
