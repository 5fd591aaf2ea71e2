"""Raters on another scale are found by counting, as if all that the others gave were laid out for each of them."""

import numpy as np
import pytest

import accord
from accord.arrays import rows_of_each
from accord.ratings.sanity import sanity
from accord.ratings.sanity.other_scale import Others, Usual


@pytest.mark.parametrize("seed", range(40))
def test_ranks_among_the_others_are_those_of_the_others_laid_out(seed):
    rng = np.random.default_rng(seed)
    number = int(rng.integers(12, 300))
    values = np.round(rng.exponential(3, number), int(rng.integers(0, 3)))
    raters = rng.integers(0, 4, number)
    usual, left = Usual(values), np.ones(number, dtype=bool)
    for code, rows in rows_of_each(raters).items():
        rest = np.sort(values[left & (raters != code)])
        kept = rest if len(rest) < 20 else rest[: len(rest) - max(1, len(rest) // 100)]
        others = Others(usual, rows)
        assert others.number == len(kept)
        assert [others.value(rank) for rank in range(len(kept))] == kept.tolist()
        assert (others.lowest, others.highest, others.median) == (kept.min(), kept.max(), np.median(kept))
        for value in (-1, 0, 0.5, float(values[rows].max()), 99):
            assert others.share_up_to(value) == (kept <= value).mean()
        if code < 2 and rng.random() < 0.5:
            usual.leave_out(rows)
            left &= raters != code


def test_rows_of_each_code_stand_in_their_order():
    codes = np.array([3, 0, 3, 70_000, 0])
    found = {code: rows.tolist() for code, rows in rows_of_each(codes).items()}
    assert found == {0: [1, 4], 3: [0, 2], 70_000: [3]}
    assert rows_of_each(codes[:0]) == {}


def test_raters_on_another_scale_are_found_one_after_the_other_where_no_item_is_shared():
    """Each rater has items of their own: what the others gave at all tells. Whom is found counts no more as usual."""
    rng = np.random.default_rng(4)
    rows = [
        {"item": f"{rater} {place}", "rater": rater, "value": int(rng.integers(0, 6) if rater in "bd" else value)}
        for rater in "abcdefg" for place, value in enumerate(rng.integers(20, 101, 30))
    ]  # fmt: skip
    found = [remark for remark in sanity(accord.read(rows)) if remark.code == "other_scale"]
    assert [remark.who for remark in found] == [("b",), ("d",)]
    assert "0 to 5 in all 30 ratings" in found[0].message
    lowest = min(row["value"] for row in rows if row["rater"] not in "bd")
    assert f"where the others go from {lowest} to" in found[1].message
