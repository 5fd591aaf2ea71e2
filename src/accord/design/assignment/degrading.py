"""Spoil a text for a control item: some words replaced by words from elsewhere, or a phrase that does not belong."""

import re

import numpy as np

__all__ = ["degraded", "replaced_words", "with_foreign_phrase"]

_CHARACTERS = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def replaced_words(words: int) -> int:
    """How many words of a sentence of this length are replaced in direct assessment."""
    for longest, replaced in ((3, 1), (5, 2), (7, 3), (14, 4), (19, 5)):
        if words <= longest:
            return replaced
    return words // 4


def degraded(text: str, donor: str, rng: np.random.Generator) -> str:
    """The text with one span of words replaced by a span of the donor's words.

    From five words on, the first and the last word are kept: raters would spot them at a glance.
    Languages written without spaces are cut by characters.
    """
    words, joint = _words(text)
    others, _ = _words(donor)
    if not words or not others:
        return text
    count = min(replaced_words(len(words)), len(words))
    margin = 1 if len(words) >= 5 else 0
    start = int(rng.integers(margin, len(words) - margin - count + 1))
    old = words[start : start + count]
    return joint.join([*words[:start], *_span(others, count, old, rng), *words[start + count :]])


def with_foreign_phrase(text: str, donor: str, rng: np.random.Generator) -> str:
    """The text with two to six words of the donor between its own; twice as many where words have no spaces."""
    words, joint = _words(text)
    others, _ = _words(donor)
    if not others:
        return text
    count = int(rng.integers(2, 7)) * (2 if joint == "" else 1)
    place = int(rng.integers(0, len(words) + 1))
    return joint.join([*words[:place], *_span(others, count, [], rng), *words[place:]])


def _words(text: str) -> tuple[list[str], str]:
    if " " not in text.strip() and _CHARACTERS.search(text):
        return list(text.strip()), ""
    return text.split(), " "


def _span(words: list[str], count: int, unlike: list[str], rng: np.random.Generator) -> list[str]:
    """``count`` words in a row, going round at the end; not the ones that are replaced, if there is a choice."""
    starts = rng.permutation(len(words))
    spans = ([words[(start + step) % len(words)] for step in range(count)] for start in starts)
    return next((span for span in spans if span != unlike), [words[0]] * count)
