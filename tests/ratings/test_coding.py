"""Codes of columns: whatever way they are found, they lead back to the numbers."""

import numpy as np
import pytest

import accord
from accord.errors import RatingsError
from accord.ratings.coding import code_column, code_stacked
from accord.ratings.counting import patterns_of
from accord.ratings.grid import has_repeats, is_grid, is_run
from accord.ratings.table import Factor

RNG = np.random.default_rng(5)


@pytest.mark.parametrize(
    "numbers",
    [
        np.round(RNG.normal(50, 15, 3000), 3),
        np.round(RNG.normal(0, 1, 3000), 1),
        np.append(np.round(RNG.normal(50, 15, 2000), 2), np.pi),  # the first thousand look as if they had two decimals
        np.array([0.1, 0.2, 0.1 + 0.2, 0.3]),
        np.array([1e300, -1e308, 5e-324, 0.0]),
        np.array([1e15, 1e15 + 0.25]),
        np.array([0.1, 0.2, 0.1], dtype=np.float32),
        np.array([-3, 7, 7, 200], dtype=np.int16),
        np.array([2**63 + 5, 2**63 + 1, 2**63 + 5], dtype=np.uint64),
    ],
    ids=["three decimals", "one decimal", "late decimals", "near", "huge", "large", "single", "short", "unsigned"],
)
def test_codes_lead_back_to_the_numbers_and_the_distinct_ones_are_in_order(numbers):
    coded = code_column(numbers)
    assert np.array_equal(np.asarray(coded.distinct)[coded.codes], numbers)
    assert np.array_equal(coded.distinct, np.unique(numbers))


def test_empty_and_infinite_cells_are_told_apart():
    coded = code_column(np.array([1.5, np.nan, np.inf, 1.5]))
    assert coded.codes.tolist() == [0, -1, 1, 0]


def test_columns_under_each_other_share_their_codes():
    coded = code_stacked([np.array([3, 1]), np.array([9, 3], dtype=np.int8)])
    assert coded.codes.tolist() == [1, 0, 2, 1]
    assert coded.distinct.tolist() == [1, 3, 9]


FIRST = np.array([2.0, np.nan, 4.0])
MANY = np.round(RNG.normal(3, 2, 40_000), 1)
"""More than are looked at in one part."""


@pytest.mark.parametrize(
    ("others", "kind"),
    [
        ([np.array([7.0, np.nan])], "i"),
        ([np.full(3, np.nan), np.zeros(0)], "i"),
        ([np.array([0.25, np.nan], dtype=np.float32)], "f"),
        ([np.append(MANY, np.nan)], "f"),
        ([np.append(MANY, [np.nan, np.pi])], "f"),
        ([np.array([1e12, np.nan])], "i"),
        ([np.array([np.inf, np.nan, -np.inf])], "f"),
        ([np.array([-0.0, 0.0, np.nan])], "i"),
    ],
    ids=["whole", "empty", "single", "one decimal", "late decimals", "far apart", "infinite", "zeros"],
)
def test_columns_of_numbers_with_gaps_are_coded_as_one_column_would_be(others, kind):
    columns = [FIRST, *others, FIRST]
    under = np.concatenate(columns).astype(np.float64)
    coded, known = code_stacked(columns), under == under
    assert coded.codes.dtype == np.int32
    assert coded.distinct.dtype.kind == kind
    assert np.array_equal(coded.distinct, np.unique(under[known]))
    assert np.array_equal(coded.distinct[coded.codes[known]], under[known])
    assert (coded.codes[~known] == -1).all()


def test_numbers_that_are_not_there_have_no_codes():
    for columns in ([np.zeros(0)], [np.full(3, np.nan), np.full(2, np.nan)]):
        coded = code_stacked(columns)
        assert coded.codes.tolist() == [-1] * sum(map(len, columns))
        assert len(coded.distinct) == 0


@pytest.mark.parametrize("items", [65_536, 65_537, 300_001])
def test_patterns_of_many_items_are_those_of_sorted_rows(items):
    matrix = RNG.integers(-1, 5, (items, 3)).astype(np.int32)
    rows, times = np.unique(matrix, axis=0, return_counts=True)
    found = patterns_of(matrix, 5)
    assert np.array_equal(found.codes, rows)
    assert np.array_equal(found.multiplicity, times)


def test_a_grid_is_known_by_every_row():
    item, rater = np.repeat(np.arange(30_000, dtype=np.int32), 2), np.tile(np.arange(2, dtype=np.int32), 30_000)
    assert is_grid(item, rater, 30_000, 2)
    assert not has_repeats(item, rater, 30_000, 2)
    rater[40_000:40_002] = [1, 0]
    assert not is_grid(item, rater, 30_000, 2)
    assert not has_repeats(item, rater, 30_000, 2)
    rater[40_000] = 0
    assert has_repeats(item, rater, 30_000, 2)


def test_a_run_goes_up_by_one_to_the_end():
    codes = np.arange(7, 50_007, dtype=np.int32)
    assert is_run(codes, 7)
    assert not is_run(codes, 6)
    codes[-1] = 0
    assert not is_run(codes, 7)


def test_names_without_rows_leave_though_the_first_rows_are_in_order():
    assert Factor(np.array([0, 1, 0, 1], dtype=np.int32), ("a", "b")).compact().names == ("a", "b")
    assert Factor(np.array([0, 1, 0], dtype=np.int32), ("a", "b", "c")).compact().names == ("a", "b")
    assert Factor(np.array([0, 1], dtype=np.int32), ("a", "b", "c", "d")).compact().names == ("a", "b")


def test_several_files_of_whole_numbers_are_one_wide_table(tmp_path):
    pandas = pytest.importorskip("pandas")
    for place in range(2):
        names = [f"text {place}-{row}" for row in range(3)]
        frame = pandas.DataFrame({"item": names, "anna": [1, 2, 3], "ben": [1, 2, 2]})
        frame.to_parquet(tmp_path / f"{place}.parquet")
    ratings = accord.read(tmp_path / "*.parquet")
    assert (ratings.items, ratings.raters, len(ratings)) == (6, 2, 12)
    assert ratings.scores.tolist() == [1, 2, 3, 1, 2, 3, 1, 2, 2, 1, 2, 2]


def test_a_wide_table_names_the_line_of_a_bad_cell_for_every_rater():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"rater 1": [1, 2, 3], "rater 2": [1, 9, None], "rater 3": [2, 2, 8]})
    with pytest.raises(RatingsError) as caught:
        accord.read(frame, scale="1,2,3", wide=True)
    assert [problem.row for problem in caught.value.problems] == [2, 3]
    assert [problem.message.split(": ")[0] for problem in caught.value.problems] == [
        "rater 'rater 2'",
        "rater 'rater 3'",
    ]
