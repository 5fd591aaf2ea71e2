"""Whose errors and penalties count: what the codebook beside a file decided, and what somebody asks for."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

from accord.errors import NotEnoughDataError
from accord.ratings.codebook import LeftOut
from accord.ratings.data_package import found_beside
from accord.ratings.leaving_out import KEPT, absent_in_words, asked_for, check_are_raters, left_out_in_words
from accord.records import dataclass
from accord.scoring.sheet import Sheet

__all__ = ["WhoCounts"]


class _OfRater(Protocol):
    @property
    def rater(self) -> str: ...


_Row = TypeVar("_Row", bound=_OfRater)


@dataclass(frozen=True, slots=True)
class WhoCounts:
    """The raters who do not count, each with the reason, and those who count though somebody left them out.

    ``beside`` are lines on codebooks that are not of these files, or of files that changed since. ``only_asked`` are
    names that no codebook leaves out: a rater must have them. ``absent`` are lines on those who are left out and
    gave nothing, known once the names were ``checked``.
    """

    left_out: tuple[LeftOut, ...] = ()
    kept: tuple[LeftOut, ...] = ()
    beside: tuple[str, ...] = ()
    only_asked: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @classmethod
    def of(cls, files: Iterable[Path | None], leave_out: Iterable[str], keep_all: bool) -> "WhoCounts":
        """As the codebooks of these files and the user say; a rater whom one of the files leaves out is out of both."""
        looked = [found_beside(file) for file in files if file]
        said = [one for one, _ in looked if one is not None]
        beside = tuple(dict.fromkeys(line for one, told in looked for line in (*told, *(one.notes if one else ()))))
        decided = {one.rater: one for book in said for one in book.codebook.left_out}
        asked = {one.rater: one for one in asked_for(leave_out)}
        only_asked = tuple(name for name in asked if name not in decided)
        if not keep_all:
            return cls(tuple((asked | decided).values()), beside=beside, only_asked=only_asked)
        kept = tuple(one for one in decided.values() if one.rater not in asked)
        return cls(tuple(asked.values()), kept, beside, only_asked)

    @property
    def notes(self) -> tuple[str, ...]:
        """Who is not there and why, and who is there all the same, in whole lines."""
        kept = (f"{KEPT} rater {one.rater}" for one in self.kept)
        told = (*self.beside, *left_out_in_words(self.left_out), *kept)
        return tuple(f"{line}." for line in told)

    def checked(self, raters: Iterable[str]) -> "WhoCounts":
        """The same; an error where a name is no rater's, or where nobody is left."""
        known, out = set(raters), {one.rater for one in self.left_out}
        check_are_raters(self.only_asked, known)
        if known and known <= out:
            raise NotEnoughDataError(f"Every rater is left out ({', '.join(sorted(out))}), so nothing is left.")
        return replace(self, absent=tuple(absent_in_words(self.left_out, sorted(known))))

    def among(self, rows: Sequence[_Row]) -> tuple[_Row, ...]:
        """The rows of those who count."""
        out = {one.rater for one in self.left_out}
        return tuple(row for row in rows if row.rater not in out)

    def of_sheet(self, sheet: Sheet) -> Sheet:
        """The rows of a list that those who count wrote."""
        out = {one.rater for one in self.left_out}
        return replace(sheet, rows=tuple(row for row in sheet.rows if row.text("rater") not in out))
