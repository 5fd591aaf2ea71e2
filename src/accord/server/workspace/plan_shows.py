"""What a plan can show for its price: the smallest difference between systems, and precision for hours."""

from collections.abc import Sequence
from math import isinf, log, sqrt

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from accord.design.load import Study
from accord.planning.differences import smallest_difference
from accord.planning.preview import Preview
from accord.records import dataclass
from accord.words import steady

__all__ = ["STUDIES", "Curve", "curve_of", "difference_in_words", "hours_text", "least_difference", "widest"]

STUDIES = 200
"""Simulated studies behind each expected width: the same for the plan and those beside it, so that they compare."""

_WIDTH, _HEIGHT = 300.0, 84.0
_TIMES = 4.0
"""From a fourth of the hours to four times as many: from twice the width to half of it."""
_GOAL = 0.05
_SPREAD = 0.2
"""An example of how far single scores spread, as a share of the scale; said as one."""
_NUMBERS = ("slider", "scale", "number")


def hours_text(hours: float) -> str:
    """Hours to one decimal, rounded as templates round: the same hours never read 1.4 here and 1.5 there."""
    return str(floatformat(hours, "1g"))


def widest(preview: Preview) -> float | None:
    """Half the width of the widest interval that is expected: of the criterion that is known least exactly."""
    halves = [part.expected.width / 2 for part in preview.precision if part.expected]
    return max(halves, default=None)


def least_difference(study: Study, preview: Preview, guess: float) -> float | None:
    """In standard deviations of single scores, for the criterion that shows most; None without two systems."""
    systems = len(study.systems)
    kinds = {one.key: one.kind for one in study.settings.criteria}
    if systems < 2:
        return None
    found = [
        smallest_difference(round(part.items / systems), part.raters_per_item, guess, level=part.confidence)
        for part in preview.precision
        if kinds[part.criterion] in _NUMBERS
    ]
    return min((one for one in found if not isinf(one)), default=None)


def difference_in_words(study: Study, least: float | None) -> str:
    """What it means on the scale of the first score, for scores that spread as the example does."""
    if least is None:
        return ""
    told = _("Two systems {sd} standard deviations of single scores apart are told apart in four of five such studies.")
    score = next((one for one in study.settings.criteria if one.kind == "slider"), None)
    words = told.format(sd=f"{steady(least):.2f}")
    if score is None:
        return words
    length = (100.0 if score.high is None else score.high) - (score.low or 0.0)
    example = _("If scores spread by {spread} points, that is {points} points.")
    return f"{words} {example.format(spread=f'{_SPREAD * length:g}', points=f'{steady(least * _SPREAD * length):.1f}')}"


@dataclass(frozen=True, slots=True)
class Curve:
    """Half the width of the interval against hours, both ends named; shapes are stretched, words stand beside."""

    line: str
    here: tuple[float, float]
    others: tuple[tuple[float, float], ...]
    goal: float | None
    """Where the line of ±0.05 lies; None beyond the chart."""
    first: str
    last: str
    words: str


def curve_of(hours: float, half: float, others: Sequence[tuple[float, float]]) -> Curve | None:
    """Around a plan of so many hours and this half width; ``others`` have fewer or more raters of each text."""
    if hours <= 0 or half <= 0:
        return None
    most = half * sqrt(_TIMES)

    def at(spent: float, width: float) -> tuple[float, float]:
        across = (log(spent / hours) / log(_TIMES) + 1) / 2
        return round(_WIDTH * min(1.0, max(0.0, across)), 1), round(_HEIGHT * (1 - min(1.0, width / most)), 1)

    steps = [hours * _TIMES ** (step / 10) for step in range(-10, 11)]
    needed = hours * (half / _GOAL) ** 2
    if half > _GOAL:
        told = _("±{goal} (dotted) would take about {n} h, with more texts of the same kind.")
    else:
        told = _("±{goal} (dotted) would take about {n} h.")
    return Curve(
        " ".join(f"{x},{y}" for x, y in (at(one, half * sqrt(hours / one)) for one in steps)),
        at(hours, half),
        tuple(at(*one) for one in others if hours / _TIMES <= one[0] <= hours * _TIMES),
        at(hours, _GOAL)[1] if most > _GOAL else None,
        hours_text(hours / _TIMES),
        hours_text(hours * _TIMES),
        told.format(goal=_GOAL, n=f"{steady(needed):,.0f}" if needed >= 10 else hours_text(needed)),
    )
