"""How the dashboard opens: what the judgements allow to say so far, and the numbers behind it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from math import isnan
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accord.diagnosis.part import Part
from accord.look.bar import Bar
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.measured_again import newest_words
from accord.reliability.result import GroupReliability
from accord.reporting.first_screen import Judged, extremes, first_answer, number_of, why
from accord.reporting.headline import Doubt, headlines_of
from accord.reporting.ranked import Rankings
from accord.reporting.scarce_scores import few_scores_of
from accord.reporting.sections.preferences import Chosen, preference_answer
from accord.sentences import Sentence, said_of
from accord.server.organiser.drawing import drawn_bar
from accord.server.organiser.spoken import spoken
from accord.server.organiser.titles import combined_title, in_titles, part_title
from accord.server.workspace.colleagues import may_act

__all__ = ["FEWEST", "OPENINGS", "STEPS", "Need", "State", "answer_in_brief", "next_step", "opening"]

FEWEST = 4
"""Below this many judgements nothing can be said."""

_GRAVE = ("error", "warning")

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """What the heading is chosen from: who is invited, what was judged, and what was computed of it."""

    invited: int
    judgements: int
    answer: str
    computing: bool
    problem: str


# A table should look like one.
# fmt: off
OPENINGS: tuple[Sentence[State], ...] = (
    Sentence("answered", lambda seen: bool(seen.answer), lambda seen: seen.answer),
    Sentence("nobody_invited", lambda seen: not seen.invited and not seen.judgements,
             lambda seen: _("Nobody is invited yet.")),
    Sentence("nothing_judged", lambda seen: not seen.judgements, lambda seen: _("Nobody has judged anything yet.")),
    Sentence("few", lambda seen: seen.judgements < FEWEST,
             lambda seen: _("There are too few judgements to say how far raters agree.")),
    Sentence("computing", lambda seen: seen.computing, lambda seen: _("The first results are being computed.")),
    Sentence("problem", lambda seen: bool(seen.problem), lambda seen: _("The judgements could not be analysed.")),
    Sentence("not_computed", lambda seen: not seen.computing and not seen.problem,
             lambda seen: _("Results have not been computed yet.")),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Need:
    """What the one button of the dashboard is chosen from."""

    invited: int
    judgements: int
    questions: int
    rater: str
    """The rater whom the gravest finding names, if it names one."""
    item: str
    """The most disputed item, if there is one."""
    is_done: bool


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do next: the words of a button, and where it leads."""

    key: str
    holds: Callable[[Need], bool]
    words: Callable[[Need], str]
    page: str
    about: Callable[[Need], str] = lambda need: ""
    act: str = ""
    """What one must be allowed to do for it to make sense; empty where everybody may look."""


# fmt: off
STEPS: tuple[Step, ...] = (
    Step("invite", lambda need: not need.invited, lambda need: _("Invite raters"), "organiser-people",
         act="organiser-people"),
    Step("answer", lambda need: need.questions > 0,
         lambda need: _("Answer questions ({n})").format(n=need.questions),
         "organiser-comments", act="organiser-comment"),
    Step("rater", lambda need: bool(need.rater), lambda need: _("Look at {name}").format(name=need.rater),
         "organiser-rater", lambda need: need.rater),
    Step("report", lambda need: need.is_done, lambda need: _("Make the report"), "organiser-reports",
         act="organiser-report-begin"),
    Step("texts", lambda need: bool(need.item), lambda need: _("Look at the texts"), "organiser-item",
         lambda need: need.item),
    Step("people", lambda need: not need.item, lambda need: _("See who is rating"), "organiser-people",
         act="organiser-people"),
    Step("numbers", lambda need: True, lambda need: _("All numbers"), "organiser-results"),
)
# fmt: on


def next_step(need: Need, user: Any = None) -> Plain:
    """The most urgent thing to do for this user; every state of a study has one."""
    found = next(step for step in STEPS if step.holds(need) and (not step.act or may_act(user, step.act)))
    about = found.about(need)
    address = reverse(found.page, args=[about] if about else [])
    return {"key": found.key, "words": found.words(need), "address": address}


def answer_in_brief(
    ratings: Ratings,
    parts: Sequence[Part],
    groups: Sequence[GroupReliability],
    systems: tuple[Rankings, Chosen],
    doubts: Sequence[Doubt] = (),
) -> Plain:
    """The first screen of a report in brief, word for word: systems by code, scenarios by key.

    ``systems`` are as the scores rank them, and as people chose between them.
    """
    rankings, chosen = systems
    confidence = ratings.codebook.study.confidence or 0.95
    heads = headlines_of(groups, doubts)
    question, answer = first_answer(
        Judged(ratings.raters, len(ratings), heads),
        rankings,
        preference_answer(chosen, confidence),
        () if rankings else few_scores_of(parts),
    )
    only = next(iter(ratings.codebook.criteria))
    heads = [replace(head, name=_name(head.group, only, is_newest=head.is_measurement)) for head in heads]
    known = [head for head in heads if not isnan(head.estimate.value)]
    declared = str(ratings.codebook.study.plan.get("criterion", ""))
    return {
        "question": question,
        "sentence": answer,
        "why": why(heads),
        "again": [str(head.again) for head in heads if head.again],
        "numbers": [asdict(number_of(head)) for head in extremes(known, declared)],
    }


def opening(state: State, answer: Plain, findings: Sequence[Plain]) -> Plain:
    """The heading with what explains it, as the page shows it."""
    grave = [one for one in findings if one["severity"] in _GRAVE]
    numbers: Sequence[Plain] = answer.get("numbers", [])
    first = f"{grave[0]['criterion']}{grave[0].get('join', ':')} {grave[0]['message']}." if grave else ""
    sentence, is_english = spoken(said_of(OPENINGS, state)) if state.answer else (said_of(OPENINGS, state), False)
    first, is_first_english = spoken(in_titles(first))
    return {
        "sentence": sentence,
        # Answers come from the library, which speaks English; those that are often met are translated.
        "is_answer": is_english,
        "why": answer.get("why", ""),
        "numbers": [{**one, "drawn": drawn_bar(Bar(**one["bar"])) if one["bar"] else ""} for one in numbers],
        "first": first,
        "is_first_english": is_first_english,
    }


def _name(group: GroupReliability, only: str, *, is_newest: bool = False) -> str:
    """The criterion, and the parts of it, which measurement it is, or that versions and rounds are combined."""
    if is_newest:
        return ", ".join((group.by.get("criterion", only), newest_words(group.by)))
    parts = [*filter(None, [combined_title(group.combined)])] if group.combined else [
        part_title(column, name)
        for column, name in group.by.items() if column != "criterion" and name
    ]  # fmt: skip
    return ", ".join([group.by.get("criterion", only), *parts])
