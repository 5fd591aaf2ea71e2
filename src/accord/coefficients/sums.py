"""Several coefficients as one statistic of sums, so that one product resamples them all."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.blocks import columns_of
from accord.coefficients.coefficient import DEFAULTS, Coefficient, Sums
from accord.coefficients.features import Block, View
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS
from accord.design.scale import Scale
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import Patterns

__all__ = ["Units", "statistic_of", "statistic_of_blocks", "statistic_of_view", "sum_statistic"]

Units = tuple[Callable[[Block], Floats], Integers]
"""What gives the features of a block for units larger than an item, and how often each unit occurs."""


def sum_statistic(patterns: Patterns, scale: Scale, keys: Sequence[str], options: Options = DEFAULTS) -> SumStatistic:
    """One statistic whose values are these coefficients, in this order.

    Blocks of features that coefficients have in common are made once. ``patterns`` may hold one row
    an item (multiplicity 1) where the resampling unit is a cluster of items.
    """
    return statistic_of_view(View(patterns, scale), keys, options)


def statistic_of_view(
    view: View, keys: Sequence[str], options: Options = DEFAULTS, units: Units | None = None
) -> SumStatistic:
    """The same from patterns that were looked at before."""
    return statistic_of(view, {key: COEFFICIENTS[key].coefficient for key in keys}, options, units)


def statistic_of(
    view: View, named: Mapping[str, Coefficient], options: Options = DEFAULTS, units: Units | None = None
) -> SumStatistic:
    """The same of coefficients themselves."""
    coefficients = tuple(named.values())
    blocks = [block for one in coefficients for block in one.features(view, options)]
    return statistic_of_blocks(
        view, blocks, tuple(named), lambda sums: [one.evaluate(sums, view, options) for one in coefficients], units
    )


def statistic_of_blocks(
    view: View, blocks: Iterable[Block], names: tuple[str, ...], values: Callable[[Sums], Sequence[Floats]],
    units: Units | None = None,
) -> SumStatistic:  # fmt: skip
    """Any numbers that are made of the sums of these blocks, over patterns or over larger units."""
    build, multiplicity = units or (view.built, view.multiplicity)
    built = {block.name: build(block) for block in {block.name: block for block in blocks}.values()}
    ends = np.cumsum([0, *(part.shape[1] for part in built.values())])
    places = {name: slice(start, end) for name, start, end in zip(built, ends[:-1], ends[1:], strict=True)}

    def evaluate(rows: Floats) -> Floats:
        columns = values(Sums({name: rows[:, place] for name, place in places.items()}))
        return np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0))

    if units:
        features = np.concatenate(list(built.values()), axis=1) if built else np.zeros((len(multiplicity), 0))
    elif len(built) == 1 and (only := next(iter(built.values()))).flags.f_contiguous:
        features = only  # as it is, which saves as much new memory
    else:
        features = columns_of(int(ends[-1]), len(multiplicity))
        for name, place in places.items():
            features[:, place] = built[name]
    return SumStatistic(names, features, multiplicity, evaluate)
