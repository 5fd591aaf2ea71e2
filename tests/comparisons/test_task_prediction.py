"""What an output is good for, predicted from its scores: against a second program, on noise, and on bad input."""

import json
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.comparisons.held_out import area_under_curve, folds_of
from accord.comparisons.logistic import fit_logistic
from accord.comparisons.task_prediction import predict_task
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def _outputs(scores, tasks, **columns):
    items = [f"i{n}" for n in range(len(scores))]
    made = {"item": items, "rater": ["R"] * len(items), "value": list(scores), "task": list(tasks), **columns}
    return build_ratings(made, level="interval")


@pytest.mark.parametrize("classes", [2, 3])
def test_the_probabilities_are_those_of_a_second_program(classes):
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(4)
    labels = rng.integers(0, classes, 80)
    predictors = rng.normal(size=(80, 3)) + labels[:, None] * [1.0, 0.3, 0.0]
    ours = fit_logistic(predictors, labels).probabilities(predictors, classes)
    scaled = StandardScaler().fit_transform(predictors)
    # With two classes the other program has one set of coefficients where ours has two: half the penalty each.
    theirs = LogisticRegression(C=1 if classes > 2 else 2, tol=1e-10, max_iter=5000).fit(scaled, labels)
    assert ours == pytest.approx(theirs.predict_proba(scaled), abs=1e-4)


def test_a_class_that_was_not_shown_has_probability_nought():
    model = fit_logistic(np.array([[0.0], [1.0], [2.0]]), np.array([0, 2, 2]))
    found = model.probabilities(np.array([[1.5]]), 4)
    assert found[0, [1, 3]].tolist() == [0, 0]
    assert found.sum() == pytest.approx(1)


def test_the_weighted_area_under_the_curve_is_that_of_a_second_program():
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(1)
    positive = rng.random(60) < 0.4
    scores = rng.integers(0, 9, 60) + positive
    weights = rng.integers(0, 4, (5, 60)).astype(float)
    expected = [roc_auc_score(positive, scores, sample_weight=row) for row in weights]
    assert area_under_curve(positive, scores.astype(float), weights) == pytest.approx(expected, abs=1e-12)


def test_folds_keep_clusters_whole_and_deal_labels_evenly():
    clusters, labels = np.repeat(np.arange(20), 3), np.repeat(np.arange(20) % 2, 3)
    fold = folds_of(clusters, labels, 10, np.random.default_rng(0))
    assert all(len(np.unique(fold[clusters == cluster])) == 1 for cluster in range(20))
    assert np.bincount(fold).tolist() == [6] * 10
    assert all(labels[fold == number].mean() == 0.5 for number in range(10))


def test_a_task_that_scores_decide_is_foretold_with_the_cut_between():
    scores = [*np.linspace(10, 40, 20), *np.linspace(60, 90, 20)]
    found = predict_task(_outputs(scores, ["discard"] * 20 + ["publish"] * 20), "task", rng=np.random.default_rng(0))
    (one,) = found.results
    assert (one.unit, one.accuracy, one.auc, one.guessing) == ("item", 1.0, 1.0, 0.5)
    (cut,) = found.cuts
    assert (cut.task, cut.cut, cut.above, cut.balanced) == ("publish", 50.0, True, 1.0)
    assert "100% of 40 items, better than guessing (50%)" in found.verdict()


def test_scores_that_say_nothing_are_seldom_called_better_than_guessing():
    rng = np.random.default_rng(7)
    better = 0
    for _ in range(30):
        ratings = _outputs(rng.normal(size=40).round(2), rng.permutation(["a", "b"] * 20))
        (one,) = predict_task(ratings, "task", replicates=200, rng=rng).results
        better += one.gain_interval.low > 0
    assert better <= 3


