"""Counts made in memory are those a person would make with paper and pencil."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError
from accord.ratings.counting import count_source, counted_rows, patterns_of
from accord.ratings.counts import Patterns
from accord.ratings.pair_counting import pair_tables
from accord.ratings.table import Factor, Ratings
from real_ratings import from_matrix, ratings_of

VALUES = (1.0, 2.0, 3.0)


@st.composite
def tables(draw, missing=True):
    raters = draw(st.integers(2, 5))
    cell = st.sampled_from([*VALUES, None] if missing else VALUES)
    rows = draw(st.lists(st.lists(cell, min_size=raters, max_size=raters), min_size=1, max_size=12))
    if not any(value is not None for row in rows for value in row):
        rows[0][0] = 1.0
    return rows


def long_rows(table, shuffled=None):
    rows = [(i, r, v) for i, row in enumerate(table) for r, v in enumerate(row) if v is not None]
    if shuffled is not None:
        np.random.default_rng(shuffled).shuffle(rows)
    items, raters, values = zip(*rows, strict=True)
    return Ratings(
        item=Factor(np.array(items, dtype=np.int32), tuple(f"i{i}" for i in range(len(table)))),
        rater=Factor(np.array(raters, dtype=np.int32), tuple(f"r{r}" for r in range(len(table[0])))),
        value=np.array([VALUES.index(v) for v in values], dtype=np.int32),
        scale=Scale(Level.ORDINAL, VALUES, declared=True),
    )


def codes(row):
    return tuple(-1 if value is None else VALUES.index(value) for value in row)


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 5))
def test_counts_equal_a_walk_over_the_rows_in_any_order(table, seed):
    source = count_source(long_rows(table, shuffled=seed))
    found = source.patterns()
    walked = Counter(codes(row) for row in table)
    assert {tuple(map(int, row)): int(n) for row, n in zip(found.codes, found.multiplicity, strict=True)} == walked
    assert [tuple(row) for row in found.codes.tolist()] == sorted(walked)
    given_values = Counter(tuple(sum(v == value for v in row) for value in VALUES) for row in table)
    values = source.item_values()
    assert {tuple(map(int, r)): int(n) for r, n in zip(values.counts, values.multiplicity, strict=True)} == given_values
    per_rater = [[sum(row[r] == value for row in table) for value in VALUES] for r in range(len(table[0]))]
    assert source.marginals().counts.tolist() == per_rater


@settings(max_examples=60, deadline=None)
@given(tables())
def test_pair_tables_hold_only_items_that_both_rated(table):
    found = count_source(long_rows(table)).pairs()
    walked = {}
    for one, other in combinations(range(len(table[0])), 2):
        joint = Counter((row[one], row[other]) for row in table if None not in (row[one], row[other]))
        if joint:
            walked[one, other] = [[joint[first, second] for second in VALUES] for first in VALUES]
    assert {tuple(map(int, p)): t.tolist() for p, t in zip(found.pairs, found.tables, strict=True)} == walked


@settings(max_examples=40, deadline=None)
@given(tables())
def test_moments_are_number_sum_and_squares_of_each_item(table):
    found = count_source(long_rows(table)).moments()
    rows = [[value for value in row if value is not None] for row in table]
    walked = Counter((len(row), sum(row), sum(v * v for v in row)) for row in rows)
    columns = (found.ratings, found.total, found.squares)
    assert {tuple(map(float, m)): int(n) for *m, n in zip(*columns, found.multiplicity, strict=True)} == walked


@settings(max_examples=40, deadline=None)
@given(tables(missing=False))
def test_complete_ratings_count_the_same_by_items_by_raters_and_shuffled(table):
    by_items = long_rows(table)
    order = np.lexsort((by_items.item.codes, by_items.rater.codes))
    by_raters = Ratings(by_items.item[order], by_items.rater[order], by_items.value[order], by_items.scale)
    expected = count_source(by_items)
    assert expected.facts().complete
    for other in (by_raters, long_rows(table, shuffled=1)):
        source = count_source(other)
        assert np.array_equal(source.matrix, expected.matrix)
        assert np.array_equal(source.patterns().multiplicity, expected.patterns().multiplicity)


def test_many_raters_whose_codes_do_not_fit_one_integer_are_still_counted_exactly():
    rng = np.random.default_rng(1)
    matrix = rng.integers(-1, 9, size=(50, 40), dtype=np.int32)
    matrix = np.vstack((matrix, matrix[:20]))
    found = patterns_of(matrix, 9)
    walked = Counter(map(tuple, matrix.tolist()))
    assert {tuple(r): int(n) for r, n in zip(found.codes.tolist(), found.multiplicity, strict=True)} == walked
    assert found.codes.tolist() == sorted(map(list, walked))


def test_fine_scales_give_the_same_pair_tables_as_coarse_ones_by_the_other_way_of_counting():
    rng = np.random.default_rng(2)
    codes = rng.integers(-1, 4, size=(60, 4), dtype=np.int32)
    patterns = Patterns(codes, rng.integers(1, 4, size=60))
    coarse, fine = pair_tables(patterns, 4), pair_tables(patterns, 200)
    assert np.array_equal(coarse.tables, fine.tables[:, :4, :4])
    assert fine.tables.sum() == coarse.tables.sum()


def test_tables_that_would_fill_the_memory_are_refused_in_words():
    patterns = Patterns(np.zeros((2, 50), dtype=np.int32), np.ones(2, dtype=np.int64))
    with pytest.raises(NotEnoughDataError, match="Treat the values as an interval scale"):
        pair_tables(patterns, 5000)


def test_only_the_first_occasion_counts_between_raters():
    rows = [("a", "x", 1.0), ("a", "x", 3.0), ("a", "y", 1.0), ("b", "x", 2.0)]
    occasion = Factor.of(["2", "1", "1", "1"])
    ratings = ratings_of(rows, occasion=occasion)
    assert counted_rows(ratings).tolist() == [False, True, True, True]
    assert count_source(ratings).facts().ratings == 3


def test_practice_ratings_are_left_out_and_do_not_count_as_the_first_occasion():
    rows = [("a", "x", 1.0), ("a", "x", 3.0), ("a", "y", 1.0)]
    ratings = ratings_of(rows, occasion=Factor.of(["1", "2", "1"]), role=Factor.of(["practice", "main", "main"]))
    assert counted_rows(ratings).tolist() == [False, True, True]


def test_facts_tell_items_raters_ratings_and_what_can_be_compared():
    facts = count_source(from_matrix([[1, 2], [1, None], [None, None], [3, 3]])).facts()
    assert (facts.items, facts.raters, facts.ratings, facts.complete, facts.pairable) == (3, 2, 5, False, 2)


@settings(max_examples=30, deadline=None)
@given(tables())
def test_patterns_without_names_hold_the_values_of_each_item_in_order(table):
    found = count_source(long_rows(table)).unnamed_patterns()
    width = found.codes.shape[1]
    rows = [sorted(code for code in codes(row) if code >= 0) for row in table]
    walked = Counter(tuple(row + [-1] * (width - len(row))) for row in rows)
    assert {tuple(r): int(n) for r, n in zip(found.codes.tolist(), found.multiplicity, strict=True)} == walked
