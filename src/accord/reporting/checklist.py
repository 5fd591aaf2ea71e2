"""The reporting checklist: filled in where the data allow, left as questions where only the author knows."""

from collections import Counter

from accord import __version__
from accord.ratings.codebook import StudyFacts
from accord.ratings.roles import under_study
from accord.records import dataclass
from accord.reporting.analysis import Analysis
from accord.reporting.departures import departures_from_plan
from accord.reporting.wording import items_text
from accord.words import counted

__all__ = ["Entry", "background", "checklist"]

_DATA, _STUDY, _AUTHOR = "the data", "the study", "the author"


@dataclass(frozen=True, slots=True)
class Entry:
    """A question of the checklist with its answer, empty where only the author can give it."""

    key: str
    question: str
    answer: str
    origin: str


def checklist(analysis: Analysis) -> tuple[Entry, ...]:
    """What reviewers ask for and papers omit (paper 002), in one order for every study."""
    return (*_of_numbers(analysis), *_of_the_study(analysis), *_of_the_data(analysis))


def _of_numbers(analysis: Analysis) -> tuple[Entry, ...]:
    ratings, groups = analysis.ratings, analysis.reliability.parts
    titles = list(dict.fromkeys(estimate.title for estimate in analysis.reliability))
    levels = ", ".join(
        dict.fromkeys(f"{group.by.get('criterion', '') or 'all ratings'}: {group.level}" for group in groups)
    )
    texts, checking = under_study(ratings)
    items = items_text(texts.items, checking) if checking else f"{texts.items:,}"
    declared = not any(one.scale.has_guessed_level for one in ratings.codebook.criteria.values())
    methods = list(dict.fromkeys(e.interval.method for e in analysis.reliability if e.interval))
    scales = list(dict.fromkeys(i.scale for e in analysis.reliability for i in e.interpretations))
    sides = any(side.pairs for side in analysis.sides)
    return (
        Entry("coefficient", "Which coefficient, by name?", "; ".join(titles) or "none fits", _DATA),
        Entry("level", "Level of measurement of each criterion?", levels + ("" if declared else " (guessed)"), _DATA),
        Entry("items", "How many items?", items, _DATA),
        Entry("raters", "How many raters?", f"{ratings.raters:,}", _DATA),
        Entry("ratings", "How many ratings, and how many missing?", f"{len(ratings):,}; {ratings.missing:,}", _DATA),
        Entry("interval", "How were intervals made, and what was resampled?", "; ".join(methods) or "none made", _DATA),
        Entry("scale", "Which scale of interpretation?", "; ".join(scales) or "none", _DATA),
        Entry("correlation", "Is correlation reported beside agreement?", "yes" if sides else "no", _DATA),
    )


def _of_the_study(analysis: Analysis) -> tuple[Entry, ...]:
    """What study.toml records; only what nobody recorded is left to the author."""
    facts, ratings = analysis.ratings.codebook.study, analysis.ratings
    scenario = ratings.columns.get("scenario")
    seen = ", ".join(scenario.names) if scenario is not None else ""
    commented = "yes" if "comment" in ratings.columns else ""
    return (
        _plan(analysis),
        _exclusions(analysis),
        _recorded("independent", "Did raters work independently of each other?", facts.independence),
        _recorded("recruitment", "How were raters found?", facts.recruitment),
        _recorded("who", "Who were the raters: background, experience?", background(facts)),
        _recorded("training", "How were raters trained?", facts.training),
        _recorded("pay", "What were raters paid?", facts.pay),
        _recorded("guidelines", "Which guideline text and version did they follow?", "; ".join(facts.guidelines)),
        _recorded("sampling", "How were the items chosen?", facts.sampling),
        _recorded("context", "What did raters see: source, reference, document?", facts.shown, otherwise=seen),
        _recorded("blinding", "Were system names hidden?", facts.blinding),
        _recorded("order", "In which order did raters see the items?", facts.order),
        _recorded("controls", "Were there control items?", facts.controls or ("no" if facts.title else "")),
        _recorded("comments", "Could raters comment?", facts.comments, otherwise=commented),
        _recorded("consent", "Did raters consent?", f"yes: {facts.consent}" if facts.consent else ""),
        _recorded("ethics", "Ethics approval?", facts.ethics),
    )


def _of_the_data(analysis: Analysis) -> tuple[Entry, ...]:
    fingerprint = f"fingerprint {analysis.ratings.fingerprint}"
    return (
        Entry("data", "Is the data released, and under which fingerprint?", fingerprint, _DATA),
        Entry("software", "Which software and version?", f"Accord {__version__}, seed {analysis.seed}", _DATA),
    )


def background(facts: StudyFacts) -> str:
    """What the organiser says of the raters, and what they answered about themselves, counted."""
    answers: dict[str, Counter[str]] = {}
    for told in facts.raters.values():
        for question, words in told.items():
            answers.setdefault(question, Counter())[words] += 1
    counted_answers = [
        f"{question}: " + ", ".join(f"{words} ({number})" for words, number in sorted(found.items()))
        for question, found in answers.items()
    ]
    whole = facts.background.rstrip(".") if counted_answers else facts.background
    return "; ".join(filter(None, (whole, *counted_answers)))


def _recorded(key: str, question: str, answer: str, *, otherwise: str = "") -> Entry:
    if answer:
        return Entry(key, question, answer, _STUDY)
    return Entry(key, question, otherwise, _DATA if otherwise else _AUTHOR)


def _plan(analysis: Analysis) -> Entry:
    facts, question = analysis.ratings.codebook.study, "Was the analysis declared before collection?"
    departures = "; ".join(departures_from_plan(analysis))
    if facts.plan_hash:
        changed = f"; {counted(len(facts.plan_changes), 'change')} afterwards" if facts.plan_changes else ""
        departed = f"; departed from: {departures}" if departures else ""
        when = f"yes, on {facts.plan_date}" if facts.plan_date else "yes"
        return Entry("plan", question, f"{when}, hash {facts.plan_hash}{changed}{departed}", _STUDY)
    return Entry("plan", question, "no", _STUDY) if facts.title else Entry("plan", question, "", _AUTHOR)


def _exclusions(analysis: Analysis) -> Entry:
    question = "Were raters or items excluded, by which rule, declared when?"
    told = "; ".join(analysis.exclusions)
    if told or analysis.ratings.codebook.study.title:
        return Entry("exclusions", question, told or "no rule was declared and nobody was left out", _STUDY)
    return Entry("exclusions", question, "", _AUTHOR)
