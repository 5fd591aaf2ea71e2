"""Correlations of a large pool of raters, with their intervals over items or documents."""

import numpy as np

from accord.coefficients.compute import Computed
from accord.coefficients.features import View
from accord.coefficients.pool_correlation import COINCIDENCES, coincidence_statistic
from accord.coefficients.registry import CoefficientSpec
from accord.inference.fisher_jackknife import fisher_intervals
from accord.inference.jackknife import jackknife
from accord.ratings.counts import CountSource
from accord.reliability.plan import IntervalKind, Unit
from accord.reliability.request import Request
from accord.reliability.resampling import Attached, from_jackknife
from accord.reliability.units import Units

__all__ = ["pool_correlation", "pool_correlation_interval"]


def pool_correlation(spec: CoefficientSpec, view: View, request: Request) -> Computed:
    """The value from all ratings of an item together; ``view`` does not say who rated."""
    value = float(coincidence_statistic(spec, view, request.options).values()[0])
    return Computed(
        key=spec.key, value=value, items=int(view.multiplicity @ view.pairable), conventions=(COINCIDENCES,)
    )


def pool_correlation_interval(
    spec: CoefficientSpec, computed: Computed, source: CountSource, view: View, request: Request
) -> Attached:
    """Each item or document left out. Raters are not: a pool does not say which of them met."""
    plan = request.plan
    if plan.interval is IntervalKind.NONE or np.isnan(computed.value):
        return Attached()
    if plan.resample not in (Unit.ITEM, Unit.DOCUMENT):
        return Attached(reason="no interval over raters: in so large a pool it is not counted which raters met")
    units = Units.of(source, view, plan)
    left_out = jackknife(units.clustered(coincidence_statistic(spec, units.view, request.options)), units.word)
    if plan.interval is IntervalKind.JACKKNIFE:
        return from_jackknife(left_out, plan)[0]
    interval = fisher_intervals(left_out, plan.confidence, units.effective)[0]
    error = float(left_out.standard_errors[0])
    return Attached(interval, None if np.isnan(error) else error)
