"""Cautions speak where they should, stay silent where they should, and name the coefficients they concern."""

import numpy as np
import pytest

import accord
from accord.coefficients.registry import COEFFICIENTS
from accord.design.scale import Level
from accord.ratings.build import build_ratings
from accord.ratings.read import read


def cautions(table, key, level="ordinal"):
    return accord.agreement(read(np.asarray(table, dtype=float), level=level), coefficients=key, interval="none")[
        key
    ].cautions


def noisy(items=100, raters=3, values=4, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, values + 1, items)
    table = np.where(rng.random((items, raters)) < noise, rng.integers(1, values + 1, (items, raters)), truth[:, None])
    return table.astype(float)


@pytest.mark.parametrize("key", ["cohen_kappa_quadratic", "gwet_ac2", "krippendorff_alpha", "gamma"])
def test_good_ratings_carry_no_caution(key):
    assert cautions(noisy(), key) == ()


@pytest.mark.parametrize("key", ["cohen_kappa", "light_kappa", "fleiss_kappa", "gwet_ac1", "percent_agreement"])
def test_the_only_caution_on_good_ordered_ratings_is_that_an_unweighted_coefficient_ignores_the_order(key):
    (caution,) = cautions(noisy(), key)
    assert caution.startswith("ignores the order of the values")
    assert cautions(noisy(), key, level="nominal") == ()


def test_weights_that_the_user_chose_silence_the_caution_about_order():
    ratings = read(noisy(), level="ordinal")
    found = accord.agreement(ratings, coefficients=["fleiss_kappa", "light_kappa"], weights="linear", interval="none")
    assert found["fleiss_kappa"].cautions == ()
    assert found["light_kappa"].cautions != ()


def test_two_ordered_values_have_no_near_miss():
    assert cautions(noisy(values=2), "fleiss_kappa") == ()


def test_sorted_columns_warn_about_coefficients_that_tell_raters_apart():
    table = np.sort(noisy(), axis=1)
    assert any("look like sorted values" in caution for caution in cautions(table, "cohen_kappa"))
    assert any("look like sorted values" in caution for caution in cautions(table, "gamma"))
    assert not any("look like sorted values" in caution for caution in cautions(table, "fleiss_kappa"))


def test_columns_sorted_downward_or_out_of_order_are_found_too():
    table = np.sort(noisy(), axis=1)[:, [1, 2, 0]]
    assert any("look like sorted values" in caution for caution in cautions(table, "cohen_kappa"))


def test_a_few_rows_out_of_order_are_still_sorted_columns():
    table = np.sort(noisy(items=1000), axis=1)
    table[5] = table[5][::-1]
    assert any("look like sorted values" in caution for caution in cautions(table, "cohen_kappa"))


def test_two_raters_of_whom_one_is_always_higher_may_be_sorted_or_generous():
    strict = noisy(raters=1, noise=0)
    generous = np.minimum(strict + (np.random.default_rng(1).random(strict.shape) < 0.4), 4)
    table = np.concatenate([strict, generous], axis=1)
    assert any("more generous" in caution for caution in cautions(table, "cohen_kappa"))


def test_real_sorted_columns_are_found_in_the_flickr8k_judgements(data):
    ratings = accord.read(data / "flickr8k_expert.csv", value="score", level="ordinal")
    result = accord.agreement(ratings, coefficients=["gamma", "fleiss_kappa"], interval="none")
    assert any("look like sorted values" in caution for caution in result["gamma"].cautions)
    assert not any("sorted" in caution for caution in result["fleiss_kappa"].cautions)
    assert result["fleiss_kappa"].value == pytest.approx(0.51673, abs=0.000005)


def test_a_copied_column_is_found():
    table = noisy()
    table[:, 2] = table[:, 0]
    assert any(
        caution.startswith("rater 1 and rater 3 gave the same value to all 100 items")
        for caution in cautions(table, "fleiss_kappa")
    )


def test_a_constant_rater_is_named():
    table = noisy()
    table[:, 1] = 2
    assert any(
        caution.startswith("rater 2 gave the value 2 to all 100 items") for caution in cautions(table, "cohen_kappa")
    )
    assert not any("rater 2 gave" in caution for caution in cautions(table, "percent_agreement"))


