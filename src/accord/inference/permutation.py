"""Permutation tests: how often chance alone gives a difference as large as the one seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, isnan, sqrt
from typing import Literal

import numpy as np

from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError

__all__ = ["Alternative", "PermutationTest", "permutation_test", "relabel_two_groups"]

Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """A p-value with what was permuted, how many arrangements were tried and whether these are all."""

    observed: float
    p: float
    alternative: Alternative
    arrangements: int
    exact: bool
    unit: str

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of p that comes from trying only some arrangements."""
        return 0.0 if self.exact else sqrt(self.p * (1 - self.p) / self.arrangements)


def permutation_test(
    observed: float, permuted: Floats, *, alternative: Alternative = "two-sided", exact: bool, unit: str
) -> PermutationTest:
    """Share of arrangements at least as extreme as the one seen.

    Drawn arrangements count the observed one too, so that p is never 0; if ``exact``, ``permuted``
    holds all arrangements, the observed one among them. Two-sided means a distance from zero.
    """
    defined = permuted[~np.isnan(permuted)]
    if isnan(observed) or not len(defined):
        raise NotEnoughDataError(f"The difference is undefined, so the {unit} cannot be permuted to test it.")
    slack = 1e-12 * max(1.0, abs(observed))
    extreme = {
        "two-sided": np.abs(defined) >= abs(observed) - slack,
        "greater": defined >= observed - slack,
        "less": defined <= observed + slack,
    }[alternative].sum()
    p = extreme / len(defined) if exact else (extreme + 1) / (len(defined) + 1)
    return PermutationTest(
        observed=observed, p=float(p), alternative=alternative, arrangements=len(defined), exact=exact, unit=unit
    )


def relabel_two_groups(
    statistic: Callable[[Sequence[int]], float],
    members: Integers,
    size: int,
    *,
    replicates: int,
    rng: np.random.Generator,
    alternative: Alternative = "two-sided",
    unit: str,
) -> PermutationTest:
    """Shuffle who belongs to the first of two groups of ``members``.

    ``members`` begins with the ``size`` units of the first group. ``statistic`` takes the units of the
    first group and gives the difference between the groups. All arrangements are tried if they are no
    more than ``replicates``, else as many as that are drawn.
    """
    observed = statistic(members[:size].tolist())
    exact = comb(len(members), size) <= replicates
    arrangements = (
        combinations(members.tolist(), size)
        if exact
        else (rng.permutation(members)[:size].tolist() for _ in range(replicates))
    )
    permuted = np.array([statistic(list(group)) for group in arrangements])
    return permutation_test(observed, permuted, alternative=alternative, exact=exact, unit=unit)
