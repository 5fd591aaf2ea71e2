"""Designs as index arithmetic hold what they promise, whatever their size."""

import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.design.assignment import blocks
from accord.errors import OptionError

sizes = st.tuples(st.integers(3, 14), st.integers(2, 60), st.integers(0, 10_000))


def _loads(members, raters):
    return np.bincount(members[:, 1], minlength=raters)


def _no_rater_twice(members):
    return len(np.unique(members, axis=0)) == len(members)


@settings(max_examples=60, deadline=None)
@given(sizes, st.data())
def test_incomplete_blocks_give_each_item_its_raters_and_equal_loads(size, data):
    raters, bundles, seed = size
    width = data.draw(st.integers(1, raters))
    members = blocks.incomplete_blocks(np.arange(bundles, dtype=np.int32), raters, width, np.random.default_rng(seed))
    assert (np.bincount(members[:, 0], minlength=bundles) == width).all()
    assert np.ptp(_loads(members, raters)) <= 1
    assert _no_rater_twice(members)


@settings(max_examples=60, deadline=None)
@given(sizes, st.data())
def test_pairs_meet_within_one_of_the_target_where_at_most_half_of_the_raters_judge_an_item(size, data):
    raters, bundles, seed = size
    width = data.draw(st.integers(1, max(1, raters // 2)))
    members = blocks.incomplete_blocks(np.arange(bundles, dtype=np.int32), raters, width, np.random.default_rng(seed))
    shared = blocks.overlap_of(members, bundles, raters)[np.triu_indices(raters, k=1)]
    low, high = blocks.overlap_range(bundles, raters, width)
    assert low <= shared.min() and shared.max() <= high


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(2, 30), st.integers(0, 8), st.integers(0, 10_000))
def test_no_rater_gets_a_source_twice_where_that_is_forbidden(systems, width, sources, spare, seed):
    raters = systems * width + spare
    source = np.repeat(np.arange(sources, dtype=np.int32), systems)
    members = blocks.incomplete_blocks(source, raters, width, np.random.default_rng(seed), source_once=True)
    pairs = np.stack([source[members[:, 0]], members[:, 1]], axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    assert np.ptp(_loads(members, raters)) <= 1
    assert (np.bincount(members[:, 0]) == width).all()


def test_too_few_raters_for_sources_seen_once_is_said_with_numbers():
    with pytest.raises(OptionError, match="needs 3 texts of one source x 2 raters = 6 raters, but there are 5"):
        blocks.incomplete_blocks(
            np.zeros(3, dtype=np.int32), 5, 2, np.random.default_rng(0), source_once=True
        )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 50), st.integers(0, 10_000))
def test_nested_teams_share_no_items_and_all_of_a_team_judge_its_items(teams, width, bundles, seed):
    members = blocks.nested(bundles, teams * width, width, np.random.default_rng(seed))
    team = members[:, 1] // width
    assert all(len(set(team[members[:, 0] == bundle])) == 1 for bundle in range(bundles))
    assert (np.bincount(members[:, 0], minlength=bundles) == width).all()
    assert np.ptp(_loads(members, teams * width)) <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 10), st.integers(1, 60), st.data())
def test_minimum_overlap_gives_every_pair_exactly_the_shared_items(raters, bundles, data):
    shared = data.draw(st.integers(0, bundles))
    members = blocks.minimum_overlap(bundles, raters, shared, np.random.default_rng(1))
    overlap = blocks.overlap_of(members, bundles, raters)
    assert (overlap[np.triu_indices(raters, k=1)] == shared).all()
    assert sorted(np.bincount(members[:, 0], minlength=bundles)) == [1] * (bundles - shared) + [raters] * shared
    assert np.ptp(_loads(members, raters)) <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 10_000))
def test_halves_are_equal_for_each_rater_and_for_each_item(raters, bundles, seed):
    first = blocks.complementary_halves(bundles, raters, np.random.default_rng(seed))
    assert np.abs(2 * first.sum(axis=1) - bundles).max() <= 1
    assert np.ptp(first.sum(axis=0)) <= 1


@pytest.mark.parametrize("conditions", [1, 2, 3, 4, 5, 6])
def test_williams_orders_balance_place_and_predecessor(conditions):
    square = blocks.williams(conditions)
    for place in range(conditions):
        assert np.ptp(np.bincount(square[:, place], minlength=conditions)) == 0
    if conditions > 1:
        followed = np.zeros((conditions, conditions), dtype=int)
        for row in square:
            for before, after in pairwise(row):
                followed[before, after] += 1
        assert np.ptp(followed[~np.eye(conditions, dtype=bool)]) == 0


def test_ten_thousand_items_for_five_hundred_raters_are_shared_out_in_seconds():
    start = time.perf_counter()
    members = blocks.incomplete_blocks(np.arange(10_000, dtype=np.int32), 500, 3, np.random.default_rng(0))
    assert time.perf_counter() - start < 10
    assert np.ptp(_loads(members, 500)) == 0
