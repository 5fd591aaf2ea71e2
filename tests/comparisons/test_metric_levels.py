"""Metrics on segments, documents and systems, with and without context: against plain loops and a second program."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import accord
from accord.comparisons.metrics import metric_correlations, metric_differences
from accord.comparisons.weighted_correlation import KINDS, weighted_correlation
from accord.errors import ColumnError
from accord.ratings.build import build_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SECOND = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("kind", KINDS)
def test_a_weighted_correlation_is_that_of_units_repeated_as_often(kind):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 6, 25).astype(float), rng.integers(0, 9, 25).astype(float)
    weights = rng.multinomial(25, np.full(25, 1 / 25), size=20).astype(float)
    found = weighted_correlation(kind, x, y)(weights)
    for row, value in zip(weights.astype(int), found, strict=True):
        assert value == pytest.approx(SECOND[kind](np.repeat(x, row), np.repeat(y, row)).statistic, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_correlation_with_what_does_not_vary_is_undefined(kind):
    x, y = np.array([0.1, 0.1, 0.1, 0.7]), np.array([1.0, 2.0, 3.0, 4.0])
    found = weighted_correlation(kind, x, y)(np.array([[1.0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]]))
    assert np.isnan(found).tolist() == [True, False, True]


def _crossed(metric_follows: float):
    """Two systems that share item names, six documents of three segments, one rater."""
    rng = np.random.default_rng(5)
    rows = {name: [] for name in ("item", "rater", "value", "system", "document", "bleu")}
    for system in ("A", "B"):
        for document in range(6):
            for segment in range(3):
                value = int(rng.integers(0, 101)) if system == "A" else int(rng.integers(0, 51))
                bleu = f"{metric_follows * value + rng.normal(0, 5):.2f}"
                new = (f"d{document}-{segment}", "R", value, system, f"d{document}", bleu)
                for name, cell in zip(rows, new, strict=True):
                    rows[name].append(cell)
    return rows


def test_items_of_the_same_name_belong_to_each_of_their_systems():
    rows = _crossed(1.0)
    found = {
        (one.level, one.kind): one
        for one in metric_correlations(
            build_ratings(rows, level="interval"), ["bleu"], replicates=200, rng=np.random.default_rng(0)
        )
    }
    human, bleu = np.array(rows["value"], dtype=float), np.array(rows["bleu"], dtype=float)
    assert found["segment", "pearson"].units == 36
    assert found["segment", "pearson"].value == pytest.approx(np.corrcoef(human, bleu)[0, 1])
    documents = np.array([f"{s} {d}" for s, d in zip(rows["system"], rows["document"], strict=True)])
    means = [[side[documents == name].mean() for name in np.unique(documents)] for side in (human, bleu)]
    assert found["document", "pearson"].units == 12
    assert found["document", "pearson"].value == pytest.approx(np.corrcoef(*means)[0, 1])
    assert found["segment", "pearson"].interval.method == "jackknife over documents on Fisher's z, t(5)"


def test_the_interval_of_few_documents_leaves_each_out_on_fishers_z():
    rows = _crossed(1.0)
    human, bleu, document = (np.array(rows[name]) for name in ("value", "bleu", "document"))
    human, bleu = human.astype(float), bleu.astype(float)
    z = np.array([np.arctanh(stats.pearsonr(human[document != one], bleu[document != one]).statistic)
                  for one in np.unique(document)])  # fmt: skip
    reach = stats.t.ppf(0.975, 5) * np.sqrt(5 / 6 * np.square(z - z.mean()).sum())
    middle = np.arctanh(stats.pearsonr(human, bleu).statistic)
    found = metric_correlations(build_ratings(rows, level="interval"), ["bleu"], rng=np.random.default_rng(0))
    interval = next(one.interval for one in found if (one.level, one.kind) == ("segment", "pearson"))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.tanh([middle - reach, middle + reach])))


def test_three_systems_have_no_interval():
    rows = {name: [] for name in ("item", "rater", "value", "system", "bleu")}
    for at in range(30):
        for name, cell in zip(rows, (f"i{at}", "R", at * 3 % 17, f"S{at % 3}", f"{at % 7}.5"), strict=True):
            rows[name].append(cell)
    found = metric_correlations(build_ratings(rows, level="interval"), ["bleu"], rng=np.random.default_rng(0))
    assert [one.interval for one in found if one.level == "system"] == [None] * 3


def test_the_difference_of_documents_and_segments_leaves_out_whole_documents():
    ratings = accord.read(EXAMPLES / "metric-context.csv", level="interval").only(scenario="sentence")
    found = metric_differences(ratings, ["chrf"], rng=np.random.default_rng(1))
    one = next(one for _, one in found if one.what == "pearson of chrf")
    chrf = np.array([float(name) for name in ratings.columns["chrf"].labels()])
    segments = {}
    for item, document, value, score in zip(
        ratings.item.labels(), ratings.columns["document"].labels(), ratings.scores, chrf, strict=True
    ):
        segments.setdefault((document, item), []).append((value, score))
    means = {key: np.mean(rows, axis=0) for key, rows in segments.items()}
    names = sorted({document for document, _ in means})

    def change(left_out):
        kept = [(document, pair) for (document, _), pair in means.items() if document != left_out]
        of_segments = np.array([pair for _, pair in kept])
        of_documents = np.array([np.mean([pair for d, pair in kept if d == name], axis=0)
                                 for name in names if name != left_out])  # fmt: skip
        return stats.pearsonr(*of_documents.T).statistic - stats.pearsonr(*of_segments.T).statistic

    without = np.array([change(name) for name in names])
    error = np.sqrt((len(names) - 1) / len(names) * np.square(without - without.mean()).sum())
    assert one.value == pytest.approx(change(""))
    p = 2 * stats.t.sf(abs(one.value) / error, len(names) - 1)
    assert one.p == pytest.approx(p)
    assert one.interval.low == pytest.approx(one.value - stats.t.ppf(0.975, len(names) - 1) * error)


def test_p_of_several_criteria_is_adjusted_by_holm():
    ratings = accord.read(EXAMPLES / "metric-context.csv", level="interval")
    found = metric_differences(ratings, ["chrf"], condition="scenario", rng=np.random.default_rng(0))
    family = sorted((one.p, one.adjusted) for _, one in found if one.what == "pearson of chrf")
    expected = np.maximum.accumulate([p * (len(family) - at) for at, (p, _) in enumerate(family)])
    assert [new for _, new in family] == pytest.approx(np.minimum(expected, 1))


def test_conditions_are_compared_on_the_units_both_have():
    ratings = accord.read(EXAMPLES / "metric-context.csv", level="interval")
    found = metric_differences(ratings, ["chrf"], condition="scenario", replicates=200, rng=np.random.default_rng(0))
    compared = {(one.first, one.second) for _, one in found}
    assert compared == {
        ("document, sentence", "segment, sentence"),
        ("document, sentence-in-context", "segment, sentence-in-context"),
        ("segment, sentence-in-context", "segment, sentence"),
        ("document, sentence-in-context", "document, sentence"),
        ("document, document", "document, sentence"),
    }
    by_place = {(one.condition, one.level, one.kind): one for one in metric_correlations(
        ratings, ["chrf"], condition="scenario", replicates=200, rng=np.random.default_rng(0))}  # fmt: skip
    assert ("document", "segment", "pearson") not in by_place
    change = next(one for _, one in found if one.first == "document, document" and one.what == "kendall of chrf")
    expected = by_place["document", "document", "kendall"].value - by_place["sentence", "document", "kendall"].value
    assert change.value == pytest.approx(expected)


def test_a_metric_that_follows_single_sentences_only_is_found_to_miss_the_context():
    rng = np.random.default_rng(9)
    rows = {name: [] for name in ("item", "rater", "value", "scenario", "document", "bleu")}
    for document in range(30):
        fault = rng.normal(0, 20)
        for segment in range(4):
            quality = rng.normal(50, 12)
            for scenario, value in (("alone", quality), ("context", quality + fault)):
                new = (f"{document}-{segment}", "R", round(value + rng.normal(0, 3), 1), scenario, f"d{document}",
                       f"{quality + rng.normal(0, 5):.2f}")  # fmt: skip
                for name, cell in zip(rows, new, strict=True):
                    rows[name].append(cell)
    found = metric_differences(
        build_ratings(rows, level="interval"), ["bleu"], condition="scenario", replicates=1000,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    changes = {one.what: one for _, one in found if one.first == "segment, context"}
    assert len(changes) == 3
    assert all(one.is_clear and one.value < -0.2 for one in changes.values())


def test_a_condition_that_is_not_there_is_named():
    ratings = accord.read(EXAMPLES / "outputs.csv", level="interval")
    with pytest.raises(ColumnError, match="no column 'scenario' to tell conditions apart"):
        metric_correlations(ratings, ["chrf"], condition="scenario", rng=np.random.default_rng(0))


def test_the_command_prints_levels_conditions_and_differences(accord_command):
    asked = ("compare", EXAMPLES / "metric-context.csv", "--design", "metrics", "--metric", "chrf", "--condition",
             "scenario", "--level", "interval", "--direction", "high", "--bootstrap", "200")  # fmt: skip
    told = accord_command(*asked)
    assert "Does the metric agree with people better?" in told.stdout
    data = json.loads(accord_command(*asked, "--json").stdout)
    assert {one["condition"] for one in data["correlations"]} == {"sentence", "sentence-in-context", "document"}
    assert len(data["differences"]) == 15
