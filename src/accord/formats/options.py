"""What the user said about a file before it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.design.scale import Level
from accord.errors import OptionError
from accord.ratings.codebook import Codebook
from accord.ratings.declared import DeclaredDirection, DeclaredScale

__all__ = ["ReadOptions"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of a reader; a format that has no use for one ignores it.

    ``segments`` tells how Appraise numbers segments: by their ``id`` in the file, or by their
    ``position`` in the document where batches number them anew. ``table`` holds what only plain
    tables need: the columns by name, ``wide``, ``delimiter``, ``sheet``, ``missing``, ...
    """

    encoding: str | None = None
    level: Level | str | None = None
    scale: DeclaredScale | Mapping[str, DeclaredScale] | None = None
    scales: Mapping[str, DeclaredScale] | None = None
    direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None = None
    codebook: Codebook | None = None
    duplicates: str | None = None
    segments: str = "id"
    table: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.segments not in ("id", "position"):
            raise OptionError(f"segments is {self.segments!r}; it can be id or position.")

    @property
    def building(self) -> dict[str, Any]:
        """What the ratings room wants to know when it builds ratings."""
        names = ("level", "scale", "scales", "direction", "codebook", "duplicates")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "ReadOptions":
        """Options as a caller gives them by name."""
        own = {"encoding", "level", "scale", "scales", "direction", "codebook", "duplicates", "segments"}
        known = {name: value for name, value in options.items() if name in own and value is not None}
        table = {
            name: value for name, value in options.items() if name not in own and value is not None and value != {}
        }
        return cls(**known, table=table)
