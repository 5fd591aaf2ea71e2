"""Laws of single checks of the diagnosis: counted by hand, fitted by least squares, and exactly on their marks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats

from accord.design.scale import Level
from accord.diagnosis import behaviour, categories, coverage, severity, what_if
from accord.diagnosis.case import Case, in_words
from accord.errors import NotEnoughDataError, OptionError
from accord.reliability.signs import use_of_values

QUICK = settings(max_examples=15)


def case_of(part):
    return Case(part, np.random.default_rng(0))


def holes(table, seed=0, share=0.2):
    table = np.array(table, dtype=float)
    gaps = np.random.default_rng(seed).random(table.shape) < share
    gaps[:, 0] = False
    table[gaps] = np.nan
    return table


# Raters crossed with items.


@pytest.mark.parametrize("seed", range(3))
def test_strictness_is_that_of_least_squares_with_items_and_raters_crossed(make_part, honest_table, seed):
    table = holes(honest_table(seed, items=30, raters=4), seed)
    part = make_part(table)
    fit = severity.crossed_fit(part)
    rows = [
        (i, r) for i in range(30) for r in range(4) if not np.isnan(table[i, r]) and (~np.isnan(table[i])).sum() > 1
    ]
    design = np.zeros((len(rows), 34))
    for place, (i, r) in enumerate(rows):
        design[place, i] = design[place, 30 + r] = 1
    score = np.array([table[cell] for cell in rows])
    found, _, rank, _ = np.linalg.lstsq(design, score, rcond=None)
    effect = found[30:] - found[30:].mean()
    assert fit.effect == pytest.approx(effect)
    residual = score - design @ found
    assert fit.freedom == len(rows) - rank
    assert np.square(fit.residual).sum() == pytest.approx(np.square(residual).sum())
    contrast = np.linalg.pinv(design.T @ design) * (residual @ residual / fit.freedom)
    centre = np.eye(34)[30:] - np.r_[np.zeros(30), np.full(4, 0.25)]
    assert fit.error == pytest.approx(np.sqrt(np.diag(centre @ contrast @ centre.T)))
    effects = {one.rater: one for one in severity.rater_effects(part, confidence=0.9)}
    for place in range(4):
        one = effects[f"r{place + 1}"]
        half = stats.t.ppf(0.95, fit.freedom) * fit.error[place]
        assert (one.interval.low, one.interval.high) == pytest.approx((effect[place] - half, effect[place] + half))
    ordered = [one.severity for one in severity.rater_effects(part)]
    assert ordered == sorted(ordered)


def test_who_lies_furthest_is_told_with_the_distance_to_the_others_alone(make_part, honest_table):
    table = honest_table(2, items=60, raters=4)
    table[:, 1] -= 2
    for sign, word in ((1, "lower"), (-1, "higher")):
        (seen,) = severity.severe_raters(case_of(make_part(sign * table + 10)))
        apart = sign * (table[:, 1] - table[:, [0, 2, 3]].mean(axis=1)).mean()
        assert seen.who == ("r2",) and seen.evidence["apart"] == pytest.approx(apart)
        deviation = np.std(table)
        told = (
            f"r2 rates {abs(apart):.2f} {word} than the other raters on the same items, {abs(apart) / deviation:.1f} "
        )
        assert seen.message.startswith(told)


@pytest.mark.parametrize(("shift", "said"), [(0.0, False), (0.35, False), (1.5, True)])
def test_strictness_matters_from_half_a_deviation_on(make_part, honest_table, shift, said):
    table = honest_table(4, items=150, raters=3, noise=0.4)
    table[:, 0] += shift
    found = list(severity.severe_raters(case_of(make_part(table))))
    assert bool(found) is said


def test_neighbours_that_go_together_widen_an_error_as_newey_and_west_say():
    rng = np.random.default_rng(0)
    scores, place = rng.normal(size=37), rng.permutation(37).astype(float)
    ordered = scores[np.argsort(place)]
    reach = 7
    total = sum(ordered**2) + 2 * sum(
        (1 - lag / (reach + 1)) * sum(ordered[t] * ordered[t - lag] for t in range(lag, 37))
        for lag in range(1, reach + 1)
    )
    assert severity._of_neighbours(scores, place) == pytest.approx(total * 37 / 35)


def test_a_trend_is_that_of_least_squares_within_scenarios_at_equal_level():
    rng = np.random.default_rng(1)
    place, scenario = rng.permutation(40).astype(float), rng.integers(0, 2, 40)
    level, residual = rng.normal(size=40), rng.normal(size=40) + place / 20
    rank = place / 39
    design = np.column_stack([rank, level, scenario == 0, scenario == 1]).astype(float)
    expected = np.linalg.lstsq(design, residual, rcond=None)[0][0]
    slope, error, freedom = severity._slope(place, residual, scenario, level)
    assert slope == pytest.approx(expected) and freedom == 40 - 4 and error > 0
    assert severity._slope(-place, residual, scenario, level)[0] == pytest.approx(-slope)
    for few in (9, 10):
        known = not np.isnan(severity._slope(place[:few], residual[:few], scenario[:few], level[:few])[0])
        assert known is (few == 10)
    assert np.isnan(severity._slope(np.ones(40), residual, scenario, level)[0])


@pytest.mark.parametrize(
    ("turned", "words"),
    [
        (True, "r1 goes against the others, as if the scale were turned round"),
        (False, "r1 hardly correlates"),
    ],
)
def test_a_rater_who_turned_the_scale_is_not_told_as_one_who_did_not_read(make_part, honest_table, turned, words):
    table = honest_table(6, items=100, raters=4, noise=0.4)
    table[:, 0] = 6 - table[:, 0] if turned else np.random.default_rng(0).integers(1, 6, 100)
    (seen,) = severity.inconsistent_raters(case_of(make_part(table)))
    assert seen.message.startswith(words)
    assert (seen.evidence["correlation_with_others"] < -0.3) is turned


# How raters worked.


def test_runs_are_counted_from_where_they_begin():
    for given_one, found in (
        ([0, 1, 1, 0, 1, 1, 1], (4, 3)),
        ([1, 1, 0], (0, 2)),
        ([0, 0], (0, 0)),
        ([], (0, 0)),
        ([1], (0, 1)),
        ([1, 0, 1, 0], (0, 1)),
    ):
        assert behaviour._longest_run(np.array(given_one, dtype=bool)) == found


@QUICK
@given(some.lists(some.booleans(), min_size=6, max_size=30), some.integers(0, 4), some.integers(1, 3))
def test_a_pair_goes_on_as_often_as_counted_outside_the_run(equal, start, length):
    told, again = 0, 0
    for at in range(len(equal) - 1):
        if any(start <= one < start + length for one in (at, at + 1)) or not equal[at]:
            continue
        told, again = told + 1, again + equal[at + 1]
    assert behaviour._goes_on(np.array(equal), start, length) == pytest.approx((again + 1) / (told + 2))


def test_a_rating_is_as_likely_as_its_rater_or_the_others_make_it(make_part):
    table = holes(np.random.default_rng(0).integers(1, 4, (12, 4)))
    part = make_part(table)
    chance = behaviour._chance_of_each(part)
    flat = table[~np.isnan(table)]
    for row in range(len(part.rows)):
        item, rater, value = part.item[row], part.rater[row], part.score[row]
        own = np.nanmean(np.where(np.isnan(table[:, rater]), np.nan, table[:, rater] == value))
        others = np.delete(table[item], rater)
        others = others[~np.isnan(others)]
        seen = ((others == value).sum() + (flat == value).mean()) / (len(others) + 1)
        assert chance[row] == pytest.approx(max(min(own, 0.9), seen))


@pytest.mark.parametrize(("quick", "said"), [(0, False), (10, False), (30, True)])
def test_speed_is_as_sure_as_the_binomial_law_makes_it(make_part, honest_table, quick, said):
    times = np.full((30, 3), 20.0)
    times[:quick, 0] = 1.9
    times[quick:, 0] = 2.0  # a tenth itself is not quicker than a tenth
    found = list(
        behaviour.impossible_speed(case_of(make_part(honest_table(0, items=30, raters=3), numbers={"time_s": times})))
    )
    p = min(1.0, stats.binom.sf(quick - 1, 30, 0.2) * 3)
    assert bool(found) is said and said == (p < 0.001)
    if said:
        (seen,) = found
        assert seen.message == (
            "r1 took less than 2.0 s for 30 of 30 items; half of the other raters' answers took more than 20.0 s"
        )
        assert seen.sure == in_words(p) and seen.evidence["limit_s"] == pytest.approx(2)


def test_a_value_on_and_on_is_told_with_its_length_and_first_item(make_part, honest_table):
    table = honest_table(5, items=60, raters=3)
    order = np.tile(np.arange(60)[:, None], (1, 3)).astype(float)
    table[20:45, 1] = 3
    table[19, 1], table[45, 1] = 1, 5
    (seen,) = behaviour.straight_lining(case_of(make_part(table, numbers={"order": order})))
    assert seen.message == "r2 gave the value 3 in 25 ratings in a row" and seen.evidence["first_item"] == "i21"
    assert not list(behaviour.straight_lining(case_of(make_part(honest_table(5, items=60, raters=3)))))


# What the scale leaves to see.


@pytest.mark.parametrize("end", ["top", "bottom"])
def test_most_ratings_sit_at_an_end_where_the_share_is_surely_above_three_quarters(make_part, end):
    said = {}
    for crowded in range(140, 200):
        values = np.r_[np.full(crowded, 5.0), np.full(200 - crowded, 3.0)]
        table = (values if end == "top" else 6 - values).reshape(100, 2)
        found = list(use_of_values.ceiling(case_of(make_part(table, scale=(1, 2, 3, 4, 5)))))
        share = crowded / 200
        assert bool(found) == (share - 1.645 * np.sqrt(share * (1 - share) / 200) > 0.75)
        said[crowded] = "".join(one.message for one in found)
    assert said[180].startswith(f"90% of the ratings sit at the {end} of the scale") and not said[150]


def test_a_stray_value_is_rare_at_an_end_beside_a_frequent_one(make_part):
    def found(few, ratings=4000, low=True):
        values = np.r_[np.full(few, 1.0), np.tile([2.0, 3.0], ratings)[: ratings - few]]
        table = (values if low else 4 - values).reshape(-1, 4)
        return list(coverage.stray_values(case_of(make_part(table))))

    assert found(1) and found(3) and not found(4) and found(3, low=False)
    assert found(1)[0].message.startswith("the value 1 occurs only 1 time in 4,000 ratings (item i1 by r1)")
    assert not found(3, ratings=1400) and found(2, ratings=1000) and not found(2, ratings=996)


def test_raters_without_a_common_item_fall_into_groups_largest_first(make_part):
    table = np.full((30, 5), np.nan)
    table[:15, :3], table[15:, 3:] = 1, 2
    table[0, 0], table[20, 4] = 2, 1
    (seen,) = coverage.disconnected_raters(case_of(make_part(table)))
    assert seen.message == "the 5 raters fall into 2 groups that share no item (of 3, 2 raters)"
    table[20, 0] = 2
    assert not list(coverage.disconnected_raters(case_of(make_part(table))))


@pytest.mark.parametrize("noise", [0.2, 6.0])
def test_items_that_are_alike_have_the_f_of_an_analysis_of_variance(make_part, noise):
    rng = np.random.default_rng(0)
    table = np.round(50 + noise * rng.normal(size=(200, 3)), 1)
    (seen,) = coverage.non_discriminating(
        case_of(make_part(table, level=Level.INTERVAL, scale=np.round(np.linspace(0, 100, 1001), 1)))
    )
    left = table - table.mean(axis=0)
    between = 3 * np.square(left.mean(axis=1)).sum() / 199
    within = np.square(left - left.mean(axis=1, keepdims=True)).sum() / 398
    most = max(between / within / stats.f.ppf(0.05, 199, 398) - 1, 0) / 3
    assert seen.evidence["F"] == pytest.approx(between / within)
    assert seen.evidence["largest_share_between_items"] == pytest.approx(most / (1 + most))
    alike = np.sqrt(2 * within) < 0.2 * 100
    assert ("ratings of different items are as close" in seen.message) is bool(alike)


# Who uses which value.


def test_the_use_of_a_value_is_held_against_the_others_on_the_same_items(make_part):
    table = holes(np.random.default_rng(3).integers(1, 4, (40, 3)))
    part = make_part(table)
    uses = {(one.rater, one.value): one for one in categories.category_use(part)}
    for rater in range(3):
        mine = table[~np.isnan(table[:, rater])]
        for value in (1.0, 2.0, 3.0):
            one = uses[f"r{rater + 1}", f"{value:g}"]
            assert one.ratings == (mine[:, rater] == value).sum()
            assert one.share == pytest.approx((mine[:, rater] == value).mean())
            shares = []
            for row in mine:
                others = np.delete(row, rater)
                others = others[~np.isnan(others)]
                if len(others):
                    shares.append((others == value).mean())
            assert one.share_of_others == pytest.approx(np.mean(shares))
            error = np.sqrt(np.mean(shares) * (1 - np.mean(shares)) / len(shares))
            assert one.departure == pytest.approx((one.share - np.mean(shares)) / error)


@pytest.mark.parametrize(("expected", "seen"), [(0, 20), (0.5, 20), (1, 20), (19, 20), (19.5, 20), (20, 20)])
def test_a_share_of_nearly_none_or_all_has_half_a_rating_on_each_side(expected, seen):
    share = expected / seen if 1 <= expected <= seen - 1 else (expected + 0.5) / (seen + 1)
    assert categories._error(expected, seen) == pytest.approx(np.sqrt(share * (1 - share) / seen))
    assert np.isnan(categories._error(0, 0))


@QUICK
@given(some.integers(0, 30), some.integers(0, 30))
def test_gains_and_losses_have_the_p_of_mcnemar(gained, lost):
    expected = 2 * stats.binom.cdf(min(gained, lost), gained + lost, 0.5) if gained + lost else 1
    assert categories._two_sided(gained, lost) == pytest.approx(expected)


def test_another_rater_of_the_item_is_drawn_evenly_and_never_oneself(make_part):
    part = make_part(np.random.default_rng(0).integers(1, 4, (400, 3)))
    rows, others = categories._against_one_other(part, np.random.default_rng(0))
    assert (part.item[rows] == part.item[others]).all() and (part.rater[rows] != part.rater[others]).all()
    assert len(rows) == 1200
    drawn = np.bincount(part.rater[others][part.rater[rows] == 0], minlength=3)
    assert drawn[0] == 0 and abs(drawn[1] - drawn[2]) < 80


@pytest.mark.parametrize(
    ("usual", "lean", "words"),
    [
        (79, 0, "not skewed"),
        (80, 0, "so it is the items that are alike"),
        (80, 19, "so it is the items"),
        (80, 25, "raters differ in how often they use it"),
    ],
)
def test_a_skew_lies_in_the_items_unless_raters_lie_a_fifth_apart(make_part, usual, lean, words):
    columns = [
        np.r_[np.ones(usual + part), np.full(100 - usual - part, 2.0)] for part in (-(lean // 2), lean - lean // 2, 0)
    ]
    table = np.column_stack(columns)
    made = categories.skew_cause(make_part(table))
    share = (table == 1).mean()
    assert made.value == "1" and made.share == pytest.approx(share)
    assert made.agreed_share == pytest.approx((table == 1).all(axis=1).mean())
    assert made.between_raters == pytest.approx(lean / 100)
    if share >= 0.8 or usual < 80:
        assert words in made.cause


def test_values_that_nobody_gave_are_told_of_a_declared_scale_alone(make_part):
    table = [[1, 2], [2, 1], [1, 1]]
    (seen,) = categories.unused_values(case_of(make_part(table, scale=(1, 2, 3, 4))))
    assert seen.message.startswith("nobody gave 3, 4, though the scale has them")
    assert not list(categories.unused_values(case_of(make_part(table))))
    assert not list(categories.unused_values(case_of(make_part(table, scale=(1, 2)))))


# What would raise kappa.


@QUICK
@given(some.floats(0.05, 0.95), some.floats(0.05, 0.95), some.floats(0.1, 0.9))
def test_kappa_moves_as_its_derivatives_say_and_reaches_its_target(joint, independent, target):
    found = what_if.sensitivity(joint, independent, target=target)

    def kappa(one, other):
        return (one - other) / (1 - other)

    step = 1e-6
    assert found.kappa == pytest.approx(kappa(joint, independent))
    assert found.by_joint == pytest.approx((kappa(joint + step, independent) - found.kappa) / step, rel=1e-3)
    assert found.by_independent == pytest.approx(
        (kappa(joint, independent + step) - found.kappa) / step, rel=1e-3, abs=1e-3
    )
    assert kappa(found.joint_needed, independent) == pytest.approx(target)
    if joint >= target:
        assert kappa(joint, found.independent_needed) == pytest.approx(target)
    else:
        assert np.isnan(found.independent_needed)


def test_what_cannot_be_an_agreement_is_refused():
    for joint, independent, name in ((-0.1, 0.5, "joint"), (1.1, 0.5, "joint"), (0.5, -0.1, "independent")):
        with pytest.raises(OptionError, match=f"The {name} agreement must lie between 0 and 1"):
            what_if.sensitivity(joint, independent)
    with pytest.raises(NotEnoughDataError, match="kappa has no value"):
        what_if.sensitivity(0.5, 1.0)
    assert what_if.sensitivity(0.0, 0.0).kappa == 0 and what_if.sensitivity(1.0, 0.5).kappa == 1
    assert np.isnan(what_if.sensitivity(0.5, 0.5, target=1.0).independent_needed)
    with pytest.raises(OptionError, match="at least two values, not 1"):
        what_if.uniform_chance(1)
    assert what_if.uniform_chance(4, "identity") == 0.25 and what_if.uniform_chance(2) == pytest.approx(0.5)


@pytest.mark.parametrize("common", [0.0, 0.3, 0.8])
def test_two_impressions_meet_as_two_normal_variables_do(common):
    cuts = np.array([-0.8, 0.1, 1.0])
    table = what_if._cell_table(cuts, common)
    law = stats.multivariate_normal([0, 0], [[1, common], [common, 1]])
    edges = np.r_[-8.0, cuts, 8.0]
    for i in range(4):
        for j in range(4):
            by_hand = (
                law.cdf([edges[i + 1], edges[j + 1]])
                - law.cdf([edges[i], edges[j + 1]])
                - law.cdf([edges[i + 1], edges[j]])
                + law.cdf([edges[i], edges[j]])
            )
            assert table[i, j] == pytest.approx(by_hand, abs=1e-4)
    joint = float(np.trace(table))
    assert what_if._common_share(cuts, joint, "identity") == pytest.approx(common, abs=1e-3)
    assert what_if._common_share(cuts, 0.0, "identity") == 0 and what_if._common_share(cuts, 1.0, "identity") == 0.999
