"""Whom the gate of direct assessment leaves out, wherever systems or conditions are compared by scores."""

from collections.abc import Mapping
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

__all__ = ["GATE", "better_is_higher", "gated"]

GATE = "degraded_not_lower"
"""The rule of study.toml that is the gate: a rater must score spoilt copies below their originals."""
_ALPHA = 0.05
_NO_GOOD_END = f"nobody said which end is good, so no copy can be called worse. {SAY_DIRECTION}"


def gated(ratings: Ratings, *, keep_all: bool = False) -> Ratings:
    """Without the ratings of raters who fail the gate, criterion by criterion; the same where nothing was spoilt.

    Whom it leaves out stands in the codebook and in the notes, with the reason; with ``keep_all`` it leaves nobody
    out, and the notes say who would have been. So it is with the ratings of a study: there its organiser decides who
    counts, by declared rules or by hand, for every number alike.
    """
    keep_all = keep_all or bool(ratings.codebook.study.title)
    out, left_out, notes = np.zeros(len(ratings), dtype=bool), list[LeftOut](), list[str]()
    for group in ratings.split():
        gates = _gates(group.ratings)
        failed = {gate.rater: gate for gate in gates if not gate.kept}
        of_criterion = f" ({group.by['criterion']})" if group.by else ""
        if not group.ratings.criterion.direction.is_known and _tested_roles(group.ratings) is not None:
            notes.append(f"{NO_GATE}{of_criterion}: {_NO_GOOD_END}")
            continue
        if failed and len(failed) == len(gates):
            notes.append(f"{UNGATED}{of_criterion}: none scores spoilt copies worse, so all are kept")
            continue
        if keep_all:
            notes += [f"{KEPT_AT_GATE} rater {name} {_reason(one)}{of_criterion}" for name, one in failed.items()]
            continue
        left_out += [LeftOut(rater=name, rule=GATE, reason=_reason(one) + of_criterion) for name, one in failed.items()]
        out |= _rows(ratings, group.by, set(failed))
    notes = [*left_out_in_words(left_out), *notes]
    codebook = replace(ratings.codebook, left_out=(*ratings.codebook.left_out, *left_out))
    kept = ratings.where(~out) if out.any() else ratings
    return replace(kept, codebook=codebook, notes=(*ratings.notes, *notes))


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


def _rows(ratings: Ratings, by: Mapping[str, str], raters: set[str]) -> NDArray[np.bool_]:
    """Rows of these raters in the group that these names single out."""
    rows = np.isin(ratings.rater.codes, [code for code, name in enumerate(ratings.rater.names) if name in raters])
    for column, name in by.items():
        factor = ratings.columns[column]
        rows &= factor.codes == ((*factor.names, "").index(name) if name else -1)
    return rows


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
    return f"does not score spoilt copies worse ({gate.worse_words}, p = {gate.p:.3f})"
