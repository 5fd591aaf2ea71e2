"""Every sentence that planning refuses something with, whole; and phases whose designs differ."""

import numpy as np
import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.scale import Level, Scale
from accord.errors import AccordError, StudyError
from accord.planning.differences import smallest_difference
from accord.planning.plan_check import require_sound_plan
from accord.planning.precision import expected_interval, items_needed
from accord.planning.preview import phases_apart, rated_design, rated_documents
from accord.planning.simulated_raters import RaterTraits, draw_raters
from design.study_folder import write_study

TWO = Scale(Level.NOMINAL, (0.0, 1.0), declared=True)


def rng():
    return np.random.default_rng(1)


def expected(items, raters, guess=0.5):
    return expected_interval(np.ones((items, raters), dtype=bool), TWO, guess, rng(), studies=20)


REFUSED = {
    "A reliability of 1.2 is not between 0 and 1.": lambda: smallest_difference(10, 3, 1.2),
    "A reliability of -0.1 is not between 0 and 1.": lambda: smallest_difference(10, 3, -0.1),
    "noise is a spread: give a number that is not below 0.": lambda: RaterTraits(noise=-1.0),
    "inattention is a share of the answers: give a number from 0 to 1.": lambda: RaterTraits(inattention=2.0),
    "copying is a share of the answers: give a number from 0 to 1.": lambda: RaterTraits(copying=-1.0),
    "noise names the rater 'R7', but the plan has R1 to R2.": lambda: draw_raters(
        RaterTraits(noise={"R7": 1.0}), ("R1", "R2"), rng()
    ),
    "fewer than two items have two raters: no reliability can be estimated.": lambda: expected(1, 2),
    "a guessed reliability is a number from 0 to below 1, not 1.": lambda: expected(9, 2, 1.0),
    "a width of an interval is a number between 0 and 2, not 3.": lambda: items_needed(3.0, 2, TWO, 0.5, rng()),
    "more than 40 items would be needed. Ask for a wider interval.": lambda: items_needed(
        0.1, 2, TWO, 0.5, rng(), studies=20, most=40
    ),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_cannot_be_planned_is_refused_in_this_sentence(sentence):
    with pytest.raises(AccordError) as refused:
        REFUSED[sentence]()
    assert str(refused.value) == sentence


def test_two_items_of_two_raters_are_enough_to_expect_something():
    assert expected(2, 2, guess=0.0).items == 2


PLANS = {
    'criterion = "quality"\ncoefficient = "cohen_kapa"': "there is no coefficient 'cohen_kapa'. "
    "Did you mean 'cohen_kappa'?",
    'criterion = "quality"\ncoefficient = "cohen_kappa"': "Cohen's κ does not fit 'quality', which is interval. "
    "`accord coefficients` lists those that do",
    'criterion = "quality"\ncomparison = "sistem"': "ratings have no column 'sistem'. Did you mean 'system'?",
}


@pytest.mark.parametrize("declared", PLANS)
def test_a_plan_that_cannot_be_carried_out_is_told_with_its_line(declared, tmp_path):
    study = load_study(write_study(tmp_path, more=f"[analysis]\n{declared}\n"))
    with pytest.raises(StudyError) as refused:
        require_sound_plan(study)
    (problem,) = refused.value.problems
    line = next(
        place
        for place, text in enumerate((tmp_path / "study.toml").read_text().splitlines(), start=1)
        if text == declared.splitlines()[1]
    )
    assert str(problem) == f"study.toml:{line}: [analysis]: {PLANS[declared]}"


@pytest.mark.parametrize("declared", ["", 'criterion = "quality"\ncoefficient = "icc_a1"\ncomparison = "system"'])
def test_a_plan_that_can_be_carried_out_is_left_alone(declared, tmp_path):
    require_sound_plan(load_study(write_study(tmp_path, more=f"[analysis]\n{declared}\n" if declared else "")))


def test_each_phase_has_a_design_of_its_own_and_together_they_are_the_whole(tmp_path):
    phases = '[[phases]]\nkey = "first"\ndocuments = ["d1"]\n[[phases]]\nkey = "second"\n'
    plan = plan_assignment(load_study(write_study(tmp_path, more=phases)))
    assert phases_apart(plan) == ("first", "second")
    first, second, whole = (rated_design(plan, "s", phase) for phase in ("first", "second", ""))
    assert (len(first), len(second), len(whole)) == (6, 18, 24)
    assert first.all() and second.all() and whole.shape[1] == 3
    assert [rated_documents(plan, "s", phase) for phase in ("first", "second", "")] == [1, 3, 4]
