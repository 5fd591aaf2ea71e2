"""Is a criterion fit to be scored by a program? Consistency, ease, automatability, and what developers can see."""

from math import isnan

import numpy as np

from accord.inference.interval import Interval
from accord.judging.alternative import AltTest
from accord.judging.beside import Beside
from accord.judging.panel import Panel
from accord.judging.scores import Measure
from accord.quantiles import ndtri, stdtrit
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["Indicator", "indicators_of"]

_POWER = 0.8
_LOSS = 0.1
"""α that may be lost before scoring by the judge counts as another scoring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator(PlainData):
    """One thing a developer asks of a criterion: a number where there is one, and what it means in words."""

    name: str
    value: float
    interval: Interval | None
    words: str


def indicators_of(
    panel: Panel, alpha: Beside, test: AltTest | None, measure: Measure | None, *, level: float = 0.95
) -> list[Indicator]:
    """Consistency of people, ease by time and by answers that were not given, automatability, and what can be seen."""
    found = [_consistency(alpha), *_ease(panel), _automatability(alpha, test)]
    seen = None if measure is None else _detectable(measure, level)
    return [*found, *([] if seen is None else [seen])]


def _consistency(alpha: Beside) -> Indicator:
    if isnan(alpha.people):
        words = "not known: no item has two people"
    elif alpha.people_interval is None:
        words = "α among people, without an interval"
    else:
        low = alpha.people_interval.low
        words = "people apply it alike" if low >= 0.667 else "that people apply it alike (α .667) is not shown"
    return Indicator(name="consistency", value=alpha.people, interval=alpha.people_interval, words=words)


def _ease(panel: Panel) -> list[Indicator]:
    """Seconds that people need, and how often they give no answer; both where the ratings hold them."""
    table = panel.part.ratings
    human = np.isin(table.rater.codes, [table.rater.names.index(name) for name in panel.people])
    found = []
    seconds = table.numbers.get("time_s")
    if seconds is not None:
        spent = seconds[human & (seconds > 0)]
        if len(spent) >= 10:
            quarter, middle, most = np.quantile(spent, [0.25, 0.5, 0.75])
            words = f"seconds a rating takes, half of them {steady(quarter):.0f} to {steady(most):.0f}"
            found.append(Indicator(name="ease: time", value=float(middle), interval=None, words=words))
    asked = int(human.sum()) + panel.part.ratings.missing
    if panel.part.ratings.missing:
        share = panel.part.ratings.missing / asked
        words = "share of questions without an answer: not every output can be judged by this criterion"
        found.append(Indicator(name="ease: no answer", value=share, interval=None, words=words))
    return found


def _automatability(alpha: Beside, test: AltTest | None) -> Indicator:
    gap = alpha.difference_interval
    if gap is None or isnan(alpha.difference):
        words = "not known: agreement of people with each other is lacking"
    elif gap.low >= -_LOSS:
        words = _with_test(test)
    elif gap.high < -_LOSS:
        words = f"not with this judge: it loses more than {_LOSS:g} of α against people"
    else:
        words = "not shown yet: α may be lost, or not"
    return Indicator(name="automatability", value=alpha.difference, interval=gap, words=words)


def _with_test(test: AltTest | None) -> str:
    """Of a judge that loses little agreement: the test for standing in has the last word."""
    if test is None:
        return "not shown: whether the judge may stand in for people could not be tested"
    if not test.passed:
        return "not shown: the judge does not pass the test for standing in"
    return f"shown: the judge passes, and loses less than {_LOSS:g} of α against people"


def _detectable(measure: Measure, level: float) -> Indicator | None:
    """The smallest difference of two systems that labels and scores like these show in four of five studies."""
    errors = [
        (one.corrected.standard_error, one.corrected.freedom)
        for one in measure.differences
        if one.corrected.interval is not None and one.corrected.standard_error > 0
    ]
    if not errors:
        return None
    error, freedom = (float(np.median([pair[place] for pair in errors])) for place in (0, 1))
    least = (float(stdtrit(freedom, (1 + level) / 2)) + float(ndtri(_POWER))) * error
    words = "smallest difference of two systems that labels and scores like these would show in 80% of studies"
    return Indicator(name="what developers can see", value=least, interval=None, words=words)
