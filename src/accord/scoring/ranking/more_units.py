"""How many more documents would tell two systems apart."""

from math import ceil, floor, isnan, log10

from accord.quantiles import ndtri, stdtrit
from accord.words import counted, steady

__all__ = ["more_to_tell", "what_would_tell"]

_POWER = 0.8
_FAR = 20
"""Nobody rates so many times as many documents as there are."""


def more_to_tell(p: float, units: int, level: float, pairs: int) -> int | None:
    r"""How many more units show the difference with a probability of .8, if its size and its spread stay as they are.

    :math:`n (z_{1 - \alpha / 2k} + z_{.8})^2 / t^2 - n` for n units, k pairs and the t of the test; None beyond twenty
    times n, and where nothing was tested.
    """
    if isnan(p) or units < 2 or p >= 1:
        return None
    found = float(stdtrit(units - 1.0, 1 - p / 2))
    needed = float(ndtri(1 - (1 - level) / (2 * max(pairs, 1)))) + float(ndtri(_POWER))
    more = units * ((needed / found) ** 2 - 1) if found > 0 else float("inf")
    return None if more > _FAR * units else max(1, ceil(more))


def enough_for(difference: float, half: float, units: int, level: float, pairs: int) -> int:
    r"""How many units show a difference with a probability of .8, where so many have an interval of so much each side.

    :math:`n ((1 + z_{.8} / z_{1 - \alpha / 2k}) h / d)^2` for n units, k pairs, the half h of the interval and the
    difference d.
    """
    critical = float(ndtri(1 - (1 - level) / (2 * max(pairs, 1))))
    return ceil(units * ((1 + float(ndtri(_POWER)) / critical) * half / difference) ** 2)


def what_would_tell(
    first: str, second: str, p: float, units: int, *, called: str, level: float, pairs: int, ends: tuple[float, float]
) -> str:
    """In words; ``called`` is what a unit is: document or segment. ``ends`` are those of the difference.

    Where the difference found is near 0 it says nothing of the true one: the interval does.
    """
    more = more_to_tell(p, units, level, pairs)
    if more is None:
        low, high = ends
        half = (high - low) / 2
        small = _round_part(half)
        enough = _rounded(enough_for(small, half, units, level, pairs))
        return (
            f"The difference between {first} and {second} may be anything from {steady(low):.3g} to "
            f"{steady(high):.3g}; about "
            f"{counted(enough, called)} in all would show one of {small:g} in 80% of cases."
        )
    about = _rounded(more)
    return (
        f"About {counted(about, f'more {called}')} would tell {first} from {second} in 80% of cases, if the difference "
        "stays as it is."
    )


def _round_part(half: float) -> float:
    """A round difference (1, 2 or 5 of its decimal place) of at most half of what now cannot be told from none."""
    step = 10.0 ** floor(log10(half / 2))
    return next(times * step for times in (5, 2, 1) if times * step <= half / 2 * (1 + 1e-9))


def _rounded(number: int) -> int:
    """Two digits are all that such an estimate carries, rounded up."""
    step = int(10 ** max(floor(log10(number)) - 1, 0))
    return ceil(number / step) * step
