"""Three plans side by side: what fewer and more raters of each text would cost, and how exactly they would show it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accord.design.assignment import plan_assignment
from accord.design.load import Study
from accord.design.study import Assignment
from accord.errors import AccordError
from accord.planning.preview import Preview, preview_study
from accord.records import dataclass
from accord.server.workspace.plan_shows import STUDIES, least_difference, widest
from accord.words import steady

__all__ = ["SHARES", "Offer", "changed_assignment", "offered_plans", "raters_of_each"]

SHARES: Mapping[str, tuple[Promise, float]] = {
    "lean": (_("Lean"), 2 / 3),
    "this": (_("This plan"), 1.0),
    "thorough": (_("Thorough"), 5 / 3),
    "most": (_("Most thorough"), 7 / 3),
}
"""How many of the raters of each text a plan has, relative to the one that was asked for."""
_FEWEST = 2
_OFFERED = 3
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Offer:
    """One of the plans: how many judge each text, and what follows from it."""

    key: str
    title: str | Promise
    raters: int
    each: int
    hours: float
    cost: str
    half: float | None
    """Half the expected width of the interval; of the least exact criterion where they differ."""
    least: float | None
    """The smallest difference between two systems that it would show, in standard deviations of single scores."""

    @property
    def within(self) -> str:
        return "" if self.half is None else f"±{steady(self.half):.2f}"

    @property
    def shows(self) -> str:
        return "" if self.least is None else f"{steady(self.least):.2f}"


def raters_of_each(assignment: Assignment) -> int:
    """How many people judge a text; everybody, unless the design says otherwise."""
    return (assignment.ratings_per_item or 1) if assignment.design != "crossed" else assignment.raters


def offered_plans(study: Study, this: Preview, *, guess: float) -> list[Offer]:
    """The three plans, fewer where two would be the same; none where the design has no number to change.

    ``this`` is what the page says of the plan that was asked for: it stands among the others with the same numbers.
    """
    assignment = study.settings.assignment
    if assignment.design not in ("crossed", "incomplete-blocks", "nested"):
        return []
    each = raters_of_each(assignment)
    offers: dict[int, Offer] = {}
    for key, (title, share) in SHARES.items():
        wanted = each if key == "this" else min(_MOST, max(_FEWEST, round(each * share)))
        if (key != "this" and wanted == each) or len(offers) == _OFFERED:
            continue
        try:
            offers[wanted] = _offer(study, key, title, wanted, guess, this if key == "this" else None)
        except AccordError:
            continue  # such a plan cannot be made of these texts and raters
    return sorted(offers.values(), key=lambda one: one.each) if len(offers) > 1 else []


def changed_assignment(assignment: Mapping[str, Any], each: int) -> dict[str, Any]:
    """The assignment with so many raters of each text; a team that is too small for it grows."""
    if assignment.get("design", "crossed") == "crossed":
        return {**assignment, "raters": each}
    return {**assignment, "ratings_per_item": each, "raters": max(int(assignment.get("raters", each)), each)}


def _offer(study: Study, key: str, title: Promise, each: int, guess: float, known: Preview | None) -> Offer:
    old = study.settings.assignment
    new = old if key == "this" else old.model_copy(update=changed_assignment(old.model_dump(), each))
    groups = study.settings.groups
    if new.raters != old.raters:
        groups = tuple(group.model_copy(update={"raters": None}) for group in groups)
    changed = replace(study, settings=study.settings.model_copy(update={"assignment": new, "groups": groups}))
    preview = known or preview_study(changed, plan_assignment(changed), guess=guess, studies=STUDIES)
    return Offer(
        key,
        title,
        new.raters,
        each,
        preview.hours,
        f"{preview.cost:,.0f} {preview.currency}" if preview.cost else "",
        widest(preview),
        least_difference(changed, preview, guess),
    )