def test_a_task_that_only_one_system_serves_is_foretold_for_known_systems_and_not_for_new_ones():
    rng = np.random.default_rng(2)
    system = np.repeat(np.arange(6), 10)
    tasks = np.array(["discard", "discard", "gist", "gist", "gist", "publish"])[system]
    ratings = _outputs((10 * system + rng.normal(0, 0.5, 60)).round(2), tasks, system=[f"S{n}" for n in system])
    found = predict_task(ratings, "task", replicates=200, rng=rng)
    by_unit = {one.unit: one for one in found.results}
    assert by_unit["item"].confusion[2].tolist() == [0, 0, 10]
    assert by_unit["system"].confusion[2, 2] == 0
    assert "6 systems are few" in found.verdict()


def test_a_metric_is_a_predictor_where_it_is_asked_for():
    scores, tasks = np.tile([1.0, 2.0, 3.0], 8), np.repeat(["a", "b"], 12)
    ratings = _outputs(scores, tasks, metric=[str(n) for n in range(24)])
    alone = predict_task(ratings, "task", replicates=200, rng=np.random.default_rng(0))
    helped = predict_task(ratings, "task", ["metric"], replicates=200, rng=np.random.default_rng(0))
    assert (alone.predictors, helped.predictors) == (("score",), ("score", "metric"))
    assert alone.results[0].accuracy < 0.7 < 0.9 < helped.results[0].accuracy


def test_documents_are_left_out_whole_where_they_are_known():
    scores = np.arange(24.0)
    ratings = _outputs(scores, ["a"] * 12 + ["b"] * 12, document=[f"d{n // 2}" for n in range(24)])
    (one,) = predict_task(ratings, "task", replicates=200, rng=np.random.default_rng(0)).results
    assert (one.unit, one.units, one.items) == ("document", 12, 24)
    assert one.accuracy_interval.method == "bootstrap over documents, percentile"


@pytest.mark.parametrize(
    ("scores", "tasks", "error", "words"),
    [
        (range(12), ["a"] * 12, NotEnoughDataError, "the same 'task': there is nothing to predict"),
        (range(6), ["a", "b"] * 3, NotEnoughDataError, "at least 10 items"),
        (range(12), ["a"] * 11 + ["b"], NotEnoughDataError, "the rarest 1 of them"),
    ],
)
def test_what_cannot_be_predicted_is_told(scores, tasks, error, words):
    with pytest.raises(error, match=words):
        predict_task(_outputs(list(scores), tasks), "task", rng=np.random.default_rng(0))


def test_an_item_with_two_tasks_and_a_column_that_is_not_there_are_named():
    ratings = build_ratings(
        {"item": ["x", "x"], "rater": ["R", "S"], "value": [1, 2], "task": ["gist", "publish"]}, level="interval"
    )
    with pytest.raises(OptionError, match="item 'x' has more than one 'task' \\(gist and publish\\)"):
        predict_task(ratings, "task", rng=np.random.default_rng(0))
    with pytest.raises(ColumnError, match="no column 'use'"):
        predict_task(ratings, "use", rng=np.random.default_rng(0))


def test_the_command_prints_accuracy_mixed_up_tasks_and_cuts(accord_command):
    asked = ("compare", str(EXAMPLES / "outputs.csv"), "--design", "tasks", "--metric", "chrf", "--bootstrap", "200")
    told = accord_command(*asked)
    assert "On items left out, scores name the right task in 85% of 48 items" in told.stdout
    data = json.loads(accord_command(*asked, "--json").stdout)
    assert data["predictors"] == ["clarity", "coherence", "chrf"]
    assert {one["left_out"] for one in data["results"]} == {"item", "system"}
    assert sum(map(sum, data["results"][0]["confusion"])) == 48


def test_a_task_of_systems_that_differs_between_their_items_is_not_guessed():
    from accord.diagnosis.score_patterns import score_patterns, task_association

    ratings = accord.read(EXAMPLES / "outputs.csv")
    found = score_patterns(ratings, unit="system", clusters=2)
    with pytest.raises(OptionError, match="system 'Birch' has more than one 'task'"):
        task_association(ratings, found, "task", np.random.default_rng(0))
