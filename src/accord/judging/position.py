"""Does a judge prefer what it is shown first? Pairs judged in both orders say so, without any label of a person."""

import numpy as np

from accord.arrays import Floats, Integers
from accord.judging.answers import TIES, by_place, swapped_rows
from accord.judging.errs import Effect, effect_of
from accord.judging.panel import Panel
from accord.words import spelled, steady

__all__ = ["position_effects"]

_FIRST, _SECOND = ("first", "1", "a", "left"), ("second", "2", "b", "right")
_LEAST = 10


def position_effects(panel: Panel, *, level: float = 0.95) -> list[Effect] | str:
    """The effect of standing first, of the same items in both orders; or a sentence that says what is missing."""
    if panel.ordered:
        return _of_scores(panel, level)
    return _of_choices(panel, level)


def _cells(panel: Panel, name: str) -> list[str] | None:
    """The cells of a column in the rows of the judge, in small letters."""
    factor = panel.part.ratings.columns.get(name)
    if factor is None:
        return None
    names = [*(one.strip().casefold() for one in factor.names), ""]
    return [names[code] for code in factor.codes[panel.own.rows].tolist()]


def _of_scores(panel: Panel, level: float) -> list[Effect] | str:
    """Scores of the same output, shown first and shown second."""
    cells = _cells(panel, "shown")
    if cells is None:
        return "Position: no column says where an output stood (shown: first or second), so swaps are not compared."
    side = np.array([1 if cell in _FIRST else -1 if cell in _SECOND else 0 for cell in cells])
    if not (side > 0).any() or not (side < 0).any():
        return "Position: the column shown does not say first and second (or 1 and 2)."
    every = panel.own
    first, second = (_means(every.item, every.value, side == one, panel) for one in (1, -1))
    both = np.flatnonzero(~np.isnan(first) & ~np.isnan(second))
    if len(both) < _LEAST:
        return f"Position: {len(both)} items were scored both first and second by the judge, and ten are needed."
    change = (first - second)[both]
    note = f"{steady(float((change == 0).mean())):.0%} scored the same when swapped"
    return [_effect("position, the same output first against second", change, both, panel, level, note)]


def _means(item: Integers, value: Floats, rows: np.ndarray, panel: Panel) -> Floats:
    """The judge's mean of each of its items over these rows, nan where there is none."""
    place = np.searchsorted(panel.items, item[rows])
    counts = np.bincount(place, minlength=len(panel.items))
    means: Floats = np.full(len(panel.items), np.nan)
    np.divide(np.bincount(place, value[rows], len(panel.items)), counts, out=means, where=counts > 0)
    return means


def _of_choices(panel: Panel, level: float) -> list[Effect] | str:
    """Choices between two outputs: how often the first one is chosen, and how often the choice survives a swap."""
    read = _first_chosen(panel)
    if isinstance(read, str):
        return read
    order, chosen = read
    item = panel.own.item
    ways = [_means(item, chosen, order == one, panel) for one in (0, 1)]
    both = np.flatnonzero(~np.isnan(ways[0]) & ~np.isnan(ways[1]))
    if len(both) < _LEAST:
        return f"Position: {len(both)} pairs were judged in both orders, and ten are needed."
    # 1 is the first, 0 the second, one half a tie: of a judge without a liking both orders sum to 1.
    liking = (ways[0] + ways[1])[both] / 2 - 0.5
    same = float((np.abs(ways[0] + ways[1] - 1)[both] < 1e-9).mean())
    note = f"{steady(same):.0%} of the choices survive the swap"
    return [_effect("position, the first is chosen (share above one half)", liking, both, panel, level, note)]


def _first_chosen(panel: Panel) -> tuple[Integers, Floats] | str:
    """The order of each verdict (0 or 1), and whether the first output was chosen; a tie is one half."""
    values = [spelled(value).strip().casefold() for value in panel.part.ratings.scale.values]
    said = [values[int(code)] for code in panel.own.value.tolist()]
    shown = _cells(panel, "shown_first")
    if shown is not None and any(cell in values for cell in shown):
        chosen = [1.0 if one == cell else 0.5 if one in TIES else 0.0 for one, cell in zip(said, shown, strict=True)]
        return _orders(panel.own.item, shown), np.array(chosen)
    if "swapped" not in panel.part.ratings.columns:
        return (
            "Position: no column says which output was shown first (shown_first, with the name that is also chosen, or "
            "swapped: yes and no), so swaps are not compared."
        )
    order = swapped_rows(panel.part, panel.own.rows)
    places = by_place(values)
    chosen = []
    for one, turned in zip(said, order.tolist(), strict=True):
        first = one in _FIRST if places else (one in _FIRST) != (turned == 1)
        chosen.append(0.5 if one in TIES else float(first))
    if not places and not set(values) <= {*_FIRST, *_SECOND, *TIES}:
        return "Position: with a column swapped the values must be A and B (outputs) or first and second (places)."
    return order, np.array(chosen)


def _orders(item: Integers, shown: list[str]) -> Integers:
    """Which of the two orders of its item a verdict was given in: 0 where the name lower in the alphabet came first."""
    lowest: dict[int, str] = {}
    for one, name in zip(item.tolist(), shown, strict=True):
        lowest[one] = min(lowest.get(one, name), name)
    return np.array([int(name != lowest[one]) for one, name in zip(item.tolist(), shown, strict=True)])


def _effect(name: str, values: Floats, places: Integers, panel: Panel, level: float, note: str) -> Effect:
    cluster = np.unique(panel.cluster[places], return_inverse=True)[1]
    return effect_of(name, values, cluster, level=level, units=panel.units, note=note)
