"""Means over pairs of raters are resampled without a table of patterns x pairs x values, and believed with care."""

import numpy as np
import pytest

import accord
from accord import sizes
from accord.coefficients.item_kappa import CongerKappa
from accord.reliability import unasked, units, ways

PAIRED = (
    "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "light_kappa", "gamma", "kendall_tau_b", "spearman",
    "pearson", "lin_ccc",
)  # fmt: skip


def pool(items, raters, each, *, by_all=0, seed=1):
    """Items rated by some raters of a pool, the first ``by_all`` by all of them; four items a document."""
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    rows = []
    for item, truth in enumerate(rng.normal(size=items)):
        for rater in rng.choice(raters, raters if item < by_all else each, replace=False):
            value = int(np.clip(np.rint(truth + rng.normal() + 3), 1, 5))
            rows.append({"item": f"i{item}", "rater": f"r{rater:03d}", "value": value, "document": f"d{item // 4}"})
    return accord.read(pa.Table.from_pylist(rows))


def found(ratings, **options):
    """Over items, as these tables are about the ways to resample them."""
    options = {"resample": "item", **options}
    return {one.coefficient: one for one in accord.agreement(ratings, **options)}


@pytest.fixture
def laid_out(monkeypatch):
    """How many cells of features each resampling laid out."""
    cells = []
    make = ways.statistic_of_view

    def counted(*arguments):
        made = make(*arguments)
        cells.append(made.features.size)
        return made

    for module in (ways, unasked, units):
        monkeypatch.setattr(module, "statistic_of_view", counted)
    return cells


def test_many_pairs_on_many_items_are_not_laid_out(laid_out):
    """1,500 items x 435 pairs x 11 features would be 7 million cells for one kappa, with tables 16 million more."""
    estimates = found(pool(1500, 30, 5))
    assert max(laid_out) < 1500 * 250
    for key in ("cohen_kappa", "cohen_kappa_quadratic", "gamma", "kendall_tau_b", "spearman"):
        assert estimates[key].interval.method == "jackknife over items, t(1,499)"
        assert estimates[key].value in estimates[key].interval


@pytest.mark.parametrize("kind", ["bca", "percentile"])
def test_a_jackknife_in_place_of_the_resamples_asked_for_is_said(kind):
    result = accord.agreement(pool(1500, 30, 5), coefficients="cohen_kappa", interval=kind, resample="item")
    assert result["cohen_kappa"].interval.method.startswith("jackknife")
    assert any(
        f"interval {kind} was asked for, but cohen_kappa got the jackknife" in note for note in result.groups[0].notes
    )


def test_a_user_who_insists_on_replicates_gets_them_only_where_they_fit(laid_out, monkeypatch):
    ratings = pool(300, 8, 5)
    asked = found(ratings, coefficients=["cohen_kappa"], replicates=200)["cohen_kappa"]
    assert asked.interval.replicates == 200
    monkeypatch.setattr(sizes, "BLOCK_CELLS", max(laid_out) - 1)
    asked = found(ratings, coefficients=["cohen_kappa"], replicates=200)["cohen_kappa"]
    assert asked.interval.method == "jackknife over items, t(299)"


@pytest.mark.parametrize("unit", ["item", "rater", "rater-and-item"])
def test_the_interval_is_that_of_all_features(unit, monkeypatch):
    ratings = pool(150, 8, 4, by_all=20)
    options = {"coefficients": PAIRED, "resample": unit, "interval": "jackknife"}
    expected = found(ratings, **options)
    monkeypatch.setattr(sizes, "_AFFORDABLE", 0)
    for key, estimate in found(ratings, **options).items():
        one, other = estimate.interval, expected[key].interval
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9), key
        assert one.method == other.method


def test_a_bootstrap_over_raters_is_the_same_too(monkeypatch):
    ratings = pool(150, 8, 4)
    expected = found(ratings, coefficients=["cohen_kappa"], resample="rater")["cohen_kappa"]
    monkeypatch.setattr(sizes, "_AFFORDABLE", 0)
    assert found(ratings, coefficients=["cohen_kappa"], resample="rater")["cohen_kappa"].interval == expected.interval


