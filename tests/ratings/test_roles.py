"""Roles: one table of spellings, and the same rows count in memory, on disk and in every room."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.diagnosis.part import parts_of
from accord.ratings.codebook import ROLES
from accord.ratings.counting import counted_rows
from accord.ratings.roles import SPELLINGS, is_control, is_ordinary, role_named


def test_every_role_of_the_codebook_is_known_by_its_own_name_and_counts_for_nothing_between_raters():
    for role in ROLES:
        assert role_named(role.upper()) == role
        assert not is_ordinary(role)
        assert is_control(role) == (role != "repeat")
    assert set(SPELLINGS.values()) == {*ROLES, ""}
    assert all(is_ordinary(name) for name in ("", "system", "TGT", "some name of the user's"))


def table():
    rng = np.random.default_rng(0)
    rows = [
        {"item": f"i{k}", "rater": rater, "value": int(rng.integers(1, 6)), "role": "system"}
        for k in range(20) for rater in "ABC"
    ]  # fmt: skip
    again = [{**row, "role": "repeat", "value": 6 - row["value"]} for row in rows if row["rater"] == "A"]
    checks = [{**row, "item": f"{row['item']}#bad", "role": "BAD_REF"} for row in rows[:6]]
    alone = [{"item": "x", "rater": "B", "value": 1, "role": "CHK"}]
    return pd.DataFrame(rows + again + checks + alone)


def test_a_repeat_measures_stability_and_is_no_second_rating(tmp_path):
    frame = table()
    ratings = accord.read(frame, level="ordinal")
    plain = accord.read(frame[frame.role == "system"].drop(columns="role"), level="ordinal")
    assert counted_rows(ratings).sum() == 60
    found, expected = (accord.agreement(one, interval="none") for one in (ratings, plain))
    assert {e.coefficient: e.value for e in found} == pytest.approx(
        {e.coefficient: e.value for e in expected}, nan_ok=True
    )
    (part,) = parts_of(ratings)
    assert (len(part.rows), len(part.repeats)) == (60, 21)
    frame.to_parquet(tmp_path / "r.parquet")
    stored = accord.agreement(
        accord.read(str(tmp_path / "r.parquet"), engine="duckdb", level="ordinal"), interval="none"
    )
    assert stored["krippendorff_alpha"].value == pytest.approx(expected["krippendorff_alpha"].value)


def test_ratings_of_control_items_alone_are_looked_at():
    frame = table()
    only = accord.read(frame[frame.role == "BAD_REF"], level="ordinal")
    assert counted_rows(only) is None
