"""What logs of evaluations share: verdicts of judges and people as values, and names for what has none."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale, Value
from accord.formats.collect import Collector, as_name, as_number

__all__ = ["PASS", "SHARE", "fingerprint", "is_object", "mappings", "meaning_of", "shown", "verdict"]

PASS = Criterion(
    kind="scale",
    definition="whether the answer passes",
    scale=Scale(Level.ORDINAL, ("fail", "pass"), declared=True, direction=Direction.HIGH),
)
SHARE = Criterion(
    kind="scale",
    definition="a score of a judge; the log says that more is better",
    scale=Scale(Level.INTERVAL, (), direction=Direction.HIGH),
)


def verdict(value: object) -> Value | None:
    """A verdict as logs write it: true or false, a number, or a label; None for what is no single verdict."""
    if isinstance(value, bool):
        return "pass" if value else "fail"
    if isinstance(value, int | float):
        return as_number(value)
    return as_name(value) or None


def meaning_of(values: Iterable[Value | None]) -> Criterion | None:
    """What verdicts of one name mean where the log itself says it: those that are pass or fail."""
    found = {value for value in values if value is not None}
    return PASS if found and found <= {"pass", "fail"} else None


def is_object(collect: Collector, line: int, entry: object, called: str) -> bool:
    """Whether an entry of a log is an object, as it must be; what is none is dropped with a line."""
    if not isinstance(entry, Mapping):
        collect.dropped(line, f"the {called} is no object")
    return isinstance(entry, Mapping)


def mappings(value: object) -> list[Mapping[str, object]]:
    """The objects of a list; none where it is no list."""
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def shown(value: object) -> str:
    """An input or output as text."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, sort_keys=True, default=str)


def fingerprint(*parts: object) -> str:
    """A short name for what the log gives no name: the same for the same content."""
    whole = json.dumps(parts, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]
