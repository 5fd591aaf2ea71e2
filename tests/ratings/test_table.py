"""Factors and ratings as tables: what is known without looking at every row."""

import pickle

import numpy as np
import pytest

from accord.design.scale import Level, Scale
from accord.ratings.build import build_ratings
from accord.ratings.counting import count_source
from accord.ratings.factor import PickedFactor, picked_of
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


_GAPS = np.array([[1.0, np.nan, 2.0, np.nan], [np.nan] * 4, [2.0, 2.0, np.nan, np.nan], [np.nan, 1.0, 3.0, np.nan]])
"""Four items in lines, the second rated by nobody, and four raters, the last of whom rated nothing."""


def _wide_and_long() -> tuple[Ratings, Ratings]:
    """The same ratings with gaps, once as a wide table and once as rows of a file, rater by rater."""
    items, raters = _GAPS.shape
    lines = np.arange(2, 2 + items)
    columns = {
        "item": RegularFactor(tuple("ijkl"), times=raters),
        "rater": RegularFactor(tuple("abcd"), each=items),
        "value": _GAPS.T.ravel(),
    }
    wide = build_ratings(columns, level="ordinal", row_numbers=lines)
    rows = {name: columns[name].labels().tolist() for name in ("item", "rater")}
    numbers = np.tile(lines, raters)
    return wide, build_ratings({**rows, "value": _GAPS.T.ravel()}, level="ordinal", row_numbers=numbers)


def test_a_wide_table_without_its_gaps_is_the_table_of_its_rows():
    wide, long = _wide_and_long()
    assert isinstance(wide.item, PickedFactor)
    assert not isinstance(long.item, PickedFactor)
    assert (wide.item.names, wide.rater.names) == (("i", "k", "l"), ("a", "b", "c"))
    for one, other in (
        (wide, long),
        (pickle.loads(pickle.dumps(wide)), long),
        (wide.where(wide.value > 0), long.where(long.value > 0)),
    ):
        np.testing.assert_array_equal(one.item.labels(), other.item.labels())
        np.testing.assert_array_equal(one.rater.labels(), other.rater.labels())
        np.testing.assert_array_equal(one.value, other.value)
        np.testing.assert_array_equal(count_source(one).matrix, count_source(other).matrix)
        assert one.fingerprint == other.fingerprint
        assert one.places.words(range(len(one))) == other.places.words(range(len(other)))
    np.testing.assert_array_equal(count_source(wide).matrix, [[0, -1, 1], [1, 1, -1], [-1, 0, 2]])
    assert wide.missing == long.missing == int(np.isnan(_GAPS).sum())
    assert not wide.repeats_cells
    assert wide.places.words(range(len(wide))) == ("2", "4", "5")


@pytest.mark.parametrize("seed", range(20))
def test_known_cells_of_a_wide_table_keep_their_names_whoever_has_none(seed):
    rng = np.random.default_rng(seed)
    known = rng.random((5, 12)) < rng.uniform(0.1, 0.5)
    known[rng.integers(5)] = known[:, rng.integers(12)] = False
    known[1, 2] = True
    item = RegularFactor(tuple("abcdefghijkl"), times=5)
    rater = RegularFactor(tuple("vwxyz"), each=12)
    rows = np.flatnonzero(known)
    for one, picked in zip((item, rater), picked_of(item, rater, known.ravel(), rows), strict=True):
        assert picked.labels().tolist() == one.labels()[rows].tolist()
        assert set(picked.names) == set(picked.labels())


def test_the_cells_of_a_wide_table_are_forgotten_with_its_rows():
    wide, _ = _wide_and_long()
    assert wide.cells is not None
    assert wide.where(wide.value >= 0).cells is None


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
