"""Permutation tests: how often chance alone gives a difference as large as the one seen."""

from math import isnan
from typing import Literal

import numpy as np

from accord.arrays import Floats
from accord.errors import NotEnoughDataError
from accord.records import dataclass

__all__ = ["Alternative", "PermutationTest", "permutation_test"]

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
