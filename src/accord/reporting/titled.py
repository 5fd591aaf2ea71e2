"""Scenarios by their titles: a report calls them as the pages do; signatures and data keep the keys of the file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from accord.ratings.codebook import StudyFacts
from accord.ratings.factor import Factor
from accord.ratings.table import Ratings
from accord.reporting.document import Document, Quoted

__all__ = ["titled", "under_titles"]

_SCENARIO = "scenario"
_Part = TypeVar("_Part")


def under_titles(ratings: Ratings, facts: StudyFacts | None = None) -> tuple[Ratings, dict[str, str]]:
    """The same ratings with the titles of their scenarios in the place of keys, and the key of each title.

    The titles are those of their own study, or of ``facts``. Two scenarios of one title keep their keys, as nobody
    could tell them apart; so does one without a title.
    """
    book, column = ratings.codebook, ratings.columns.get(_SCENARIO)
    facts = facts or book.study
    given = list(facts.titles.values())
    known = {key: title for key, title in facts.titles.items() if given.count(title) == 1}
    if column is None or not known:
        return ratings, {}
    study = replace(book.study, scenarios={known.get(key, key): kind for key, kind in book.study.scenarios.items()})
    renamed = Factor(column.codes, tuple(known.get(name, name) for name in column.names))
    shown = replace(
        ratings,
        columns={**ratings.columns, _SCENARIO: renamed},
        codebook=replace(book, study=study),
        known_as=ratings.fingerprint,  # the same data, shown otherwise
    )
    return shown, {title: key for key, title in known.items()}


def titled(document: Document, keys: Mapping[str, str]) -> Document:
    """The report in the words of the pages: «scenario One sentence» is “One sentence”, and what is copied has keys."""
    if not keys:
        return document
    titles = "|".join(sorted(map(re.escape, keys), key=len, reverse=True))
    spoken, signed = re.compile(rf"\bscenario ({titles})(?!\w)"), re.compile(rf"\bscenario:({titles})(?!\w)")

    def say(text: str) -> str:
        return spoken.sub(r"“\1”", text) if "scenario " in text else text

    def keep(text: str) -> str:
        return signed.sub(lambda found: f"scenario:{keys[found[1]]}", text) if "scenario:" in text else text

    told = _mapped(replace(document, data={}), say, keep)
    return replace(told, data=_with_keys(document.data, keys, keep))


def _mapped(part: _Part, say: Any, keep: Any) -> _Part:
    """All words of a part of the report, one after the other; what is quoted to be copied keeps its words."""
    found: Any = part
    # Most of a report are plain words and numbers: asked first, as the other questions take longer.
    if type(found) is str:
        return say(found)  # type: ignore[no-any-return]
    if found is None or isinstance(found, int | float):
        return part
    if isinstance(found, Quoted) and not found.prose:
        found = replace(found, text=keep(found.text), label=say(found.label))
    elif isinstance(found, str):
        found = say(found)
    elif is_dataclass(found) and not isinstance(found, type):
        found = replace(found, **{one.name: _mapped(getattr(found, one.name), say, keep) for one in fields(found)})
    elif isinstance(found, Mapping):
        found = {name: _mapped(value, say, keep) for name, value in found.items()}
    elif isinstance(found, Sequence):
        found = [_mapped(value, say, keep) for value in found]
    return found  # type: ignore[no-any-return]


def _with_keys(data: Any, keys: Mapping[str, str], keep: Any) -> Any:
    """Data for machines, with keys where the column of scenarios is meant and in every signature."""
    if data is None or isinstance(data, int | float):
        return data
    if isinstance(data, Mapping):
        return {
            keys.get(name, name): keys[value]
            if name == _SCENARIO and isinstance(value, str) and value in keys
            else _with_keys(value, keys, keep)
            for name, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [_with_keys(one, keys, keep) for one in data]
    return keep(data) if isinstance(data, str) else data
