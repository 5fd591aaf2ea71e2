"""The Bayesian bootstrap with pseudo-items."""

import numpy as np
import pytest

from accord.inference import pseudo_items
from accord.inference.interval import Interval
from accord.inference.pseudo_items import (
    bayesian_bootstrap,
    bayesian_intervals,
    doubtful_patterns,
    effective_units,
    expanded_level,
    hopeful_patterns,
    hull,
    pseudo_patterns,
)
from accord.inference.statistic import SumStatistic


def _mean(values: np.ndarray) -> SumStatistic:
    features = np.stack((np.ones(len(values)), values), axis=1)
    return SumStatistic(
        ("mean",), features, np.ones(len(values), dtype=np.int64), lambda sums: sums[:, 1:] / sums[:, :1]
    )


def test_without_pseudo_items_it_is_rubins_posterior_of_the_mean():
    values = np.random.default_rng(1).normal(size=30)
    drawn = bayesian_bootstrap(
        _mean(values), np.zeros((0, 2)), np.zeros(0), replicates=40_000, rng=np.random.default_rng(2)
    )
    # Rubin (1981): the mean of a Dirichlet(1, ..., 1) mixture has variance s^2 / (n + 1), s^2 over n.
    assert drawn.draws.mean() == pytest.approx(values.mean(), abs=0.003)
    assert drawn.draws.std() == pytest.approx(values.std() / np.sqrt(31), rel=0.02)


def test_documents_weigh_by_their_items_and_the_weights_add_up_to_all_items():
    statistic = SumStatistic(("items",), np.array([[4.0], [10.0]]), np.ones(2, dtype=np.int64), lambda sums: sums)
    drawn = bayesian_bootstrap(
        statistic, np.ones((1, 1)), np.array([0.5]), sizes=np.array([4, 10]), replicates=50,
        rng=np.random.default_rng(0), unit="documents",
    )  # fmt: skip
    assert drawn.draws == pytest.approx(14.0)


def test_what_is_kept_of_one_part_is_what_another_would_make_anew(monkeypatch):
    rng = np.random.default_rng(4)
    mass, parts = np.full(5, 0.4), [(_mean(rng.normal(size=12)), rng.normal(3, 1, (5, 2))) for _ in range(3)]

    def drawn():
        return [
            bayesian_bootstrap(one, pseudo, mass, replicates=300, rng=np.random.default_rng(8)).draws
            for one, pseudo in [*parts, (parts[0][0], parts[1][1]), parts[0]]
        ]

    kept = drawn()
    monkeypatch.setattr(pseudo_items, "_KEPT_CELLS", 0)
    monkeypatch.setattr(pseudo_items, "_CHUNK_CELLS", 500)
    for one, anew in zip(kept, drawn(), strict=True):
        assert one == pytest.approx(anew, rel=1e-12)
    assert len({one.tobytes() for one in kept}) == 4


def test_pseudo_items_have_the_mass_of_two_items_and_every_rater_dissents_alike():
    codes, mass = pseudo_patterns(np.zeros((3, 4), dtype=np.int32), np.array([5, 1, 1]), 3)
    assert mass.sum() == pytest.approx(2.25)
    unanimous = (codes == codes[:, :1]).all(axis=1)
    assert mass[unanimous].sum() == pytest.approx(0.75)
    first = np.array([mass @ (codes == value) for value in range(3)])
    assert first == pytest.approx(np.full((3, 4), 0.75), abs=0.13)


def test_pseudo_items_are_rated_by_raters_who_rated_together():
    seen = np.array([[0, 1, -1, -1], [-1, -1, 2, 2], [1, -1, -1, -1]], dtype=np.int32)
    codes, mass = pseudo_patterns(seen, np.array([3, 1, 9]), 3)
    sets = {tuple(row) for row in (codes >= 0).tolist()}
    assert sets == {(True, True, False, False), (False, False, True, True)}
    assert mass[codes[:, 0] >= 0].sum() == pytest.approx(0.75 * 2.25)


@pytest.mark.parametrize(("raters", "values"), [(2, 11), (10, 12), (30, 7)])
def test_pseudo_items_stay_few(raters, values):
    codes, mass = pseudo_patterns(np.zeros((1, raters), dtype=np.int32), np.array([20]), values)
    assert len(codes) < 500
    assert mass.sum() == pytest.approx(2.25)


def test_percentiles_are_expanded_by_students_t_and_the_lost_unit():
    # By hand with tables: t(9) = 2.262, x sqrt(10/9) = 2.384, Phi(-2.384) = .0086; t(19) = 2.093 gives .0159.
    assert (1 - expanded_level(0.95, 10)) / 2 == pytest.approx(0.0086, abs=5e-5)
    assert (1 - expanded_level(0.95, 20)) / 2 == pytest.approx(0.0159, abs=5e-5)


def test_unequal_documents_are_worth_fewer():
    assert effective_units(np.array([8, 8, 8, 8])) == 4
    assert effective_units(np.array([29, 1, 1, 1])) < 1.3


def test_the_interval_holds_its_value_and_an_undefined_value_has_none():
    drawn = bayesian_bootstrap(
        _mean(np.ones(12)), np.array([[1.0, 0.0]]), np.array([1.0]), replicates=500, rng=np.random.default_rng(0)
    )
    found = bayesian_intervals(drawn, np.array([1.0]), 12)[0]
    assert found.high == 1.0
    assert found.low < 0.85
    assert bayesian_intervals(drawn, np.array([np.nan]), 12) == (None,)


def test_hope_agrees_on_rare_values_and_doubt_leaves_the_usual_one():
    seen, times = np.array([[0, 0, -1], [0, 1, -1]], dtype=np.int32), np.array([30, 4])
    hope, mass = hopeful_patterns(seen, times, 3, 0)
    assert hope.tolist() == [[1, 1, -1], [2, 2, -1]]
    assert mass.tolist() == [0.25, 0.25]
    doubt, mass = doubtful_patterns(seen, times, 3, 0)
    assert sorted(doubt.tolist()) == [[0, 1, -1], [0, 2, -1], [1, 0, -1], [2, 0, -1]]
    assert mass.sum() == pytest.approx(0.75)


def test_the_hull_takes_the_lower_end_of_doubt_and_the_upper_one_of_hope():
    def ends(low, high):
        return Interval(low=low, high=high, level=0.95, method="m")

    assert hull(ends(0, 1), ends(-0.5, 2), ends(-2, 1.5)) == ends(-0.5, 1.5)
    assert hull(ends(0, 1), ends(0.2, 2), None) == ends(0, 1)
    assert hull(None, ends(0, 1), ends(0, 1)) is None


def test_weights_that_were_drawn_before_are_those_of_a_fresh_drawing(monkeypatch):
    statistic, pseudo = _mean(np.arange(20.0)), (np.array([[1.0, 3.0]]), np.array([0.5]))

    def drawn():
        rng = np.random.default_rng(5)
        found = [bayesian_bootstrap(statistic, *pseudo, replicates=40, rng=rng).draws for _ in range(2)]
        return *found, rng.random()

    first, second, after = drawn()
    again = drawn()
    monkeypatch.setattr("accord.inference.pseudo_items._KEPT_CELLS", 0)
    fresh = drawn()
    assert not (first == second).any()
    for other in (again, fresh):
        assert (other[0] == first).all() and (other[1] == second).all() and other[2] == after
