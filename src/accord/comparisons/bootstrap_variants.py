"""The six ways of bootstrapping a mean kappa that paper 003 contrasts, from the wrong one to the right one.

They are here to teach and to audit: (a) is what was published, (f) is the standard bootstrap.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from accord.arrays import Floats
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.quantiles import ndtri
from accord.records import dataclass

__all__ = ["VARIANTS", "Proportion", "Variant", "VariantResult", "bootstrap_variant"]


class Proportion(StrEnum):
    """What the ends of the interval enclose."""

    MONTE_CARLO_MEAN = "99.9% interval of the mean of the replicates (wrong: it shrinks with M)"
    PERCENTILE = "the middle 95% of the replicates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to bootstrap: interval, number of replicates, replacement, and size of a resample."""

    key: str
    proportion: Proportion
    replicates: int
    replacement: bool
    size: str
    """"N" for all pairs, "half" for about half of them, or a number of pairs."""
    faults: tuple[str, ...]

    @property
    def title(self) -> str:
        kind = "M-mean CI" if self.proportion is Proportion.MONTE_CARLO_MEAN else "95%"
        return f"({self.key}) {kind}, M={self.replicates:,}, R={'yes' if self.replacement else 'no'}, n={self.size}"


_SMALL_M = "too few replicates: use at least 1,000"
_NO_REPLACEMENT = "drawn without replacement"
_WRONG_SIZE = "the resample is not as large as the sample"
_WRONG_INTERVAL = (
    "the interval is that of the Monte-Carlo mean, which any number of replicates makes as narrow as wished"
)

VARIANTS = {variant.key: variant for variant in (
    Variant(key="a", proportion=Proportion.MONTE_CARLO_MEAN, replicates=50, replacement=False, size="half",
            faults=(_WRONG_INTERVAL, _SMALL_M, _NO_REPLACEMENT, _WRONG_SIZE)),
    Variant(key="b", proportion=Proportion.PERCENTILE, replicates=50, replacement=False, size="half",
            faults=(_SMALL_M, _NO_REPLACEMENT, _WRONG_SIZE)),
    Variant(key="c", proportion=Proportion.PERCENTILE, replicates=1_000, replacement=False, size="half",
            faults=(_NO_REPLACEMENT, _WRONG_SIZE)),
    Variant(key="d", proportion=Proportion.PERCENTILE, replicates=1_000, replacement=True, size="20",
            faults=(_WRONG_SIZE,)),
    Variant(key="e", proportion=Proportion.PERCENTILE, replicates=50, replacement=True, size="N", faults=(_SMALL_M,)),
    Variant(key="f", proportion=Proportion.PERCENTILE, replicates=1_000, replacement=True, size="N", faults=()),
)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VariantResult:
    """The replicates and the interval of one setting under one variant."""

    variant: Variant
    setting: str
    pairs: int
    draws: Floats
    interval: Interval


def bootstrap_variant(
    kappas: Mapping[str, Sequence[float]], key: str, rng: np.random.Generator, *, replicates: int | None = None
) -> tuple[VariantResult, ...]:
    """Run one variant on the pair kappas of each setting."""
    if key not in VARIANTS:
        raise OptionError(f"There is no bootstrap variant {key!r}. Known: {', '.join(VARIANTS)}.")
    variant = VARIANTS[key]
    results = []
    for setting, values in kappas.items():
        # Sorted, so that a seed draws the same whatever pair comes first.
        pool = np.array(sorted(value for value in values if value == value))
        if len(pool) < 2:
            raise NotEnoughDataError(f"{setting} has fewer than two rater pairs with a defined κ: nothing to resample.")
        draws = _draws(pool, variant, replicates or variant.replicates, rng)
        results.append(VariantResult(variant, setting, len(pool), draws, _interval(draws, variant)))
    return tuple(results)


def _draws(pool: Floats, variant: Variant, replicates: int, rng: np.random.Generator) -> Floats:
    size = {"N": len(pool), "half": len(pool) // 2}.get(variant.size) or min(int(variant.size), len(pool))
    if variant.replacement:
        means: Floats = rng.choice(pool, size=(replicates, size)).mean(axis=1)
        return means
    shuffled = rng.permuted(np.tile(pool, (replicates, 1)), axis=1)
    part: Floats = shuffled[:, :size].mean(axis=1)
    return part


def _interval(draws: Floats, variant: Variant) -> Interval:

    if variant.proportion is Proportion.MONTE_CARLO_MEAN:
        reach = float(ndtri(0.9995)) * float(draws.std()) / np.sqrt(len(draws))
        low, high, level = float(draws.mean()) - reach, float(draws.mean()) + reach, 0.999
    else:
        low, high = (float(end) for end in np.quantile(draws, [0.025, 0.975]))
        level = 0.95
    words = "with" if variant.replacement else "without"
    method = f"bootstrap over pairs {words} replacement, n = {variant.size}: {variant.proportion}"
    return Interval(low=low, high=high, level=level, method=method, replicates=len(draws))
