"""Which rows of stored ratings count between raters: no practice, no controls, and of several occasions the first."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

from accord.errors import RatingsError
from accord.ratings.coding import spelled_cell
from accord.ratings.roles import is_ordinary
from accord.ratings.sql import Statements, literal
from accord.records import dataclass

__all__ = ["Selection"]


@dataclass(frozen=True, slots=True)
class Selection:
    """The rule as SQL: what a control item or repeat is, and the rank of an occasion; false where every row counts."""

    control: str | None = None
    rank: str | None = None

    def __bool__(self) -> bool:
        return self.control is not None or self.rank is not None

    @classmethod
    def of(cls, found: Mapping[str, Sequence[Any]], expression: Callable[[str], str]) -> "Selection":
        """The rule for the names that occur as role and as occasion."""
        control = rank = None
        roles = {"" if raw is None else spelled_cell(raw) for raw in found.get("role", ())}
        others = sorted(role for role in roles if not is_ordinary(role))
        # Where there is nothing but control items, they are what is looked at.
        if others and len(others) < len(roles):
            listed = ", ".join(literal(role) for role in others)
            control = f"COALESCE(TRIM(CAST({expression('role')} AS VARCHAR)), '') IN ({listed})"
        if len(found.get("occasion", ())) > 1:
            _require_numbers(found["occasion"])
            number = f"TRY_CAST({expression('occasion')} AS DOUBLE)"
            rank = f"COALESCE({number}, CAST('-Infinity' AS DOUBLE))"
        return cls(control, rank)

    @property
    def ranks(self) -> tuple[str, ...]:
        return () if self.rank is None else (self.rank,)

    def without_controls(self, statements: Statements) -> Statements:
        return statements if self.control is None else statements.narrowed(f"NOT ({self.control})")

    def selected(self, statements: Statements) -> Statements:
        kept = self.without_controls(statements)
        return kept if self.rank is None else kept.earliest(self.rank)


def _require_numbers(raws: Sequence[Any]) -> None:
    names = [spelled_cell(raw) for raw in raws if raw is not None]
    odd = [name for name in names if name and not _is_number(name)]
    if odd:
        raise RatingsError(
            f"The occasion {odd[0]!r} is not a number, so which occasion was first cannot be known where rows have no "
            "order. Number the occasions 1, 2, ..., or read the file into memory (--engine memory)."
        )


def _is_number(name: str) -> bool:
    try:
        return not isnan(float(name))
    except ValueError:
        return False