def test_documents_of_too_many_pairs_have_no_interval_and_say_so(monkeypatch):
    monkeypatch.setattr(sizes, "_AFFORDABLE", 0)
    asked = {"coefficients": ["cohen_kappa", "krippendorff_alpha"], "resample": "document"}
    apart, _ = accord.agreement(pool(150, 8, 4), **asked)
    monkeypatch.setattr(sizes, "_AFFORDABLE", 2e9)
    laid_out = accord.agreement(pool(150, 8, 4), interval="jackknife", **asked)["cohen_kappa"]
    assert apart.interval.method.startswith("jackknife over documents on Fisher's z")
    assert apart.standard_error == pytest.approx(laid_out.standard_error)
    monkeypatch.setattr(sizes, "_AFFORDABLE", 0)
    monkeypatch.setattr(sizes, "_DOCUMENTS_APART", 5)
    result = accord.agreement(pool(150, 8, 4), **asked)
    kappa, alpha = result
    assert kappa.interval is None
    assert any("too large a table to resample the unit document" in text for text in kappa.cautions)
    assert not any("so fine a scale" in note for note in result.groups[0].notes)
    assert "documents" in alpha.interval.method


def test_conger_keeps_its_own_interval_where_shares_of_raters_are_many(monkeypatch):
    ratings = pool(150, 8, 4)
    assert "bootstrap" in found(ratings, coefficients=["conger_kappa"])["conger_kappa"].interval.method
    monkeypatch.setattr(CongerKappa, "most_cells", 0)
    assert "analytic" in found(ratings, coefficients=["conger_kappa"])["conger_kappa"].interval.method


@pytest.mark.parametrize("seed", range(3))
def test_pairs_that_share_one_item_or_two_carry_no_interval(seed):
    """The jackknife takes pairs that vanish for a bias: it gave 0.012 an interval of 0.018 to 0.030."""
    estimates = found(pool(400, 120, 3, seed=seed))
    for key in ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"):
        estimate = estimates[key]
        assert estimate.interval is None or estimate.value in estimate.interval
        assert any("half of the pairs of raters share 1 item or fewer" in text for text in estimate.cautions)
    without = [
        one for one in estimates.values() if any("no interval: half of the pairs" in text for text in one.cautions)
    ]
    assert without
    assert all(one.interval is None for one in without)
    assert estimates["krippendorff_alpha"].value in estimates["krippendorff_alpha"].interval


def test_pairs_that_share_many_items_are_not_cautioned_about():
    estimates = found(pool(200, 5, 4))
    assert estimates["cohen_kappa"].parts["median_shared_items"] > 100
    assert not any("share" in text or "lies outside" in text for one in estimates.values() for text in one.cautions)


def test_a_value_outside_its_interval_is_said(monkeypatch):
    from accord.inference.interval import Interval
    from accord.reliability.resampling import Attached

    beside = Attached(Interval(low=0.9, high=0.95, method="bootstrap over items, BCa", replicates=1000), 0.01)
    monkeypatch.setattr(ways, "over_items", lambda statistic, *_, **__: [beside] * len(statistic.names))
    estimates = found(pool(100, 5, 4), coefficients=["krippendorff_alpha", "cohen_kappa"])
    alpha, kappa = estimates["krippendorff_alpha"], estimates["cohen_kappa"]
    assert alpha.interval == beside.interval
    assert any(text.startswith("the value lies outside its interval [0.900, 0.950]") for text in alpha.cautions)
    assert kappa.interval is None


def test_gamma_counts_ties_among_the_items_a_pair_compared():
    """Each pair compares its own few items: most of them are untied, however many items others rated."""
    estimate = found(pool(1500, 30, 5), coefficients=["gamma"])["gamma"]
    assert estimate.parts["untied"] / estimate.parts["compared"] > 0.4
    assert not any("tied" in text for text in estimate.cautions)


def test_complete_ratings_are_never_told_that_pairs_lose_their_items():
    table = np.array([[(7 * item + 3 * rater) % 5 for rater in range(3)] for item in range(12)], dtype=float)
    estimate = accord.agreement(table, coefficients="cohen_kappa", interval="jackknife")["cohen_kappa"]
    assert estimate.interval is not None
    assert any("outside its interval" in caution for caution in estimate.cautions)
    assert not any("or fewer" in caution for caution in estimate.cautions)
