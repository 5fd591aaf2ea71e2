"""Designs as index arithmetic hold what they promise, whatever their size."""

from itertools import pairwise
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from accord.design.assignment import blocks
from accord.design.assignment.even_overlap import Overlap
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


# No plan with equal loads exists for these (bundles, raters, raters of a bundle). Who is absent more often must
# be absent together, or who is absent less often must not, and there are not bundles enough for either.
IMPOSSIBLE = {(5, 13, 9), (6, 13, 10), (9, 14, 10), (9, 14, 12)}


@settings(max_examples=150, deadline=None)
@given(sizes, st.data())
@example((13, 11, 0), None)
@example((14, 5, 0), None)
def test_every_pair_meets_within_one_of_the_target(size, data):
    raters, bundles, seed = size
    width = data.draw(st.integers(1, raters)) if data is not None else 10
    assume((bundles, raters, width) not in IMPOSSIBLE)
    members = blocks.incomplete_blocks(np.arange(bundles, dtype=np.int32), raters, width, np.random.default_rng(seed))
    shared = blocks.overlap_of(members, bundles, raters)[np.triu_indices(raters, k=1)]
    mean = bundles * width * (width - 1) / (raters * (raters - 1))
    assert any(np.abs(shared - target).max() <= 1 for target in (floor(mean), ceil(mean)))


@settings(max_examples=15, deadline=None)
@given(st.integers(12, 40), st.integers(10, 200), st.integers(0, 10_000), st.data())
def test_every_pair_of_many_raters_meets_within_one_where_a_sixth_of_them_judge_an_item(raters, bundles, seed, data):
    """Drawn 17,590 times with a sixth of the raters: always so."""
    width = data.draw(st.integers(2, max(2, raters // 6)))
    members = blocks.incomplete_blocks(np.arange(bundles, dtype=np.int32), raters, width, np.random.default_rng(seed))
    assert Overlap.of(blocks.overlap_of(members, bundles, raters), width, bundles).off == 0


# Few items for many raters, a quarter to a third of whom judge each: six times the patience finds no better plan.
HARD = [(33, 40, 13, 2321), (16, 40, 12, 9605), (29, 38, 11, 1936), (22, 39, 13, 3944), (25, 40, 10, 7680)]


@pytest.mark.parametrize("bundles, raters, width, seed", HARD)
def test_where_no_even_plan_is_found_few_pairs_miss_it_and_the_plan_says_so(bundles, raters, width, seed):
    members = blocks.incomplete_blocks(np.arange(bundles, dtype=np.int32), raters, width, np.random.default_rng(seed))
    assert np.ptp(_loads(members, raters)) <= 1
    overlap = Overlap.of(blocks.overlap_of(members, bundles, raters), width, bundles)
    assert overlap.off <= 0.05 * overlap.pairs and overlap.highest - overlap.lowest <= 4
    assert bool(overlap.caution) == bool(overlap.off)


@pytest.mark.parametrize("bundles, raters, width", sorted(IMPOSSIBLE))
def test_an_overlap_that_cannot_be_even_is_said(bundles, raters, width):
    members = blocks.incomplete_blocks(np.arange(bundles, dtype=np.int32), raters, width, np.random.default_rng(0))
    assert np.ptp(_loads(members, raters)) <= 1
    overlap = Overlap.of(blocks.overlap_of(members, bundles, raters), width, bundles)
    assert 1 <= overlap.off <= 3
    assert f"{overlap.off} of {raters * (raters - 1) // 2} pairs of raters share more or less" in overlap.caution


def test_pairs_meet_evenly_although_no_rater_may_see_a_source_twice():
    source = np.repeat(np.arange(40, dtype=np.int32), 3)
    members = blocks.incomplete_blocks(source, 12, 3, np.random.default_rng(3), source_once=True)
    pairs = np.stack([source[members[:, 0]], members[:, 1]], axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    assert Overlap.of(blocks.overlap_of(members, 120, 12), 3, 120).off == 0


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


def test_ten_thousand_items_for_five_hundred_raters_are_shared_out_evenly():
    members = blocks.incomplete_blocks(np.arange(10_000, dtype=np.int32), 500, 3, np.random.default_rng(0))
    assert np.ptp(_loads(members, 500)) == 0
