"""Ranking with raters as a unit of chance."""

import numpy as np
import pytest
from scipy import stats

import accord
from accord.errors import AccordError
from accord.scoring.ranking import ResamplingUnit, rank
from accord.scoring.ranking.document_tests import critical, two_sided

DOCUMENTS, SEGMENTS = 12, 3


def frame(rng, raters=6, taste=0.0, each=None):
    """Two systems; ``each`` of the raters (all by default) judge both systems in every segment of a document."""
    import pandas as pd

    liking = rng.normal(0, taste, (2, raters))
    rows = []
    for d in range(DOCUMENTS):
        who = rng.choice(raters, each or raters, replace=False)
        of_document = rng.normal(0, 4, 2)
        for k in range(SEGMENTS):
            for r in who:
                for s in (0, 1):
                    value = round(60 + liking[s, r] + of_document[s] + rng.normal(0, 8), 1)
                    rows.append((f"{s}:{d}:{k}", f"r{r}", value, f"S{s}", f"d{d}", f"k{k}"))
    return pd.DataFrame(rows, columns=["item", "rater", "value", "system", "document", "segment"])


def differences(table):
    """One difference for each segment and rater."""
    wide = table.pivot_table(index=["document", "segment", "rater"], columns="system", values="value")
    return (wide["S0"] - wide["S1"]).rename("difference").reset_index()


def ranked(table, unit):
    return rank(accord.read(table, level="interval"), resample=unit)


def signed(pair):
    return pair.difference if pair.first == "S0" else -pair.difference


def test_where_all_raters_judge_all_the_test_over_raters_is_the_t_test_on_their_mean_differences():
    table = frame(np.random.default_rng(1), taste=4)
    (pair,) = ranked(table, ResamplingUnit.RATER).pairs
    means = differences(table).groupby("rater").difference.mean()
    expected = stats.ttest_1samp(means, 0)
    assert pair.p == pytest.approx(expected.pvalue)
    assert signed(pair) == pytest.approx(means.mean())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_variance_over_documents_and_raters_is_that_of_a_second_program(seed):
    import statsmodels.api as sm

    table = frame(np.random.default_rng(seed), taste=5)
    found = differences(table)
    groups = np.column_stack([found[name].astype("category").cat.codes for name in ("document", "rater")])
    fit = sm.OLS(found.difference, np.ones(len(found))).fit(cov_type="cluster", cov_kwds={"groups": groups})
    ranking = ranked(table, ResamplingUnit.BOTH)
    (pair,) = ranking.pairs
    assert signed(pair) == pytest.approx(fit.params.iloc[0])
    # p lies between those of 12 documents and of 6 raters: each variance has its own degrees of freedom.
    ratio = abs(fit.params.iloc[0] / fit.bse.iloc[0])
    assert 2 * stats.t.sf(ratio, 11) <= pair.p <= 2 * stats.t.sf(ratio, 5)
    assert "documents and raters" in ranking.method
    assert "documents and raters" in ranking.systems[0].interval.method


def test_equal_systems_seldom_differ_though_raters_have_tastes():
    from promises.ranking import Evaluation, no_false_difference

    design = Evaluation(systems=2, documents=20, raters=6, each=2, leniency=5.0, taste=5.0)
    rng = np.random.default_rng(1)
    alone, both = (
        np.mean([not no_false_difference(rng, design=design, unit=unit) for _ in range(400)])
        for unit in ("document", "document-and-rater")
    )
    assert alone > 0.1
    assert both <= 0.07


def test_the_default_takes_the_document_and_says_so():
    ranking = rank(accord.read(frame(np.random.default_rng(2)), level="interval"))
    assert "over documents," in ranking.method
    assert "resample=document" in ranking.signature


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": "permutation", "resample": "rater"}, "flips documents"),
        ({"preset": "wmt25", "resample": "rater"}, "for the preset accord"),
    ],
)
def test_what_cannot_be_resampled_by_rater_is_told(options, words):
    with pytest.raises(AccordError, match=words):
        rank(accord.read(frame(np.random.default_rng(3)), level="interval"), **options)


def test_one_rater_says_nothing_of_other_raters():
    with pytest.raises(AccordError, match="cannot be judged from one rater"):
        ranked(frame(np.random.default_rng(4), raters=1), ResamplingUnit.BOTH)


def test_few_raters_are_cautioned_and_the_command_takes_the_unit(accord_command, tmp_path):
    frame(np.random.default_rng(5), raters=3).to_csv(tmp_path / "r.csv", index=False)
    done = accord_command("rank", "r.csv", "--level", "interval", "--resample", "document-and-rater")
    assert done.returncode == 0, done.stderr
    assert "two-way cluster variance" in done.stdout
    assert "With only 3 raters" in done.stdout


def test_the_p_of_two_variances_is_where_their_critical_value_reaches_t():
    rng = np.random.default_rng(4)
    size, freedom, other = np.abs(rng.standard_t(1.2, 300)) * 5, rng.uniform(1, 40, 300), rng.uniform(1, 12, 300)
    share = np.clip(rng.uniform(-0.2, 1.2, 300), 0, 1)
    found = two_sided(-size, freedom, share, other)
    np.testing.assert_allclose(critical(found, freedom, share, other), size, rtol=1e-11)
    assert two_sided(np.array([0.0, np.nan]), np.array([5.0, 5.0]), np.array([0.4, 0.4]), 2.0) == pytest.approx(
        [1.0, np.nan], nan_ok=True
    )
