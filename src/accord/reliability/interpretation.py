"""What can be said of a value in words: the band of a published scale that its interval reaches at least."""

from collections.abc import Iterable
from functools import cached_property

from accord.coefficients.registry import COEFFICIENTS
from accord.errors import OptionError
from accord.inference.interval import Interval
from accord.records import dataclass
from accord.reliability.signs.amount import FEW_ITEMS
from accord.words import steady

__all__ = [
    "FEWEST_ITEMS",
    "INTERPRETATION_SCALES",
    "Band",
    "Interpretation",
    "InterpretationScale",
    "interpret",
    "scale_for",
    "scales_for",
]


FEWEST_ITEMS = FEW_ITEMS
"""Under this many items no word is given: the interval says all there is to say, as the caution does."""


@dataclass(frozen=True, slots=True)
class Band:
    """A band of a scale: its name, its upper end, and whether a value exactly there still belongs to it."""

    name: str
    upper: float
    closed: bool = False

    def holds(self, value: float) -> bool:
        return value <= self.upper if self.closed else value < self.upper


@dataclass(frozen=True)
class InterpretationScale:
    """A published scale; bands lowest first, the last one open to the top.

    The registry says which coefficients a scale belongs to. ``absolute`` scales speak of the size of a
    correlation, whatever its sign. ``boundary`` says in words where a value on a boundary goes, ``made_for`` which kind
    of coefficient its author had in mind.
    """

    key: str
    name: str
    bands: tuple[Band, ...]
    boundary: str
    made_for: str
    absolute: bool = False

    @cached_property
    def bounds(self) -> tuple[float, ...]:
        return tuple(band.upper for band in self.bands[:-1])

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(band.name for band in self.bands)

    def place(self, value: float) -> int:
        """The band that holds this value."""
        size = round(abs(value) if self.absolute else value, 12)  # 0.1 + 0.1 + ... must meet its boundary
        for place, band in enumerate(self.bands):
            if band.holds(size):
                return place
        return len(self.bands) - 1


