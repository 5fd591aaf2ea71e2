"""Whom the gate of direct assessment leaves out, wherever systems or conditions are compared by scores."""

from collections.abc import Mapping
from dataclasses import replace
from math import isnan

import numpy as np
from numpy.typing import NDArray

from accord.design.scale import Direction
from accord.errors import AccordError
from accord.ratings.codebook import LeftOut
from accord.ratings.leaving_out import UNGATED, left_out_in_words
from accord.ratings.table import Ratings
from accord.scoring.rater_gate import RaterGate, gate_raters, roles_of

__all__ = ["GATE", "better_is_higher", "gated"]

GATE = "degraded_not_lower"
"""The rule of study.toml that is the gate: a rater must score spoilt copies below their originals."""
_ALPHA = 0.05


def gated(ratings: Ratings, *, keep_all: bool = False) -> Ratings:
    """Without the ratings of raters who fail the gate, criterion by criterion; the same where nothing was spoilt.

    Whom it leaves out stands in the codebook and in the notes, with the reason.
    """
    if keep_all:
        return ratings
    out, left_out, notes = np.zeros(len(ratings), dtype=bool), list[LeftOut](), list[str]()
    for group in ratings.split():
        gates = _gates(group.ratings)
        failed = {gate.rater: gate for gate in gates if not gate.kept}
        of_criterion = f" ({group.by['criterion']})" if group.by else ""
        if failed and len(failed) == len(gates):
            notes.append(f"{UNGATED}{of_criterion}: none scores spoilt copies lower, so all are kept")
            continue
        left_out += [LeftOut(rater=name, rule=GATE, reason=_reason(one) + of_criterion) for name, one in failed.items()]
        out |= _rows(ratings, group.by, set(failed))
    notes = [*left_out_in_words(left_out), *notes]
    codebook = replace(ratings.codebook, left_out=(*ratings.codebook.left_out, *left_out))
    kept = ratings.where(~out) if out.any() else ratings
    return replace(kept, codebook=codebook, notes=(*ratings.notes, *notes))


def _gates(ratings: Ratings) -> tuple[RaterGate, ...]:
    if not ratings.level.has_order or not ratings.scale.is_numeric:
        return ()
    try:
        roles = roles_of(ratings)
    except AccordError:  # no copy was spoilt, or the roles are of another kind: there is no gate
        return ()
    return gate_raters(better_is_higher(ratings), roles, alpha=_ALPHA, fastest=0, longest_run=len(ratings))


def _rows(ratings: Ratings, by: Mapping[str, str], raters: set[str]) -> NDArray[np.bool_]:
    """Rows of these raters in the group that these names single out."""
    rows = np.isin(ratings.rater.codes, [code for code, name in enumerate(ratings.rater.names) if name in raters])
    for column, name in by.items():
        factor = ratings.columns[column]
        rows &= factor.codes == ((*factor.names, "").index(name) if name else -1)
    return rows


def better_is_higher(ratings: Ratings) -> Ratings:
    """Penalties turned round, so that a spoilt copy is lower on every criterion."""
    if ratings.scale.direction is not Direction.LOW:
        return ratings
    turned = tuple(-number for number in ratings.scale.numbers)
    return replace(ratings, scale=replace(ratings.scale, values=turned, labels={}, low=None, high=None))


def _reason(gate: RaterGate) -> str:
    if not gate.deviates:
        return "gives one and the same score throughout"
    if isnan(gate.p):
        return f"cannot be tested on {gate.pairs} spoilt copies"
    return f"does not score spoilt copies lower ({gate.pairs} pairs, {gate.difference:+.2f}, p = {gate.p:.3f})"
