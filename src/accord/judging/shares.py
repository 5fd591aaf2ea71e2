"""A judge's verdicts as yes and no: how often it is right of each, and the true share behind its own (Rogan-Gladen)."""

import numpy as np

from accord.arrays import Floats
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.inference.proportion import wilson_interval
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.quantiles import stdtrit
from accord.records import dataclass
from accord.words import spelled, steady

__all__ = ["Verdicts", "corrected_share", "verdicts_from", "verdicts_of"]


def corrected_share(share: float, *, true_positive: float, true_negative: float) -> float:
    r"""The true share behind a judge's share of positives (Rogan and Gladen).

    :math:`(p + TNR - 1) / (TPR + TNR - 1)`, clipped to 0 and 1.
    """
    for name, rate in (("share", share), ("true_positive", true_positive), ("true_negative", true_negative)):
        if not 0 <= rate <= 1:
            raise OptionError(f"{name} must lie between 0 and 1, not {rate}.")
    informed = true_positive + true_negative - 1
    if informed <= 0:
        raise NotEnoughDataError("This judge is no better than a coin: nothing can be corrected with it.")
    return min(1.0, max(0.0, (share + true_negative - 1) / informed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """Yes is a value at or above ``threshold`` (or that label); people are the measure, each person's rating counts."""

    positive: str
    people: int
    true_positive: float
    true_positive_interval: Interval | None
    true_negative: float
    true_negative_interval: Interval | None
    judged_share: float
    people_share: float
    corrected: float
    corrected_interval: Interval | None
    refused: str = ""

    def to_dict(self) -> dict[str, object]:
        ends = {
            "true_positive_interval": self.true_positive_interval,
            "corrected_interval": self.corrected_interval,
            "true_negative_interval": self.true_negative_interval,
        }
        return {
            "positive": self.positive,
            "labels": self.people,
            "true_positive": self.true_positive,
            "true_negative": self.true_negative,
            "judged_share": self.judged_share,
            "people_share": self.people_share,
            "corrected_share": self.corrected,
            "refused": self.refused,
            **{name: None if one is None else one.to_dict() for name, one in ends.items()},
        }


def verdicts_of(panel: Panel, *, positive: str = "", level: float = 0.95) -> Verdicts | None:
    """Of the value that is called positive; of two values the better one, of more the upper half of the scale."""
    chosen = _chosen(panel, positive)
    if chosen is None:
        return None
    words, judge, people = chosen
    weight = 1 / panel.counts[panel.item]
    said = judge[panel.item]
    pairs = [said * people, people, (1 - said) * ~people, ~people]
    clusters = int(panel.cluster.max()) + 1
    sums = by_cluster(np.column_stack([weight * one for one in pairs]), panel.cluster[panel.item], clusters)
    # Where people labelled everything, the judge's share is that of the labelled items.
    rest = panel.counts == 0 if (panel.counts == 0).any() else panel.counts > 0
    elsewhere = by_cluster(np.column_stack([judge * rest, rest]), panel.cluster, clusters)
    return verdicts_from(words, len(panel.labelled), np.column_stack([sums, elsewhere]), level, panel.units)


def _chosen(panel: Panel, positive: str) -> tuple[str, Floats, np.ndarray] | None:
    """What counts as yes, the share of the judge's answers to each item that are a yes, and which of people's are."""
    scale = panel.part.ratings.scale
    names = [spelled(value) for value in scale.values]
    if positive and positive not in names:
        raise OptionError(f"--positive {positive}: no such value. Values: {', '.join(names[:20])}.")
    if not panel.ordered:
        if not positive and len(names) != 2:
            return None
        code = float(names.index(positive) if positive else 1)
        return names[int(code)], panel.said(lambda given: given == code), panel.value == code
    values = scale.array
    if positive:
        least = float(values[names.index(positive)])
    elif len(values) <= 20:
        ends = panel.ends or (float(values.min()), float(values.max()))
        upper = values[values > sum(ends) / 2]
        if not len(upper):
            # One value alone, or none above the middle: nothing is a yes.
            return None
        least = float(upper.min())
    else:
        return None
    word = names[int(np.flatnonzero(values == least)[0])]
    words = f"{word} or more" if least < values.max() else word
    return words, panel.said(lambda given: given >= least), panel.value >= least


def verdicts_from(words: str, labels: int, sums: Floats, level: float = 0.95, units: str = "documents") -> Verdicts:
    """Of sums over documents (rows): right yes, all yes, right no, all no of people; the judge's yes elsewhere, all."""
    whole = sums.sum(axis=0)
    used = sums[:, :4].sum(axis=1) > 0
    documents = int(used.sum())
    rates = _rates(whole[None, :])[0]
    spread = _covariance(sums, whole, rates, used)
    intervals = [
        wilson_interval(float(rate), float(error), documents, level=level, unit=units) if documents >= 5 else None
        for rate, error in zip(rates[:2], np.sqrt(np.diag(spread))[:2], strict=True)
    ]
    refused, value, interval = "", float("nan"), None
    if np.isnan(rates[:2]).any():
        refused = "people gave one kind of verdict only, so how often the judge errs on the other is not known"
    elif not rates[0] + rates[1] > 1:
        refused = "this judge is no better than a coin, so its share cannot be corrected"
    else:
        value = corrected_share(float(rates[2]), true_positive=float(rates[0]), true_negative=float(rates[1]))
        if documents < 5 or min(whole[1], whole[3]) < 5:
            refused = f"an interval needs 5 labels of each kind in 5 {units}"
        else:
            interval = _fieller(rates, _floored(spread, whole), _freedom(sums[used]), level, units)
            if interval is None or interval.width > 0.9:
                refused, interval = "the judge tells yes from no too badly for its share to say anything", None
    return Verdicts(
        positive=words,
        people=labels,
        true_positive=float(rates[0]),
        true_positive_interval=intervals[0],
        true_negative=float(rates[1]),
        true_negative_interval=intervals[1],
        judged_share=float(rates[2]),
        people_share=float(whole[1] / (whole[1] + whole[3])),
        corrected=value,
        corrected_interval=interval,
        refused=refused,
    )


def _rates(sums: Floats) -> Floats:
    """True positives, true negatives, and the judge's share of yes."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack([sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3], sums[:, 4] / sums[:, 5]])


def _covariance(sums: Floats, whole: Floats, rates: Floats, used: np.ndarray) -> Floats:
    """How the three rates vary together: labelled documents left out in turn, and what the others add to the share."""
    documents = int(used.sum())
    change = np.nan_to_num(_rates(whole - sums[used]) - rates)
    spread = (documents - 1) / documents * change.T @ change
    beside = (sums[~used, 4] - rates[2] * sums[~used, 5]) / max(whole[5], 1)
    spread[2, 2] += beside.size / max(beside.size - 1, 1) * float(beside @ beside)
    return np.asarray(spread)


def _floored(spread: Floats, whole: Floats) -> Floats:
    """Rates near 1 vary at least as shares of which two labels more had been wrong."""
    raised = spread.copy()
    for place, labels in ((0, whole[1]), (1, whole[3])):
        share = 2 / (labels + 4)
        raised[place, place] = max(raised[place, place], share * (1 - share) / (labels + 4))
    return raised


def _freedom(sums: Floats) -> float:
    """Documents less one, unequal ones for what they are worth."""
    labels = sums[:, 1] + sums[:, 3]
    return max(float(labels.sum() ** 2 / np.square(labels).sum()) - 1, 1.0)


def _fieller(rates: Floats, spread: Floats, freedom: float, level: float, units: str) -> Interval | None:
    r"""All shares :math:`\theta` with which :math:`p + TNR - 1 - \theta (TPR + TNR - 1)` is not shown to differ from 0.

    Fieller's interval of a ratio holds for weak judges too, where the ratio's own error does not; None if any share
    would do.
    """
    upper, lower = np.array([0.0, 1.0, 1.0]), np.array([1.0, 1.0, 0.0])
    above, below = float(rates[1] + rates[2] - 1), float(rates[0] + rates[1] - 1)
    squared = float(stdtrit(freedom, (1 + level) / 2)) ** 2
    a = below**2 - squared * float(lower @ spread @ lower)
    b = above * below - squared * float(upper @ spread @ lower)
    c = above**2 - squared * float(upper @ spread @ upper)
    root = b * b - a * c
    if a <= 0 or root < 0:
        return None
    low, high = (b - root**0.5) / a, (b + root**0.5) / a
    return Interval(
        low=min(max(low, 0.0), 1.0),
        high=min(max(high, 0.0), 1.0),
        level=level,
        method=f"Rogan-Gladen, Fieller, jackknife over {units}, t({steady(freedom):.3g})",
    )
