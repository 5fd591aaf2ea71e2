"""What the user said about a file before it is read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from typing import Any, TypedDict

from accord.design.scale import Level
from accord.errors import OptionError
from accord.ratings.codebook import Codebook
from accord.ratings.declared import DeclaredDirection, DeclaredScale
from accord.records import dataclass

__all__ = ["ReadOptions", "Reading", "require_options"]


class Reading(TypedDict, total=False):
    """The options of :func:`accord.read` that say how a file or frame is read: a name that is not here is a mistake."""

    item: str | Sequence[str] | None
    rater: str | None
    value: str | Sequence[str] | None
    criterion: str | None
    system: str | None
    document: str | None
    segment: str | None
    language_pair: str | None
    domain: str | None
    scenario: str | None
    condition: str | None
    group: str | None
    phase: str | None
    round: str | None
    guideline: str | None
    occasion: str | None
    role: str | None
    kind: str | None
    batch: str | None
    time_s: str | None
    comment: str | None
    order: str | None
    columns: Mapping[str, str] | None
    level: Level | str | None
    scale: DeclaredScale | Mapping[str, DeclaredScale] | None
    scales: Mapping[str, DeclaredScale] | None
    direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None
    codebook: Codebook | None
    wide: bool | Sequence[str] | None
    duplicates: str | None
    missing: Iterable[str]
    map_rater: Mapping[str, str] | None
    drop_off_scale: bool
    separator: str | None
    format: str | None
    strict: bool
    encoding: str | None
    delimiter: str | None
    sheet: str | int | None
    segments: str
    memory: str | None
    master: str | None


def require_options(function: str, given: Iterable[str], beside: Iterable[str] = ()) -> None:
    """Refuse an option that a public function does not have; ``beside`` are those it has besides these of reading."""
    known = [*beside, *Reading.__annotations__]
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else "."
            raise OptionError(f"{function} has no option {name!r}{meant} Known options: {', '.join(known)}.")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of a reader; a format that has no use for one ignores it.

    ``segments`` tells how Appraise numbers segments: by their ``id`` in the file, or by their
    ``position`` in the document where batches number them anew. ``table`` holds what only plain
    tables need: the columns by name, ``wide``, ``delimiter``, ``sheet``, ...
    """

    encoding: str | None = None
    level: Level | str | None = None
    scale: DeclaredScale | Mapping[str, DeclaredScale] | None = None
    scales: Mapping[str, DeclaredScale] | None = None
    direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None = None
    codebook: Codebook | None = None
    duplicates: str | None = None
    missing: Iterable[str] | None = None
    map_rater: Mapping[str, str] | None = None
    drop_off_scale: bool = False
    segments: str = "id"
    table: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.segments not in ("id", "position"):
            raise OptionError(f"segments is {self.segments!r}; it can be id or position.")

    @property
    def building(self) -> dict[str, Any]:
        """What the ratings room wants to know when it builds ratings."""
        names = ("level", "scale", "scales", "direction", "codebook", "duplicates", "map_rater", "drop_off_scale")
        asked: dict[str, Any] = {name: getattr(self, name) for name in names}
        return asked if self.missing is None else asked | {"missing": self.missing}

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "ReadOptions":
        """Options as a caller gives them by name."""
        own = {
            "encoding", "level", "scale", "scales", "direction", "codebook", "duplicates", "segments", "missing",
            "map_rater", "drop_off_scale",
        }  # fmt: skip
        known = {name: value for name, value in options.items() if name in own and value is not None}
        table = {
            name: value for name, value in options.items() if name not in own and value is not None and value != {}
        }
        return cls(**known, table=table)
