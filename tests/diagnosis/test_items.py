from dataclasses import replace

import numpy as np
import pytest

from accord.design.scale import Level
from accord.diagnosis.categories import category_use, skew_cause
from accord.diagnosis.items import chance_agreement, decomposition, item_entropies
from accord.diagnosis.what_if import finer_scale, sensitivity, uniform_chance, what_if
from accord.errors import NotEnoughDataError, OptionError


def test_entropy_is_zero_where_all_agree_and_two_bits_where_four_values_are_shared(make_part):
    found = item_entropies(make_part([[1, 1, 1, 1], [1, 2, 3, 4], [1, 1, 2, 2]]))
    assert [(row.item, row.entropy) for row in found] == [("i2", 2.0), ("i3", 1.0), ("i1", 0.0)]


def test_entropy_of_five_values_is_at_most_2_322_bits(make_part):
    (row,) = item_entropies(make_part([[1, 2, 3, 4, 5]]))
    assert row.entropy == pytest.approx(2.322, abs=5e-4)


def test_items_with_one_rating_are_not_listed(make_part):
    assert [row.item for row in item_entropies(make_part([[1, np.nan], [1, 2]]))] == ["i2"]


def test_an_item_carries_its_text_and_the_comments_of_its_raters(make_ratings):
    from accord.diagnosis.part import parts_of

    ratings = make_ratings(
        [[1, 4], [2, 2]], columns={"text": [["a cat"] * 2, ["a dog"] * 2], "comment": [["odd", "fine"], ["", ""]]}
    )
    first, second = item_entropies(parts_of(ratings)[0])
    assert (first.text, first.comments, first.values) == ("a cat", "odd | fine", "r1 1, r2 4")
    assert (second.text, second.comments) == ("a dog", "")


def test_weighted_chance_of_equal_use_is_583_for_four_values_and_600_for_five():
    assert uniform_chance(4) == pytest.approx(0.583, abs=5e-4)
    assert uniform_chance(5) == pytest.approx(0.600, abs=5e-4)
    assert (uniform_chance(4, "identity"), uniform_chance(5, "identity")) == (0.25, 0.2)


def test_uniform_chance_is_what_uniform_marginals_give(make_part):
    for values in (2, 4, 5, 7):
        part = make_part([[v, w] for v in range(values) for w in range(values)])
        assert decomposition(part).means[1] == pytest.approx(uniform_chance(values))


def test_the_marginals_implied_by_clarity_give_its_independent_agreement(make_part):
    counts = [7, 14, 22, 57]
    codes = np.repeat(np.arange(4), counts)
    part = make_part(np.stack([codes, codes], axis=1).astype(float))
    assert chance_agreement(part, codes, codes, linear=True) == pytest.approx(0.683, abs=0.01)
    assert chance_agreement(part, codes, codes, linear=False) == pytest.approx(0.40, abs=0.005)


def test_linear_weights_are_vacuous_for_two_values(make_part, honest_table):
    part = make_part((honest_table(1) > 3).astype(float))
    linear, plain = decomposition(part, weights="linear"), decomposition(part, weights="identity")
    assert linear.kappa == pytest.approx(plain.kappa)


def test_the_decomposition_is_weighted_kappa(make_part, honest_table):
    from sklearn.metrics import cohen_kappa_score

    table = honest_table(2, raters=3)
    parts = decomposition(make_part(table))
    expected = [cohen_kappa_score(table[:, a], table[:, b], weights="linear") for a, b in ((0, 1), (0, 2), (1, 2))]
    assert parts.kappa == pytest.approx(expected)


def test_nominal_values_are_never_weighted(make_part):
    assert decomposition(make_part([[1, 2], [3, 3]], level=Level.NOMINAL)).weights == "identity"


def test_kappa_of_the_printed_coherence_numbers_and_its_derivatives():
    found = sensitivity(0.66, 0.54)
    assert found.kappa == pytest.approx(0.261, abs=5e-4)
    step = 1e-6
    assert found.by_joint == pytest.approx((sensitivity(0.66 + step, 0.54).kappa - found.kappa) / step, rel=1e-4)
    assert found.by_independent == pytest.approx((sensitivity(0.66, 0.54 + step).kappa - found.kappa) / step, rel=1e-4)
    assert sensitivity(found.joint_needed, 0.54).kappa == pytest.approx(0.67)


def test_lowering_chance_alone_may_not_reach_the_target():
    assert np.isnan(sensitivity(0.5, 0.4, target=0.67).independent_needed)
    reached = sensitivity(0.9, 0.8, target=0.67).independent_needed
    assert sensitivity(0.9, reached).kappa == pytest.approx(0.67)


