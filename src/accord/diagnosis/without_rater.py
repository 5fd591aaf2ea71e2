"""By how much alpha changes without one rater, and how far other items could have said otherwise."""

from accord import sizes
from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.features import View
from accord.coefficients.sums import statistic_of
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.inference.jackknife import Jackknife, jackknife
from accord.ratings.counting import count_source
from accord.reliability.plan import Plan
from accord.reliability.units import Units, settled_unit

__all__ = ["interval_of_change"]

_FEWEST_UNITS = 10
"""From fewer units the spread is too little known to say that a change is no chance."""


def interval_of_change(part: Part, rater: str, confidence: float) -> Interval | None:
    """The interval of alpha without a rater less alpha of all, over documents where every item names one, else items.

    Each unit is left out once of both alphas, which are made of the same items and so move together: the jackknife of
    their difference. None where there are too few units, or so many values that this would take long.
    """
    ratings = part.ratings.where(part.rows)
    if not sizes.is_laid_out(ratings.items, ratings.raters):
        return None
    source = count_source(ratings)
    unit, _ = settled_unit(Plan(), source)
    units = Units.of(source, View.of(source), Plan(resample=unit))
    if units.number < _FEWEST_UNITS:
        return None

    def left_out(seen: View) -> Jackknife:
        statistic = statistic_of(seen, {"": KrippendorffAlpha()})
        return jackknife(Units(seen, units.document).clustered(statistic))

    try:
        everybody = left_out(units.view)
        without = left_out(units.view.without_rater(source.rater_names().index(rater)))
    except NotEnoughDataError:
        return None
    values, each = without.values - everybody.values, without.left_out - everybody.left_out
    return Jackknife(values, each, everybody.multiplicity, units.word).intervals(confidence)[0]
