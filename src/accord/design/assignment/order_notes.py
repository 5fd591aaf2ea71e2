"""What a plan says of the orders in which raters meet the scenarios."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from accord.design.assignment import blocks
from accord.design.assignment.bundles import Bundle, main_scenarios
from accord.design.assignment.plan import Column
from accord.design.load import Study
from accord.words import counted

__all__ = ["order_notes", "orders_of_scenarios"]


class _Session(Protocol):
    @property
    def bundles(self) -> Column: ...


def order_notes(
    study: Study, sessions: Sequence[Sequence[_Session]], by_scenario: Sequence[list[Bundle]]
) -> tuple[str, ...]:
    """Where orders of scenarios cannot be equally often, how often each is, and what number of raters would do."""
    if len(by_scenario) < 2:
        return ()
    keys = [scenario.key for scenario in main_scenarios(study)]
    ends = np.cumsum([len(made) for made in by_scenario])
    seen = Counter(
        tuple(dict.fromkeys(keys[int(np.searchsorted(ends, first, side="right"))] for first in _firsts(own)))
        for own in sessions
    )
    orders = orders_of_scenarios(len(by_scenario))
    if len(sessions) % orders == 0 or len(seen) < 2:
        return ()
    told = [f"{', '.join(order)} ({counted(number, 'rater')})" for order, number in sorted(seen.items())]
    return (
        f"Scenarios come in the order {'; or '.join(told)}. Each order equally often needs a multiple of "
        f"{orders} raters, and there are {len(sessions)}.",
    )


def orders_of_scenarios(scenarios: int) -> int:
    """How many orders there are: each comes equally often where the number of raters is a multiple of it."""
    return len(blocks.williams(scenarios))


def _firsts(sessions: Sequence[_Session]) -> list[int]:
    return [int(session.bundles[0]) for session in sessions if len(session.bundles)]
