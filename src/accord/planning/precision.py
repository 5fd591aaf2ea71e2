"""How wide the interval of a coefficient will be, by simulating the study many times."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from accord import sizes
from accord.arrays import Floats, distinct
from accord.coefficients.features import View
from accord.coefficients.registry import KRIPPENDORFF_ALPHA, coefficient
from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.quantiles import ndtri
from accord.ratings.counts import Patterns
from accord.records import dataclass

__all__ = [
    "Expected", "WidthGrid", "calibrated", "error_of_raters", "expected_interval", "items_needed", "raters_needed",
    "width_grid",
]  # fmt: skip

Design = NDArray[np.bool_]
"""(items, raters): true where a rater judges an item."""

_CALIBRATION_ITEMS = 40_000
_ERROR_ITEMS = 4_000
_STEPS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a coefficient will be worth in a study that is not yet collected.

    ``interval`` holds 95% (or another share) of the values that equal studies gave in ``studies``
    simulations; ``undefined`` of them had no value.
    """

    coefficient: str
    guess: float
    interval: Interval
    items: int
    raters: int
    ratings: int

    @property
    def width(self) -> float:
        return self.interval.width


def expected_interval(
    design: Design, scale: Scale, guess: float, rng: np.random.Generator, *,
    key: str = KRIPPENDORFF_ALPHA, level: float = 0.95, studies: int = 200, signal: float | None = None,
) -> Expected:  # fmt: skip
    """Simulate the design ``studies`` times with raters as reliable as guessed; the spread of the coefficient.

    ``signal`` spares the calibration where several designs share one scale and guess.
    """
    _require(design, guess)
    if signal is None:
        signal = calibrated(scale, guess, key, rng)
    draws = np.array([_value(_drawn(design, scale, signal, rng), scale, key) for _ in range(studies)])
    known = draws[~np.isnan(draws)]
    if len(known) < studies / 2:
        raise NotEnoughDataError(f"{key} has no value in most simulated studies: the raters share too few items.")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    interval = Interval(
        low=float(low), high=float(high), level=level, method="simulated studies over items and ratings, percentile",
        replicates=studies, undefined=studies - len(known),
    )  # fmt: skip
    pairable = design[design.sum(axis=1) >= 2]
    return Expected(
        coefficient=key, guess=guess, interval=interval, items=len(pairable),
        raters=int(pairable.any(axis=0).sum()), ratings=int(pairable.sum()),
    )  # fmt: skip


def _require(design: Design, guess: float) -> None:
    _require_guess(guess)
    if int((design.sum(axis=1) >= 2).sum()) < 2:
        raise NotEnoughDataError("fewer than two items have two raters: no reliability can be estimated.")


def _require_guess(guess: float) -> None:
    if not 0 <= guess < 1:
        raise OptionError(f"a guessed reliability is a number from 0 to below 1, not {guess:g}.")


def _drawn(design: Design, scale: Scale, signal: float, rng: np.random.Generator) -> NDArray[np.int32]:
    """Codes of one simulated study, -1 where a rater does not judge an item."""
    return _studies(design, scale, rng)(signal)


def _studies(design: Design, scale: Scale, rng: np.random.Generator) -> Callable[[float], NDArray[np.int32]]:
    """The codes of a study for any signal, of the same draws.

    Nominal: with probability ``signal`` the item's true value, else any. Otherwise a shared and an own
    part, normally distributed, cut into equally frequent values.
    """
    items, raters = design.shape
    values = max(len(scale), 2)
    if scale.level is Level.NOMINAL:
        truth, chance = rng.integers(values, size=(items, 1)), rng.random((items, raters))
        other = rng.integers(values, size=(items, raters))
        return lambda signal: np.where(design, np.where(chance < signal, truth, other), -1).astype(np.int32)
    shared, own = rng.normal(size=(items, 1)), rng.normal(size=(items, raters))
    cuts = ndtri(np.arange(1, values) / values)

    def codes(signal: float) -> NDArray[np.int32]:
        latent = np.sqrt(signal) * shared + np.sqrt(1 - signal) * own
        return np.where(design, _cut(latent, cuts), np.int32(-1))

    return codes


def _cut(numbers: Floats, cuts: Floats) -> NDArray[np.int32]:
    """How many cuts lie below each number."""
    if not sizes.few_cuts(len(cuts)):
        return np.searchsorted(cuts, numbers).astype(np.int32)
    found = np.zeros(numbers.shape, dtype=np.int32)
    for cut in cuts:
        found += numbers > cut
    return found


def error_of_raters(most: int, scale: Scale, guess: float, rng: np.random.Generator) -> Callable[[int], float]:
    """The standard error of alpha for any number of raters of each item up to ``most``, for equally many items.

    Every number of raters looks at the same simulated items, so that the errors differ by the raters and not by luck.
    """
    signal = calibrated(scale, guess, KRIPPENDORFF_ALPHA, rng, items=_ERROR_ITEMS)
    codes = _drawn(np.ones((_ERROR_ITEMS, most), dtype=bool), scale, signal, rng)
    alpha = coefficient(KRIPPENDORFF_ALPHA).coefficient

    def error(raters: int) -> float:
        view = _view(codes[:, :raters], scale)
        found = alpha.analytic(view, alpha.of_view(view)["value"], 0.95).standard_error
        return float("nan") if found is None else found

    return error


