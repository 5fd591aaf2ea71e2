import numpy as np
import pytest

from accord.design.scale import Level
from accord.errors import NotEnoughDataError, OptionError
from accord.judging.alternative import alternative_annotator
from accord.judging.corrected import independent_mean
from accord.judging.shares import corrected_share

NAMES = ["ann", "bob", "cem", "judge"]


def panel(noise_of_model, seed=0, items=200):
    rng = np.random.default_rng(seed)
    quality = rng.standard_normal(items)
    noise = np.array([0.6, 0.6, 0.6, noise_of_model])
    return np.round(3 + 1.5 * (quality[:, None] + noise * rng.standard_normal((items, 4))))


def test_a_good_judge_passes_and_a_noisy_one_does_not(make_panel):
    good = alternative_annotator(make_panel(panel(0.3)))
    poor = alternative_annotator(make_panel(panel(2.5)))
    assert good.passed and good.winning_rate == 1 and [human.human for human in good.humans] == NAMES[:3]
    assert not poor.passed and poor.winning_rate == 0


def test_the_p_of_one_person_is_that_of_a_one_sided_t_test(make_panel):
    from scipy.stats import ttest_1samp

    table = panel(0.9, seed=3)
    found = alternative_annotator(make_panel(table), epsilon=0.1)
    rest = table[:, [1, 2]]
    by_judge, by_ann = (-np.sqrt(np.square(rest - table[:, [column]]).mean(axis=1)) for column in (3, 0))
    difference = (by_ann >= by_judge).astype(float) - (by_judge >= by_ann)
    assert found.humans[0].p == pytest.approx(ttest_1samp(difference, 0.1, alternative="less").pvalue)


def test_labels_are_compared_by_equality(make_panel):
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 100)
    table = np.stack(
        [np.where(rng.random(100) < right, truth, rng.integers(0, 3, 100)) for right in (0.7, 0.7, 0.7, 0.97)]
    )
    found = alternative_annotator(make_panel(table.T.astype(float), level=Level.NOMINAL))
    assert found.passed and all(human.judge_wins > human.human_wins for human in found.humans)


def test_what_the_test_cannot_do_is_said(make_panel):
    with pytest.raises(NotEnoughDataError, match="shares 30 items"):
        alternative_annotator(make_panel(panel(1)[:20]))
    with pytest.raises(NotEnoughDataError, match="at least two people"):
        alternative_annotator(make_panel(panel(1)[:, 2:], raters=NAMES[2:]))
    with pytest.raises(OptionError, match="Epsilon"):
        alternative_annotator(make_panel(panel(1)), epsilon=1)


def test_the_corrected_share_undoes_the_errors_of_the_judge():
    true = 0.3
    seen = true * 0.9 + (1 - true) * (1 - 0.8)
    assert corrected_share(seen, true_positive=0.9, true_negative=0.8) == pytest.approx(true)
    with pytest.raises(NotEnoughDataError, match="no better than a coin"):
        corrected_share(0.5, true_positive=0.5, true_negative=0.5)
    with pytest.raises(OptionError, match="share must lie between 0 and 1"):
        corrected_share(1.5, true_positive=0.9, true_negative=0.9)


def test_the_corrected_mean_is_unbiased_and_its_error_is_honest():
    rng = np.random.default_rng(6)
    means, errors, people = [], [], []
    for _ in range(400):
        truth = rng.standard_normal(600)
        judge = 0.5 + truth + 0.4 * rng.standard_normal(600)
        found = independent_mean(truth[:60], judge[:60], judge[60:])
        means.append(found.mean)
        errors.append(found.standard_error)
        people.append(found.people_only)
    assert np.mean(means) == pytest.approx(0, abs=0.02)
    assert np.std(means) == pytest.approx(np.mean(errors), rel=0.15)
    assert np.std(means) < 0.7 * np.std(people)


def test_a_judge_that_knows_nothing_is_given_no_weight():
    rng = np.random.default_rng(7)
    found = independent_mean(rng.standard_normal(300), rng.standard_normal(300), rng.standard_normal(3000))
    assert abs(found.weight) < 0.15 and found.mean == pytest.approx(found.people_only, abs=0.02)
    with pytest.raises(OptionError, match="same items"):
        independent_mean(np.ones(4), np.ones(5), np.ones(3))
    with pytest.raises(NotEnoughDataError, match="three items"):
        independent_mean(np.ones(2), np.ones(2), np.ones(3))
