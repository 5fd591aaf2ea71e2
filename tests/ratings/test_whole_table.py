"""The short road of a whole table of numbers gives what the long one gives."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

import accord
from accord.ratings import read as reading
from accord.ratings.frames import read_frame
from accord.ratings.table import Ratings
from accord.ratings.whole_table import ratings_of_whole_table

RNG = np.random.default_rng(5)


def numbers(*shape: int, low: int = 1, high: int = 6) -> np.ndarray:
    return RNG.integers(low, high, shape)


def by_the_long_road(frame: object, monkeypatch: pytest.MonkeyPatch) -> Ratings:
    with monkeypatch.context() as patched:
        patched.setattr(reading, "ratings_of_whole_table", lambda table: None)
        return accord.read(frame)


def assert_same(short: Ratings, long: Ratings) -> None:
    for one in fields(Ratings):
        here, there = getattr(short, one.name), getattr(long, one.name)
        if one.name in ("item", "rater"):
            assert tuple(here.names) == tuple(there.names)
            assert type(here) is type(there)
            here, there = here.codes, there.codes
        if one.name == "places":
            here, there = (list(here.lines), here.files), (list(there.lines), there.files)
        assert np.array_equal(here, there) if isinstance(here, np.ndarray) else here == there, one.name
    assert short.fingerprint == long.fingerprint


SHORT = {
    "people": pd.DataFrame(numbers(40, 3), columns=["ann", "Ben", "c"]),
    "judges": pd.DataFrame(numbers(40, 3), columns=["judge 1", "judge 2", "judge 3"]),
    "array": numbers(30, 4),
    "fine": pd.DataFrame(numbers(60, 2, high=101), columns=["ann", "ben"]),
    "one value": pd.DataFrame({"ann": [3, 3, 3], "ben": [3, 3, 3]}),
    "gaps in the scale": pd.DataFrame(numbers(50, 2) * 10, columns=["ann", "ben"]),
    "unsigned": pd.DataFrame(numbers(20, 2).astype(np.uint8), columns=["ann", "ben"]),
}


@pytest.mark.parametrize("frame", SHORT.values(), ids=SHORT)
def test_the_short_road_gives_the_ratings_of_the_long_one(frame, monkeypatch):
    short = accord.read(frame)
    assert ratings_of_whole_table(read_frame(frame)) is not None
    assert_same(short, by_the_long_road(frame, monkeypatch))


LONG = {
    "a known name": pd.DataFrame(numbers(20, 3), columns=["item", "ann", "ben"]),
    "a text": pd.DataFrame(numbers(20, 3), columns=["source", "ann", "ben"]),
    "a criterion": pd.DataFrame(numbers(20, 3), columns=["fluency", "ann", "ben"]),
    "a total": pd.DataFrame(numbers(20, 3), columns=["ann", "ben", "Total"]),
    "a measure": pd.DataFrame(numbers(20, 3), columns=["ann", "ben", "seconds"]),
    "an id in one word": pd.DataFrame(numbers(20, 3), columns=["ann", "ben", "itemId"]),
    "rater and criterion": pd.DataFrame(numbers(20, 4), columns=["ann tone", "ann style", "ben tone", "ben style"]),
    "numbers of rows": pd.DataFrame({"n": range(20), "ann": numbers(20), "ben": numbers(20)}),
    "decimals": pd.DataFrame(numbers(20, 2) / 2, columns=["ann", "ben"]),
    "words": pd.DataFrame({"ann": ["good", "bad"] * 5, "ben": ["good"] * 10}),
    "a code of no answer": pd.DataFrame({"ann": [1, 2, 3, 4, 5, 99, 5], "ben": [1, 2, 3, 4, 5, 99, 4]}),
    "one row": pd.DataFrame({"ann": [1], "ben": [2]}),
    "one column": pd.DataFrame({"ann": [1, 2]}),
    "another alphabet": pd.DataFrame(numbers(20, 2), columns=["评分", "ben"]),
}  # fmt: skip


@pytest.mark.parametrize("frame", LONG.values(), ids=LONG)
def test_what_needs_a_second_look_takes_the_long_road(frame):
    assert ratings_of_whole_table(read_frame(frame)) is None


@pytest.mark.parametrize(
    "said",
    [{"scale": "1..9"}, {"level": "nominal"}, {"direction": "high"}, {"wide": True}, {"missing": ("3",)}],
    ids=str,
)
def test_what_the_user_says_takes_the_long_road(said, monkeypatch):
    monkeypatch.setattr(reading, "ratings_of_whole_table", lambda table: pytest.fail("the short road was taken"))
    accord.read(SHORT["people"], **said)
