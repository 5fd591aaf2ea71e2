"""What a decision would change: each number that the overview leads with, now and after, before anybody decides."""

from collections.abc import Hashable, Iterable
from math import isnan
from typing import Any

from django.utils.translation import gettext as _

from accord.errors import AccordError
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.estimate import Estimate
from accord.reliability.run import agreement
from accord.reporting.wording import ends_text, number_text
from accord.server.models import Judgement
from accord.server.organiser import ratings as kept
from accord.server.organiser.analysis import MAIN, rows_of
from accord.server.organiser.ranked import rankings_in_brief, systems_ranked
from accord.server.organiser.ratings import Collected, collect
from accord.server.organiser.snapshot import latest_snapshot
from accord.server.organiser.titles import shown_title
from accord.server.organiser.which_part import charted, known_by, led_by
from accord.server.study import current

__all__ = ["Change", "changes_of", "told_number", "too_many"]


@dataclass(frozen=True, slots=True)
class _Number:
    """A number in words, and whether the pages lead with it."""

    name: str
    words: str
    leads: bool = True


_Numbers = dict[Hashable, _Number]
"""By what each is of: without a rater it may have another name."""


@dataclass(frozen=True, slots=True)
class Change:
    """One number in words, now and after; ``moves`` where it is another one."""

    name: str
    now: str
    after: str

    @property
    def moves(self) -> bool:
        return self.now != self.after


def too_many() -> bool:
    """Whether there are too many judgements to compute this while a page waits."""
    return Judgement.objects.count() > kept.MANY


def changes_of(without: Iterable[str] = (), again: Iterable[str] = ()) -> list[Change]:
    """What leaving these raters out, or counting those again, would change; others who are left out stay so."""
    collected = collect()
    out = {one.rater for one in collected.left_out}
    now, after = _numbers(collected, out), _numbers(collected, (out | set(without)) - set(again))
    none = _Number("", _("none"), leads=False)
    told = [(now.get(key, none), after.get(key, none)) for key in dict.fromkeys([*now, *after])]
    # What leads after the decision alone is a part that is left: what it is now stands beside it.
    return [Change(a.name or b.name, a.words, b.words) for a, b in told if a.leads or b.leads]


def _numbers(collected: Collected, out: Iterable[str]) -> _Numbers:
    ratings = collected.analysed(out)
    if ratings is None:
        return {}
    found = _estimates(ratings)
    try:
        ranked = rankings_in_brief(ratings, systems_ranked(ratings)[0])["made"]
    except AccordError:
        ranked = []
    for one in ranked[:1]:
        if one["known"] and one["pairs"]:
            name = _("Pairs of systems told apart by {criterion}").format(criterion=one["criterion"])
            found[name] = _Number(name, _("{apart} of {pairs}").format(apart=one["apart"], pairs=one["pairs"]))
    plain = ordinary(ratings)
    counted = _("Ratings counted")
    return {**found, counted: _Number(counted, f"{len(plain) if plain is not None else 0:,}")}


def _estimates(ratings: Ratings) -> _Numbers:
    """The number each criterion is known by, over all its parts and in each part."""
    snapshot = latest_snapshot()
    groups: list[dict[str, Any]] = charted(snapshot.results.get("groups", [])) if snapshot else []
    keys = {group["criterion"]: group["main"]["coefficient"] for group in groups if group["main"]}
    # All criteria at once, as the results are computed: parted one by one they would have other scales, and other ends.
    told = agreement(ratings, coefficients=sorted({MAIN, *keys.values()}), seed=current().settings.seed).groups
    found: _Numbers = {}
    rows = rows_of(ratings, told)
    leading = led_by(rows)
    for row in rows:
        key = keys.get(row["criterion"], MAIN)
        if key in row["group"]:
            one = row["group"][key]
            name = f"{one.title}, {shown_title(row)}"
            found[known_by(row), key] = _Number(name, told_number(one), any(row is each for each in leading))
    return found


def told_number(estimate: Estimate) -> str:
    """The value with its interval, in words."""
    if isnan(estimate.value):
        return _("none")
    ends = estimate.interval
    return number_text(estimate.value) + (f" ({ends_text(ends)})" if ends else "")
