"""Who rated, a person or a model, in whatever words a file says it."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from accord.arrays import distinct, distinct_rows
from accord.patterns import pattern
from accord.ratings.factor import Factor
from accord.words import counted, listed

__all__ = ["HUMAN", "KIND", "MODEL", "is_named_like_model", "kind_named", "models_among", "tells_kinds", "with_kinds"]

KIND, HUMAN, MODEL = "kind", "human", "model"
_MOST_NAMED = 6
_PEOPLE = frozenset({
    "human", "humans", "person", "persons", "people", "manual", "mensch", "menschen", "menschlich", "humano",
    "humana", "humanos", "humanas", "persona", "personas", "pessoa", "pessoas", "humain", "humaine", "umano",
    "人", "人类", "人工", "真人", "إنسان", "بشر", "بشري",
})  # fmt: skip
_MODELS = frozenset({
    "model", "models", "ai", "bot", "machine", "automatic", "automated", "auto", "language model", "ai model",
    "model judge", "judge model", "ai judge", "ai rater", "ai annotator", "ai evaluator", "artificial intelligence",
    "modell", "sprachmodell", "ki", "maschine", "maschinell", "automatisch", "modelo", "modelo de lenguaje",
    "modelo de linguagem", "ia", "máquina", "automático", "automática", "modèle", "modello",
    "模型", "大模型", "语言模型", "机器", "人工智能", "نموذج", "نموذج لغوي", "آلة", "آلي", "ذكاء اصطناعي",
})  # fmt: skip
_PERSON_FIRST = pattern(r"(?:humans?|people|person)\b")
_MODEL_NAME = pattern(
    r"\b(?:llms?|large language models?|(?:chat)?gpt[\w.]*|claude[\w.]*|gemini[\w.]*|gemma[\d.]*|llama[\d.]*|"
    r"mi[sx]tral|qwen[\d.]*|deepseek|grok[\d.]*|command r|palm2?|o[134] mini)\b"
)


def kind_named(word: str) -> str:
    """``human`` or ``model`` where the word says it clearly, else ''."""
    plain = " ".join(re.split(r"[\s_\-/]+", word.strip().casefold()))
    person = plain in _PEOPLE or _PERSON_FIRST.match(plain) is not None
    model = plain in _MODELS or _MODEL_NAME.search(plain) is not None
    if person == model:
        return ""
    return HUMAN if person else MODEL


def tells_kinds(words: Iterable[str]) -> bool:
    """Whether a column with these words tells people from models."""
    return any(map(kind_named, words))


def is_named_like_model(rater: str) -> bool:
    """Whether a rater has the name of a language model."""
    return _MODEL_NAME.search(" ".join(re.split(r"[\s_\-/]+", rater.strip().casefold()))) is not None


def with_kinds(kind: Factor, rater: Factor, item: Factor) -> tuple[Factor, tuple[str, ...]]:
    """The column in the words human and model, and what was made of the words of the file.

    What is not understood keeps its own word. Where a rater has both kinds and no item has, the column tells texts
    apart and nobody who rated: it stays as it is.
    """
    kinds = list(map(kind_named, kind.names))
    unknown = [repr(name) for name, found in zip(kind.names, kinds, strict=True) if not found]
    if not any(kinds):
        return kind, (_of_none(unknown),) if len(unknown) > 1 else ()
    new = [found or name for name, found in zip(kind.names, kinds, strict=True)]
    made = Factor.of(new)
    read = Factor(np.append(made.codes, np.int32(-1))[kind.codes].astype(np.int32), made.names)
    if list(kind.names) != new and _tells_texts_apart(read, rater, item):
        return kind, ("the column kind differs within a rater and not within an item: it is not read as who rated",)
    return read, (*_as_read(kind.names, kinds), *_own_words(read, unknown))


def _as_read(names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """How words were read, where they are others than human and model."""
    told = []
    for one in (HUMAN, MODEL):
        words = [repr(name) for name, found in zip(names, kinds, strict=True) if found == one and name != one]
        told += [f"read {_shortened(words)} as {one}"] if words else []
    return [f"column kind: {', '.join(told)}"] if told else []


def _own_words(read: Factor, unknown: Sequence[str]) -> list[str]:
    """What is neither a person nor a model by its word, with the number of its rows."""
    if not unknown:
        return []
    rows = int(np.isin(read.codes, [code for code, name in enumerate(read.names) if not kind_named(name)]).sum())
    return [
        f"kind {_shortened(unknown)} ({counted(rows, 'row')}) is neither human nor model: it is kept apart from both "
        "in agreement, and counts with people in scores. Write human or model in that column to change it"
    ]


def _of_none(unknown: Sequence[str]) -> str:
    return f"the column kind ({_shortened(unknown)}) tells neither people nor models, so nothing is kept apart by it"


def _shortened(words: Sequence[str]) -> str:
    more = len(words) - _MOST_NAMED
    return listed([*words[:_MOST_NAMED], f"{more} more"] if more > 0 else list(words))


def _tells_texts_apart(kind: Factor, rater: Factor, item: Factor) -> bool:
    return _varies_within(rater, kind) and not _varies_within(item, kind)


def _varies_within(whole: Factor, kind: Factor) -> bool:
    """Whether one of these has rows of several kinds."""
    known = kind.codes >= 0
    pairs = distinct_rows([whole.codes[known], kind.codes[known]])
    return len(pairs) > len(distinct(pairs[:, 0]))


def models_among(rater: Factor) -> tuple[str, ...]:
    """A line on raters that are named like models, where others are not and no column says who is a person."""
    found = [repr(name) for name in rater.names if is_named_like_model(name)]
    if not found or len(found) == len(rater.names):
        return ()
    named = "is named like a model" if len(found) == 1 else "are named like models"
    return (
        f"{_shortened(found)} {named}, but no column kind says so: pooled with the other raters. A column kind with "
        "human or model keeps them apart",
    )
