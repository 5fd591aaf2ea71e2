"""Whom the gate of direct assessment leaves out, wherever systems or conditions are compared by scores."""

from dataclasses import replace
from math import isnan

import numpy as np
from numpy.typing import NDArray

from accord.design.scale import SAY_DIRECTION, Direction
from accord.errors import AccordError, OptionError
from accord.ratings.codebook import LeftOut
from accord.ratings.leaving_out import KEPT_AT_GATE, NO_GATE, UNGATED, left_out_in_words
from accord.ratings.table import Ratings
from accord.scoring.rater_gate import RaterGate, gate_raters, roles_of
from accord.words import steady

__all__ = ["GATE", "better_is_higher", "gated", "who_fails"]

GATE = "degraded_not_lower"
"""The rule of study.toml that is the gate: a rater must score spoilt copies below their originals."""
_ALPHA = 0.05
_NO_GOOD_END = f"nobody said which end is good, so no copy can be called worse. {SAY_DIRECTION}"


def gated(ratings: Ratings, *, keep_all: bool = False) -> Ratings:
    """Without raters who fail the gate; the same where nothing was spoilt.

    A rater who fails on one criterion is out of all, so that one analysis counts a rater in every number or in none.
    Whom it leaves out stands in the codebook and in the notes, with the reason; with ``keep_all`` it leaves nobody
    out, and the notes say who would have been. So it is with the ratings of a study: its codebook says who is left out,
    for every number alike.
    """
    keep_all = keep_all or bool(ratings.codebook.study.title)
    failed, notes = _looked_at(ratings)
    if keep_all or len(failed) == ratings.raters:
        notes += [f"{KEPT_AT_GATE} rater {name} {reason}" for name, reason in failed.items()]
        failed = {}
    if not failed and not notes:
        return ratings  # with what is known of them already
    left_out = [LeftOut(rater=name, rule=GATE, reason=reason) for name, reason in failed.items()]
    codebook = replace(ratings.codebook, left_out=(*ratings.codebook.left_out, *left_out))
    out = np.isin(ratings.rater.codes, [code for code, name in enumerate(ratings.rater.names) if name in failed])
    kept = ratings.where(~out) if failed else ratings
    return replace(kept, codebook=codebook, notes=(*ratings.notes, *left_out_in_words(left_out), *notes))


def who_fails(ratings: Ratings) -> dict[str, str]:
    """The raters who do not pass the gate, each with the reason; nobody where all would be gone."""
    failed, _ = _looked_at(ratings)
    return {} if len(failed) == ratings.raters else failed


def _looked_at(ratings: Ratings) -> tuple[dict[str, str], list[str]]:
    """Who fails on which criterion and why, and what is to be said where the gate tells nothing."""
    failed, notes = dict[str, str](), list[str]()
    for group in ratings.split():
        gates = _gates(group.ratings)
        of_criterion = f" ({group.by['criterion']})" if group.by else ""
        if not group.ratings.criterion.direction.is_known and _tested_roles(group.ratings) is not None:
            notes.append(f"{NO_GATE}{of_criterion}: {_NO_GOOD_END}")
        elif gates and not any(gate.kept for gate in gates):
            notes.append(f"{UNGATED}{of_criterion}: none scores spoilt copies worse, so all are kept")
        else:
            for gate in gates:
                if not gate.kept:
                    failed.setdefault(gate.rater, _reason(gate) + of_criterion)
    if len(failed) == ratings.raters:
        notes.append(f"{UNGATED} on every criterion, so all are kept")
    return failed, notes


def _gates(ratings: Ratings) -> tuple[RaterGate, ...]:
    roles = _tested_roles(ratings)
    if roles is None or not ratings.criterion.direction.is_known:
        return ()
    return gate_raters(better_is_higher(ratings), roles, alpha=_ALPHA, fastest=0, longest_run=len(ratings))


def _tested_roles(ratings: Ratings) -> NDArray[np.object_] | None:
    """The role of each row where the gate can be looked at; None where no copy was spoilt or scores have no order."""
    if not ratings.level.has_order or not ratings.scale.is_numeric:
        return None
    try:
        return roles_of(ratings)
    except AccordError:  # no copy was spoilt, or the roles are of another kind
        return None


def better_is_higher(ratings: Ratings) -> Ratings:
    """Penalties turned round, so that a spoilt copy is lower on every criterion. The good end must be known."""
    if not ratings.criterion.direction.is_known:
        raise OptionError(f"Whether a rater scores spoilt copies worse depends on it: {_NO_GOOD_END}")
    if ratings.criterion.direction is Direction.HIGH:
        return ratings
    turned = tuple(-number for number in ratings.scale.numbers)
    return replace(ratings, scale=replace(ratings.scale, values=turned, labels={}, low=None, high=None))


def _reason(gate: RaterGate) -> str:
    if not gate.deviates:
        return "gives one and the same score throughout"
    if isnan(gate.p):
        return f"cannot be tested on {gate.pairs} spoilt copies"
    return f"does not score spoilt copies worse ({gate.worse_words}, p = {steady(gate.p):.3f})"
