"""How many more documents would tell two systems apart, if their difference stays as it is."""

from math import ceil, floor, isnan, log10

from accord.quantiles import ndtri, stdtrit
from accord.words import counted

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


def what_would_tell(first: str, second: str, p: float, units: int, *, called: str, level: float, pairs: int) -> str:
    """In words; ``called`` is what a unit is: document or segment."""
    more = more_to_tell(p, units, level, pairs)
    if more is None:
        return f"At so small a difference more {called}s would hardly tell {first} from {second}."
    about = _rounded(more)
    return (
        f"About {counted(about, f'more {called}')} would tell {first} from {second} in 80% of cases, if the difference "
        "stays as it is."
    )


def _rounded(number: int) -> int:
    """Two digits are all that such an estimate carries, rounded up."""
    step = int(10 ** max(floor(log10(number)) - 1, 0))
    return ceil(number / step) * step
