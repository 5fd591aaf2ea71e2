"""Whole texts: agreement of scores averaged over a text or system, and where the variance of ratings comes from."""

from collections.abc import Sequence

import numpy as np

from accord.arrays import Floats, distinct
from accord.coefficients.anova import anova_of_matrix
from accord.coefficients.icc import IntraclassCorrelation
from accord.coefficients.registry import COEFFICIENTS
from accord.design.scale import Level
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings
from accord.records import dataclass
from accord.reliability.run import agreement
from accord.tables.plain import PlainData

__all__ = [
    "Generalizability",
    "Limits",
    "TextLevel",
    "aggregated",
    "crossed_icc",
    "generalizability",
    "text_level",
    "text_unit",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(PlainData):
    """Limits of agreement of two raters' text scores: 95 of 100 differences lie between them (Bland and Altman)."""

    first: str
    second: str
    texts: int
    difference: float
    low: float
    high: float
    pearson: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLevel(PlainData):
    """Agreement of raters on scores averaged over the ratings of each text.

    ``counted`` names the answer whose share is the score, where the answers are one of two labels. ``scores`` holds
    each text with its mean over raters.
    """

    unit: str
    counted: str
    scores: tuple[tuple[str, float], ...]
    texts: int
    raters: int
    complete: int
    icc: dict[str, float]
    limits: tuple[Limits, ...]


def text_level(part: Part, *, unit: str = "document") -> TextLevel:
    """Average each rater's scores by ``unit`` (document, system, ...), then compare raters on the averages.

    A document of which several systems made a text is one text for each of them. Of two labels without an order, such
    as no and yes, the score is the share of the second one.
    The intraclass correlations use the texts that every rater scored; where there are fewer than two, all text scores
    by an analysis of variance with gaps. The limits of agreement use the texts that both raters of a pair scored.
    """
    names, table = aggregated(part, unit)
    complete = table[~np.isnan(table).any(axis=1)]
    icc = crossed_icc(complete) if len(complete) >= 2 and table.shape[1] >= 2 else _incomplete_icc(names, table)
    return TextLevel(
        unit=text_unit(part, unit), counted="" if part.ordered else _label(part, 1),
        scores=tuple(zip(names, _row_means(table), strict=True)), texts=len(names), raters=table.shape[1],
        complete=len(complete), icc=icc, limits=tuple(_limits(part, table)),
    )  # fmt: skip


def aggregated(part: Part, unit: str) -> tuple[tuple[str, ...], Floats]:
    """Mean score of each text by each rater, nan where a rater scored nothing of it."""
    if unit != "item" and unit not in part.ratings.columns:
        raise OptionError(f"There is no column {unit!r} to average over. Map one, for example --map {unit}=docId.")
    columns = text_unit(part, unit).split(" of a ")
    factors = [part.ratings.factor(column) for column in columns]
    codes = np.stack([factor.codes[part.rows] for factor in factors], axis=1)
    keep = (codes >= 0).all(axis=1)
    texts, text = np.unique(codes[keep], axis=0, return_inverse=True)
    text = np.asarray(text).reshape(-1)
    rater = np.searchsorted(part.raters, part.rater[keep])
    total, count = np.zeros((2, len(texts), len(part.raters)))
    np.add.at(total, (text, rater), _scores(part)[keep])
    np.add.at(count, (text, rater), 1)
    means = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    named = [[factor.names[int(code)] for code in column] for factor, column in zip(factors, texts.T, strict=True)]
    return tuple(map(", ".join, zip(*named, strict=True))), means


def text_unit(part: Part, unit: str) -> str:
    """What a text is, in words: a document, or a document of a system where several systems wrote it."""
    system = part.ratings.columns.get("system") if unit == "document" else None
    several = system is not None and len(distinct(system.codes[part.rows])) > 1
    return f"{unit} of a system" if several else unit


def _scores(part: Part) -> Floats:
    """What is averaged: the score, or whether the second of two labels was given."""
    if part.ordered:
        return part.score
    if len(part.ratings.scale.values) != 2 or part.ratings.scale.has_sets:
        raise NotEnoughDataError("Labels without order cannot be averaged over a text, unless there are two of them.")
    return np.asarray(part.code == 1, dtype=np.float64)


def _label(part: Part, code: int) -> str:
    """A value with its words, such as 1 (yes)."""
    scale = part.ratings.scale
    value = scale.values[code]
    plain = f"{value:g}" if isinstance(value, float) else str(value)
    words = scale.labels.get(value, "")
    return f"{plain} ({words})" if words and words != plain else plain


def _row_means(table: Floats) -> list[float]:
    known = ~np.isnan(table)
    count = known.sum(axis=1)
    totals: Floats = np.where(known, table, 0).sum(axis=1)
    means = np.divide(totals, count, out=np.full(len(table), np.nan), where=count > 0)
    return [float(mean) for mean in means]


def _limits(part: Part, table: Floats, most: int = 2_000) -> list[Limits]:
    limits: list[Limits] = []
    for first in range(table.shape[1]):
        for second in range(first + 1, table.shape[1]):
            both = ~np.isnan(table[:, [first, second]]).any(axis=1)
            if both.sum() < 3 or len(limits) >= most:
                continue
            x, y = table[both, first], table[both, second]
            gap, spread = float((x - y).mean()), float((x - y).std(ddof=1))
            flat = x.std() < 1e-12 or y.std() < 1e-12
            limits.append(
                Limits(
                    first=part.name(int(part.raters[first])), second=part.name(int(part.raters[second])),
                    texts=int(both.sum()), difference=gap, low=gap - 1.96 * spread, high=gap + 1.96 * spread,
                    pearson=float("nan") if flat else float(np.corrcoef(x, y)[0, 1]),
                )
            )  # fmt: skip
    return limits


def crossed_icc(table: Floats) -> dict[str, float]:
    """The intraclass correlations of a complete table of texts by raters."""
    found = anova_of_matrix(table)
    forms = {key: spec.coefficient for key, spec in COEFFICIENTS.items()}
    return {key: float(one.form.of_anova(found)[0]) for key, one in forms.items() if type(one) is IntraclassCorrelation}


def _incomplete_icc(names: Sequence[str], table: Floats) -> dict[str, float]:
    """The same where no two texts were scored by every rater; empty where no text was scored by two."""
    text, rater = np.nonzero(~np.isnan(table))
    columns = {
        "item": [names[int(at)] for at in text],
        "rater": rater.astype(str).tolist(),
        "value": table[text, rater].tolist(),
    }
    if len(table) < 2 or np.bincount(text).max(initial=0) < 2:
        return {}
    keys = [key for key, spec in COEFFICIENTS.items() if type(spec.coefficient) is IntraclassCorrelation]
    ratings = build_ratings(columns, level=Level.INTERVAL)
    made = agreement(ratings, coefficients=keys, icc_missing="anova", interval="none")
    return {one.coefficient: one.value for one in made.groups[0].estimates}


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalizability(PlainData):
    """Variance of ratings by its sources, and what a mean over so many raters generalises to.

    The object of measurement is the item: ``relative`` (E rho squared) is for the order of items, ``absolute``
    (Phi) for the score of an item. Neither says how well systems are told apart: that is another object.
    """

    items: int
    raters: int
    item_variance: float
    rater_variance: float
    residual_variance: float
    future_raters: int
    relative: float
    absolute: float


def generalizability(part: Part, *, future_raters: int | None = None) -> Generalizability:
    """Items crossed with raters, on the items that every rater rated; negative estimates count as 0."""
    table = part.matrix() if part.ordered else np.empty((0, 0))
    table = table[~np.isnan(table).any(axis=1)]
    if len(table) < 2 or table.shape[1] < 2:
        raise NotEnoughDataError(
            "Generalizability needs at least two items that every rater rated. Split by batch or language first."
        )
    found = anova_of_matrix(table)
    rows, columns, error = (float(part[0]) for part in (found.between, found.columns, found.residual))
    item, rater = max((rows - error) / table.shape[1], 0.0), max((columns - error) / table.shape[0], 0.0)
    future = future_raters or table.shape[1]
    return Generalizability(
        items=table.shape[0], raters=table.shape[1], item_variance=item, rater_variance=rater,
        residual_variance=error, future_raters=future, relative=_ratio(item, item + error / future),
        absolute=_ratio(item, item + (rater + error) / future),
    )  # fmt: skip
