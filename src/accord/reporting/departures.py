"""What a report does otherwise than the plan of analysis declares: asked for in this report, or decided meanwhile."""

from accord.ratings.codebook import LeftOut
from accord.ratings.leaving_out import ASKED, COUNTED_AGAIN, KEPT, left_out_in_words
from accord.reporting.analysis import Analysis
from accord.words import listed, steady

__all__ = ["departures_from_plan"]


def departures_from_plan(analysis: Analysis) -> list[str]:
    """Each as ``what: which``; empty where the plan is carried out as declared, or there is none."""
    ratings, plan = analysis.ratings, analysis.ratings.codebook.study.plan
    if not plan:
        return []
    undeclared = [one for one in ratings.codebook.left_out if not one.declared]
    found = {
        "raters kept whom a rule or a decision leaves out": [
            note.removeprefix(KEPT).strip() for note in ratings.notes if note.startswith(KEPT)
        ],
        "raters left out though no declared rule does": [
            f"{one.rater} ({ASKED})" if one.reason == ASKED else _decided(one) for one in undeclared
        ],
        "raters counted though they break a declared rule": [
            f"{one.rater} ({one.reason})"
            for one in ratings.codebook.breaks_rules
            if one.declared and (COUNTED_AGAIN in one.reason or ratings.codebook.is_simulated)
        ],
        "parts pooled that are kept apart": list(ratings.pooled),
        "another confidence": _confidence(plan.get("confidence", ""), analysis.confidence),
    }
    return [f"{what}: {listed(which)}" for what, which in found.items() if which]


def _decided(one: LeftOut) -> str:
    (words,) = left_out_in_words([one])
    return words.partition("rater ")[2]


def _confidence(declared: str, used: float) -> list[str]:
    if not declared or float(declared) == used:
        return []
    return [
        f"the plan declares {steady(float(declared)):.0%}, this report has {steady(used):.0%} (--confidence {declared})"
    ]
