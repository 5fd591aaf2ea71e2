"""Compose a report: from ratings to a document that every renderer tells alike."""

from collections.abc import Sequence

from accord import __version__
from accord.ratings.codebook_json import json_of_codebook
from accord.ratings.roles import under_study
from accord.ratings.table import Ratings
from accord.reporting.analysis import Analysis, Progress, analyse
from accord.reporting.collecting import Collecting
from accord.reporting.document import Document
from accord.reporting.first_screen import first_screen
from accord.reporting.heds import heds
from accord.reporting.sections.comparisons import comparisons
from accord.reporting.sections.correlation import correlation
from accord.reporting.sections.criteria import criteria
from accord.reporting.sections.effort import effort
from accord.reporting.sections.findings import findings
from accord.reporting.sections.glance import glance
from accord.reporting.sections.items import items
from accord.reporting.sections.methods import checklist_section, methods
from accord.reporting.sections.plan import plan
from accord.reporting.sections.preferences import preferences
from accord.reporting.sections.raters import raters
from accord.reporting.sections.reference_bias import reference_bias
from accord.reporting.sections.reliability import reliability
from accord.reporting.sections.scores import scarce, scores
from accord.reporting.titled import titled, under_titles
from accord.reporting.wording import items_text
from accord.words import counted, listed

__all__ = ["compose", "compose_analysis"]

_SECTIONS = (
    scarce, scores, preferences, reliability, findings, raters, items, comparisons, effort, reference_bias, correlation,
    plan, criteria, glance, methods, checklist_section,
)  # fmt: skip

_NAMED = 5
"""So many raters who are left out are named on the first screen; more are counted."""


def compose(
    ratings: Ratings,
    *,
    title: str = "",
    confidence: float | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    exclusions: Sequence[str] = (),
    read_as: Sequence[str] = (),
    keep_all: bool = False,
    answers: Ratings | None = None,
    sanity: Sequence[str] = (),
    hasty: Sequence[str] = (),
    collecting: Collecting | None = None,
) -> Document:
    """Analyse ratings and tell the results; ``read_as`` are the file and column options for ``accord agree``."""
    shown, keys = under_titles(ratings)
    analysis = analyse(
        shown,
        confidence=confidence,
        seed=seed,
        progress=progress,
        exclusions=exclusions,
        read_as=read_as,
        keep_all=keep_all,
        answers=under_titles(answers, ratings.codebook.study)[0] if answers is not None else None,
        sanity=sanity,
        hasty=hasty,
        collecting=collecting,
    )
    return titled(compose_analysis(analysis, title=title), keys)


def _without(ratings: Ratings) -> str:
    """Who is left out and by which rule: whoever reads the first screen alone must know."""
    by_rule: dict[str, list[str]] = {}
    for one in ratings.codebook.left_out:
        why = f"the rule '{one.rule.replace('_', ' ')}'" if one.rule else "a decision"
        by_rule.setdefault(why, []).append(one.rater)
    told = [
        f"{listed(who) if len(who) <= _NAMED else counted(len(who), 'rater')} by {why}" for why, who in by_rule.items()
    ]
    return f", without {listed(told)}" if told else ""


def compose_analysis(analysis: Analysis, *, title: str = "") -> Document:
    """Tell results that were computed before."""
    ratings = analysis.ratings
    sections = [section for build in _SECTIONS if (section := build(analysis)) is not None]
    name = title or (f"Reliability of {ratings.source}" if ratings.source else "Reliability report")
    texts, checking = under_study(ratings)
    what = "simulated rating" if ratings.codebook.is_simulated else "rating"
    of = f"{items_text(texts.items, checking)}{',' * bool(checking)}"
    names = f"; {ratings.codebook.study.names}" if ratings.codebook.study.names else ""
    without, going_on = _without(ratings), f"; {analysis.collecting}" if analysis.collecting else ""
    subtitle = f"{counted(len(ratings), what)} of {of} by {counted(ratings.raters, 'rater')}{without}{names}{going_on}"
    data: dict[str, object] = {
        "reliability": analysis.reliability.to_dict(),
        "diagnosis": analysis.diagnosis.to_dict(),
        "heds": heds(analysis),
        "codebook": json_of_codebook(ratings.codebook),
    }
    signature = f"accord {__version__}|report|seed {analysis.seed}|ratings {ratings.fingerprint}"
    return Document(name, subtitle, first_screen(analysis), sections, data, signature)