def _view(codes: NDArray[np.int32], scale: Scale) -> View:
    """Simulated items as patterns; those of two raters are few, however many items there are."""
    values = max(len(scale), 2)
    if codes.shape[1] != 2 or len(codes) < values**2 or (codes < 0).any():
        return View(Patterns(codes, np.ones(len(codes), dtype=np.int64)), scale)
    times = np.bincount(codes[:, 0].astype(np.int64) * values + codes[:, 1], minlength=values**2)
    seen = np.flatnonzero(times)
    return View(Patterns(np.column_stack(np.divmod(seen, values)).astype(np.int32), times[seen]), scale)


def _value(codes: NDArray[np.int32], scale: Scale, key: str) -> float:
    return coefficient(key).coefficient.of_view(_view(codes, scale))["value"]


def calibrated(
    scale: Scale, guess: float, key: str, rng: np.random.Generator, *, items: int = _CALIBRATION_ITEMS
) -> float:
    """The strength of the shared part with which the coefficient comes out as guessed."""
    _require_guess(guess)
    coefficient(key)
    if scale.level is Level.NOMINAL and key == KRIPPENDORFF_ALPHA:
        return float(np.sqrt(guess))
    low, high = 0.0, 1.0
    # The same draws at every step, so that the value rises with the signal.
    codes = _studies(np.ones((items, 2), dtype=bool), scale, np.random.default_rng(int(rng.integers(2**32))))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        found = _value(codes(middle), scale, key)
        low, high = (middle, high) if found < guess else (low, middle)
    return (low + high) / 2


def items_needed(
    width: float, raters: int, scale: Scale, guess: float, rng: np.random.Generator, *,
    key: str = KRIPPENDORFF_ALPHA, level: float = 0.95, studies: int = 200, most: int = 20_000,
) -> int:  # fmt: skip
    """The fewest items, all judged by ``raters`` raters, whose interval is expected to be this narrow."""
    _require_width(width)
    signal = calibrated(scale, guess, key, rng)
    count = 30
    for _ in range(6):
        design = np.ones((count, raters), dtype=bool)
        found = expected_interval(design, scale, guess, rng, key=key, level=level, studies=studies, signal=signal)
        wanted = int(np.ceil(count * (found.width / width) ** 2))
        if wanted > most:
            raise NotEnoughDataError(f"more than {most:,} items would be needed. Ask for a wider interval.")
        if abs(wanted - count) <= max(1, 0.05 * count):
            return max(wanted, 2)
        count = max(wanted, 4)
    return count


def raters_needed(
    width: float, items: int, scale: Scale, guess: float, rng: np.random.Generator, *,
    key: str = KRIPPENDORFF_ALPHA, level: float = 0.95, studies: int = 200, most: int = 12,
) -> int | None:  # fmt: skip
    """The fewest raters who judge all items with an interval this narrow; None if ``most`` are not enough."""
    _require_width(width)
    signal = calibrated(scale, guess, key, rng)
    for raters in range(2, most + 1):
        design = np.ones((items, raters), dtype=bool)
        if (
            expected_interval(design, scale, guess, rng, key=key, level=level, studies=studies, signal=signal).width
            <= width
        ):
            return raters
    return None


def _require_width(width: float) -> None:
    if not 0 < width < 2:
        raise OptionError(f"a width of an interval is a number between 0 and 2, not {width:g}.")


@dataclass(frozen=True, slots=True)
class WidthGrid:
    """Expected widths: ``widths[i, j]`` for ``items[i]`` items and ``raters[j]`` raters of each."""

    coefficient: str
    guess: float
    items: NDArray[np.int64]
    raters: NDArray[np.int64]
    widths: NDArray[np.float64]


def width_grid(
    items: int, scale: Scale, guess: float, rng: np.random.Generator, *,
    key: str = KRIPPENDORFF_ALPHA, level: float = 0.95, studies: int = 100,
) -> WidthGrid:  # fmt: skip
    """Widths around a number of items, for two, three, five and eight raters of each."""
    counts = distinct(np.maximum(4, np.rint(items * np.array([0.5, 1, 2, 4])).astype(np.int64)))
    raters = np.array([2, 3, 5, 8])
    widths = np.empty((len(counts), len(raters)))
    signal = calibrated(scale, guess, key, rng)
    for row, column in np.ndindex(widths.shape):
        design = np.ones((counts[row], raters[column]), dtype=bool)
        found = expected_interval(design, scale, guess, rng, key=key, level=level, studies=studies, signal=signal)
        widths[row, column] = found.width
    return WidthGrid(key, guess, counts, raters, widths)
