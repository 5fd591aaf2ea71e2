"""Round numbers for axes, and how a number is written: as d3 has them, so that a chart looks as Vega would draw it."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, isfinite, log10, sqrt

from accord.words import steady

__all__ = ["log_ticks", "nice", "spelled", "tick_step", "ticks", "told"]


def tick_step(low: float, high: float, count: float) -> float:
    """The step of about so many round numbers between two ends: 1, 2 or 5 times a power of ten."""
    step = (high - low) / max(count, 1e-9)
    if not step > 0 or not isfinite(step):
        return 0.0
    power = floor(log10(step))
    error = step / 10.0**power
    return float((10 if error >= sqrt(50) else 5 if error >= sqrt(10) else 2 if error >= sqrt(2) else 1) * 10.0**power)


def ticks(low: float, high: float, count: float, least: float = 0.0) -> list[float]:
    """Round numbers from ``low`` to ``high``, ``least`` or more apart."""
    step = max(tick_step(low, high, count), least)
    if not step:
        return [low]
    # Whole multiples divided by a whole number are the nearest floats to what is meant: 0.3 and not 0.1 + 0.2.
    down = round(1 / step) if step < 1 else 0
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [place / down if down else place * step for place in range(first, last + 1)]


def nice(low: float, high: float) -> tuple[float, float]:
    """Both ends moved outwards to round numbers."""
    for _ in range(10):
        step = tick_step(low, high, 10)
        if not step:
            return low, high
        lower, upper = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
        if (lower, upper) == (low, high):
            break
        low, high = lower, upper
    return low, high


def log_ticks(low: float, high: float) -> list[float]:
    """One to nine times each power of ten between two ends."""
    found = [
        float(times * 10.0**power)
        for power in range(floor(log10(low)), ceil(log10(high)) + 1)
        for times in range(1, 10)
    ]
    return [tick for tick in found if low <= tick <= high]


def spelled(numbers: Sequence[float], form: str = "") -> list[str]:
    """The numbers of an axis, all with as many decimals as their step needs."""
    if form not in ("", "%"):
        return [told(number, form) for number in numbers]
    gaps = [abs(b - a) for a, b in pairwise(numbers) if b != a]
    step = min(gaps) if gaps else abs(numbers[0]) if numbers else 1
    places = max(0, -floor(log10(step) + 1e-9)) if step else 0
    if form == "%":
        return [_signed(f"{steady(100 * number):.{max(0, places - 2)}f}%") for number in numbers]
    return [_signed(f"{steady(number):,.{places}f}") for number in numbers]


def told(value: object, form: str = "") -> str:
    """A value in the words of a chart: by a format of d3, or with as many figures as somebody reads."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return str(value)
    if not isfinite(value):
        return ""
    if form == "d":
        return _signed(f"{round(value):d}")
    if form.endswith("~g"):
        return _signed(f"{value:{form.replace('~', '')}}")
    return _signed(
        f"{steady(value):{form}}" if form else f"{steady(value):.4g}" if abs(value) < 1e4 else f"{steady(value):,.0f}"
    )


def _signed(text: str) -> str:
    """With a true minus, and none before zero."""
    if not text.startswith("-"):
        return text
    return text[1:] if not text.strip("-0.,%") else f"−{text[1:]}"
