"""The fingerprint tells ratings apart, whatever the order of rows and however names are held."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.ratings import fingerprint
from accord.ratings.fingerprint import hashed_names, hashed_numbers
from accord.ratings.names import NumberNames
from accord.ratings.read import read

numbers = st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=20)


@settings(max_examples=50, deadline=None)
@given(numbers=numbers)
def test_a_number_hashes_like_its_spelling(numbers):
    held = NumberNames(np.array(numbers, dtype=np.int64))
    np.testing.assert_array_equal(hashed_names(held), hashed_names([str(number) for number in numbers]))


def test_names_that_are_no_plain_numbers_keep_their_own_hash():
    spelled = ["7", "07", "+7", "-7", "--7", "7-", "7.0", " 7", "-0", "0", "00", "", "-", "７", "7" * 19, "7" * 18]
    assert len(np.unique(hashed_names(spelled))) == len(spelled)


@settings(max_examples=50, deadline=None)
@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_a_value_hashes_like_its_name_if_whole_and_never_like_another(numbers):
    array = np.array(numbers)
    assert len(np.unique(hashed_numbers(array))) == len(np.unique(array))
    whole = array[(array == np.rint(array)) & (np.abs(array) < 2**53)]
    np.testing.assert_array_equal(hashed_numbers(whole), hashed_names([str(int(number)) for number in whole]))


def test_a_file_of_continuous_scores_has_the_fingerprint_of_its_frame(tmp_path):
    import polars as pl

    scores = np.random.default_rng(3).normal(50, 15, (40, 2))
    frame = pl.DataFrame({"rater 1": scores[:, 0], "rater 2": scores[:, 1]})
    frame.write_csv(tmp_path / "scores.csv")
    assert read(tmp_path / "scores.csv", wide=True).fingerprint == read(frame, wide=True).fingerprint


def test_a_name_hashes_the_same_among_longer_names_and_in_any_block(monkeypatch):
    names = ["a", "bb", "ein längerer Name 🙂", "x" * 500]
    alone = [hashed_names([name])[0] for name in names]
    np.testing.assert_array_equal(hashed_names(names), alone)
    monkeypatch.setattr(fingerprint, "_BLOCK", 2)
    np.testing.assert_array_equal(hashed_names(names), alone)


def test_many_names_hash_to_as_many_hashes():
    assert len(np.unique(hashed_names(NumberNames(np.arange(300_000))))) == 300_000


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000))
def test_order_does_not_matter_and_every_change_does(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 6, (6, 3))
    rows = {"item": np.repeat(np.arange(6), 3), "rater": np.tile(np.arange(3), 6), "value": values.ravel()}
    order = rng.permutation(18)
    import polars as pl

    whole = read(pl.DataFrame(rows)).fingerprint
    assert read(pl.DataFrame({name: column[order] for name, column in rows.items()})).fingerprint == whole
    place = rng.integers(0, 18)
    changed = {**rows, "value": np.where(np.arange(18) == place, rows["value"] % 5 + 1, rows["value"])}
    assert read(pl.DataFrame(changed)).fingerprint != whole


@settings(max_examples=20, deadline=None)
@given(items=st.integers(2, 60), raters=st.integers(2, 5), block=st.integers(1, 70), seed=st.integers(0, 1000))
def test_a_whole_table_has_the_fingerprint_of_its_rows_in_any_order(items, raters, block, seed):
    ratings = read(np.random.default_rng(seed).integers(1, 6, (items, raters)), level="ordinal")
    shuffled = ratings.where(np.random.default_rng(seed).permutation(len(ratings)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fingerprint, "_CACHED", block)
        assert ratings.fingerprint == shuffled.fingerprint
    assert ratings.layout is not None


def test_two_ratings_that_change_places_change_the_fingerprint():
    table = np.random.default_rng(5).integers(1, 6, (300, 3))
    seen = {read(table, level="ordinal").fingerprint}
    for item in range(1, 300):
        changed = table.copy()
        changed[[0, item], 1] = changed[[item, 0], 1]
        if (changed != table).any():
            seen.add(read(changed, level="ordinal").fingerprint)
    swapped = table[:, [1, 0, 2]]
    seen.add(read(swapped, level="ordinal").fingerprint)
    assert len(seen) == 2 + np.count_nonzero(table[1:, 1] != table[0, 1])


def test_names_that_are_a_range_are_those_of_its_numbers():
    held, spelled = NumberNames(range(1, 40_001)), NumberNames(np.arange(1, 40_001))
    assert held == spelled and hash(held) == hash(spelled) and tuple(held[7:9]) == ("8", "9") and held[-1] == "40000"
    assert (hashed_names(held) == hashed_names(spelled)).all()
    assert (held[100:].numbers == np.arange(101, 40_001)).all()
    assert pickle.loads(pickle.dumps(held)) == spelled


def test_a_table_of_raters_keeps_no_number_for_each_item():
    ratings = read(np.random.default_rng(0).integers(1, 6, (50_000, 2)), level="ordinal")
    assert max(len(pickle.dumps(part)) for part in (ratings.item.names, ratings.places)) < 1_000
    assert ratings.places is not None and ratings.places.word(49_999) == "50000"
