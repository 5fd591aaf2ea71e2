"""A coefficient gives the same estimate and interval alone as among all, and asks for no more work."""

import gc
import weakref

import numpy as np
import pytest

import accord
from accord import sizes
from accord.reliability import ways

LEVELS = {"ordinal": (60, 4, 5), "interval": (1_300, 3, 7), "nominal": (6_000, 4, 6)}


def ratings(level, missing=0.2):
    items, raters, values = LEVELS[level]
    rng = np.random.default_rng(items)
    truth = rng.integers(1, values + 1, (items, 1))
    table = np.where(rng.random((items, raters)) < 0.6, truth, rng.integers(1, values + 1, (items, raters)))
    table = table.astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    return accord.read(table, level=level)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "options", [{}, {"interval": "jackknife"}, {"replicates": 200}, {"resample": "rater"}], ids=str
)
def test_a_coefficient_is_the_same_alone_and_among_all(level, options):
    table = ratings(level)
    for among in accord.agreement(table, **options):
        alone = accord.agreement(table, coefficients=among.coefficient, **options)[among.coefficient]
        assert alone.value == pytest.approx(among.value, abs=1e-12, nan_ok=True)
        assert alone.signature == among.signature
        assert (alone.interval is None) == (among.interval is None)
        if among.interval:
            ends = alone.interval.low, alone.interval.high
            assert ends == pytest.approx((among.interval.low, among.interval.high), abs=1e-9), among.coefficient
            assert (alone.interval.method, alone.interval.replicates) == (
                among.interval.method, among.interval.replicates
            )  # fmt: skip


def test_one_coefficient_lays_out_no_more_than_all_of_them(monkeypatch):
    """Cells of features times replicates: what a bootstrap costs."""
    table, spent = ratings("ordinal"), []
    made = ways.over_items

    def watched(statistic, plan, replicates, **rest):
        spent.append(statistic.features.size * max(replicates, 1))
        return made(statistic, plan, replicates, **rest)

    monkeypatch.setattr(ways, "over_items", watched)
    every = accord.agreement(table)
    together, alone = sum(spent), {}
    for one in every:
        spent.clear()
        accord.agreement(table, coefficients=one.coefficient)
        alone[one.coefficient] = sum(spent)
    assert all(cost <= together for cost in alone.values())


def test_the_number_of_replicates_is_told_by_patterns_and_features_alone():
    assert sizes.affordable_replicates(64, 30) == 10_000
    assert sizes.affordable_replicates(2_001, 4) == 2_000
    assert sizes.affordable_replicates(7_000, 4) == 1_000
    assert sizes.affordable_replicates(100_000, 4) == 0
    assert sizes.affordable_replicates(1_500, 200) == 2_000
    assert sizes.affordable_replicates(1_500, 200, costs_tables=True) == 0


def test_ratings_are_let_go_as_soon_as_nobody_asks_for_them():
    """A circle would keep the rows of a large table until Python looks for circles."""
    table = np.random.default_rng(1).integers(1, 5, (40, 3))
    ratings = accord.read(table, level="interval")
    kept = weakref.ref(ratings)
    gc.disable()
    try:
        accord.agreement(ratings, interval="jackknife").to_dict()
        del ratings
        assert kept() is None
    finally:
        gc.enable()
