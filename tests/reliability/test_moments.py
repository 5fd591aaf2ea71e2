"""Scores too fine to be listed: the coefficients of sums are those of the ratings themselves."""

import csv

import numpy as np
import pytest

from accord.errors import NotEnoughDataError
from accord.ratings import stored as stored_module
from accord.ratings.open_stored import open_stored
from accord.ratings.read import read
from accord.reliability.run import agreement


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Scores with decimals of 80 items by three raters, and a stored source that lists at most 20 values."""
    rng = np.random.default_rng(8)
    truth = rng.normal(50, 15, 80)
    rows = [(item, rater, round(truth[item] + rng.normal(0, 8), 2)) for item in range(80) for rater in "abc"]
    monkeypatch.setattr(stored_module, "MOST_LISTED", 20)
    with (tmp_path / "r.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("item", "rater", "value"), *rows])
    return tmp_path / "r.csv"


def test_value_and_interval_are_those_of_the_rows(path):
    keys = ["krippendorff_alpha", "icc_1", "icc_1k"]
    options = {"coefficients": keys, "interval": "jackknife"}
    whole, summed = agreement(read(path), **options), agreement(open_stored(path), **options)
    for key in keys:
        assert summed[key].value == pytest.approx(whole[key].value, abs=1e-9)
        assert summed[key].interval.low == pytest.approx(whole[key].interval.low, abs=1e-9)
        assert summed[key].items == whole[key].items == 80


def test_what_needs_values_is_left_out_with_the_reason(path):
    group = agreement(open_stored(path)).groups[0]
    assert [estimate.coefficient for estimate in group.estimates] == ["krippendorff_alpha", "icc_1", "icc_1k"]
    assert "too many to be listed" in group.unsuitable["weighted_agreement"][0]
    over_raters = agreement(open_stored(path), resample="rater").groups[0]
    assert all(estimate.interval is None for estimate in over_raters.estimates)


def test_alpha_by_ratio_and_icc_on_items_with_holes_are_not_had_from_sums(path):
    ratio = agreement(open_stored(path, level="ratio")).groups[0]
    assert "krippendorff_alpha" in ratio.unsuitable
    path.write_text(path.read_text() + "81,a,3.25\n81,b,4.75\n")
    assert [one.coefficient for one in agreement(open_stored(path)).groups[0].estimates] == ["krippendorff_alpha"]


def test_documents_of_fine_scores_are_refused_in_words(path):
    path.write_text(
        path.read_text().replace("value", "value,document", 1).replace("\n", ",d\n").replace("document,d", "document")
    )
    with pytest.raises(NotEnoughDataError, match="Counts by document"):
        agreement(open_stored(path), resample="document")
