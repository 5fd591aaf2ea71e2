"""What runs statements over stored ratings, and what can only be asked of ratings in memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from accord.errors import OptionError

__all__ = ["ONLY_IN_MEMORY", "Engine", "Progress", "RowsElsewhereError"]

Progress = Callable[[int, int], None]

ONLY_IN_MEMORY = frozenset(
    {
        "item",
        "rater",
        "value",
        "scores",
        "labels",
        "numbers",
        "factor",
        "only",
        "where",
        "with_scale",
        "to_frame",
        "head",
    }
)
"""What ratings in memory have and stored ones have not: their rows."""


class RowsElsewhereError(OptionError, AttributeError):
    """Asked of stored ratings: something that only ratings in memory have."""

    def __init__(self, source: str, engine: str) -> None:
        super().__init__(
            f"{f'The ratings in {source}' if source else 'These ratings'} are counted where they lie, by {engine}; "
            "this needs their rows. Read them into memory with engine='memory', or a part of them from a smaller file."
        )


class Engine(Protocol):
    """What runs the statements: DuckDB in this process, or a Spark cluster."""

    name: str
    table: str

    def run(self, statements: Sequence[str], progress: Progress | None = None) -> Iterator[Mapping[str, Any]]: ...
    def buckets(self, items: int, columns: int) -> int: ...
    def in_bucket(self, item: str, bucket: int, buckets: int) -> str: ...
    def item_key(self, item: str, place: int) -> str: ...
