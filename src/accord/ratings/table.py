"""Ratings: the one table that everything before makes and everything after reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct, distinct_rows
from accord.design.criterion import Criterion
from accord.design.scale import Level, Scale, Value
from accord.errors import ColumnError, OptionError, RatingsError
from accord.ratings.codebook import Codebook
from accord.ratings.factor import Codes, Factor, PickedFactor, RegularFactor, by_rater
from accord.ratings.fingerprint import hashed_grid, hashed_names, hashed_numbers, hashed_rows
from accord.ratings.grid import has_repeats, is_grid
from accord.ratings.names import spelled_number
from accord.ratings.remark import Places, Remark
from accord.records import dataclass
from accord.tables.frames import frame_of_columns
from accord.tables.table import Column, Table

if TYPE_CHECKING:
    from accord.plots.chart import Chart

__all__ = [
    "OPTIONAL_COLUMNS",
    "REQUIRED_COLUMNS",
    "Codes",
    "Factor",
    "Group",
    "Ratings",
    "RegularFactor",
    "check_columns",
]

REQUIRED_COLUMNS = ("item", "rater", "value")
OPTIONAL_COLUMNS = (
    "criterion", "system", "document", "segment", "language_pair", "domain", "scenario", "condition", "group", "phase",
    "round", "guideline", "occasion", "role", "kind", "batch", "time_s", "comment", "order",
)  # fmt: skip


_CLASSES = 10
"""Values that are more than these are drawn in so many classes."""
_NAMING = frozenset(OPTIONAL_COLUMNS) - {"comment"}
"""Columns that say what was rated, by whom and when; what a rater remarked changes no number."""


@dataclass(frozen=True, repr=False)
class Ratings:
    """Ratings in long form, one row per rating, coded once at the edge.

    ``value`` holds codes into ``scale.values``. Rows without a value are not here: they are
    counted in ``missing`` (a rater saw the item and gave no answer). ``columns`` holds every
    other column by its contract name (``criterion``, ``document``, ...) or the user's own;
    ``numbers`` those that are quantities (``time_s``, ``order``), nan where empty.
    ``codebook`` says what they mean: each criterion with its scale, what an item is, what is kept apart.
    ``notes`` says in words what was guessed or repaired on the way in.
    """

    item: Factor
    rater: Factor
    value: Codes
    scale: Scale
    columns: Mapping[str, Factor] = field(default_factory=dict)
    numbers: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    codebook: Codebook = field(default_factory=Codebook)
    missing: int = 0
    source: str = ""
    notes: tuple[str, ...] = ()
    known_as: str = ""
    """The fingerprint of the table that these ratings only show in another way; empty where it is their own."""
    places: Places | None = None
    """Where each rating stood in its file, for whoever must name rows."""
    remarks: tuple[Remark, ...] = ()
    """What looked wrong on the way in; the sanity pass says it together with what it finds itself."""
    called: Mapping[str, str] = field(default_factory=dict)
    """The user's own name of each column that has another here."""
    left_out: tuple[tuple[int, str], ...] = ()
    """Line and reason of every row of the file that is no rating: titles, totals, notes."""
    pooled: tuple[str, ...] = ()
    """Columns that keep ratings apart and whose parts somebody asked to put together."""

    def __post_init__(self) -> None:
        # Ratings always mean something: without a codebook, what their scale says.
        if not self.codebook.criteria:
            object.__setattr__(self, "codebook", self.codebook.with_scales({"": self.scale}))

    @property
    def scales(self) -> Mapping[str, Scale]:
        """The scale of each named criterion."""
        return {key: criterion.scale for key, criterion in self.codebook.criteria.items() if key}

    @property
    def criterion(self) -> Criterion:
        """What was judged, where these are the ratings of one criterion."""
        left = self.columns.get("criterion")
        # Rows of one criterion may be left of several: their meaning is that of the one.
        return self.codebook.criterion(left.names[0] if left is not None and len(left.names) == 1 else "")

    def __eq__(self, other: object) -> bool:
        """The same judgements with the same meaning, in whatever order of rows."""
        if not isinstance(other, Ratings):
            return NotImplemented
        return self is other or (self.fingerprint == other.fingerprint and self.codebook == other.codebook)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        """What was read, in words: the numbers, the scale, the other columns and every note."""
        named = ", ".join((*self.columns, *self.numbers))
        sizes = f"{len(self):,} ratings of {self.items:,} items by {self.raters:,} raters"
        level = f"{self.level} scale of {len(self.scale):,} values"
        scale = f"{len(self.scales)} criteria" if self.scales else level
        lines = [f"<Ratings: {sizes}, {scale}>", *([f"columns: {named}"] if named else [])]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def to_frame(self, kind: str | None = None) -> Any:
        """One row per rating, as a frame of pandas, polars or pyarrow: the one asked for, or in use.

        >>> import accord
        >>> accord.read("fluency.csv", value="fluency").to_frame("pandas").shape
        (60, 4)
        """
        return frame_of_columns(self._cells(slice(None)), kind)

    def head(self, rows: int = 5) -> Table:
        """The first ratings as a table that prints itself."""
        cells = self._cells(slice(0, rows))
        listed = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
        return Table(f"{len(self):,} ratings", [Column(name, name) for name in cells], listed)

    def plot(self) -> "Chart":
        """How often each rater gave each value; numbers on a fine scale in classes of equal width.

        >>> import accord
        >>> accord.read("adequacy.csv").plot().title
        'How often each rater gave each value'
        """
        from accord.plots.ratings import category_use

        if len(self.scales) > 1:
            first = next(iter(self.scales))
            raise OptionError(f"Criteria have scales of their own: draw one of them, only(criterion={first!r}).plot().")
        classes, place = [str(_plain_value(value)) for value in self.scale.values], self.value
        if len(classes) > _CLASSES and self.scale.is_numeric:
            ends = np.linspace(self.scale.array.min(), self.scale.array.max(), _CLASSES + 1)
            place = np.clip(np.searchsorted(ends, self.scores, side="right") - 1, 0, _CLASSES - 1).astype(np.int32)
            classes = [f"{low:.4g} to {high:.4g}" for low, high in pairwise(ends)]
        counts = {
            name: np.bincount(place[self.rater.codes == code], minlength=len(classes)).tolist()
            for code, name in enumerate(self.rater.names)
        }
        return category_use(classes, counts, title="How often each rater gave each value")

    def _cells(self, rows: slice) -> dict[str, list[Any]]:
        """The columns as plain cells: numbers are numbers, an empty cell of names is None."""
        names = {"item": self.item, "rater": self.rater, **self.columns}
        plain = {name: [cell or None for cell in factor[rows].labels().tolist()] for name, factor in names.items()}
        values = [_plain_value(self.scale.values[code]) for code in self.value[rows]]
        amounts = {name: numbers[rows].tolist() for name, numbers in self.numbers.items()}
        first = {"item": plain.pop("item"), "rater": plain.pop("rater"), "value": values}
        return first | plain | amounts

    def _repr_html_(self) -> str:
        from html import escape

        words = "".join(f"<p>{escape(line)}</p>" for line in repr(self).splitlines())
        return f"{words}{self.head().to_html()}"

    def __len__(self) -> int:
        return len(self.value)

    @property
    def level(self) -> Level:
        return self.scale.level

    @property
    def items(self) -> int:
        return len(self.item.names)

    @property
    def raters(self) -> int:
        return len(self.rater.names)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The value of each row as a number; positions on an ordered scale of labels."""
        return self.scale.array[self.value]

    def labels(self) -> list[Value]:
        """The value of each row as the rater gave it."""
        return [self.scale.values[code] for code in self.value]

    @cached_property
    def layout(self) -> Codes | None:
        """The (items, raters) value codes without any copying about, where rows already lie in that order."""
        items, raters = self.items, self.raters
        if items * raters == 0 or len(self) != items * raters:
            return None
        if by_rater(self.item, self.rater):
            return self.value.reshape(raters, items).T
        if is_grid(self.item.codes, self.rater.codes, items, raters):
            return self.value.reshape(items, raters)
        if is_grid(self.rater.codes, self.item.codes, raters, items):
            return self.value.reshape(raters, items).T
        return None

    @property
    def cells(self) -> NDArray[np.intp] | None:
        """The cell of each row in a table with a line a rater, where ratings were read from a wide one."""
        item, rater = self.item, self.rater
        if isinstance(item, PickedFactor) and isinstance(rater, PickedFactor) and item.rows is rater.rows:
            return item.rows
        return None

    @cached_property
    def repeats_cells(self) -> bool:
        """Whether a rater rated an item more than once, whatever other columns say."""
        if self.layout is not None or self.cells is not None:
            return False
        return has_repeats(self.item.codes, self.rater.codes, self.items, self.raters)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what was rated by whom with what result, whatever the order of rows, remarks and empty columns."""
        if self.known_as:
            return self.known_as
        others = [self.columns[name] for name in sorted(self.columns) if name in _NAMING]
        others = [factor for factor in others if len(factor.names)]
        if self.layout is not None and not others:
            return hashed_grid(self.item.names, hashed_names(self.rater.names), self._hashed_values(), self.layout)
        columns = [(factor.codes, hashed_names(factor.names)) for factor in (self.item, self.rater, *others)]
        return hashed_rows([*columns, (self.value, self._hashed_values())])

    def _hashed_values(self) -> NDArray[np.uint64]:
        if self.scale.is_numeric:
            return hashed_numbers(self.scale.array)
        return hashed_names([_spelled(value) for value in self.scale.values])

    def where(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> "Ratings":
        """Only these rows; items, raters and columns shrink to what is left."""
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows  # a mask is looked through once, not once a column
        return replace(
            self,
            item=self.item[rows].compact(),
            rater=self.rater[rows].compact(),
            value=self.value[rows],
            columns={name: factor[rows].compact() for name, factor in self.columns.items()},
            numbers={name: numbers[rows] for name, numbers in self.numbers.items()},
            known_as="",
            places=None if self.places is None else self.places.of(rows),
        )

    def by_name(self, *columns: str) -> "Ratings":
        """The same with items, and what these columns name, numbered in the order of their names.

        Whatever is drawn goes through them in this order, so that a seed draws the same in any order of rows.
        """
        named = {column: self.columns[column].in_order_of_names() for column in columns if column in self.columns}
        return replace(self, item=self.item.in_order_of_names(), columns={**self.columns, **named})

    def only(self, **wanted: str | Sequence[str]) -> "Ratings":
        """Rows whose column has this name (or one of these): ``ratings.only(criterion="fluency")``."""
        for column, names in wanted.items():
            factor, asked = self.factor(column), [names] if isinstance(names, str) else list(names)
            if not set(asked) & set(factor.names):
                raise _no_such_name(column, asked, factor.names)
        return self.named(**wanted)

    def named(self, **wanted: str | Sequence[str]) -> "Ratings":
        """The same as ``only``, and no rows where no rating has the name: for parts that may be empty."""
        rows = np.ones(len(self), dtype=bool)
        for column, names in wanted.items():
            factor = self.factor(column)
            accepted = {names} if isinstance(names, str) else set(names)
            codes = [code for code, name in enumerate(factor.names) if name in accepted]
            rows &= np.isin(factor.codes, codes)
        part = self.where(rows)
        left = part.columns.get("criterion")
        return part if left is None or len(left.names) != 1 else part._of_criterion(left.names[0])

    def factor(self, column: str) -> Factor:
        """A column by its name here or the user's own, ``item`` and ``rater`` included."""
        name = self.contract_name(column)
        if name == "item":
            return self.item
        if name == "rater":
            return self.rater
        if name not in self.columns:
            known = ", ".join(self.columns) or "none besides item and rater"
            raise ColumnError(f"The ratings have no column {column!r}. Columns to choose from: {known}.")
        return self.columns[name]

    def contract_name(self, column: str) -> str:
        """What the column that a user calls so is called here: ``lp`` is ``language_pair``."""
        if column in self.columns or column in self.called:
            return self.called.get(column, column)
        plain = {own.casefold(): name for own, name in self.called.items()}
        return plain.get(column.casefold(), column)

    def own_name(self, column: str) -> str:
        """What the user calls a column that has this name here."""
        return next((own for own, name in self.called.items() if name == column), column)

    def with_scale(self, scale: Scale) -> "Ratings":
        """The same ratings coded on another scale that contains every value that occurs."""
        position = {value: code for code, value in enumerate(scale.values)}
        recode = np.array([position.get(value, -1) for value in self.scale.values], dtype=np.int32)
        codebook = self.codebook
        if len(codebook.criteria) == 1:
            codebook = codebook.with_scales(dict.fromkeys(codebook.criteria, scale))
            scale = codebook.criterion().scale
        return replace(self, value=recode[self.value], scale=scale, codebook=codebook)

    def split(self, by: Sequence[str] = ()) -> Iterator["Group"]:
        """One group for each combination of names; criteria are always split, as their scales differ."""
        columns = [name for name in by if name != "criterion"]
        if "criterion" in by or len(getattr(self.columns.get("criterion"), "names", ())) > 1:
            columns = ["criterion", *columns]
        if not columns:
            yield Group({}, self)
            return
        codes = [self._parting(name) for name in columns]
        for combination in distinct_rows(codes).tolist():
            rows = np.logical_and.reduce([own == code for own, code in zip(codes, combination, strict=True)])
            names = {c: (*self.factor(c).names, "")[code] for c, code in zip(columns, combination, strict=True)}
            part = self.where(rows)
            if "criterion" in names:
                yield Group(names, part._of_criterion(names["criterion"]))
            else:
                yield Group(names, part.with_scale(part._own_scale("")))

    def _parting(self, column: str) -> Codes:
        """The part that each row belongs to; a repeat belongs to the phase of what it repeats."""
        if column != "phase" or "role" not in self.columns:
            return self.factor(column).codes
        from accord.ratings.given_again import phase_of_first

        return phase_of_first(self)

    def _of_criterion(self, key: str) -> "Ratings":
        """Ratings of one criterion with its own meaning, where they were coded among those of others."""
        part = replace(self, codebook=self.codebook.only(key))
        return part.with_scale(part._own_scale(key))

    def _own_scale(self, criterion: str) -> Scale:
        """The declared scale of this criterion, or the values that occur in this part."""
        if criterion in self.scales:
            return self.scales[criterion]
        return self.scale.restricted_to([self.scale.values[code] for code in distinct(self.value)])


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the ratings, and the names it was split by."""

    by: Mapping[str, str]
    ratings: Ratings

    @property
    def title(self) -> str:
        parts = [f"{column} {name}" if name else f"no {column}" for column, name in self.by.items()]
        return ", ".join(parts) or "all ratings"


def _no_such_name(column: str, asked: Sequence[str], names: Sequence[str]) -> OptionError:
    """What is said where no rating has a name that somebody asked for."""
    from accord.design.nearest import did_you_mean

    return OptionError(f"No rating has the {column} {' or '.join(asked)}{did_you_mean(asked[0], names)}")


def _plain_value(value: Value) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return "|".join(sorted(value)) if isinstance(value, frozenset) else value


def _spelled(value: Value) -> str:
    """One spelling a value, whatever the interpreter's hash seed."""
    if isinstance(value, frozenset):
        return "|".join(sorted(value))
    return value if isinstance(value, str) else spelled_number(value)


def check_columns(columns: Mapping[str, Any]) -> None:
    """Refuse columns that cannot be those of ratings."""
    absent = [name for name in REQUIRED_COLUMNS if name not in columns]
    if absent:
        raise ColumnError(f"Ratings need the columns item, rater and value; there is no {' and no '.join(absent)}.")
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ColumnError(f"The columns have different lengths: {lengths}.")
    if lengths["item"] == 0:
        raise RatingsError("There are no ratings: the table has no rows.")
