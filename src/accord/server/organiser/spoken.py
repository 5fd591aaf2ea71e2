"""Sentences of the library that lead an overview, in the reader's language; what is not among them stays English.

The library speaks English, and what was computed is kept as it said it. Each sentence here is one of the library's with
gaps for what differs from study to study: an English sentence that fits is said with the translation of its pattern.
"""

import re
from collections.abc import Callable

from django.utils.translation import get_language, gettext, gettext_noop

__all__ = ["spoken"]

_SENTENCES = re.compile(r"(?<=\.) (?=[^\W\d_])")
_GAP = re.compile(r"\\{(\w+)\\}")
# A table should look like one.
# fmt: off
_WHOLE = (
    gettext_noop("One rater gave {n} ratings, which nobody else confirms or contradicts."),
    gettext_noop("No two raters judged the same item: nothing can be compared."),
    gettext_noop("Ranking by {part}: No text has been judged of two systems yet, so they cannot be compared."),
    gettext_noop("These judgements cannot be said to agree or to disagree: agreement beyond chance has no value."),
    gettext_noop("How far these judgements can be trusted is not shown: they come from too few documents for an "
                 "interval."),
    gettext_noop("How far these judgements can be trusted is not shown: there is too little for an interval."),
    gettext_noop("Single judgements here cannot be relied on: raters agree less than by chance."),
    gettext_noop("There are too few items to say how far these judgements can be trusted."),
    gettext_noop("These judgements are not shown to agree better than by chance."),
    gettext_noop("Single judgements here cannot be relied on."),
    gettext_noop("Single judgements here are not shown to be reliable."),
    gettext_noop("These judgements allow tentative conclusions."),
    gettext_noop("These judgements can be relied on."),
    gettext_noop("These judgements cannot be relied on until what was found in them is clear."),
    gettext_noop("How far to rely on these judgements is read on the scale of their coefficient."),
    gettext_noop("How far to rely on these judgements has no published answer: their coefficient has no scale."),
    gettext_noop("The interval is already as narrow as ±{half}."),
    gettext_noop("At this rate {n} more items for ±{half} (now ±{now})."),
    gettext_noop("At this rate {n} more items, or 1 more rater of every item for ±{half} (now ±{now})."),
    gettext_noop("At this rate {n} more items, or {raters} more raters of every item for ±{half} (now ±{now})."),
    gettext_noop("{part}: {name} is lenient: rates {points} higher than the other raters on the same items, "
                 "{sd} standard deviations of all ratings."),
    gettext_noop("{part}: {name} is strict: rates {points} lower than the other raters on the same items, "
                 "{sd} standard deviations of all ratings."),
    gettext_noop("{part}: {name} is lenient: rates {points} lower than the other raters on the same items, "
                 "{sd} standard deviations of all ratings."),
    gettext_noop("{part}: {name} is strict: rates {points} higher than the other raters on the same items, "
                 "{sd} standard deviations of all ratings."),
)
_RANKED = (
    gettext_noop("{system} is best by {names}."),
    gettext_noop("{system} is best."),
    gettext_noop("No winner by {names}: {systems} cannot be told apart."),
    gettext_noop("No winner: {systems} cannot be told apart."),
    gettext_noop("{systems} may each be best by {names}; {system} is not."),
    gettext_noop("{systems} may each be best by {names}; the other {n} are not."),
    gettext_noop("{systems} may each be best; {system} is not."),
    gettext_noop("{systems} may each be best; the other {n} are not."),
    gettext_noop("Nobody said which end of the scale is good, so no system is called best by {names}."),
    gettext_noop("Nobody said which end of the scale is good, so no system is called best."),
    gettext_noop("{system} is preferred to {other}: {won} of {decided} decided choices."),
    gettext_noop("This holds for other raters and other items too."),
    gettext_noop("With these {n} raters {system} is preferred to {other} on other documents too: {won} of {decided} "
                 "decided choices."),
    gettext_noop("With these {n} raters {system} is preferred to {other} on other items too: {won} of {decided} "
                 "decided choices."),
    gettext_noop("With these {n} raters no preference is shown: {won} of {decided} decided choices prefer {system}."),
    gettext_noop("{systems} cannot be told apart: {won} of {decided} decided choices prefer {system}."),
    gettext_noop("Two raters are too few to speak of other raters."),
    gettext_noop("It is not shown that other raters would choose alike."),
)
_CLAUSES = (
    gettext_noop("judgements of {names} cannot be said to agree or to disagree"),
    gettext_noop("judgements of {names} come from too few documents to say"),
    gettext_noop("judgements of {names} are too little to judge by"),
    gettext_noop("judgements of {names} agree less than by chance"),
    gettext_noop("judgements of {names} are of too few items to say"),
    gettext_noop("judgements of {names} are not shown to agree better than by chance"),
    gettext_noop("judgements of {names} cannot be relied on one by one"),
    gettext_noop("judgements of {names} are not shown to be reliable"),
    gettext_noop("judgements of {names} allow tentative conclusions"),
    gettext_noop("judgements of {names} can be relied on"),
    gettext_noop("judgements of {names} cannot be relied on until what was found in them is clear"),
    gettext_noop("judgements of {names} are read on the scale of their own coefficient"),
    gettext_noop("judgements of {names} have a coefficient without a published scale"),
)
# fmt: on


def spoken(sentence: str) -> tuple[str, bool]:
    """The sentence in the reader's language, and whether it is still the library's English."""
    if not sentence or (get_language() or "en").startswith("en"):
        return sentence, True
    told = [_spoken(one) for one in _SENTENCES.split(sentence)]
    if any(is_english for _, is_english in told):
        return sentence, True  # half a sentence of each language would help nobody
    return " ".join(one for one, _ in told), False


def _spoken(sentence: str) -> tuple[str, bool]:
    """One sentence, as ``spoken`` says it."""
    if (told := _translated_by(sentence, _WHOLE)) is not None:
        return told, False
    if (told := _translated_by(sentence, _RANKED, _joined)) is not None:
        return told, False
    clauses = [re.sub("^(?:Judgements|those) of", "judgements of", part) for part in sentence.rstrip(".").split("; ")]
    parts = [_translated_by(part, _CLAUSES, _joined) for part in clauses]
    if any(part is None for part in parts):
        return sentence, True
    told = gettext("; ").join(part for part in parts if part is not None)
    return gettext("{clauses}.").format(clauses=told[:1].upper() + told[1:]), False


def _joined(names: str) -> str:
    """Names as the library lists them, ``a, b and c``, with the reader's word for "and"."""
    first, and_, second = names.rpartition(" and ")
    return gettext("{first} and {second}").format(first=first, second=second) if and_ else names


def _translated_by(sentence: str, table: tuple[str, ...], told: Callable[[str], str] = str) -> str | None:
    for phrase in table:
        pattern = _GAP.sub(r"(?P<\1>.+?)", re.escape(phrase))
        if found := re.fullmatch(pattern, sentence):
            return gettext(phrase).format(**{gap: told(words) for gap, words in found.groupdict().items()})
    return None
