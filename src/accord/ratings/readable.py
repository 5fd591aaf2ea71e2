"""What ratings may be read from, as types."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

__all__ = ["Files", "Readable", "SparkFrame"]

Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""A path, a pattern, or several paths."""


class SparkFrame(Protocol):
    """A PySpark frame, told by what only it has."""

    @property
    def sparkSession(self) -> Any: ...  # noqa: N802 - the name is Spark's


Readable: TypeAlias = "Files | SparkFrame | IntoFrame | NDArray[Any]"
"""Files, any frame that Narwhals knows, a PySpark frame, or an array of items x raters."""
