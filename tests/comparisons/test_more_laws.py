"""Laws of comparisons that no table shows: what is drawn, what is mark-up, what is said where nothing compares."""

from types import SimpleNamespace as Made

import numpy as np
import pytest

from accord.comparisons import answers
from accord.comparisons.logistic import fit_logistic
from accord.comparisons.metric_levels import metric_rows
from accord.comparisons.metrics import _drawn, _without
from accord.comparisons.rater_permutation import _intervals
from accord.comparisons.scenarios import is_mark_up
from accord.comparisons.yardsticks import _need
from accord.design.scale import Level, Scale
from accord.errors import ColumnError
from accord.ratings.table import Factor, Ratings


def rated(values, level=Level.NOMINAL, **columns):
    """One rater's values, one item each."""
    scale = Scale(level, tuple(dict.fromkeys(values)))
    return Ratings(
        item=Factor.of([f"i{place}" for place in range(len(values))]),
        rater=Factor.of(["r"] * len(values)),
        value=np.array([scale.values.index(value) for value in values], dtype=np.int32),
        scale=scale,
        columns={name: Factor.of(cells) for name, cells in columns.items()},
    )


@pytest.mark.parametrize(("size", "units", "replicates"), [(3, 3, 1), (3, 9, 50), (4, 1 << 21, 3), (1, 1, 2)])
def test_as_many_resamples_are_drawn_as_were_asked_for_each_of_all(size, units, replicates):
    drawn = np.concatenate(list(_drawn(size, replicates, np.random.default_rng(0), units)))
    assert drawn.shape == (replicates, size) and (drawn.sum(axis=1) == size).all()
    assert (_without(size) == 1 - np.eye(size)).all()


def test_three_classes_are_told_apart_as_well_as_two():
    rng = np.random.default_rng(1)
    scores = np.repeat([-3.0, 0.0, 3.0], 40)[:, None] + rng.normal(0, 0.5, (120, 1))
    labels = np.repeat([0, 1, 2], 40)
    for chosen in (labels < 2, labels < 3):
        model = fit_logistic(scores[chosen], labels[chosen])
        shares = model.probabilities(scores[chosen], 3)
        assert model.coefficients.shape == (2, len(set(labels[chosen])))
        assert (shares.argmax(axis=1) == labels[chosen]).mean() > 0.95 and shares.sum(axis=1) == pytest.approx(1)
        assert model.coefficients[1].sum() == pytest.approx(0, abs=1e-3), "the penalty leaves no common part"
        assert (np.diff(model.coefficients[1]) > 0).all(), "higher scores speak for later classes"


def test_a_column_that_is_not_there_is_told_with_those_that_are():
    bare, more = (
        rated([1.0, 2.0], Level.INTERVAL),
        rated([1.0, 2.0], Level.INTERVAL, system=["a", "b"], phase=["x", "y"]),
    )
    for ratings, known in ((bare, "none besides item, rater and value"), (more, "phase, system")):
        with pytest.raises(ColumnError) as refused:
            metric_rows(ratings, np.array([0.5, 0.5]), "scenario")
        assert str(refused.value) == f"There is no column 'scenario' to tell conditions apart. Columns: {known}."
    with pytest.raises(ColumnError) as refused:
        _need(more, ("system", "mt"))
    assert str(refused.value) == (
        "There is no column 'mt': quadrants need the texts of each item as mt, reference, post_edit; or a --condition "
        "that tells scores against the reference from scores against the post-edit."
    )


@pytest.mark.parametrize(
    ("values", "level", "expected"),
    [
        (["grammar", "no error"], Level.NOMINAL, True),
        (["grammar", "style"], Level.NOMINAL, False),
        (["grammar", "no error"], Level.ORDINAL, False),
        ([frozenset({"grammar"}), frozenset({"style"})], Level.NOMINAL, True),
    ],
)
def test_names_are_mark_up_where_one_of_them_says_that_there_is_no_error(values, level, expected):
    assert is_mark_up(rated(values, level)) is expected


def test_raters_of_a_group_that_never_differ_have_no_interval_and_no_more_have_those_without_a_value():
    first, second = np.arange(4), np.arange(4, 8)
    table = np.arange(8.0) ** 2

    def values(groups, constant=(), undefined=()):
        means = [table[group].mean() for group in groups]
        return np.array([[1.0 if 0 in constant else mean, np.nan if undefined else mean / 2] for mean in means])

    one, other = _intervals(values, first, second, np.array([1.0, 2.0]), 0.95)
    assert one[0].low < 1 < one[0].high and other[1] == pytest.approx(one[1] / 2)
    same, moving = _intervals(lambda groups: values(groups, (0,)), first, second, np.array([1.0, 2.0]), 0.95)
    assert same is None and moving is not None
    kept, lost = _intervals(lambda groups: values(groups, (), (1,)), first, second, np.array([1.0, 2.0]), 0.95)
    assert kept is not None and lost is None
    assert _intervals(values, first, second, np.array([np.nan, 2.0]), 0.95)[0] is None
    assert _intervals(values, first[:2], second, np.array([1.0, 2.0]), 0.95) == [None, None]


def test_several_differences_that_are_not_shown_are_one_sentence_after_those_that_are(monkeypatch):
    def pair(first, second, key):
        return Made(first=Made(name=first), second=Made(name=second), key=key)

    monkeypatch.setattr(answers, "chosen", lambda _, one: one)
    monkeypatch.setattr(answers, "said_of", lambda _, one: f"{one.first.name} beats {one.second.name}.")
    shown, quiet = pair("A", "B", "shown"), [pair(f"C{place}", "D", "not_shown") for place in range(9)]
    assert answers._context_said([shown, quiet[0]]) == " A beats B. C0 beats D."
    assert answers._context_said([quiet[0], shown, quiet[1]]) == (
        " A beats B. No difference is shown between C0 and D and C1 and D."
    )
    many = answers._context_said([shown, *quiet])
    told = answers._TOLD
    assert many.startswith(" A beats B. No difference is shown between C0 and D, ")
    assert many.endswith(f"C{told - 1} and D, and {9 - told} more pairs.")
    assert "more pairs" not in answers._context_said(quiet[:told])
