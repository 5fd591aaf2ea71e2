"""A judge's verdicts as yes and no: how often it is right of each, and the true share behind its own (Rogan-Gladen)."""

from dataclasses import dataclass

import numpy as np

from accord.arrays import Floats
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.inference.proportion import wilson_interval
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.quantiles import stdtrit
from accord.words import spelled

__all__ = ["Verdicts", "corrected_share", "verdicts_of"]


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
    pairs = [said & people, people, ~said & ~people, ~people]
    clusters = int(panel.cluster.max()) + 1
    sums = by_cluster(np.column_stack([weight * one for one in pairs]), panel.cluster[panel.item], clusters)
    # Where people labelled everything, the judge's share is that of the labelled items.
    rest = panel.counts == 0 if (panel.counts == 0).any() else panel.counts > 0
    elsewhere = by_cluster(np.column_stack([judge & rest, rest]).astype(float), panel.cluster, clusters)
    return _told(words, len(panel.labelled), np.column_stack([sums, elsewhere]), level, panel.units)


def _chosen(panel: Panel, positive: str) -> tuple[str, np.ndarray, np.ndarray] | None:
    scale = panel.part.ratings.scale
    names = [spelled(value) for value in scale.values]
    if positive and positive not in names:
        raise OptionError(f"--positive {positive}: no such value. Values: {', '.join(names[:20])}.")
    if not panel.ordered:
        if not positive and len(names) != 2:
            return None
        code = float(names.index(positive) if positive else 1)
        return names[int(code)], panel.judge == code, panel.value == code
    values = scale.array
    if positive:
        least = float(values[names.index(positive)])
    elif len(values) <= 20:
        ends = panel.ends or (float(values.min()), float(values.max()))
        least = float(min(value for value in values if value > sum(ends) / 2))
    else:
        return None
    word = names[int(np.flatnonzero(values == least)[0])]
    return f"{word} or more" if least < values.max() else word, panel.judge >= least, panel.value >= least


def _told(words: str, labels: int, sums: Floats, level: float, units: str) -> Verdicts:
    whole = sums.sum(axis=0)
    used = sums[:, :4].any(axis=1)
    left = whole - sums[used]
    documents = int(used.sum())
    rates, without = _rates(whole[None, :])[0], _rates(left)
    errors = np.sqrt((documents - 1) / documents * np.nansum(np.square(without - rates), axis=0))
    intervals = [
        wilson_interval(float(rate), float(error), documents, level=level, unit=units) if documents >= 5 else None
        for rate, error in zip(rates, errors, strict=True)
    ]
    informed = rates[0] + rates[1] - 1
    refused, value, interval = "", float("nan"), None
    if not informed > 0:
        refused = "this judge is no better than a coin, so its share cannot be corrected"
    else:
        value = corrected_share(float(rates[2]), true_positive=float(rates[0]), true_negative=float(rates[1]))
        if documents < 5 or min(whole[1], whole[3]) < 5:
            refused = f"an interval needs 5 labels of each kind in 5 {units}"
        else:
            interval = _interval(value, without, documents, level, units)
            if interval.width > 0.9:
                refused = "the judge tells yes from no too badly for its share to say anything"
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


def _interval(value: float, without: Floats, documents: int, level: float, units: str) -> Interval:
    raw = (without[:, 2] + without[:, 1] - 1) / (without[:, 0] + without[:, 1] - 1)
    error = float(np.sqrt((documents - 1) / documents * np.nansum(np.square(raw - np.nanmean(raw)))))
    reach = float(stdtrit(documents - 1, (1 + level) / 2)) * error
    return Interval(
        low=max(0.0, value - reach),
        high=min(1.0, value + reach),
        level=level,
        method=f"Rogan-Gladen, jackknife over {units}, t({documents - 1:,})",
    )
