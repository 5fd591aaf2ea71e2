"""How far the collection is, for a report that is made before it is over."""

from collections.abc import Mapping

from accord.records import dataclass
from accord.words import counted, listed, steady

__all__ = ["Collecting"]

_MOST_WAITING = 5


@dataclass(frozen=True, slots=True)
class Collecting:
    """A collection that goes on: screens that are done, all that are planned, and who still has some, with how many."""

    done: int
    planned: int
    waiting: Mapping[str, int]

    def __str__(self) -> str:
        share = self.done / self.planned
        return f"made while collecting: {self.done:,} of {self.planned:,} screens done ({steady(share):.0%})"

    @property
    def advice(self) -> str:
        """What comes before any advice to plan more."""
        most = sorted(self.waiting.items(), key=lambda one: -one[1])[:_MOST_WAITING]
        rest = f" and {counted(len(self.waiting) - len(most), 'more rater')}" if len(self.waiting) > len(most) else ""
        who = listed([f"{name} ({left:,})" for name, left in most])
        return f"First finish what is planned: screens wait for {who}{rest}."
