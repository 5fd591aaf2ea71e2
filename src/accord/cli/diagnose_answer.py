"""What ``accord diagnose`` prints: causes, the gravest first, each with evidence, effect and one thing to do."""

from collections.abc import Sequence

from accord.cli.layout import WIDTH, labelled, print_answer, wrapped
from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.diagnosis.causes import Agreement, Cause, Seen, causes_of, heaviest_rater, opening
from accord.diagnosis.examination import Diagnosis
from accord.diagnosis.finding import Severity
from accord.diagnosis.part import parts_of
from accord.errors import NotEnoughDataError
from accord.ratings.table import Ratings
from accord.reliability.answer import Answer, answers_of
from accord.reliability.run import agreement
from accord.words import counted, part_name

__all__ = ["print_causes"]

_MOST = 5
_SCREEN = 30
"""Lines of the first screen."""
_TENTATIVE = 2 / 3
"""What Krippendorff asks of α for tentative conclusions."""
_LOW = frozenset({"worse_than_chance", "chance", "unreliable", "not_shown"})
"""Verdicts on α after which nobody may say that nothing is wrong."""
_WORDS = {Severity.ERROR: "[grave]", Severity.WARNING: "[serious]", Severity.NOTE: "[remark]"}


def print_causes(found: Diagnosis, ratings: Ratings, by: Sequence[str], file: str) -> None:
    """The first screen: as many causes as it holds, five at most; remarks only where there is nothing graver."""
    causes = causes_of(found, ratings, by)
    low, scarce = _agreement(ratings, by)
    grave = [one for one in causes if one.severity is not Severity.NOTE]
    told = [] if grave else [one.part for one in low]
    heaviest = heaviest_rater(part for part in parts_of(ratings, by) if part_name(part.by) in told) if told else None
    first = wrapped(f"{opening(Seen(causes, low, scarce, heaviest))} {_looked_at(found)}")
    wanted = (grave or list(causes))[:_MOST]
    room = _SCREEN - len(first) - len(found.remarks) - 4
    blocks = [_block(place, cause, 2) for place, cause in enumerate(wanted, 1)]
    if sum(len(block) + 1 for block in blocks) > room:
        blocks = [_block(place, cause, 1) for place, cause in enumerate(wanted, 1)]
    print_answer([first, *blocks, [*found.remarks, *_closing(len(blocks), causes, file)]])


def _agreement(ratings: Ratings, by: Sequence[str]) -> tuple[list[Agreement], str]:
    """Where α is not shown to be enough, and how few items there are where they are too few for an interval."""
    try:
        result = agreement(ratings, by=tuple(by), coefficients=(KRIPPENDORFF_ALPHA,))
    except NotEnoughDataError:
        return [], ""
    answers = answers_of(result).leading
    low = [
        Agreement(
            part_name(one.group.by),
            one.lead.value,
            one.interval_words,
            one.short[0].rpartition(": ")[2].rstrip("."),
            one.lead.interval is not None and one.lead.interval.high < _TENTATIVE,
        )
        for one in answers
        if one.lead and (one.verdict in _LOW or _is_few_and_not_shown(one))
    ]
    scarce = [one.lead.items for one in answers if one.lead and one.verdict == "no_interval"]
    return low, counted(max(scarce), "item") if scarce and len(scarce) == len(answers) else ""


def _is_few_and_not_shown(answer: Answer) -> bool:
    """Few items get no verdict, but α that they leave open is no reason to say that nothing is wrong."""
    interval = answer.lead.interval if answer.lead else None
    return answer.verdict == "few_items" and interval is not None and interval.low < _TENTATIVE


def _looked_at(found: Diagnosis) -> str:
    sizes = f"{counted(found.ratings, 'rating')} of {counted(found.items, 'item')} by {counted(found.raters, 'rater')}"
    return f"Looked at: {sizes}, {counted(found.checks, 'check')}."


def _block(place: int, cause: Cause, most: int) -> list[str]:
    word = _WORDS[cause.severity]
    title = f"{place}  {cause.title}"
    head = title.ljust(WIDTH - len(word)) + word if len(title) + len(word) < WIDTH else f"{title} {word}"
    told = [("Evidence", cause.evidence), ("Effect", cause.effect_words), ("Do", cause.action)]
    return [head, *labelled(told, indent=3, most=most)]


def _closing(shown: int, causes: Sequence[Cause], file: str) -> list[str]:
    lines = []
    if rest := len(causes) - shown:
        lines.append(f"{counted(rest, 'more cause or remark', 'more causes and remarks')}, and every number: --all.")
    elif causes:
        lines.append("Every number behind this: --all.")
    return [*lines, f"Items that raters dispute: accord diagnose {file} --show items"]
