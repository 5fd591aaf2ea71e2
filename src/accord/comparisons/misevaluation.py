"""Misevaluation: items scored fine without context and found faulty with it (paper 004, Figure 2)."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from accord.design.scale import Direction
from accord.errors import NotEnoughDataError, OptionError
from accord.noise import ordered
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.words import spelled

__all__ = ["ISSUES", "Misevaluation", "Verdict", "context_roles", "find_misevaluations", "paired_scores"]

ISSUES = ("issue", "ambiguity")
"""Columns that name what is ambiguous in an item."""
_WITHOUT = r"random|alone|isolat|without|no[-_ ]context|^rss?$"
_WITH = r"context|^scs?$"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one rater said of an item in one scenario."""

    rater: str
    scenario: str
    criterion: str
    value: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Misevaluation:
    """An item whose score gets worse when its context is seen, with everything raters said of it."""

    item: str
    criterion: str
    without: float
    with_context: float
    verdicts: tuple[Verdict, ...]
    issue: str = ""
    """What is ambiguous in it (gender, number, reference, ...), where the items say so."""

    def by_rater(self) -> dict[tuple[str, str], list[Verdict]]:
        """What each rater said in each scenario."""
        found: dict[tuple[str, str], list[Verdict]] = {}
        for verdict in self.verdicts:
            found.setdefault((verdict.rater, verdict.scenario), []).append(verdict)
        return found

    @property
    def fall(self) -> float:
        return self.without - self.with_context


def paired_scores(
    ratings: Ratings, without: str, with_context: str, scenario: str = "scenario"
) -> dict[str, tuple[float, float]]:
    """Mean score of each item rated in both scenarios."""
    means = []
    for name in (without, with_context):
        part = ratings.named(**{scenario: name})
        count = np.bincount(part.item.codes, minlength=part.items)
        total = np.bincount(part.item.codes, weights=part.scores, minlength=part.items)
        means.append(dict(zip(part.item.names, (total / count).tolist(), strict=True)))
    return {item: (means[0][item], means[1][item]) for item in means[0] if item in means[1]}


def context_roles(names: Sequence[str], kinds: Mapping[str, str] | None = None) -> tuple[str, str] | None:
    """The scenario without context and the one with it, as the study declares (``kinds``) or their names say.

    None where neither does, or several would do: never a guess.
    """
    told = {name: (kinds or {}).get(name, name) for name in names}
    without = [name for name in names if re.search(_WITHOUT, told[name], re.IGNORECASE)]
    seen = [name for name in names if name not in without and re.search(_WITH, told[name], re.IGNORECASE)]
    return (without[0], seen[0]) if len(without) == len(seen) == 1 else None


def find_misevaluations(
    ratings: Ratings,
    *,
    without: str,
    with_context: str,
    scenario: str = "scenario",
    fine: float | None = None,
    fall: float | None = None,
) -> tuple[Misevaluation, ...]:
    """Items that are ``fine`` without context, and with it no longer: they lose ``fall`` or more, the largest first.

    ``fine`` defaults to the good quarter of the scale, ``fall`` to a quarter of it. An item is compared by
    its mean score in each scenario; the verdicts of all criteria are listed with it. Criteria of which nobody said
    which end is good are not looked at: what is fine on them cannot be known. Spoilt copies and other items that check
    the rater, and repeats, say nothing about the texts and do not count.
    """
    ratings = ordinary(ratings) or ratings
    found = []
    for group in ratings.split(("criterion",) if "criterion" in ratings.columns else ()):
        part = group.ratings
        if not part.level.has_order or scenario not in part.columns:
            continue
        known = part.columns[scenario].names
        for name in (without, with_context):
            if name not in known:
                raise OptionError(f"There is no scenario {name!r}. Scenarios: {', '.join(known)}.")
        good = part.criterion.direction
        if not good.is_known:
            continue
        low, high = min(part.scale.numbers), max(part.scale.numbers)
        sign, quarter = good.sign, (high - low) / 4
        limit = fine if fine is not None else (high - quarter if good is Direction.HIGH else low + quarter)
        least = fall if fall is not None else quarter
        for item, (alone, seen) in paired_scores(part, without, with_context, scenario).items():
            if sign * seen < sign * limit <= sign * alone and sign * (alone - seen) >= least:
                criterion = group.by.get("criterion", "")
                verdicts = _verdicts(ratings, item, (without, with_context), scenario)
                found.append(Misevaluation(item, criterion, alone, seen, verdicts, _issue(part, item)))
    if not found and not _share_items(ratings, without, with_context, scenario):
        raise NotEnoughDataError(f"No item was rated both in {without!r} and in {with_context!r}.")
    return tuple(ordered(found, lambda one: abs(one.fall), highest=True))


def _issue(ratings: Ratings, item: str) -> str:
    """The first kind of ambiguity that a row of the item names."""
    row = int(np.argmax(ratings.item.codes == ratings.item.names.index(item)))
    factors = (ratings.columns[name] for name in ISSUES if name in ratings.columns)
    return next((str(factor.names[factor.codes[row]]) for factor in factors if factor.codes[row] >= 0), "")


def _share_items(ratings: Ratings, without: str, with_context: str, scenario: str) -> bool:
    parts = [set(ratings.named(**{scenario: name}).item.names) for name in (without, with_context)]
    return bool(parts[0] & parts[1])


def _verdicts(ratings: Ratings, item: str, scenarios: Sequence[str], scenario: str) -> tuple[Verdict, ...]:
    part = ratings.named(item=item, **{scenario: list(scenarios)})
    comments = part.columns["comment"].labels() if "comment" in part.columns else [""] * len(part)
    criteria = part.columns["criterion"].labels() if "criterion" in part.columns else [""] * len(part)
    rows = zip(part.rater.labels(), part.columns[scenario].labels(), criteria, part.labels(), comments, strict=True)
    verdicts = [
        Verdict(rater, where, criterion, _text(value), comment) for rater, where, criterion, value, comment in rows
    ]
    return tuple(sorted(verdicts, key=lambda one: (scenarios.index(one.scenario), one.rater, one.criterion)))


def _text(value: object) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "no errors"
    return spelled(value)
