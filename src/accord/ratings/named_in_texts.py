"""Names that pseudonyms hide and that somebody wrote into the texts of a study: said before a file is passed on."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from accord.ratings.codebook import Codebook
from accord.ratings.codebook_json import json_of_codebook
from accord.words import listed

__all__ = ["names_in_texts"]


def names_in_texts(codebook: Codebook, names: Iterable[str]) -> str:
    """A sentence on the names that the texts of a codebook hold as whole words, and where; empty where none does."""
    texts = list(_texts(json_of_codebook(codebook), ""))
    found: dict[str, list[str]] = {}
    for name in sorted(set(filter(None, names))):
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        if places := list(dict.fromkeys(place for place, text in texts if word.search(text))):
            found[name] = places
    if not found:
        return ""
    told = listed([f"{name} ({', '.join(places)})" for name, places in found.items()])
    return (
        "Check first: texts of the study stand in the codebook as they were written, and they name what codes hide: "
        f"{told}. Reword them in study.toml, or in the reason of the decision, before you pass the file on."
    )


def _texts(data: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every text with the name of its field."""
    if isinstance(data, str):
        yield place, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _texts(value, str(key))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value, place)
