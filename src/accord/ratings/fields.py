"""The columns of a table as a Table Schema describes them: type, title, description, and the answers of a scale."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from accord.design.scale import Scale
from accord.ratings.codebook import Codebook

__all__ = ["schema_of"]

_WORDS: Mapping[str, str] = {
    "item": "what was rated", "rater": "who rated it", "value": "the rating", "criterion": "what was judged",
    "system": "who or what made the text", "document": "the document that the item belongs to",
    "segment": "the place of the item in its document", "language_pair": "source and target language",
    "domain": "subject field of the text", "scenario": "what the rater saw", "condition": "what was varied on purpose",
    "group": "group of raters", "phase": "round of work of the study", "round": "round of rating",
    "guideline": "version of the guidelines", "occasion": "how often the rater met the item: 1 is the first time",
    "role": "what the row is for; see roles", "kind": "human or model", "batch": "part of the work handed out together",
    "time_s": "seconds spent on the rating", "comment": "what the rater remarked", "order": "place in the rater's work",
}  # fmt: skip
_NUMBERS = ("time_s", "order")


def schema_of(
    codebook: Codebook | None, columns: Sequence[str], numbers: Collection[str], named: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """The Table Schema of a table with these columns."""
    part = {name: role for role, names in named.items() for name in names}
    fields = [_field(name, part.get(name, name), codebook, name in numbers) for name in columns]
    return {"fields": fields, "missingValues": [""]}


def _field(name: str, role: str, codebook: Codebook | None, is_number: bool) -> dict[str, Any]:
    field: dict[str, Any] = {"name": name, "type": "number" if is_number or role in _NUMBERS else "string"}
    if codebook is None:
        return field
    if role in _WORDS:
        field["description"] = _WORDS[role]
    if role == "value":
        field |= _answers(codebook)
    if role in codebook.item.texts:
        field["description"] = "a text of the item"
    return field


def _answers(codebook: Codebook) -> dict[str, Any]:
    """Type of the ratings, and what they may be where all rows share one declared scale."""
    criteria = list(codebook.criteria.values())
    scales = [criterion.scale for criterion in criteria]
    field: dict[str, Any] = {"type": "number" if scales and all(map(_is_number, scales)) else "string"}
    if len(criteria) != 1:
        return field
    only, scale = criteria[0], scales[0]
    if only.question:
        field["title"] = only.question
    if scale.has_sets:
        return field
    if scale.declared and scale.values and not scale.any_between:
        field["constraints"] = {"enum": list(scale.values)}
    elif field["type"] == "number" and (scale.declared or scale.any_between):
        ends = {"minimum": scale.low, "maximum": scale.high}
        field["constraints"] = {name: end for name, end in ends.items() if end is not None}
    return field


def _is_number(scale: Scale) -> bool:
    return scale.level.has_distance or (bool(scale.values) and scale.is_numeric)
