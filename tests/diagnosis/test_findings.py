"""The table of findings, and how often honest raters raise one."""

import importlib.util
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.coefficients.registry import COEFFICIENTS
from accord.diagnosis import FINDINGS, diagnose, parts_of
from accord.diagnosis.case import Case
from accord.ratings.counting import count_source
from accord.reliability.cautions import SIGNS
from accord.reliability.signs.evidence import PairCounts, PatternEvidence

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
    sets = 20
    alike = study.alarms(study.ALIKE, sets, seed=11)
    different = study.alarms(study.DIFFERENT, sets, seed=12) + study.alarms(study.EXACT, sets, seed=13)
    for spec in FINDINGS.values():
        if not spec.counted:
            assert alike[spec.code] <= sets / 20, spec.code
            assert spec.about_strictness or different[spec.code] <= sets / 20, spec.code


def test_every_tested_finding_is_on_the_page_of_false_alarms_with_a_rate_of_one_in_fifty_at_most():
    page = (ROOT / "docs" / "explanation" / "false-alarms.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(): line.split("|")[2:6] for line in page.splitlines() if line.startswith("| ")}
    for spec in FINDINGS.values():
        if not spec.counted:
            *shares, bound = (cell.strip() for cell in rows[spec.code])
            assert float(bound) <= 0.05
            assert all(float(share) <= 0.02 for share in shares[: 1 if spec.about_strictness else 3]), spec.code


def test_a_caution_of_agree_is_a_finding_of_diagnose_with_the_same_words(honest_table, make_ratings):
    table = honest_table(5, items=60, raters=4)
    table[:, 1], table[:, 2] = table[:, 0], 3
    ratings = make_ratings(table)
    told = {finding.code: finding.message for finding in diagnose(ratings).findings}
    cautions = accord.agreement(ratings, coefficients="cohen_kappa", interval="none")["cohen_kappa"].cautions
    shared = set(told) & set(SIGNS)
    assert shared == {"duplicated_raters", "constant_raters", "unequal_habits"}
    assert {code for code in shared if any(caution.startswith(told[code]) for caution in cautions)} == shared


def test_every_sign_that_agree_looks_for_is_a_finding_by_the_same_check():
    assert all(FINDINGS[code].check is sign.check for code, sign in SIGNS.items())


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_pairs_are_counted_alike_from_patterns_and_from_rows(honest_table, make_ratings, missing):
    table = honest_table(3, items=80, raters=5)
    table[np.random.default_rng(1).random(table.shape) < missing] = np.nan
    ratings = make_ratings(table)
    source = count_source(ratings)
    patterns = PatternEvidence(source.facts(), source.patterns(), source.rater_names(), source.marginals().counts)
    (part,) = parts_of(ratings)
    case = Case(part, np.random.default_rng(0))
    assert case.pairable == patterns.pairable
    for field in fields(PairCounts):
        ours, theirs = getattr(case.pair_counts, field.name), getattr(patterns.pair_counts, field.name)
        assert np.allclose(ours, theirs, rtol=0, atol=1e-12), field.name
    chain = np.array([3, 0, 4])
    rows, others = case.rows_of(chain), patterns.rows_of(chain)
    assert np.array_equal(rows.codes, others.codes) and np.array_equal(rows.multiplicity, others.multiplicity)
