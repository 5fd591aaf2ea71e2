"""What the bodies of requests are made of: fields with their limits, and a sentence for each that does not fit."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

__all__ = ["WHOLE", "File", "Key", "Line", "Note", "OneOf", "Reason", "Shape", "Stored", "Text", "why_not"]

LARGEST = 2**53
"""Whole numbers up to here are the same in JSON, Python, JavaScript and every database."""


class Shape(BaseModel):
    """An object with these fields and no others, each of its own type: ``"3"`` is no number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, sent: Any) -> Any:
        """Say which fields there are: the message of the library does not."""
        for name in sent if isinstance(sent, dict) else ():
            if name not in cls.model_fields:
                raise ValueError(f"has no field {str(name)[:40]!r}. Known: {', '.join(cls.model_fields)}")
        return sent


class OneOf:
    """One of these words."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(list(self._words))


WHOLE = BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
"""JSON Schema counts 3.0 as a whole number."""

# NUL is in none, as databases refuse it.
Stored = Annotated[str, Field(pattern=r"^[^\u0000]*$")]
Text = Annotated[Stored, Field(max_length=5_000)]
Line = Annotated[Stored, Field(max_length=200)]
Note = Annotated[Stored, Field(max_length=2_000)]
Reason = Annotated[Note, Field(min_length=1)]
Key = Annotated[int, Field(ge=1, le=LARGEST), WHOLE]


class File(Shape):
    """A file of a study."""

    name: Annotated[Stored, Field(min_length=1, max_length=100)]
    text: Annotated[Stored, Field(max_length=50_000_000)]


_SENTENCES: Mapping[str, str] = {
    "missing": "{where} is missing.",
    "value_error": "{where} {error}.",
    "literal_error": "{where} must be {expected}.",
    "string_too_short": "{where} must have at least {min_length:,} characters.",
    "string_too_long": "{where} must have at most {max_length:,} characters.",
    "string_pattern_mismatch": "{where} holds the character NUL, which cannot be saved.",
    "string_unicode": "{where} holds an incomplete character.",
    "too_short": "{where} must have at least {min_length:,} elements.",
    "too_long": "{where} must have at most {max_length:,} elements.",
    "greater_than_equal": "{where} must be at least {ge:g}.",
    "less_than_equal": "{where} must be at most {le:g}.",
    "finite_number": "{where} must be a number.",
    "string_type": "{where} must be a text.",
    "int_type": "{where} must be a whole number.",
    "int_parsing": "{where} must be a whole number.",
    "float_type": "{where} must be a number.",
    "bool_type": "{where} must be true or false.",
    "list_type": "{where} must be a list.",
    "model_type": "{where} must be an object.",
}


def why_not(error: Mapping[str, Any]) -> str:
    """One sentence on the first thing that does not fit, from what pydantic says of it."""
    sentence = _SENTENCES.get(error["type"], "{where} does not fit: {msg}.")
    return sentence.format(where=_where(error["loc"]), msg=error["msg"], **error.get("ctx", {}))


def _where(path: Sequence[str | int]) -> str:
    """``("body", "body", "entries", 0, "uuid")`` is the field 'entries[0].uuid' of the request."""
    named = path[2:] if path[0] == "body" else path[1:]
    told = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in named).lstrip(".")
    return f"The field {told!r}" if told else "The body of the request"
