"""The intervals given unasked: no certainty from few or one-sided items, documents where they are named, raters."""

from pathlib import Path

import numpy as np
import pytest

import accord
from accord.ratings.read import read


def _guessing(items, raters, seed=0, values=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, values, items)
    return np.where(rng.random((items, raters)) < 0.3, rng.integers(0, values, (items, raters)), truth[:, None])


def _nominal(table, values=3):
    return read(table.astype(float), level="nominal", scale=[float(value) for value in range(values)])


def _in_documents(documents, size=6, seed=0):
    rows = []
    for place, ratings in enumerate(_guessing(documents * size, 2, seed).tolist()):
        rows += [
            {"item": f"i{place}", "rater": rater, "value": value, "document": f"d{place // size}"}
            for rater, value in zip("AB", ratings, strict=True)
        ]
    import pyarrow as pa

    return read(pa.Table.from_pylist(rows), level="nominal", scale=[0, 1, 2])


def test_one_agreed_error_in_twenty_items_is_no_perfect_agreement():
    table = np.zeros((20, 2))
    table[7] = 1
    found = accord.agreement(_nominal(table, 2))
    for key in ("cohen_kappa", "krippendorff_alpha", "fleiss_kappa"):
        assert found[key].value == 1
        assert found[key].interval.low < 0.3
        assert found[key].standard_error > 0.05
        assert found[key].interpretations == ()


@pytest.mark.parametrize("items", [1, 3, 9])
def test_under_ten_items_there_is_nothing_to_go_on_and_this_comes_first(items):
    table = np.arange(2 * items).reshape(items, 2) // 2 % 3
    for estimate in accord.agreement(_nominal(table)):
        assert estimate.interval is None
        assert estimate.interpretations == ()
        if not np.isnan(estimate.value):
            assert estimate.cautions[0].startswith(f"nothing to go on: {items} item")


def test_where_all_agree_on_a_declared_scale_ac1_and_brennan_prediger_are_one():
    declared = accord.agreement(_nominal(np.ones((25, 3))))
    for key in ("gwet_ac1", "brennan_prediger"):
        assert declared[key].value == 1
        assert 0.4 < declared[key].interval.low < 0.95
        assert not any("undefined" in text for text in declared[key].cautions)
    assert np.isnan(declared["krippendorff_alpha"].value)
    guessed = accord.agreement(read(np.ones((25, 3)), level="nominal"))
    assert all(np.isnan(guessed[key].value) for key in ("gwet_ac1", "brennan_prediger", "krippendorff_alpha"))


def test_a_coefficient_alone_has_the_interval_it_has_among_all():
    ratings = _nominal(_guessing(25, 3))
    for estimate in accord.agreement(ratings):
        (alone,) = accord.agreement(ratings, coefficients=estimate.coefficient)
        assert alone.interval.method == estimate.interval.method
        assert (alone.interval.low, alone.interval.high) == pytest.approx(
            (estimate.interval.low, estimate.interval.high), abs=1e-12
        )


def test_a_method_that_is_asked_for_is_given():
    ratings = _nominal(_guessing(25, 3))
    asked = {
        kind: accord.agreement(ratings, coefficients="fleiss_kappa", interval=kind)["fleiss_kappa"].interval.method
        for kind in ("bca", "percentile", "jackknife")
    }
    assert asked == {
        "bca": "bootstrap over items, BCa", "percentile": "bootstrap over items, percentile",
        "jackknife": "jackknife over items, t(24)",
    }  # fmt: skip


def test_intraclass_correlations_have_their_f_interval_unasked():
    table = np.random.default_rng(1).normal(size=(40, 1)) + np.random.default_rng(2).normal(size=(40, 3))
    ratings = read(table, level="interval")
    unasked = accord.agreement(ratings, coefficients="icc_a1")["icc_a1"]
    assert unasked.interval == accord.agreement(ratings, coefficients="icc_a1", interval="analytic")["icc_a1"].interval
    assert unasked.question == "other items and other raters"
    assert accord.agreement(ratings, coefficients="icc_c1")["icc_c1"].question == "other items, these 3 raters"


@pytest.mark.parametrize(("documents", "given"), [(3, False), (4, True), (9, True), (30, True)])
def test_documents_that_are_named_are_the_unit_and_under_four_carry_no_interval(documents, given):
    alpha = accord.agreement(_in_documents(documents), coefficients="krippendorff_alpha")["krippendorff_alpha"]
    assert (alpha.interval is not None) == given
    if given:
        assert "over documents" in alpha.interval.method
        assert alpha.question == "other documents, these 2 raters"
    else:
        assert alpha.cautions[0].startswith("no interval: the items come from 3 documents")
    by_item = accord.agreement(_in_documents(documents), coefficients="krippendorff_alpha", resample="item")
    assert by_item["krippendorff_alpha"].question == "other items, these 2 raters"


@pytest.mark.parametrize(
    ("unit", "question"),
    [("rater", "other raters, these 50 items"), ("rater-and-item", "other items and other raters")],
)
def test_every_coefficient_has_an_interval_over_raters_and_names_the_question(unit, question):
    for estimate in accord.agreement(_nominal(_guessing(50, 6)), resample=unit):
        assert "on Fisher's z" in estimate.interval.method
        assert estimate.question == question == estimate.to_dict()["question"]


