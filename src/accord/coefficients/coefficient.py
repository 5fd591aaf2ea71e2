"""What every coefficient is: what an item adds to the sums, and what the sums make."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, TypeVar

import numpy as np

from accord.arrays import Floats
from accord.coefficients.features import Block, View
from accord.coefficients.options import Options
from accord.design.scale import Level, Scale
from accord.inference.interval import Interval
from accord.records import dataclass

__all__ = ["DEFAULTS", "Analytic", "Coefficient", "Estimated", "Sums", "Values", "bounded"]

Values = dict[str, Floats]
"""``value`` and the parts it is made of, by name."""
DEFAULTS = Options()
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Analytic:
    """A standard error, on the coefficient's own scale, and an interval; None where there is none."""

    standard_error: float | None = None
    interval: Interval | None = None


Estimated = tuple[dict[str, float], Callable[[], Analytic]]


def bounded(low: float, high: float, confidence: float, method: str) -> Interval | None:
    """An interval, None where an end has no value."""
    if np.isnan(low) or np.isnan(high):
        return None
    return Interval(low=float(low), high=float(high), level=confidence, method=method)


class Sums:
    """Sums over items of each block, (replicates, width), and the steps that several coefficients begin with."""

    def __init__(self, parts: Mapping[str, Floats]) -> None:
        self._parts = parts
        self._made: dict[str, object] = {}

    def __getitem__(self, block: Block) -> Floats:
        return self._parts[block.name]

    def shared(self, name: str, make: Callable[[], _Made]) -> _Made:
        """What ``make`` gives, made once for all coefficients that name it alike."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]  # type: ignore[return-value]


class Coefficient(ABC):
    """One coefficient: the formula is :meth:`evaluate`, and everything else follows from it.

    Subclasses give the blocks of features and what their sums make. The point value, each bootstrap replicate and each
    value with an item left out are then the same formula at other sums. Where there is something better than this
    general way, a subclass overrides :meth:`of_view`, :meth:`without_item` or :meth:`analytic`; a test holds it to the
    general way. Options come last and are the defaults where nobody chose.
    """

    weights: str = ""
    """Its default weights of agreement, where it has any."""
    weighted: bool = False
    """Whether a user may choose other weights."""
    ignores_order: bool = False
    """Whether a near miss counts like a far one whatever weights a user chooses for others."""
    resists_prevalence: ClassVar[bool] = False
    """Whether its agreement by chance stays low where one value prevails."""
    leaves_out: ClassVar[bool] = False
    """Whether :meth:`without_item` knows how."""
    whole_only: ClassVar[bool] = False
    """Whether only items that every rater rated enter what is resampled."""
    most_cells: ClassVar[float] = float("inf")
    """Patterns x features from which on the analytic interval is preferred."""
    costs_tables: ClassVar[bool] = False
    """Whether a replicate costs far more than its sums, as where order is read from tables."""

    def is_resampled(self, view: View, options: Options) -> bool:
        """Whether items, documents or raters can be drawn anew; else only its own formula gives an interval."""
        return True

    @abstractmethod
    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        """What an item adds to the sums; NotEnoughDataError where nothing of bearable size does."""

    @abstractmethod
    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        """The value of each row of sums: one row, or ten thousand replicates; nan where it is undefined."""

    def with_parts(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Values:
        """The ``value`` and what it is made of, by name; ``items`` is how many entered it where not all do."""
        return {"value": self.evaluate(sums, view, options)}

    def of_view(self, view: View, options: Options = DEFAULTS) -> dict[str, float]:
        """The value and its parts for the ratings as they are."""
        sums = Sums({block.name: view.summed(block) for block in self.features(view, options)})
        return {name: float(part[0]) for name, part in self.with_parts(sums, view, options).items()}

    def estimate(self, view: View, confidence: float, options: Options = DEFAULTS) -> Estimated:
        """The value with its parts, and what gives the error and interval that belong to it, if somebody asks."""
        found = self.of_view(view, options)
        return found, partial(self.analytic, view, found["value"], confidence, options)

    def width(self, view: View, options: Options = DEFAULTS) -> int:
        """How many numbers an item adds to the sums."""
        return sum(block.width(view) for block in self.features(view, options))

    def full_width(self, view: View, options: Options = DEFAULTS) -> int:
        """The same where patterns are compared because the features proper would be too many."""
        return self.width(view, options)

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        """The value without an item of each pattern, where it can be had without laying the features out."""
        return None

    def analytic(self, view: View, value: float, confidence: float, options: Options = DEFAULTS) -> Analytic:
        """The standard error and the interval that the literature has for it."""
        return Analytic()

    def weights_taken(self, options: Options) -> str | Floats:
        """The name or matrix of its weights of agreement: its own, or the user's where they stand in."""
        return options.weights_or(self.weights) if self.weighted else self.weights

    def chosen(self, scale: Scale, options: Options) -> tuple[str, ...]:
        """In words what the user's options made of it on this scale; an OptionError where they make no sense."""
        return ()

    def missing_rule(self, options: Options) -> str:
        """What is done about missing ratings, where the options say otherwise than the registry."""
        return ""

    def needs_moments_only(self, level: Level, options: Options) -> bool:
        """Whether number, sum and sum of squares of an item's scores are all it looks at."""
        return False
