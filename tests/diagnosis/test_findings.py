"""The table of findings, and how often honest raters raise one."""

import importlib.util
from pathlib import Path

import pytest

from accord.coefficients.registry import COEFFICIENTS
from accord.diagnosis import FINDINGS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("false_alarm_study", ROOT / "tools" / "false_alarm_study.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("spec", FINDINGS.values(), ids=lambda spec: spec.code)
def test_every_finding_has_words_and_is_documented(spec):
    assert spec.title and spec.question.endswith("?") and spec.advice.endswith(".") and spec.check.__doc__
    assert f"`{spec.code}`" in (ROOT / "docs" / "analyses" / "integrity.md").read_text(encoding="utf-8")


def test_what_a_finding_invalidates_are_coefficients_there_are():
    named = {key for spec in FINDINGS.values() for key in spec.invalidates}
    assert named <= set(COEFFICIENTS)


def test_sorted_columns_spoil_just_the_coefficients_that_tell_raters_apart():
    apart = {key for key, spec in COEFFICIENTS.items() if spec.identity}
    assert apart <= set(FINDINGS["sorted_raters"].invalidates)


def test_honest_raters_raise_no_finding_in_more_than_one_set_of_twenty(study):
    sets = 40
    alike = study.alarms(study.ALIKE, sets, seed=11)
    different = study.alarms(study.DIFFERENT, sets, seed=12)
    for spec in FINDINGS.values():
        if not spec.counted:
            assert alike[spec.code] <= sets / 20, spec.code
            assert spec.about_strictness or different[spec.code] <= sets / 20, spec.code


def test_every_tested_finding_is_on_the_page_of_false_alarms_with_a_rate_below_one_in_twenty():
    page = (ROOT / "docs" / "explanation" / "false-alarms.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(): line.split("|")[2:5] for line in page.splitlines() if line.startswith("| ")}
    for spec in FINDINGS.values():
        if not spec.counted:
            alike, different, bound = (cell.strip() for cell in rows[spec.code])
            assert float(alike) <= 0.05 and float(bound) <= 0.05
            assert spec.about_strictness or float(different) <= 0.05