def test_raters_who_differ_are_named_with_what_to_ask_for():
    rng = np.random.default_rng(5)
    table = rng.normal(size=(60, 1)) + 0.5 * rng.normal(size=(60, 4)) + np.array([0, 0, 0, 3.0])
    notes = accord.agreement(read(table, level="interval")).groups[0].notes
    assert any("these raters differ" in note and "--resample rater-and-item" in note for note in notes)
    alike = accord.agreement(_nominal(_guessing(60, 4))).groups[0].notes
    assert not any("these raters differ" in note for note in alike)


def test_scores_in_which_nobody_ever_differs_have_no_interval_and_say_why():
    same = np.repeat(np.arange(20.0)[:, None], 2, axis=1)
    pearson = accord.agreement(read(same, level="interval"), coefficients="pearson")["pearson"]
    assert pearson.interval is None
    assert "no interval: without any one of the items the value stays as it is" in pearson.cautions[0]


def test_the_f_intervals_given_unasked_are_those_of_psych():
    scores = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    twice = np.array([*scores, *(np.array(scores) + np.array([1, 0, 2, 1, 0, 1])[:, None]).tolist()], dtype=float)
    keys = {"ICC1": "icc_1", "ICC2": "icc_a1", "ICC3": "icc_c1", "ICC1k": "icc_1k", "ICC3k": "icc_ck"}
    found = accord.agreement(read(twice, level="interval"))
    recorded = (Path(__file__).parent / "psych_icc.txt").read_text().splitlines()
    # psych takes the degrees of freedom of ICC2k from ICC2; Accord's are those of irr and irrNA.
    for name, *numbers in (line.split() for line in recorded if not line.startswith("ICC2k")):
        one = found[keys[name]]
        assert (one.value, one.interval.low, one.interval.high) == pytest.approx([float(n) for n in numbers], abs=1e-9)


def _three_of_five(items: int) -> accord.Ratings:
    """Five grades by five raters, of whom three, drawn anew, rate each item."""
    rng = np.random.default_rng(3)
    seen = rng.normal(size=(items, 1)) + 0.8 * rng.normal(size=(items, 5))
    table = np.searchsorted(np.linspace(-1.5, 1.5, 4), seen).astype(float)
    table[rng.permuted(np.tile(np.arange(5) >= 3, (items, 1)), axis=1)] = np.nan
    return read(table, level="ordinal", scale=[0.0, 1.0, 2.0, 3.0, 4.0])


def test_pairs_that_share_under_ten_items_carry_no_interval_and_alpha_does():
    found = accord.agreement(_three_of_five(20), coefficients=["cohen_kappa_quadratic", "gamma", "krippendorff_alpha"])
    for key in ("cohen_kappa_quadratic", "gamma"):
        assert found[key].interval is None
        assert found[key].cautions[0].startswith("no interval: half of the pairs of raters share 6 items or fewer")
    assert found["krippendorff_alpha"].interval is not None


def test_the_bias_of_pairs_that_share_few_items_is_in_the_interval_and_said():
    asked = {"coefficients": ["cohen_kappa_quadratic"], "seed": 1}
    found = accord.agreement(_three_of_five(40), **asked)["cohen_kappa_quadratic"]
    jackknife = accord.agreement(_three_of_five(40), interval="jackknife", **asked)["cohen_kappa_quadratic"].interval
    bias = (jackknife.low + jackknife.high) / 2 - found.value
    assert found.interval.method.endswith("upper end raised by the bias of pairs")
    assert bias > 0.02
    assert found.interval.high - found.value > found.value - found.interval.low - bias
    assert any(text.startswith(f"too low by about {bias:.2g}: half of the pairs") for text in found.cautions)


def test_complete_ratings_are_not_raised():
    rng = np.random.default_rng(3)
    seen = rng.normal(size=(20, 1)) + 0.8 * rng.normal(size=(20, 5))
    ratings = read(np.searchsorted(np.linspace(-1.5, 1.5, 4), seen).astype(float), level="ordinal")
    found = accord.agreement(ratings, coefficients="cohen_kappa_quadratic")["cohen_kappa_quadratic"]
    assert found.interval.method == "Bayesian bootstrap over items with pseudo-items"
    assert not any("too low" in text for text in found.cautions)


def test_raters_who_never_met_on_a_rare_value_are_not_said_to_agree_less_than_by_chance():
    # 190 of 200 items of each rater are the frequent value; by chance they meet on the rare one in half an item.
    table = np.zeros((200, 2))
    table[:10, 0] = table[10:20, 1] = 1
    for key in ("krippendorff_alpha", "cohen_kappa"):
        found = accord.agreement(_nominal(table, 2))[key].interval
        assert found.low < 0 < found.high
        assert found.method == "Bayesian bootstrap over items with pseudo-items"


def test_a_rare_value_on_which_five_raters_met_by_chance_is_no_agreement():
    rng = np.random.default_rng(3)
    found = [accord.agreement(_nominal((rng.random((60, 5)) < 0.05) * 1.0, 2))["krippendorff_alpha"] for _ in range(8)]
    assert all(one.interval.low <= 0 <= one.interval.high for one in found)


def test_percent_agreement_over_raters_ends_at_0():
    table = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 0], [0, 0, 1]] * 6)
    for unit in ("rater", "rater-and-item"):
        found = accord.agreement(_nominal(table), coefficients="percent_agreement", resample=unit)
        assert 0 <= found["percent_agreement"].interval.low < found["percent_agreement"].interval.high < 1
