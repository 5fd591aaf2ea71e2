"""Poisson weights of items are the same wherever the items lie, and spread as Poisson(1) says."""

import numpy as np
import pytest
from scipy import stats

import accord
from accord.ratings.counting import count_source
from accord.ratings.duckdb_engine import DuckDBEngine
from accord.ratings.open_stored import open_stored
from accord.ratings.poisson_weights import factors, item_keys, poisson_weights


def written(path, items=400, raters=8, each=3, seed=0):
    rng = np.random.default_rng(seed)
    lines = ["item,rater,value"]
    for item in range(items):
        base = rng.integers(1, 6)
        lines += [
            f"é{item},r{rater},{np.clip(base + rng.integers(-1, 2), 1, 5)}"
            for rater in rng.choice(raters, each, replace=False)
        ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_weights_are_poisson_and_independent_between_items_and_replicates():
    weights = poisson_weights(item_keys(map(str, range(20_000))), factors(0, range(6)))
    for row in weights:
        assert np.bincount(row, minlength=8)[:5] / 20_000 == pytest.approx(
            stats.poisson(1).pmf(np.arange(5)), abs=0.012
        )
    assert np.abs(np.corrcoef(weights) - np.eye(6)).max() < 0.03
    assert np.abs(np.corrcoef(weights[:, :-1].ravel(), weights[:, 1:].ravel())[0, 1]) < 0.01


def test_sums_of_weights_over_replicates_vary_as_poisson_sums_do():
    sums = poisson_weights(item_keys(map(str, range(500))), factors(4, range(4000))).sum(axis=1)
    assert sums.mean() == pytest.approx(500, abs=1.5)
    assert sums.var() == pytest.approx(500, rel=0.08)


def test_a_weight_depends_on_seed_item_and_replicate_only():
    keys = item_keys(["b", "a", "c"])
    whole = poisson_weights(keys, factors(7, range(50)))
    np.testing.assert_array_equal(poisson_weights(keys[1:2], factors(7, range(20, 50))), whole[20:, 1:2])
    assert not np.array_equal(whole, poisson_weights(keys, factors(8, range(50))))


@pytest.mark.parametrize("named", [True, False])
def test_the_partition_of_the_items_does_not_matter(tmp_path, monkeypatch, named):
    path = written(tmp_path / "ratings.csv")
    rows = path.read_text(encoding="utf-8").splitlines()
    for number, part in enumerate((rows[1:200], rows[200:205], rows[205:])):
        (tmp_path / f"part{number}.csv").write_text("\n".join([rows[0], *reversed(part)]), encoding="utf-8")
    whole = np.hstack(list(open_stored(path).draws(named=named, seed=3, replicates=130)))
    monkeypatch.setattr(DuckDBEngine, "buckets", lambda self, items, columns: 7)
    parted = np.hstack(list(open_stored(tmp_path / "part*.csv").draws(named=named, seed=3, replicates=130)))
    np.testing.assert_array_equal(whole, parted)
    assert whole.shape[1] == 130


def test_files_and_memory_give_the_same_weights_and_the_same_interval(tmp_path):
    path = written(tmp_path / "ratings.csv")
    memory = np.hstack(list(count_source(accord.read(path)).draws(named=False, seed=3, replicates=120)))
    stored = np.hstack(list(open_stored(path).draws(named=False, seed=3, replicates=120)))
    np.testing.assert_array_equal(memory, stored)
    asked = {"coefficients": ["krippendorff_alpha", "cohen_kappa"], "draws": "poisson", "replicates": 300}
    one, other = (
        accord.agreement(accord.read(path, engine=engine), **asked).groups[0].estimates for engine in (None, "duckdb")
    )
    for ours, theirs in zip(one, other, strict=True):
        assert ours.interval.method == "bootstrap over items by Poisson weights, BCa"
        assert (ours.interval.low, ours.interval.high) == pytest.approx((theirs.interval.low, theirs.interval.high))


ASKED = {
    "coefficients": ["krippendorff_alpha", "gwet_ac1", "cohen_kappa"], "interval": "percentile", "replicates": 4000
}  # fmt: skip


@pytest.fixture(scope="module")
def stored_and_exact(tmp_path_factory):
    stored = open_stored(written(tmp_path_factory.mktemp("draws") / "ratings.csv", items=1000))
    return stored, accord.agreement(stored, draws="exact", **ASKED)


@pytest.mark.parametrize("draws", ["normal", "poisson"])
def test_every_way_to_draw_gives_about_the_same_interval(stored_and_exact, draws):
    stored, exact = stored_and_exact
    for ours, theirs in zip(accord.agreement(stored, draws=draws, **ASKED), exact, strict=True):
        assert ours.interval.width == pytest.approx(theirs.interval.width, rel=0.08)
        assert ours.interval.low == pytest.approx(theirs.interval.low, abs=0.08 * theirs.interval.width)


def test_an_item_with_more_ratings_than_a_packed_count_holds_is_counted_right(tmp_path):
    path = tmp_path / "crowd.csv"
    rows = [f"{item},r{rater},{1 + (rater < 40 * item)}" for item in range(3) for rater in range(1100)]
    path.write_text("\n".join(["item,rater,value", *rows]))
    counts = open_stored(path).item_values().counts
    assert counts.tolist() == [[1020, 80], [1060, 40], [1100, 0]]
    draws = np.hstack(list(open_stored(path).draws(named=False, seed=0, replicates=100)))
    np.testing.assert_array_equal(
        draws, poisson_weights(item_keys(["2", "1", "0"]), factors(0, range(100))).T
    )  # fmt: skip
