"""The fingerprint tells ratings apart, whatever the order of rows and however names are held."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.ratings import fingerprint
from accord.ratings.fingerprint import hashed_names
from accord.ratings.names import NumberNames
from accord.ratings.read import read

numbers = st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=20)


@settings(max_examples=50, deadline=None)
@given(numbers=numbers)
def test_a_number_hashes_like_its_spelling(numbers):
    held = NumberNames(np.array(numbers, dtype=np.int64))
    np.testing.assert_array_equal(hashed_names(held), hashed_names([str(number) for number in numbers]))


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
