"""A Data Package that others wrote: what its standard fields say of the ratings, and nothing beyond them."""

from collections.abc import Mapping, Sequence
from typing import Any

from accord.design.criterion import Criterion
from accord.design.scale import Level, Scale, Value
from accord.ratings.codebook import Codebook
from accord.ratings.mapping import KNOWN_NAMES
from accord.words import listed

__all__ = ["standard_meaning"]

_ORDERED = {True: Level.ORDINAL, False: Level.NOMINAL}
"""What the standard's ``categoriesOrdered`` declares."""


def standard_meaning(
    resource: Mapping[str, Any], where: str
) -> tuple[Codebook, tuple[str, ...], tuple[str, ...]] | None:
    """The codebook, what stands for a missing rating, and notes; None where the standard fields say neither.

    ``categories`` with ``categoriesOrdered`` declare values, labels and level of the ratings; ``title`` and
    ``description`` the question and its definition; ``missingValues`` what is no rating. The good end, what is kept
    apart and who was left out have no standard field: they stay unknown.
    """
    schema = resource.get("schema")
    fields = schema.get("fields") if isinstance(schema, dict) else None
    if not isinstance(schema, dict) or not isinstance(fields, list):
        return None
    field = _rated([one for one in fields if isinstance(one, dict)])
    criterion = _criterion(field) if field is not None else None
    missing = tuple(word for word in _words(schema.get("missingValues"), field) if word)
    if criterion is None and not missing:
        return None
    said = [f"values and level of {field['name']}"] if criterion is not None and field is not None else []
    said += [f"that {listed([repr(word) for word in missing])} stands for no rating"] if missing else []
    note = f"{where} is a Data Package of others: it says {' and '.join(said)}; the good end is not said there"
    codebook = Codebook(criteria={"": criterion} if criterion is not None else {}, source=where)
    return codebook, missing, (note,)


def _rated(fields: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The field of the ratings: by its name, else the only one with categories."""
    by_name = {str(one.get("name", "")).casefold(): one for one in fields}
    for name in KNOWN_NAMES["value"]:
        if name in by_name:
            return by_name[name]
    graded = [one for one in fields if isinstance(one.get("categories"), list)]
    return graded[0] if len(graded) == 1 else None


def _criterion(field: Mapping[str, Any]) -> Criterion | None:
    """Only where the categories say whether they have an order: a level is never guessed here."""
    categories, ordered = field.get("categories"), field.get("categoriesOrdered")
    if not isinstance(categories, list) or not categories or not isinstance(ordered, bool):
        return None
    values, labels = list[Value](), dict[Value, str]()
    for one in categories:
        given = one.get("value") if isinstance(one, dict) else one
        if not isinstance(given, int | float | str) or isinstance(given, bool):
            return None
        value: Value = float(given) if isinstance(given, int | float) else given
        values.append(value)
        if isinstance(one, dict) and isinstance(one.get("label"), str):
            labels[value] = one["label"]
    scale = Scale(_ORDERED[ordered], tuple(values), labels, declared=True)
    return Criterion(
        question=str(field.get("title") or ""),
        definition=str(field.get("description") or ""),
        kind="scale",
        scale=scale,
    )


def _words(missing: object, field: Mapping[str, Any] | None) -> list[str]:
    """The words of missingValues, of the field before those of the table."""
    own = field.get("missingValues") if field is not None else None
    given = own if isinstance(own, list) else missing
    found = [one.get("value") if isinstance(one, dict) else one for one in (given if isinstance(given, list) else [])]
    return [str(one) for one in found if isinstance(one, str | int | float)]
