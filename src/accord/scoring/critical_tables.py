"""The printed tables of paper and textbook, computed: critical values of t, and k of the ARF interval."""

from collections.abc import Sequence
from math import inf

from accord.records import dataclass
from accord.scoring.arf import Law, half_width_factor
from accord.scoring.student import quantile

__all__ = ["K_ALPHAS", "T_FREEDOMS", "T_TAILS", "KRow", "TRow", "k_table", "t_table"]

T_TAILS = (0.25, 0.2, 0.1, 0.05, 0.04, 0.03, 0.025, 0.02, 0.01, 0.005, 0.0005)
T_FREEDOMS = (*map(float, range(1, 51)), *map(float, (60, 70, 80, 90, 100, 120, 140, 180, 200, 500, 1000)), inf)
K_ALPHAS = (0.5, 1 / 3, 0.25, 0.2, 0.1, 0.05, 0.01)


@dataclass(frozen=True, slots=True)
class TRow:
    """Critical values at one number of degrees of freedom (scores - 1), one for each upper tail."""

    freedom: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class KRow:
    """The factor k of one error probability, by the law assumed."""

    alpha: float
    normal: float
    unknown: float


def t_table(freedoms: Sequence[float] = T_FREEDOMS, tails: Sequence[float] = T_TAILS) -> tuple[TRow, ...]:
    """Critical values of Student's t by degrees of freedom and upper tail probability."""
    return tuple(TRow(freedom, tuple(quantile(1 - tail, freedom) for tail in tails)) for freedom in freedoms)


def k_table(alphas: Sequence[float] = K_ALPHAS) -> tuple[KRow, ...]:
    """The factor k of the ARF interval by error probability."""
    return tuple(
        KRow(alpha, half_width_factor(alpha, Law.NORMAL), half_width_factor(alpha, Law.UNKNOWN)) for alpha in alphas
    )