def test_one_prevalent_value_makes_kappa_low_though_raters_agree():
    table = np.ones((200, 2))
    table[:8, 0], table[8:16, 1], table[16:20] = 2, 2, 2
    result = accord.agreement(read(table, level="nominal"), interval="none")
    assert result["percent_agreement"].value > 0.9
    assert result["cohen_kappa"].value < 0.4
    assert any("prevalence paradox" in caution for caution in result["cohen_kappa"].cautions)
    assert not any("prevalence" in caution for caution in result["gwet_ac1"].cautions)


def test_raters_with_unequal_habits_raise_cohens_kappa():
    rng = np.random.default_rng(0)
    first = (rng.random(300) < 0.8).astype(float)
    second = np.where(rng.random(300) < 0.55, 0.0, first)
    result = accord.agreement(read(np.stack([first, second], axis=1), level="nominal"), interval="none")
    assert any("bias paradox" in caution for caution in result["cohen_kappa"].cautions)
    assert not any("bias paradox" in caution for caution in result["fleiss_kappa"].cautions)
    assert result["cohen_kappa"].value > result["fleiss_kappa"].value


def test_few_items_are_said_with_what_follows():
    assert cautions(noisy(items=29), "krippendorff_alpha") == (
        "only 29 items have two or more ratings: an interval is wide, and no band of a scale is named",
    )
    assert cautions(noisy(items=30), "krippendorff_alpha") == ()


def test_a_handful_of_items_is_sent_to_the_scores_themselves():
    assert any("accord score --ratings" in caution for caution in cautions(noisy(items=9), "krippendorff_alpha"))
    assert not any("accord score" in caution for caution in cautions(noisy(items=10), "krippendorff_alpha"))


def test_choices_without_an_order_are_not_called_scores():
    assert not any("score" in caution for caution in cautions(noisy(items=9), "krippendorff_alpha", level="nominal"))


def test_items_with_one_rating_tell_nothing():
    table = noisy(items=100)
    table[40:, 1:] = np.nan
    assert any(
        caution == "only 40 of 100 items have two or more ratings; the others say nothing about agreement"
        for caution in cautions(table, "krippendorff_alpha")
    )


def test_gamma_on_few_untied_pairs_says_so():
    table = np.ones((100, 2))
    table[0], table[1] = (2, 1), (1, 2)
    assert any("untied pairs of items only" in caution for caution in cautions(table, "gamma"))


def test_gamma_that_ignores_most_pairs_says_so():
    rng = np.random.default_rng(0)
    table = np.where(rng.random((400, 2)) < 0.15, 2.0, 1.0)
    assert any("because they are tied" in caution for caution in cautions(table, "gamma"))


def test_where_no_rater_rated_all_items_the_icc_says_so_and_what_to_do():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 6))
    table[np.arange(40), rng.integers(0, 6, 40)] = np.nan
    (caution,) = [one for one in cautions(table, "icc_a1", level="interval") if "undefined" in one]
    assert caution.startswith("undefined: no item was rated by all raters, and only such items are used; icc_missing")
    assert "icc_missing" not in " ".join(cautions(table, "kendall_w", level="interval"))


def test_labels_without_an_order_get_no_weights_that_need_one():
    labels = ["noun", "verb", "name"]
    rng = np.random.default_rng(0)
    rows = [{"item": item, "rater": rater, "value": labels[rng.integers(3)]} for item in range(40) for rater in "ab"]
    frame = {name: [row[name] for row in rows] for name in ("item", "rater", "value")}
    import polars as pl

    ratings = read(pl.DataFrame(frame))
    assert "weighted_agreement" in accord.agreement(ratings, interval="none").groups[0].unsuitable
    with pytest.raises(accord.errors.OptionError, match="these labels have none"):
        accord.agreement(ratings, coefficients="fleiss_kappa", weights="quadratic", interval="none")
    ordered = read(pl.DataFrame(frame), scale="noun<verb<name")
    assert "weighted_agreement" in accord.agreement(ordered, interval="none").groups[0]


