"""A large pool of raters keeps its correlations: those between any two ratings of an item."""

import numpy as np
import pytest
from scipy import stats

import accord
from accord import sizes

KEYS = ("pearson", "spearman", "kendall_tau_b", "lin_ccc", "gamma")


def _rows(documents=False, ratings=(3, 3), seed=2):
    """300 items by a few of 60 raters each."""
    rng = np.random.default_rng(seed)
    lines = ["item,rater,value" + (",document" if documents else "")]
    table = []
    for item in range(300):
        quality = rng.normal()
        who = rng.choice(60, rng.integers(ratings[0], ratings[1] + 1), replace=False)
        values = np.clip(np.round(3 + quality + rng.normal(0, 0.7, len(who))), 1, 5).astype(int)
        table.append(values)
        lines += [
            f"i{item},r{rater},{value}" + (f",d{item // 10}" if documents else "")
            for rater, value in zip(who, values, strict=True)
        ]
    return "\n".join(lines), table


@pytest.fixture
def pooled(monkeypatch):
    monkeypatch.setattr(sizes, "is_pool", lambda *_: True)


def _estimates(tmp_path, text, level, **options):
    (tmp_path / "pool.csv").write_text(text)
    ratings = accord.read(tmp_path / "pool.csv", level=level)
    return {one.coefficient: one for one in accord.agreement(ratings, **options)}


def test_it_is_the_correlation_of_all_ordered_pairs_of_ratings_of_an_item(tmp_path, pooled):
    text, table = _rows()
    pairs = np.array([(a, b) for values in table for i, a in enumerate(values) for j, b in enumerate(values) if i != j])
    found = _estimates(tmp_path, text, "interval")
    assert found["pearson"].value == pytest.approx(stats.pearsonr(*pairs.T).statistic)
    assert found["spearman"].value == pytest.approx(stats.spearmanr(*pairs.T).statistic)
    assert found["kendall_tau_b"].value == pytest.approx(stats.kendalltau(*pairs.T).statistic)
    # In both orders the means and spreads are the same, so concordance is correlation.
    assert found["lin_ccc"].value == pytest.approx(found["pearson"].value)


def test_every_correlation_has_an_interval_and_says_that_it_is_no_mean_over_pairs(tmp_path, pooled):
    found = _estimates(tmp_path, _rows(ratings=(1, 4))[0], "interval")
    for key in KEYS:
        assert found[key].interval.low < found[key].value < found[key].interval.high
        assert found[key].question == "other items, these 60 raters"
        assert any("not a mean over pairs of raters" in words for words in found[key].conventions)


def test_documents_are_left_out_whole(tmp_path, pooled):
    found = _estimates(tmp_path, _rows(documents=True)[0], "ordinal")
    assert found["spearman"].interval.method.startswith("jackknife over documents on Fisher's z")


def test_an_interval_over_raters_is_refused_with_its_reason(tmp_path, pooled):
    found = _estimates(tmp_path, _rows()[0], "ordinal", resample="rater")
    assert found["spearman"].interval is None
    assert any("not counted which raters met" in text for text in found["spearman"].cautions)
    assert found["krippendorff_alpha"].interval is not None


def test_the_interval_holds_the_truth(tmp_path, pooled):
    """Two normal scores with noise .7 correlate by 1 / 1.49 before they are rounded to five grades."""
    large = np.random.default_rng(0)
    quality = large.normal(size=400_000)
    one, other = (np.clip(np.round(3 + quality + large.normal(0, 0.7, len(quality))), 1, 5) for _ in range(2))
    truth = np.corrcoef(one, other)[0, 1]
    held = [
        truth in _estimates(tmp_path, _rows(seed=seed)[0], "interval", coefficients="pearson")["pearson"].interval
        for seed in range(40)
    ]
    assert sum(held) >= 34
