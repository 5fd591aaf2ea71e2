"""Sentences chosen by what is true: a table of conditions and words, of which the first that holds is said."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from accord.records import dataclass

__all__ = ["Sentence", "chosen", "said_of"]

Seen = TypeVar("Seen")


@dataclass(frozen=True, slots=True)
class Sentence(Generic[Seen]):
    """A sentence, when it is true, and how it is said; ``short`` where it stands beside others of its kind.

    A test walks each table: every sentence with data that make it true, and with the nearest that must not.
    """

    key: str
    holds: Callable[[Seen], bool]
    words: Callable[[Seen], str]
    short: Callable[[Seen], str] | None = None

    def said(self, seen: Seen, *, short: bool = False) -> str:
        return (self.short or self.words)(seen) if short else self.words(seen)


def chosen(table: Sequence[Sentence[Seen]], seen: Seen) -> Sentence[Seen] | None:
    """The first sentence of a table that is true here."""
    return next((sentence for sentence in table if sentence.holds(seen)), None)


def said_of(table: Sequence[Sentence[Seen]], seen: Seen) -> str:
    """The first sentence that is true here, in words; '' where none is."""
    found = chosen(table, seen)
    return found.said(seen) if found else ""