@pytest.mark.parametrize("missing", ["anova", "mixed"])
def test_an_icc_of_incomplete_ratings_has_its_interval_over_items_and_says_so_over_documents(missing):
    rng = np.random.default_rng(0)
    cells = [(item, rater) for item in range(40) for rater in range(3) if rng.random() < 0.85]
    worth = rng.normal(50, 10, 40)
    columns = {
        "item": [f"i{item}" for item, _ in cells], "rater": [f"r{rater}" for _, rater in cells],
        "value": [round(worth[item] + rng.normal(0, 5)) for item, _ in cells],
        "document": [f"d{item // 5}" for item, _ in cells],
    }  # fmt: skip
    ratings = build_ratings(columns, level="interval")
    both = accord.agreement(ratings, coefficients=["icc_a1", "krippendorff_alpha"], icc_missing=missing)
    assert both["krippendorff_alpha"].interval is not None
    assert both["icc_a1"].interval is None
    assert any("--resample item" in caution for caution in both["icc_a1"].cautions)
    alone = accord.agreement(ratings, coefficients="icc_a1", icc_missing=missing, resample="item")["icc_a1"]
    assert alone.value in alone.interval and alone.value == both["icc_a1"].value


MATRIX = 0.5 + 0.5 * np.eye(4)


@pytest.mark.parametrize("asked", [{"weights": "quadratic"}, {"weights": MATRIX}, {"metric": "interval"}], ids=str)
@pytest.mark.parametrize("key", [key for key, spec in COEFFICIENTS.items() if Level.ORDINAL in spec.levels])
def test_weights_and_a_metric_change_a_value_or_are_said_not_to(key, asked):
    ratings = read(noisy(), level="ordinal")
    usual, found = (
        accord.agreement(ratings, coefficients=key, interval="none", **more)[key] for more in ({}, asked)
    )  # fmt: skip
    said = any("was not used" in caution for caution in found.cautions)
    own = (
        asked.get("weights") == COEFFICIENTS[key].coefficient.weights
        if isinstance(asked.get("weights"), str)
        else False
    )
    assert said == (found.value == usual.value and not own)


def test_a_metric_is_not_said_to_be_unused_where_alpha_is_asked_for_too():
    found = accord.agreement(read(noisy()), coefficients=["krippendorff_alpha", "gwet_ac2"], metric="interval")
    assert not any("was not used" in caution for one in found for caution in one.cautions)
    found = accord.agreement(read(noisy()), weights="quadratic", interval="none")
    assert not any("takes no weights:" in caution for one in found for caution in one.cautions)


@pytest.mark.parametrize("key", ["cohen_kappa", "fleiss_kappa", "conger_kappa"])
def test_weights_that_credit_everything_are_named_as_the_cause(key):
    (caution, *_) = accord.agreement(read(noisy()), coefficients=key, weights=np.ones((4, 4)))[key].cautions
    assert caution.startswith("undefined: by the matrix of weights that was given no two values that meet disagree")


def test_habits_are_compared_where_values_come_again_only():
    rng = np.random.default_rng(1)
    quality = rng.uniform(20, 60, (80, 1))
    fine = np.rint(quality + np.array([0, 0, 30]) + rng.normal(0, 4, (80, 3)))
    coarse = np.rint(fine / 20)
    said = {name: cautions(table, "conger_kappa") for name, table in (("fine", fine), ("coarse", coarse))}
    assert not any("use the values differently" in one for one in said["fine"])
    assert any("use the values differently" in one for one in said["coarse"])


def test_a_ceiling_is_a_caution_of_every_correlation_and_of_no_other():
    rng = np.random.default_rng(5)
    top = np.where(rng.random((60, 3)) < 0.9, 5.0, rng.integers(3, 5, (60, 3)))
    found = accord.agreement(read(top, level="ordinal"), interval="none", resample="item")
    warned = {one.coefficient for one in found if any("sit at the top of the scale" in each for each in one.cautions)}
    families = {one.coefficient: COEFFICIENTS[one.coefficient].family for one in found}
    assert warned == {key for key, family in families.items() if family in ("order", "correlation")} != set()
    (finding,) = (one for one in accord.diagnose(read(top, level="ordinal")).findings if one.code == "ceiling")
    assert warned <= set(finding.invalidates)
