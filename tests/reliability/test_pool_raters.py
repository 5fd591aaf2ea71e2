"""The interval over raters of a large pool is the one that a table of all raters gives."""

import numpy as np
import pytest

import accord
from accord import sizes
from accord.ratings.open_stored import open_stored

ALIKE = (
    "percent_agreement", "weighted_agreement", "krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "gwet_ac2",
    "brennan_prediger", "conger_kappa",
)  # fmt: skip


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """40 raters who lean apart, 1 to 4 of them an item."""
    rng = np.random.default_rng(1)
    lean = rng.normal(0, 0.7, 40)
    lines = ["item,rater,value"]
    for item in range(300):
        base = rng.normal(3, 1)
        for rater in rng.choice(40, rng.integers(1, 5), replace=False):
            value = int(np.clip(round(base + lean[rater] + rng.normal(0, 0.6)), 1, 5))
            lines.append(f"i{item},r{rater},{value}")
    path = tmp_path_factory.mktemp("pool") / "pool.csv"
    path.write_text("\n".join(lines))
    return path


def intervals(source, unit):
    return {one.coefficient: one.interval for one in accord.agreement(source, resample=unit, coefficients=ALIKE)}


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_leaving_raters_out_of_counts_equals_leaving_their_column_out(path, engine, level, monkeypatch):
    expected = intervals(accord.read(path, level=level), "rater")
    monkeypatch.setattr(sizes, "is_pool", lambda *_: True)
    found = intervals(accord.read(path, level=level, engine=engine), "rater")
    assert found.keys() == expected.keys()
    for key, interval in found.items():
        assert (interval.low, interval.high) == pytest.approx((expected[key].low, expected[key].high), abs=1e-12)
        assert interval.method == "jackknife over raters on Fisher's z, t(39)"


def test_raters_and_items_together_equal_the_full_table_too(path, monkeypatch):
    expected = intervals(accord.read(path), "rater-and-item")
    monkeypatch.setattr(sizes, "is_pool", lambda *_: True)
    found = intervals(open_stored(path), "rater-and-item")
    for key, interval in found.items():
        # Conger's standard error over items is approximate in a pool: it does not know who rated which item.
        tolerance = 0.02 if key == "conger_kappa" else 1e-12
        assert (interval.low, interval.high) == pytest.approx((expected[key].low, expected[key].high), abs=tolerance)


def test_a_pool_of_stored_ratings_has_an_interval_over_raters(path):
    result = accord.agreement(open_stored(path), resample="rater")
    assert not open_stored(path).has_patterns
    group = result.groups[0]
    assert not any("over raters" in note for note in group.notes)
    assert all(group[key].interval is not None for key in ALIKE if key in group)


def test_scores_too_fine_to_list_have_no_interval_over_raters_and_say_so(path, monkeypatch):
    from accord.ratings import stored

    monkeypatch.setattr(stored, "MOST_LISTED", 3)
    result = accord.agreement(open_stored(path, level="interval"), resample="rater")
    assert result.groups[0].notes == (
        "75 of 300 items have one rating only: agreement is about the other 225",
        "who gave which score is not counted here, so there is no interval over raters",
    )
    assert all(one.interval is None for one in result.groups[0].estimates)
