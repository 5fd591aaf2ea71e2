"""All raters' marks on one text: the text in pieces, each with who marked it and how gravely."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from accord.design.study import CriterionSettings
from accord.records import dataclass
from accord.server.organiser.judgements import Said, ShownText, main_turn
from accord.server.screens import describe_criterion
from accord.server.study import LoadedStudy

__all__ = ["MOST_LANES", "Piece", "ShownMark", "grounds_of", "lanes_of", "marks_in_words", "most_marked", "overlay"]

MOST_LANES = 12
"""With more raters lanes cannot be told apart: then the ground alone says how many marked a word."""

Mark = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that is marked by the same raters throughout; ``lanes`` has their place and the gravity."""

    text: str
    lanes: tuple[tuple[int, str], ...]
    step: int
    """How dark its ground is: 0 where nobody marked it, 5 where everybody did."""

    @property
    def count(self) -> int:
        return len({lane for lane, _ in self.lanes})


@dataclass(frozen=True, slots=True)
class ShownMark:
    """One mark of one rater in words."""

    ground: str
    text: str
    words: str
    side: str


def grounds_of(criterion: CriterionSettings) -> dict[str, str]:
    """The look of each severity, as on the rater's own page: neutral, minor, major or critical."""
    return {one["key"]: one["ground"] for one in describe_criterion(criterion)["severities"]}


def overlay(text: str, side: str, marks: Sequence[Sequence[Mark]], grounds: Mapping[str, str]) -> list[Piece]:
    """The text in pieces; ``marks`` holds those of each rater, in the order of the lanes. Words may wrap."""
    own = [[mark for mark in one if mark["side"] == side] for one in marks]
    cuts = {0, len(text)} | {min(len(text), mark[end]) for one in own for mark in one for end in ("start", "end")}
    cuts |= {place + 1 for place, letter in enumerate(text) if letter.isspace()}
    places = [0, *sorted(cuts - {0})]
    pieces = []
    for start, end in pairwise(places):
        lanes = tuple(
            (lane, _gravest([mark for mark in one if _covers(mark, start, end)], grounds))
            for lane, one in enumerate(own)
            if any(_covers(mark, start, end) for mark in one)
        )
        step = -(-5 * len(lanes) // len(own)) if own else 0
        pieces.append(Piece(text[start:end], lanes, step))
    return pieces


def _covers(mark: Mark, start: int, end: int) -> bool:
    return bool(mark["start"] < end and start < mark["end"])


_GRAVITY = ("neutral", "minor", "major", "critical")


def _gravest(marks: Sequence[Mark], grounds: Mapping[str, str]) -> str:
    return max((grounds.get(mark.get("severity") or "", "minor") for mark in marks), key=_GRAVITY.index)


def most_marked(text: str, side: str, marks: Sequence[Sequence[Mark]]) -> tuple[str, tuple[int, ...]]:
    """The words that most raters marked, and the lanes of those who did; two at least, else nothing."""
    best: tuple[str, tuple[int, ...]] = ("", ())
    pieces = overlay(text, side, marks, {})
    at = 0
    while at < len(pieces):
        end = at + 1
        while end < len(pieces) and _lanes(pieces[end]) == _lanes(pieces[at]):
            end += 1
        who = _lanes(pieces[at])
        if len(who) > max(1, len(best[1])):
            best = "".join(piece.text for piece in pieces[at:end]).strip(), who
        at = end
    return best


def _lanes(piece: Piece) -> tuple[int, ...]:
    return tuple(lane for lane, _ in piece.lanes)


def _severity_words(criterion: CriterionSettings) -> dict[str, str]:
    """What each severity is called beside a mark and in the legend."""
    return {one.key: (one.label or one.key).partition(": ")[0].lower() for one in criterion.severities}


def _legend(criterion: CriterionSettings, grounds: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each ground that a mark may have, with the severities that have it."""
    words = _severity_words(criterion)
    found = [
        (ground, " / ".join(dict.fromkeys(words[key] for key, own in grounds.items() if own == ground)))
        for ground in _GRAVITY
    ]
    return [(ground, told) for ground, told in found if told]


def marks_in_words(criterion: CriterionSettings, marks: Sequence[Mark], texts: Mapping[str, str]) -> list[ShownMark]:
    """Each mark of a judgement as a reader needs it: the words, the severity and the kind."""
    grounds = grounds_of(criterion)
    severities = _severity_words(criterion)
    labels = dict(zip(map(str, criterion.values), criterion.labels, strict=False))
    found = []
    for mark in marks:
        severity, category = mark.get("severity") or "", str(mark.get("category") or "")
        words = ", ".join(filter(None, (severities.get(severity, severity), labels.get(category, category).lower())))
        text = texts.get(mark["side"], "")[mark["start"] : mark["end"]]
        found.append(ShownMark(grounds.get(severity, "minor"), text, words, mark["side"]))
    return found


def lanes_of(study: LoadedStudy, said: Sequence[Said], texts: Sequence[ShownText]) -> dict[str, Any] | None:
    """The texts in question with everybody's marks of one turn: whoever was asked to mark has a lane, marked or not."""
    asked = [key for key, criterion in study.criteria.items() if criterion.kind == "spans"]
    current_ones = main_turn([one for one in said if not one.cannot and one.criterion in asked])
    here = next((text for text in texts if text.is_here), None)
    if not current_ones or here is None:
        return None
    criterion = study.criteria[current_ones[0].criterion]
    by_rater: dict[str, list[Mark]] = {}
    for one in current_ones:
        by_rater.setdefault(one.rater, []).extend(one.raw or ())
    names = sorted(by_rater)
    marks, grounds = [by_rater[name] for name in names], grounds_of(criterion)
    target = overlay(here.target, "target", marks, grounds)
    source = overlay(here.source, "source", marks, grounds) if _has(marks, "source") else []
    words, markers = most_marked(here.target, "target", marks)
    if not markers:
        words, markers = most_marked(here.source, "source", marks)
    return {
        "names": names,
        "few": len(names) <= MOST_LANES,
        "legend": _legend(criterion, grounds),
        "target": target,
        "source": source,
        "words": words,
        "marking": [name for name in names if by_rater[name]],
        "is_graded_alike": all(len({ground for _, ground in one.lanes}) < 2 for one in (*target, *source)),
        "markers": [names[lane] for lane in markers],
        "others": [name for lane, name in enumerate(names) if lane not in markers],
    }


def _has(marks: Sequence[Sequence[Mark]], side: str) -> bool:
    return any(mark["side"] == side for one in marks for mark in one)
