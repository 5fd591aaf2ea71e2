import numpy as np
import pytest

import accord
from accord.diagnosis.case import Case
from accord.diagnosis.causes import causes_of
from accord.diagnosis.correlation import agreement_with_correlation, explain, predictability, sign_test
from accord.diagnosis.pairs import pairs_of
from accord.diagnosis.severity import rater_effects
from accord.diagnosis.triangulation import influence, triangulate


@pytest.fixture
def holed(honest_table):
    """A table with a third of its ratings missing and raters of different strictness."""
    table = honest_table(21, items=60, raters=5, strictness=0.5)
    table[np.random.default_rng(0).random(table.shape) < 0.33] = np.nan
    return table


def test_severities_and_their_intervals_are_those_of_ordinary_least_squares(make_part, holed):
    import statsmodels.api as sm

    holed[np.sum(~np.isnan(holed), axis=1) < 2] = np.nan
    item, rater = np.nonzero(~np.isnan(holed))
    used, item = np.unique(item, return_inverse=True)
    design = np.zeros((len(item), len(used) + 4))
    design[np.arange(len(item)), item] = 1
    for column in range(4):
        design[:, len(used) + column] = (rater == column).astype(float) - (rater == 4)
    fit = sm.OLS(holed[~np.isnan(holed)], design).fit()
    effects = {effect.rater: effect for effect in rater_effects(make_part(holed))}
    for column in range(4):
        found = effects[f"r{column + 1}"]
        assert found.severity == pytest.approx(fit.params[len(used) + column], abs=1e-8)
        ends = fit.conf_int()[len(used) + column]
        assert [found.interval.low, found.interval.high] == pytest.approx(list(ends), abs=1e-8)
    assert sum(effect.severity for effect in effects.values()) == pytest.approx(0, abs=1e-8)


def test_the_most_severe_rater_comes_first(make_part, honest_table):
    table = honest_table(1)
    table[:, 2] -= 2
    assert rater_effects(make_part(table))[0].rater == "r3"


def test_leaving_out_the_noisy_rater_raises_alpha_most(make_part, honest_table):
    import krippendorff

    table = honest_table(2)
    table[:, 3] = np.random.default_rng(0).integers(1, 6, 120)
    first = influence(make_part(table))[0]
    assert first.rater == "r4" and first.change > 0.1
    alone = krippendorff.alpha(table[:, :3].T, level_of_measurement="ordinal")
    assert first.alpha_without == pytest.approx(alone, abs=1e-9)


def test_the_sign_test_is_exact():
    assert sign_test(0, 5) == pytest.approx(2 / 2**5)
    assert sign_test(3, 3) == 1
    assert np.isnan(sign_test(0, 0))


def test_a_strict_but_consistent_rater_is_said_to_be_so(make_part):
    x = np.tile(np.arange(2.0, 6.0), 20)
    (pair,) = pairs_of(make_part(np.stack([x - 1, x], axis=1)))
    words = explain(pair)
    assert pair.kappa < 0.1 and pair.gamma == 1
    assert words.startswith("low agreement, high consistency: r1 is lower in 80 of 80 disagreements (100%, sign test p")


def test_raters_who_go_together_without_direction_are_said_to_be_so(make_part, honest_table):
    table = honest_table(3, items=400, raters=2, noise=0.5)
    (pair,) = pairs_of(make_part(table))
    assert "neither is lower throughout" in explain(pair)


def test_agreement_is_shown_for_rater_groups_and_batches(make_ratings, honest_table):
    table = honest_table(4)
    group = [["native", "native", "other", "other"]] * 120
    batch = [[f"b{item // 60}"] * 4 for item in range(120)]
    sides = {side.scope: side for side in agreement_with_correlation(
        make_ratings(table, columns={"group": group, "batch": batch}))}  # fmt: skip
    assert sides["all raters"].pairs == 6 and sides["group native"].pairs == 1
    assert sides["batch b0"].items == sides["batch b1"].items == 60
    assert sides["group native"].kappa == pytest.approx(sides["r1–r2"].kappa)


def test_predictability_is_what_leaving_out_each_item_gives(make_part, honest_table):
    table = honest_table(5, items=40, raters=2)
    found = predictability(Case(make_part(table), np.random.default_rng(0)))[0]
    x, y = table.T
    missed = without = 0.0
    for left in range(40):
        keep = np.arange(40) != left
        slope, intercept = np.polyfit(x[keep], y[keep], 1)
        missed += (y[left] - slope * x[left] - intercept) ** 2
        without += (y[left] - y[keep].mean()) ** 2
    assert found.by == "r1" and found.explained == pytest.approx(1 - missed / without)


def test_a_rater_who_says_more_by_one_is_fully_predicted(make_part):
    x = np.tile(np.arange(1.0, 5.0), 10)
    found = predictability(Case(make_part(np.stack([x, x + 1], axis=1)), np.random.default_rng(0)))[0]
    assert (found.slope, found.intercept, found.explained) == (pytest.approx(1), pytest.approx(1), pytest.approx(1))


def test_triangulation_names_nobody_among_equals(make_part, honest_table):
    assert not any(row.inconsistent for row in triangulate(pairs_of(make_part(honest_table(6, items=300)))))


def test_of_two_raters_nobody_is_called_lenient_alone():
    """One of the two may be strict as well as the other lenient: the finding names both."""
    rng = np.random.default_rng(3)
    quality = rng.uniform(20, 80, 60)
    table = np.array([quality + 15 + rng.normal(0, 3, 60), quality + rng.normal(0, 3, 60)]).T
    ratings = accord.read(table, level="interval", direction="high")
    (found,) = [one for one in accord.diagnose(ratings).findings if one.code == "severe_rater"]
    assert set(found.who) == set(ratings.rater.names) and "strictness" not in found.evidence
    first, second = found.who
    high = ratings.rater.names[0]
    word, other, side = ("lenient", "strict", "higher") if first == high else ("strict", "lenient", "lower")
    assert f" {side} than {second} on the same items" in found.message
    assert found.message.endswith(f": {first} is {word}, {second} is {other}, or both")
    (cause,) = [one for one in causes_of(accord.diagnose(ratings), ratings) if found in one.findings]
    assert cause.title == f"{first} scores {side} than {second}" and cause.who == found.who


def test_who_repeats_least_does_not_depend_on_names():
    """At one kappa the first by name was called the least stable, whoever agreed with themselves more often."""
    from types import SimpleNamespace

    from accord.diagnosis.reliabilities import _least_stable

    def one(rater, kappa, agreement):
        return SimpleNamespace(rater=rater, items=2, kappa=kappa, agreement=agreement)

    for often, seldom in (("ben", "cid"), ("zoe", "ann")):
        assert _least_stable([one(often, 0.0, 0.5), one(seldom, 0.0, 0.0), one("dan", 1.0, 1.0)]) == (
            f"; least stable is {seldom} (0% of 2)"
        )
    tied = [one("ben", 0.0, 0.0), one("cid", 0.0, 0.0), one("dan", 1.0, 1.0)]
    assert _least_stable(tied) == "; least stable are ben (0% of 2) and cid (0% of 2)"
    assert _least_stable(tied[:2]) == ""
