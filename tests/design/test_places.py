"""A study says how many raters there are, and its plan has as many places."""

import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset


@pytest.mark.parametrize("preset", PRESETS)
def test_a_plan_has_a_place_for_each_rater_of_the_study(tmp_path, preset):
    copy_preset(preset, tmp_path / "study")
    study = load_study(tmp_path / "study")
    assert len(plan_assignment(study).raters) == study.settings.assignment.raters
