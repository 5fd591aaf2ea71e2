"""How the dashboard opens: what the judgements allow to say so far, and the numbers behind it."""

from collections.abc import Sequence
from dataclasses import asdict
from math import isnan
from typing import Any

from accord.look.bar import Bar
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.result import GroupReliability
from accord.reporting.first_screen import HEADLINES, Judged, extremes, number_of, why
from accord.reporting.headline import Headline
from accord.sentences import Sentence, said_of
from accord.server.organiser.drawing import drawn_bar

__all__ = ["FEWEST", "OPENINGS", "State", "answer_in_brief", "opening"]

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
             lambda seen: "Nobody is invited yet."),
    Sentence("nothing_judged", lambda seen: not seen.judgements, lambda seen: "Nobody has judged anything yet."),
    Sentence("few", lambda seen: seen.judgements < FEWEST,
             lambda seen: "There are too few judgements to say how far raters agree."),
    Sentence("computing", lambda seen: seen.computing, lambda seen: "The first results are being computed."),
    Sentence("problem", lambda seen: bool(seen.problem), lambda seen: "The judgements could not be analysed."),
    Sentence("not_computed", lambda seen: not seen.computing and not seen.problem,
             lambda seen: "Results have not been computed yet."),
)
# fmt: on


def answer_in_brief(ratings: Ratings, groups: Sequence[GroupReliability], mains: Sequence[str]) -> Plain:
    """What the first screen of a report says of reliability, from the coefficient that each group is known by."""
    combined = {group.by.get("criterion", "") for group in groups if group.combined}
    only = next(iter(ratings.codebook.criteria))
    heads = [
        Headline(_name(group, only), group, group[key])
        for group, key in zip(groups, mains, strict=True)
        if key in group and (group.combined or group.by.get("criterion", "") not in combined)
    ]
    known = [head for head in heads if not isnan(head.estimate.value)]
    declared = str(ratings.codebook.study.plan.get("criterion", ""))
    return {
        "sentence": said_of(HEADLINES, Judged(ratings.raters, len(ratings), heads)),
        "why": why(heads),
        "numbers": [asdict(number_of(head)) for head in extremes(known, declared)],
    }


def opening(state: State, answer: Plain, findings: Sequence[Plain]) -> Plain:
    """The heading with what explains it, as the page shows it."""
    grave = [one for one in findings if one["severity"] in _GRAVE]
    numbers: Sequence[Plain] = answer.get("numbers", [])
    return {
        "sentence": said_of(OPENINGS, state),
        "why": answer.get("why", ""),
        "numbers": [{**one, "drawn": drawn_bar(Bar(**one["bar"])) if one["bar"] else ""} for one in numbers],
        "first": f"{grave[0]['criterion']}{grave[0].get('join', ':')} {grave[0]['message']}." if grave else "",
    }


def _name(group: GroupReliability, only: str) -> str:
    """The criterion, and the parts of it where they are not combined."""
    parts = [] if group.combined else [name for column, name in group.by.items() if column != "criterion" and name]
    return ", ".join([group.by.get("criterion", only), *parts])