def test_impossible_shares_are_refused():
    with pytest.raises(OptionError, match="joint agreement must lie between 0 and 1"):
        sensitivity(1.2, 0.5)
    with pytest.raises(NotEnoughDataError, match="kappa has no value"):
        sensitivity(1, 1)
    with pytest.raises(OptionError, match="at least two values"):
        uniform_chance(1)


def test_the_predicted_effect_of_a_finer_scale_is_what_such_raters_then_do(make_part):
    rng = np.random.default_rng(0)
    seen = np.sqrt(0.6) * rng.standard_normal(20_000)[:, None] + np.sqrt(0.4) * rng.standard_normal((20_000, 2))
    coarse = np.searchsorted([-1.0, 0.0, 1.0], seen).astype(float)
    places = np.linspace(0, 4, 7)[1:-1]
    fine_cuts = places - 2.0
    fine = np.searchsorted(fine_cuts, seen).astype(float)
    now, then = finer_scale(make_part(coarse), values=6, weights="identity")
    joint, independent, kappa = decomposition(make_part(fine), weights="identity").means
    assert now.values == 4 and then.values == 6
    assert (then.joint, then.independent) == (pytest.approx(joint, abs=0.01), pytest.approx(independent, abs=0.01))
    assert then.kappa == pytest.approx(kappa, abs=0.015) and then.kappa < now.kappa


def test_nothing_is_predicted_of_scores_with_many_values(make_part):
    """Of scores from 0 to 100 kappas were predicted that the same scores, cut, do not have."""
    rng = np.random.default_rng(0)
    scores = np.clip(50 + 20 * rng.standard_normal(60)[:, None] + 10 * rng.standard_normal((60, 2)), 0, 100).round()
    with pytest.raises(NotEnoughDataError, match=r"scales of 20 values at most, and these ratings use \d\d: cut"):
        finer_scale(make_part(scores), values=5)


def test_nothing_is_predicted_of_a_fine_scale_of_which_few_values_occur(make_part):
    """Of eight texts measured again few of the hundred scores occurred, and kappas were predicted of them."""
    part = make_part([[10, 20], [40, 40], [70, 60], [90, 90]])
    assert finer_scale(part, values=5)[1].values == 5
    fine = replace(part.ratings.scale, low=0.0, high=100.0, any_between=True)
    with pytest.raises(NotEnoughDataError, match="this one goes from 0 to 100"):
        finer_scale(replace(part, ratings=replace(part.ratings, scale=fine)), values=5)


def test_nothing_is_predicted_where_raters_do_not_use_the_scale_alike(make_part):
    """The model has one kappa for all raters; where one is far stricter, theirs is another."""
    rng = np.random.default_rng(0)
    seen = rng.standard_normal(4_000)[:, None] + 0.3 * rng.standard_normal((4_000, 2))
    alike = np.searchsorted([-1.0, 0.0, 1.0], seen).astype(float)
    assert abs(finer_scale(make_part(alike), values=6)[0].kappa - what_if(make_part(alike)).kappa) < 0.02
    strict = np.searchsorted([-1.0, 0.0, 1.0], seen - [0.0, 1.5]).astype(float)
    found = what_if(make_part(strict)).kappa
    with pytest.raises(NotEnoughDataError, match=f"where it is {found:.2f}"):
        finer_scale(make_part(strict), values=6)


def test_what_if_says_so_when_no_raters_meet(make_part):
    with pytest.raises(NotEnoughDataError, match="No two raters share an item"):
        what_if(make_part([[1, np.nan], [np.nan, 2]]))
    with pytest.raises(NotEnoughDataError, match="nothing can be predicted"):
        finer_scale(make_part([[1, 1], [1, 1]]), values=4)


def test_category_use_counts_every_rater_and_value(make_part):
    uses = {(use.rater, use.value): use for use in category_use(make_part([[1, 2], [1, 2], [1, 1], [2, 2]]))}
    assert (uses["r1", "1"].ratings, uses["r1", "1"].share, uses["r1", "1"].share_of_others) == (3, 0.75, 0.25)
    assert sum(use.ratings for use in uses.values()) == 8


def test_the_two_causes_of_skew_are_told_apart(make_part):
    alike = np.ones((100, 2))
    alike[:5] = 2
    assert skew_cause(make_part(alike)).cause.endswith("the items that are alike")
    preferred = np.ones((100, 2))
    preferred[:38, 1] = 2
    assert "guideline" in skew_cause(make_part(preferred)).cause
    even = np.ones((100, 2))
    even[:50] = 2
    assert "not skewed" in skew_cause(make_part(even)).cause
