"""Intervals over the raters of a large pool: each left out once, exactly, from counts that fit on a page.

A rater who is left out changes the items he rated and no others. So it is enough to know, for each rater, how often he
gave which value to items of which value counts: the table of every rater with every other is not needed.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from accord.arrays import Floats
from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.pool import conger_without_raters, is_of_marginals
from accord.coefficients.registry import CoefficientSpec
from accord.coefficients.sums import statistic_of_view
from accord.inference.jackknife import Jackknife, jackknife, jackknife_of
from accord.ratings.counting import kinds_of
from accord.ratings.counts import CountSource, ItemValueCounts, RaterParts, laid_out
from accord.reliability.plan import IntervalKind, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import Attached, floor_of, over_raters_alone, with_items

__all__ = ["pool_intervals"]


class _Leaving:
    """The kinds of items as they are and without one rating, and how leaving a rater out moves items between them."""

    def __init__(self, table: ItemValueCounts, parts: RaterParts, raters: int, view: View) -> None:
        from scipy.sparse import csr_matrix

        without = parts.rows.copy()
        without[np.arange(len(without)), parts.own] -= 1
        kinds, kind = kinds_of(np.concatenate((table.counts, parts.rows, without)))
        first, before, after = np.split(kind, [len(table.counts), len(table.counts) + len(parts.rows)])
        times = np.bincount(first, weights=table.multiplicity, minlength=len(kinds)).astype(np.int64)
        self.view = View(laid_out(ItemValueCounts(kinds, times)), view.scale)
        moved = np.concatenate((-parts.multiplicity, parts.multiplicity)).astype(np.float64)
        place = np.concatenate((parts.rater, parts.rater)), np.concatenate((before, after))
        self._moves = csr_matrix((moved, place), shape=(raters, len(kinds)))

    def sums(self, features: Floats) -> tuple[Floats, Floats]:
        """The sums over all items, and those without each rater: (features,) and (raters, features)."""
        whole = self.view.multiplicity.astype(np.float64) @ features
        return whole, whole + self._moves @ features


def pool_intervals(
    source: CountSource,
    parts: RaterParts,
    specs: Sequence[CoefficientSpec],
    computed: Mapping[str, Computed],
    request: Request,
    view: View,
) -> dict[str, Attached]:
    """The jackknife over raters, or over raters and items, of coefficients that do not tell raters apart, and Conger's.

    Coefficients of whole items have none: without a rater an item of a pool is never whole.
    """
    plan = request.plan
    if plan.interval is IntervalKind.NONE:
        return {spec.key: Attached() for spec in specs}
    if plan.resample not in (Unit.RATER, Unit.RATER_AND_ITEM):
        refused = (
            f"no interval over {plan.resample}: in so large a pool ask for rater, rater-and-item, item or document"
        )
        return {spec.key: Attached(reason=refused) for spec in specs}
    raters = len(source.rater_names())
    leaving = _Leaving(source.item_values(), parts, raters, view)
    alike = [spec for spec in specs if not spec.identity and spec.family != "icc"]
    statistic = statistic_of_view(leaving.view, [spec.key for spec in alike], request.options)
    whole, without = leaving.sums(statistic.features)
    by_rater = jackknife_of(statistic.evaluate(whole[None, :])[0], statistic.evaluate(without), "raters")
    errors = jackknife(statistic).standard_errors
    floors = np.array([floor_of(spec.coefficient) for spec in alike])
    given = dict(zip([spec.key for spec in alike], _attached(by_rater, errors, leaving, request, floors), strict=True))
    for spec in filter(is_of_marginals, specs):
        found = computed[spec.key]
        left_out = conger_without_raters(spec, leaving.sums, leaving.view, source.marginals(), request.options)
        by_rater = jackknife_of(np.array([found.value]), left_out[:, None], "raters")
        error = np.array([np.nan if found.standard_error is None else found.standard_error])
        given[spec.key] = _attached(by_rater, error, leaving, request)[0]
    return {spec.key: given.get(spec.key, Attached()) for spec in specs}


def _attached(
    by_rater: Jackknife, item_errors: Floats, leaving: _Leaving, request: Request, floor: Floats | float = -1.0
) -> list[Attached]:
    if request.plan.resample is Unit.RATER:
        return over_raters_alone(by_rater, request.plan, floor)
    return with_items(by_rater, item_errors, int(leaving.view.multiplicity.sum()), request.plan, floor=floor)
