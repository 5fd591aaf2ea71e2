"""What the user wants of the intervals: kind, confidence, resampling unit, replicates, seed."""

from enum import StrEnum
from numbers import Integral
from typing import TypeVar

from accord.design.nearest import did_you_mean
from accord.errors import OptionError
from accord.inference.intervals import check_confidence
from accord.records import dataclass

__all__ = ["Draws", "IntervalKind", "Plan", "Unit", "member_named", "plan_of"]


class IntervalKind(StrEnum):
    """How intervals are made."""

    AUTO = "auto"
    BCA = "bca"
    PERCENTILE = "percentile"
    JACKKNIFE = "jackknife"
    ANALYTIC = "analytic"
    NONE = "none"


class Unit(StrEnum):
    """What is resampled: what would be another one if the study were done again."""

    AUTO = "auto"
    """Documents where every item names its own, else items."""
    ITEM = "item"
    DOCUMENT = "document"
    RATER = "rater"
    PAIR = "pair"
    """Pairs of raters, for means over pairs; two pairs that share a rater are not independent."""
    RATER_AND_ITEM = "rater-and-item"
    RATER_AND_DOCUMENT = "rater-and-document"

    @property
    def of_raters(self) -> bool:
        """Whether another study would have other raters."""
        return self in (Unit.RATER, Unit.PAIR, Unit.RATER_AND_ITEM, Unit.RATER_AND_DOCUMENT)

    @property
    def of_documents(self) -> bool:
        return self in (Unit.DOCUMENT, Unit.RATER_AND_DOCUMENT)


class Draws(StrEnum):
    """How the items of a resample are drawn."""

    AUTO = "auto"
    EXACT = "exact"
    NORMAL = "normal"
    POISSON = "poisson"


@dataclass(frozen=True, slots=True)
class Plan:
    """The options of the intervals, checked."""

    interval: IntervalKind = IntervalKind.AUTO
    confidence: float = 0.95
    resample: Unit = Unit.AUTO
    replicates: int | None = None
    seed: int = 0
    draws: Draws = Draws.AUTO

    @property
    def is_free(self) -> bool:
        """Whether nobody asked for a way to make intervals or to draw, so that the one that holds is taken."""
        return self.interval is IntervalKind.AUTO and self.draws is Draws.AUTO

    @property
    def draws_raters(self) -> bool:
        """Whether raters are drawn with replacement; only where it is asked for, as it holds the truth too rarely."""
        return self.interval in (IntervalKind.BCA, IntervalKind.PERCENTILE)

    @property
    def wants_bootstrap(self) -> bool:
        return self.interval in (IntervalKind.AUTO, IntervalKind.BCA, IntervalKind.PERCENTILE)


def plan_of(
    *, interval: str, confidence: float, resample: str, replicates: int | None, seed: int, draws: str = "auto"
) -> Plan:
    """A plan from what the user wrote, or an error that says what may be written."""
    whole: dict[str, object] = {"The number of replicates is a whole number": replicates or 0}
    for rule, number in (whole | {"A seed is a whole number from 0 on": seed}).items():
        if not isinstance(number, Integral):
            raise OptionError(f"{rule}; {number!r} was given.")
    if replicates is not None and replicates < 100:
        usual = "Without a number it takes as many as the units ask for, 10,000 of few items."
        raise OptionError(f"A bootstrap needs at least 100 replicates; {replicates} were asked for. {usual}")
    if seed < 0:
        raise OptionError(f"A seed is a whole number from 0 on; {seed} was given.")
    kind = member_named(IntervalKind, interval, "way to make an interval")
    unit = member_named(Unit, resample.replace("_", "-").replace(" ", "-"), "resampling unit")
    if kind is IntervalKind.ANALYTIC and unit not in (Unit.AUTO, Unit.ITEM):
        raise OptionError(f"Analytic intervals are for a sample of items; resample {unit} with jackknife or auto.")
    drawn = member_named(Draws, draws, "way to draw resamples")
    if drawn is not Draws.AUTO:
        _require_draws(drawn, kind, unit)
    return Plan(kind, check_confidence(confidence), unit, replicates, seed, drawn)


def _require_draws(drawn: Draws, kind: IntervalKind, unit: Unit) -> None:
    """A way to draw belongs to a bootstrap, and Poisson weights to items."""
    if kind not in (IntervalKind.AUTO, IntervalKind.BCA, IntervalKind.PERCENTILE):
        raise OptionError(f"The interval {kind} draws no resamples; leave out draws {drawn}, or ask for interval bca.")
    if unit.of_raters or (drawn is Draws.POISSON and unit is Unit.DOCUMENT):
        raise OptionError(f"Resamples of the unit {unit} are not drawn in the way {drawn}; resample items.")


_Choice = TypeVar("_Choice", bound=StrEnum)


def member_named(kind: type[_Choice], word: str, what: str) -> _Choice:
    """The member that a user wrote as a word, or an error that says what may be written."""
    try:
        return kind(word)
    except ValueError:
        raise OptionError(f"There is no {what} named {word!r}{did_you_mean(word, map(str, kind))}") from None
