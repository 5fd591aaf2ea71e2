"""Two groups of raters may agree alike, each for itself, and score apart: both are said, by raters as units."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.comparisons.answers import changes, scores_said
from accord.comparisons.conditions import compare_conditions
from accord.comparisons.mean_scores import mean_scores


def two_groups(raters, lower=0, noise=0, items=30):
    """Experts whose noise is small, and a crowd that scores ``lower`` or answers with ``noise``."""
    rng = np.random.default_rng(4)
    truth = rng.integers(2, 6, items)
    rows = []
    for group, less, wild in (("expert", 0, 0), ("crowd", lower, noise)):
        for rater in range(raters):
            near = np.clip(truth + rng.integers(-1, 2, items) * (rng.random(items) < 0.4) - less, 1, 5)
            values = np.where(rng.random(items) < wild, rng.integers(1, 6, items), near)
            rows += [(f"s{item}", f"{group}{rater}", group, int(value)) for item, value in enumerate(values)]
    return accord.read(pd.DataFrame(rows, columns=["item", "rater", "group", "value"]))


def compared(ratings, replicates=200):
    return compare_conditions(ratings, "group", "expert", "crowd", replicates=replicates, rng=np.random.default_rng(0))


def test_groups_that_agree_alike_and_score_apart_are_said_to_score_apart():
    told = changes(compared(two_groups(6, lower=1)))
    assert told[0].startswith("No difference in agreement between expert and crowd is shown (")
    assert told[1].startswith("On average crowd scores 0.")
    assert told[1].endswith("p = 0.002, the smallest that 6 against 6 raters can give).")
    assert " lower than expert (means " in told[1]


def test_groups_of_one_level_are_not_said_to_score_apart():
    made = compared(two_groups(6))
    assert made[0].scores is not None and not made[0].scores.is_clear
    assert scores_said(made) == []


@pytest.mark.parametrize("raters", [6, 12])
def test_the_test_of_mean_scores_is_that_of_scipy(raters):
    from scipy.stats import permutation_test, ttest_ind

    ratings = two_groups(raters, lower=0, noise=0.3)
    parts = [ratings.only(group=name) for name in ("expert", "crowd")]
    means = [[part.scores[part.rater.codes == code].mean() for code in np.unique(part.rater.codes)] for part in parts]
    found = mean_scores(parts)
    if raters == 6:
        peer = permutation_test(
            means, lambda one, other: np.mean(other) - np.mean(one), vectorized=False, n_resamples=np.inf
        ).pvalue
    else:
        peer = ttest_ind(*means, equal_var=False).pvalue
    assert found.p == pytest.approx(peer, rel=1e-9)
    assert found.change == pytest.approx(np.mean(means[1]) - np.mean(means[0]))


def test_so_few_raters_get_no_interval_and_no_claim():
    (made,) = compared(two_groups(3, noise=1))
    decides, *others = made.differences
    assert decides.too_few and decides.interval is None and "interval" not in decides.method
    assert any(one.is_clear for one in others)
    (said,) = changes([made])
    assert said.endswith("no interval). The tests over items below ask about these raters alone.")
    assert made.scores is not None and made.scores.smallest == pytest.approx(0.1)
    assert scores_said(compared(two_groups(3, lower=1))) == []
