"""Intraclass correlations of incomplete ratings: all ratings are used, none is imputed (as irrNA in R).

A two-way random model by analysis of variance: rater effects are taken out as each rater's own mean, items
weigh by the ratings they have. On complete ratings it equals the classical forms.
"""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Codes, Floats, Integers
from accord.coefficients.anova import Anova, Form, Freedom
from accord.coefficients.batch import divided
from accord.design.scale import Scale
from accord.inference.interval import Interval
from accord.records import dataclass

__all__ = ["IncompleteIcc", "incomplete_icc", "ratings_per_item"]


@dataclass(frozen=True, slots=True)
class IncompleteIcc:
    """The value with its interval, the items used, and the effective number of ratings an item."""

    value: float
    interval: Interval | None
    items: int
    parts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Squares:
    """Mean squares of incomplete ratings, and the numbers their intervals need."""

    items: float
    raters: float
    ratings: float
    effective: float
    between_raw: float
    within: float
    between: float
    columns: float
    residual: float
    freedom: float


def _squares(codes: Codes, times: Floats, scale: Scale) -> _Squares:
    given = codes >= 0
    rated = given.any(axis=1)
    given, times, codes = given[rated], times[rated], codes[rated]
    scores = np.append(scale.array, 0.0)[codes]
    weight = given * times[:, None]
    items, ratings = float(times.sum()), float(weight.sum())
    grand = float((scores * weight).sum()) / ratings
    scores = np.where(given, scores - grand, 0.0)
    per_rater = weight.sum(axis=0)
    rater_means = divided((scores * weight).sum(axis=0), per_rater)
    centred = np.where(given, scores - rater_means, 0.0)
    per_item = given.sum(axis=1).astype(np.float64)
    raters = float((per_rater > 0).sum())
    raw = float(times @ (scores.sum(axis=1) ** 2 / per_item))
    adjusted = float(times @ (centred.sum(axis=1) ** 2 / per_item))
    freedom = (items - 1) * (ratings / items - 1)
    return _Squares(
        items=items,
        raters=raters,
        ratings=ratings,
        effective=(ratings - float(times @ per_item**2) / ratings) / (items - 1),
        between_raw=raw / (items - 1),
        within=(float((scores**2 * weight).sum()) - raw) / (ratings - items),
        between=adjusted / (items - 1),
        columns=float((per_rater * np.nan_to_num(rater_means) ** 2).sum()) / (raters - 1),
        residual=(float((centred**2 * weight).sum()) - adjusted) / freedom,
        freedom=freedom,
    )


def ratings_per_item(per_item: NDArray[np.intp], multiplicity: Integers) -> float:
    """The effective number of ratings an item: their mean where all have as many, less where they differ."""
    rated = per_item > 0
    times, number = multiplicity[rated].astype(np.float64), per_item[rated].astype(np.float64)
    ratings = float(times @ number)
    return (ratings - float(times @ number**2) / ratings) / (float(times.sum()) - 1)


def incomplete_icc(
    codes: Codes, multiplicity: Integers, scale: Scale, form: Form, confidence: float = 0.95
) -> IncompleteIcc:
    """One of the six forms from (patterns, raters) codes with missing ratings."""
    per_item = (codes >= 0).sum(axis=1)
    items, pairs = int(multiplicity[per_item >= 1].sum()), int(multiplicity[per_item >= 2].sum())
    if items < 2 or pairs == 0 or (codes >= 0).any(axis=0).sum() < 2:
        return IncompleteIcc(float("nan"), None, items)
    found = _squares(codes, multiplicity.astype(np.float64), scale)
    table = _table(found, form.one_way)
    value = float(form.of_anova(table)[0])
    error = found.ratings - found.items if form.one_way else found.freedom
    low, high = form.ends(table, confidence, Freedom(error, found.raters - 1))
    interval = None
    if not np.isnan(low + high):
        method = "analytic, F distribution over items (two-way random analysis of variance of incomplete ratings)"
        interval = Interval(low=low, high=high, level=confidence, method=method)
    return IncompleteIcc(value, interval, items, {"ratings_per_item": found.effective})


def _table(found: _Squares, one_way: bool) -> Anova:
    """The mean squares in the places of the classical table, with k the effective number of ratings."""

    def cell(number: float) -> Floats:
        return np.array([number])

    return Anova(
        items=cell(found.items),
        raters=found.effective,
        between=cell(found.between_raw if one_way else found.between),
        columns=cell(found.columns),
        residual=cell(found.residual),
        within=cell(found.within),
    )
