"""Pages of a long list, newest first, that cost the same however long it is."""

from typing import Any

from django.core.paginator import Paginator
from django.utils.functional import cached_property

__all__ = ["MOST", "LongPaginator"]

MOST = 10_000
"""So many rows are counted and can be turned to; among more, people look by a filter."""


class LongPaginator(Paginator):  # type: ignore[type-arg]
    """As Django's own, but what lies beyond the newest 10,000 is neither counted nor paged."""

    @cached_property
    def _known(self) -> int:
        # To count half a million rows of which the newest version counts takes half a second of the processor.
        rows: Any = self.object_list
        return int(rows[: MOST + 1].count())

    @property
    def is_more(self) -> bool:
        """Whether there are rows beyond."""
        return self._known > MOST

    @cached_property
    def count(self) -> int:
        """Rows that can be turned to."""
        return min(self._known, MOST)
