"""Translations of a study's own texts: each line must translate a text that is there, into a language pages speak."""

from collections.abc import Iterator, Mapping
from typing import Any

from accord.design.nearest import did_you_mean
from accord.design.phase_checks import Found
from accord.design.study import UI_LANGUAGES

__all__ = ["translation_problems"]


def translation_problems(raw: Mapping[str, Any]) -> Found:
    """Languages without pages, and lines that translate nothing."""
    tables = raw.get("translations")
    texts = set(_texts({name: part for name, part in raw.items() if name != "translations"}))
    for language, lines in (tables if isinstance(tables, Mapping) else {}).items():
        if language not in UI_LANGUAGES:
            known = ", ".join(UI_LANGUAGES)
            yield ("translations", language), f"pages do not speak {language!r}. Languages there are: {known}"
        for text in lines if isinstance(lines, Mapping) else ():
            if text not in texts:
                hint = did_you_mean(text, texts)
                near = hint if hint.startswith(". Did") else ". Copy it as it stands in this file"
                yield ("translations", language, text), f"no text of the study reads {text!r}{near}"


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        for value in part.values():
            yield from _texts(value)
    elif isinstance(part, list):
        for value in part:
            yield from _texts(value)
    elif isinstance(part, str):
        yield part
