"""The reporting checklist: filled in where the data allow, left as questions where only the author knows."""

from dataclasses import dataclass

from accord import __version__
from accord.reporting.analysis import Analysis

__all__ = ["Entry", "checklist"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A question of the checklist with its answer, empty where only the author can give it."""

    key: str
    question: str
    answer: str
    origin: str


def checklist(analysis: Analysis) -> tuple[Entry, ...]:
    """What reviewers ask for and papers omit (paper 002), in one order for every study."""
    ratings, groups = analysis.ratings, analysis.reliability.groups
    titles = list(dict.fromkeys(estimate.title for estimate in analysis.reliability))
    levels = ", ".join(dict.fromkeys(f"{group.title}: {group.level}" for group in groups))
    declared = all(not group.guesses for group in groups)
    methods = list(dict.fromkeys(e.interval.method for e in analysis.reliability if e.interval))
    scales = list(dict.fromkeys(i.scale for e in analysis.reliability for i in e.interpretations))
    comments = "comment" in ratings.columns
    data, author = "the data", "the author"
    seen = _seen(analysis)
    sides = any(side.pairs for side in analysis.sides)
    return (
        Entry("coefficient", "Which coefficient, by name?", "; ".join(titles) or "none fits", data),
        Entry("level", "Level of measurement of each criterion?", levels + ("" if declared else " (guessed)"), data),
        Entry("items", "How many items?", f"{ratings.items:,}", data),
        Entry("raters", "How many raters?", f"{ratings.raters:,}", data),
        Entry("ratings", "How many ratings, how many left open?", f"{len(ratings):,}; {ratings.missing:,}", data),
        Entry("interval", "How were intervals made, and what was resampled?", "; ".join(methods) or "none made", data),
        Entry("scale", "Which scale of interpretation?", "; ".join(scales) or "none", data),
        Entry("correlation", "Is correlation reported beside agreement?", "yes" if sides else "no", data),
        _exclusions(analysis),
        Entry("independent", "Did raters work independently of each other?", "", author),
        Entry("who", "Who were the raters: background, training, pay?", "", author),
        Entry("guidelines", "Which guideline text and version did they follow?", "", author),
        Entry("sampling", "How were the items chosen?", "", author),
        Entry("context", "What did raters see: source, reference, document?", seen, data if seen else author),
        Entry("blinding", "Were system names hidden and orders mixed?", "", author),
        Entry("comments", "Could raters comment?", "yes" if comments else "", data if comments else author),
        Entry("ethics", "Ethics approval and consent?", "", author),
        Entry("data", "Is the data released, and under which fingerprint?", f"fingerprint {ratings.fingerprint}", data),
        Entry("software", "Which software and version?", f"Accord {__version__}, seed {analysis.seed}", data),
    )  # fmt: skip


def _seen(analysis: Analysis) -> str:
    scenario = analysis.ratings.columns.get("scenario")
    return ", ".join(scenario.names) if scenario is not None else ""


def _exclusions(analysis: Analysis) -> Entry:
    question = "Were raters or items excluded, by which rule, declared when?"
    if analysis.exclusions:
        return Entry("exclusions", question, "; ".join(analysis.exclusions), "the study")
    return Entry("exclusions", question, "", "the author")
