"""What a value is called: published interpretation scales, with how probable each of their bands is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan

import numpy as np

from accord.coefficients.registry import COEFFICIENTS
from accord.errors import OptionError
from accord.inference.benchmark import band_probabilities, surest_band
from accord.inference.interval import Interval

__all__ = ["INTERPRETATION_SCALES", "Band", "Interpretation", "InterpretationScale", "interpret", "scales_for"]


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
    correlation, whatever its sign. ``boundary`` says in words where a value on a boundary goes.
    """

    key: str
    name: str
    bands: tuple[Band, ...]
    boundary: str
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
        "0 is slight; any other boundary belongs to the lower band (0.00-0.20 is slight)"),
    InterpretationScale(
        "krippendorff", "Krippendorff (2004)",
        (Band("not reliable", 2 / 3), Band("tentative", 0.8), Band("reliable", 1.0, True)),
        "a boundary belongs to the higher band (reliable from 0.800 on); .667 is read as 2/3"),
    InterpretationScale(
        "rosenthal", "Rosenthal (1996)",
        (Band("negligible", 0.1), Band("small", 0.3), Band("medium", 0.5), Band("large", 0.7),
         Band("very large", 1.0, True)),
        "bands overlap in print; a boundary belongs to the higher band", absolute=True),
    InterpretationScale(
        "fleiss", "Fleiss (1981)",
        (Band("poor", 0.4), Band("fair to good", 0.75, True), Band("excellent", 1.0, True)),
        "0.40 and 0.75 are both fair to good, as printed"),
    InterpretationScale(
        "altman", "Altman (1991)",
        (Band("poor", 0.2, True), Band("fair", 0.4, True), Band("moderate", 0.6, True), Band("good", 0.8, True),
         Band("very good", 1.0, True)),
        "a boundary belongs to the lower band (print leaves out 0.20)"),
    InterpretationScale(
        "koo_li", "Koo and Li (2016)",
        (Band("poor", 0.5), Band("moderate", 0.75), Band("good", 0.9, True), Band("excellent", 1.0, True)),
        "0.50 is moderate, 0.75 is good, 0.90 is good (excellent is greater than 0.90, as printed)"),
    InterpretationScale(
        "cicchetti", "Cicchetti (1994)",
        (Band("poor", 0.4), Band("fair", 0.6), Band("good", 0.75), Band("excellent", 1.0, True)),
        "a boundary belongs to the higher band (fair is 0.40-0.59)"),
)}
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """A value read on one scale: never a label alone.

    ``probabilities`` gives each band its probability given the standard error (Gwet's benchmarking);
    ``at_least`` is the highest band the value reaches with probability ``sureness`` or more. Both are
    empty where there is no standard error; ``span`` then names the bands that the interval reaches, where there is one.
    ``reversed`` says that the band is one of size, and the value negative.
    """

    scale: str
    band: str
    probabilities: dict[str, float]
    at_least: str = ""
    sureness: float = 0.95
    reversed: bool = False
    span: str = ""

    @property
    def words(self) -> str:
        """The band as a reader should meet it: a large correlation the wrong way round is no large agreement."""
        return f"{self.band}, negative" if self.reversed else self.band

    def __str__(self) -> str:
        if not self.probabilities:
            reach = f", by its interval {self.span}," if self.span else ""
            return f"{self.words}{reach} on the scale of {self.scale}"
        chance = f"{self.words} with probability {self.probabilities[self.band]:.2f}"
        if self.at_least == self.band:
            return f"{chance} on the scale of {self.scale}"
        if self.at_least == next(iter(self.probabilities)):
            return f"{chance}, nothing above {self.at_least} with {self.sureness:.2f} on the scale of {self.scale}"
        return f"{chance}, at least {self.at_least} with {self.sureness:.2f} on the scale of {self.scale}"

    def to_dict(self) -> dict[str, object]:
        return {
            "scale": self.scale, "band": self.band, "probabilities": dict(self.probabilities),
            "at_least": self.at_least, "sureness": self.sureness, "reversed": self.reversed,
            "span": self.span,
        }  # fmt: skip


def scales_for(coefficient: str) -> tuple[InterpretationScale, ...]:
    """The scales that belong to a coefficient, the usual one first; none for some."""
    return tuple(INTERPRETATION_SCALES[key] for key in COEFFICIENTS[coefficient].scales)


def interpret(
    coefficient: str,
    value: float,
    standard_error: float | None,
    scales: Iterable[str] = (),
    sureness: float = 0.95,
    interval: Interval | None = None,
) -> tuple[Interpretation, ...]:
    """Read a value on the scales that belong to its coefficient, or on those asked for."""
    if isnan(value):
        return ()
    chosen = [_scale(key) for key in scales] or scales_for(coefficient)
    readings = tuple(_read(scale, value, standard_error, sureness) for scale in chosen)
    if interval is None or (standard_error is not None and not isnan(standard_error)):
        return readings
    return tuple(replace(one, span=_span(scale, interval)) for scale, one in zip(chosen, readings, strict=True))


def _span(scale: InterpretationScale, interval: Interval) -> str:
    """The bands from one end of an interval to the other; none where a scale knows no sign."""
    if scale.absolute:
        return ""
    ends = dict.fromkeys(scale.bands[scale.place(end)].name for end in (interval.low, interval.high))
    return " to ".join(ends)


def _scale(key: str) -> InterpretationScale:
    if key not in INTERPRETATION_SCALES:
        raise OptionError(f"There is no interpretation scale {key!r}. Known: {', '.join(INTERPRETATION_SCALES)}.")
    return INTERPRETATION_SCALES[key]


def _read(scale: InterpretationScale, value: float, error: float | None, sureness: float) -> Interpretation:
    found = Interpretation(
        scale=scale.name, band=scale.bands[scale.place(value)].name, probabilities={}, sureness=sureness,
        reversed=scale.absolute and value < 0,
    )  # fmt: skip
    if error is None or isnan(error):
        return found
    chances = _probabilities(scale, value, error).tolist()
    sure = surest_band(chances, sureness)
    named = dict(zip(scale.names, chances, strict=True))
    at_least = scale.names[sure] if sure is not None else ""
    return replace(found, probabilities=named, at_least=at_least)


def _probabilities(scale: InterpretationScale, value: float, error: float) -> np.ndarray:
    if error == 0:
        certain = np.zeros(len(scale.bands))
        certain[scale.place(value)] = 1.0
        return certain
    if not scale.absolute:
        return band_probabilities(value, error, scale.bounds)
    mirrored = [-bound for bound in reversed(scale.bounds)]
    chances = band_probabilities(value, error, [*mirrored, 0.0, *scale.bounds])
    half = len(scale.bands)
    return np.asarray(chances[half:] + chances[:half][::-1])
