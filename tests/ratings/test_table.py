"""Factors and ratings as tables: what is known without looking at every row."""

import pickle

import numpy as np
import pytest

from accord.design.scale import Level, Scale
from accord.ratings.build import build_ratings
from accord.ratings.table import Factor, Ratings, RegularFactor


@pytest.mark.parametrize(("each", "times"), [(1, 1), (3, 1), (1, 4), (2, 3)])
def test_a_regular_factor_is_the_factor_it_stands_for(each, times):
    regular = RegularFactor(("a", "b", "c"), each=each, times=times)
    plain = Factor(np.tile(np.repeat(np.arange(3, dtype=np.int32), each), times), ("a", "b", "c"))
    assert len(regular) == len(plain)
    assert not regular.has_empty
    np.testing.assert_array_equal(regular.codes, plain.codes)
    np.testing.assert_array_equal(regular.labels(), plain.labels())
    rows = np.arange(len(plain)) % 2 == 0
    np.testing.assert_array_equal(regular[rows].compact().codes, plain[rows].compact().codes)
    again = pickle.loads(pickle.dumps(regular))
    np.testing.assert_array_equal(again.codes, plain.codes)


def test_an_empty_cell_is_seen():
    assert Factor(np.array([0, -1], dtype=np.int32), ("a",)).has_empty


@pytest.mark.parametrize("regular", [True, False])
@pytest.mark.parametrize("by_rater", [True, False])
def test_a_whole_table_is_laid_out_whichever_way_its_rows_come(regular, by_rater):
    values = np.array([[0, 1, 0], [1, 1, 0]], dtype=np.int32)  # two items, three raters
    item = RegularFactor(("i", "j"), times=3) if by_rater else RegularFactor(("i", "j"), each=3)
    rater = RegularFactor(("a", "b", "c"), each=2) if by_rater else RegularFactor(("a", "b", "c"), times=2)
    if not regular:
        item, rater = Factor(item.codes, item.names), Factor(rater.codes, rater.names)
    rows = values.T.ravel() if by_rater else values.ravel()
    ratings = Ratings(item, rater, rows, Scale(Level.NOMINAL, (1.0, 2.0)))
    np.testing.assert_array_equal(ratings.layout, values)
    assert not ratings.repeats_cells


def test_rows_that_only_look_regular_are_no_table():
    names = ("a", "b")
    ratings = Ratings(
        RegularFactor(names, times=2), RegularFactor(names, times=2), np.zeros(4, dtype=np.int32),
        Scale(Level.NOMINAL, (1.0,)),
    )  # fmt: skip
    assert ratings.layout is None
    assert ratings.repeats_cells


def test_the_ratings_of_one_criterion_have_its_own_scale():
    rows = [(item, rater, criterion) for item in "abc" for rater in "xy" for criterion in ("fluency", "acceptable")]
    values = [
        ("yes" if item == "a" else "no") if key == "acceptable" else str("abc".index(item) + 2) for item, _, key in rows
    ]
    columns = dict(zip(("item", "rater", "criterion"), map(list, zip(*rows, strict=True)), strict=True))
    ratings = build_ratings(columns | {"value": values})
    for group in ratings.split():
        part = ratings.only(criterion=group.by["criterion"])
        assert (part.scale, part.codebook) == (group.ratings.scale, group.ratings.codebook)
    assert ratings.only(criterion="fluency").level == "ordinal"