# A table should look like one.
# fmt: off
INTERPRETATION_SCALES = {scale.key: scale for scale in (
    InterpretationScale(
        "landis_koch", "Landis and Koch (1977)",
        (Band("poor", 0.0), Band("slight", 0.2, True), Band("fair", 0.4, True), Band("moderate", 0.6, True),
         Band("substantial", 0.8, True), Band("almost perfect", 1.0, True)),
        "0 is slight; any other boundary belongs to the lower band (0.00-0.20 is slight)", "kappas"),
    InterpretationScale(
        "krippendorff", "Krippendorff (2004)",
        (Band("not reliable", 2 / 3), Band("tentative", 0.8), Band("reliable", 1.0, True)),
        "a boundary belongs to the higher band (reliable from 0.800 on); .667 is read as 2/3", "Krippendorff's α"),
    InterpretationScale(
        "rosenthal", "Rosenthal (1996)",
        (Band("negligible", 0.1), Band("small", 0.3), Band("medium", 0.5), Band("large", 0.7),
         Band("very large", 1.0, True)),
        "bands overlap in print; a boundary belongs to the higher band", "correlations", absolute=True),
    InterpretationScale(
        "fleiss", "Fleiss (1981)",
        (Band("poor", 0.4), Band("fair to good", 0.75, True), Band("excellent", 1.0, True)),
        "0.40 and 0.75 are both fair to good, as printed", "kappas"),
    InterpretationScale(
        "altman", "Altman (1991)",
        (Band("poor", 0.2, True), Band("fair", 0.4, True), Band("moderate", 0.6, True), Band("good", 0.8, True),
         Band("very good", 1.0, True)),
        "a boundary belongs to the lower band (print leaves out 0.20)", "kappas"),
    InterpretationScale(
        "koo_li", "Koo and Li (2016)",
        (Band("poor", 0.5), Band("moderate", 0.75), Band("good", 0.9, True), Band("excellent", 1.0, True)),
        "0.50 is moderate, 0.75 is good, 0.90 is good (excellent is greater than 0.90, as printed)",
        "intraclass correlations"),
    InterpretationScale(
        "cicchetti", "Cicchetti (1994)",
        (Band("poor", 0.4), Band("fair", 0.6), Band("good", 0.75), Band("excellent", 1.0, True)),
        "a boundary belongs to the higher band (fair is 0.40-0.59)", "kappas and intraclass correlations"),
)}
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What the interval of a value shows on one scale, never more.

    ``at_least`` is the band of the end of the interval that is nearer to no agreement; ``lowest`` says that this is the
    lowest band of the scale, so that nothing better is shown (``reach`` is where the next one begins), ``only`` that
    the whole interval lies in it. The band of
    the value itself is not given: simulated, labels that a value was said to be in with probability .9 and more were
    right 3 times in 204 (docs/explanation/interpretation.md).
    ``reversed`` says that the band is one of size, and the whole interval negative.
    """

    scale: str
    at_least: str
    confidence: float
    reach: float
    lowest: bool = False
    only: bool = False
    reversed: bool = False

    @property
    def words(self) -> str:
        """As a reader should meet it: a large correlation the wrong way round is no large agreement."""
        if self.only:
            return self.at_least
        if self.lowest:
            return f"not shown to reach {_decimals(self.reach)}"
        return f"at least {self.at_least}{', negative' if self.reversed else ''}"

    def __str__(self) -> str:
        return f"{self.words} on the scale of {self.scale}, by its {self.confidence:.0%} interval"

    def to_dict(self) -> dict[str, object]:
        return {
            "scale": self.scale, "at_least": self.at_least, "confidence": self.confidence, "lowest": self.lowest,
            "reach": self.reach, "only": self.only, "reversed": self.reversed, "words": self.words,
        }  # fmt: skip


def scales_for(coefficient: str) -> tuple[InterpretationScale, ...]:
    """The scales that belong to a coefficient, the usual one first; none for some."""
    return tuple(INTERPRETATION_SCALES[key] for key in COEFFICIENTS[coefficient].scales)


def scale_for(coefficient: str, asked: str) -> str:
    """The scale that was asked for, where it was made for this coefficient; else '', which stands for its own."""
    return asked if asked in COEFFICIENTS[coefficient].scales else ""


def interpret(
    coefficient: str, interval: Interval | None, items: int, scales: Iterable[str] = ()
) -> tuple[Interpretation, ...]:
    """What the interval shows on the scales that belong to the coefficient, or on those asked for.

    Nothing without an interval, nor from fewer than ``FEWEST_ITEMS`` items.
    """
    chosen = [_scale(key) for key in scales] or scales_for(coefficient)
    if interval is None or items < FEWEST_ITEMS:
        return ()
    return tuple(_read(scale, interval) for scale in chosen)


def _scale(key: str) -> InterpretationScale:
    if key not in INTERPRETATION_SCALES:
        raise OptionError(f"There is no interpretation scale {key!r}. Known: {', '.join(INTERPRETATION_SCALES)}.")
    return INTERPRETATION_SCALES[key]


def _read(scale: InterpretationScale, interval: Interval) -> Interpretation:
    negative = scale.absolute and interval.high < 0
    nearest = interval.high if negative else max(interval.low, 0.0) if scale.absolute else interval.low
    place = scale.place(nearest)
    return Interpretation(
        scale=scale.name, at_least=scale.bands[place].name, confidence=interval.level, reach=scale.bounds[0],
        lowest=place == 0,
        only=place == 0 and scale.place(interval.high) == 0 and scale.place(interval.low) == 0, reversed=negative,
    )  # fmt: skip


def _decimals(bound: float) -> str:
    """As print has it: .667, .8, 0."""
    return f"{steady(bound):.3g}".removeprefix("0") or "0"
