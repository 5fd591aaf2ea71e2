"""Names that pseudonyms hide and that somebody wrote into the texts of a study: something else stands there instead."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from accord.ratings.codebook import Codebook
from accord.ratings.codebook_json import codebook_of_json, json_of_codebook
from accord.words import listed

__all__ = ["A_SYSTEM", "ORDINARY", "coded_texts", "names_in", "names_in_texts"]

A_SYSTEM = "[system]"
"""What stands for the name of any system in a text. A code would be a key: guidelines, questions and reasons are also
read as they were written, and whoever has both sees which name stands where which code does."""

ORDINARY = {
    "base",
    "baseline",
    "best",
    "candidate",
    "control",
    "first",
    "gold",
    "good",
    "human",
    "last",
    "machine",
    "mt",
    "new",
    "none",
    "old",
    "online",
    "original",
    "other",
    "output",
    "reference",
    "second",
    "source",
    "system",
    "target",
    "test",
    "text",
    "the",
    "third",
    "tie",
    "translation",
    "translator",
}
"""Names that are also words of every text: they are hidden only behind the word system, and said otherwise."""


def coded_texts(codebook: Codebook, codes: Mapping[str, str]) -> Codebook:
    """The same codebook with what stands for each name wherever its texts hold the name as a whole word.

    What a number depends on has codes already: keys, values and raters stay as they are. So does the title, which
    raters read on every page.
    """
    patterns = [(_pattern(name), code) for name, code in codes.items() if name and name != code]
    texts = "\n".join(text for _, text in _texts(json_of_codebook(codebook), ""))
    patterns = [(pattern, code) for pattern, code in patterns if pattern.search(texts)]
    if not patterns:
        return codebook
    data = _coded(json_of_codebook(codebook), patterns, "")
    made = codebook_of_json(data, lambda _place, _why: None)
    # The scale in memory says more than the file: values that merely occur stay as they are.
    criteria = {
        key: replace(made.criteria[key], scale=replace(one.scale, labels=made.criteria[key].scale.labels))
        for key, one in codebook.criteria.items()
    }
    return replace(made, criteria=criteria)


def _pattern(name: str) -> re.Pattern[str]:
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    is_ordinary = len(name) == 1 or name.lower() in ORDINARY
    return re.compile(rf"(?<=system ){word}" if is_ordinary else word, re.IGNORECASE)


_KEPT = {
    "key",
    "title",
    "source",  # says the title
    "titles",
    "kind",
    "level",
    "direction",
    "rater",
    "rule",
    "date",
    "fingerprint",
    "values",
    "value",
    "kept_apart",
    "named_by",
    "cluster",
    "plan_hash",
    "plan_date",
    "unit",
    "judges",
    "phases",
    "criterion",
    "coefficient",
    "comparison",
    "confidence",
    "reliability",
    "roles",
}
"""Fields that are no text of the organiser's, or whose words somebody looks up."""


def _coded(data: Any, patterns: list[tuple[re.Pattern[str], str]], place: str) -> Any:
    if place in _KEPT:
        return data
    if isinstance(data, str):
        for pattern, code in patterns:
            data = pattern.sub(code, data)
        return data
    if isinstance(data, dict):
        return {key: _coded(value, patterns, str(key)) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_coded(value, patterns, place) for value in data]
    return data


def names_in_texts(codebook: Codebook, names: Iterable[str]) -> str:
    """A sentence on the names that the texts of a codebook hold as whole words, and where; empty where none does."""
    texts = list(_texts(json_of_codebook(codebook), ""))
    found: dict[str, list[str]] = {}
    for name in sorted(set(filter(None, names))):
        if places := list(dict.fromkeys(place for place, text in texts if names_in(text, [name]))):
            found[name] = places
    if not found:
        return ""
    told = listed([f"{name} ({', '.join(places)})" for name, places in found.items()])
    return (
        "Check first: texts of the study in the codebook hold words that are also names which codes hide: "
        f"{told}. If they mean what the codes hide, reword them in study.toml, or in the reason of the decision, "
        "before you pass the file on."
    )


def names_in(text: str, names: Iterable[str]) -> list[str]:
    """Those of the names that the text holds as whole words."""
    return [name for name in names if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)]


def _texts(data: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every text with the name of its field."""
    if isinstance(data, str):
        yield place, data
    elif isinstance(data, dict):
        for key, value in data.items():
            # What each role is for is said in words of ours; the source says the title.
            if key not in ("roles", "source"):
                yield from _texts(value, str(key))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value, place)
