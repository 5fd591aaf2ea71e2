"""The time of tasks that were open at once is shared between them."""

import numpy as np
import pytest

from accord.ratings.build import build_ratings
from accord.scoring.task_times import started_at, task_times


def _shares(starts: list[int], lengths: list[int]) -> list[float]:
    count = len(starts)
    columns = {
        "item": [f"i{place}" for place in range(count)],
        "rater": ["r"] * count,
        "value": [1, 2] * (count // 2),
        "batch": [f"b{place}" for place in range(count)],
        "time_s": lengths,
        "begun": starts,
    }
    ratings = build_ratings({name: [str(cell) for cell in cells] for name, cells in columns.items()})
    found = task_times(ratings, np.arange(count), started_at(ratings, "begun"))
    assert [task.seconds for task in found] == lengths
    return [task.corrected for task in found]


def test_two_tasks_share_the_seconds_in_which_both_were_open():
    assert _shares([0, 6], [10, 10]) == [8, 8]


def test_tasks_one_after_the_other_keep_their_time():
    assert _shares([0, 10], [10, 5]) == [10, 5]


def test_shares_are_those_of_each_second_counted_by_itself():
    rng = np.random.default_rng(3)
    starts, lengths = rng.integers(0, 60, 20).tolist(), rng.integers(1, 30, 20).tolist()
    spans = list(zip(starts, lengths, strict=True))
    open_in = np.array([[start <= second < start + length for second in range(90)] for start, length in spans])
    by_second = (open_in / np.maximum(open_in.sum(axis=0), 1)).sum(axis=1)
    assert _shares(starts, lengths) == pytest.approx(by_second.tolist(), abs=1e-5)
