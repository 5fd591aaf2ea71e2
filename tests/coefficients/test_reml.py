"""A mixed model of incomplete ratings finds the variances of statsmodels, and on complete ones those of ANOVA."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from accord.coefficients.compute import compute
from accord.coefficients.options import Options
from accord.coefficients.reml import fit_components
from accord.design.scale import Level
from accord.errors import OptionError
from accord.ratings.counting import count_source
from accord.ratings.read import read
from accord.reliability.run import agreement

SECOND = Path(__file__).parents[1] / "recorded" / "second_programs"
FORMS = ("icc_1", "icc_a1", "icc_c1", "icc_1k", "icc_ak", "icc_ck")


def _scores(items: int, raters: int, missing: float, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 2, (items, 1)) + rng.normal(0, 1, (1, raters)) + rng.normal(0, 1, (items, raters)) + 5
    table[rng.random(table.shape) < missing] = np.nan
    return np.round(table, 1)


def _source(table: np.ndarray):
    return count_source(read(table, level="interval"))


@pytest.mark.parametrize("one_way", [False, True])
def test_variances_of_an_unbalanced_table_are_those_of_statsmodels(one_way):
    pandas = pytest.importorskip("pandas")
    smf = pytest.importorskip("statsmodels.formula.api")
    table = _scores(25, 4, 0.3)
    item, rater = np.nonzero(~np.isnan(table))
    frame = pandas.DataFrame({"item": item, "rater": rater, "value": table[item, rater], "all": 1})
    parts = {"item": "0 + C(item)"} | ({} if one_way else {"rater": "0 + C(rater)"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = smf.mixedlm("value ~ 1", frame, groups="all", vc_formula=parts).fit(reml=True)
    patterns = _source(table).patterns()
    ours = fit_components(patterns.codes, patterns.multiplicity, _source(table).facts().scale, one_way=one_way)
    assert ours.residual == pytest.approx(theirs.scale, rel=1e-3)
    assert [ours.items, ours.raters][: len(parts)] == pytest.approx(list(theirs.vcomp), rel=2e-3)


def test_intraclass_correlations_with_gaps_are_those_of_the_variances_of_lme4():
    both, one_way = (
        dict(zip(words[: len(words) // 2], map(float, words[len(words) // 2 :]), strict=True))
        for words in map(str.split, (SECOND / "mixed_icc.txt").read_text().splitlines())
    )
    table = np.genfromtxt(SECOND / "gaps.csv", delimiter=",", skip_header=1)[:, 1:]
    source = _source(table + np.array([0, 0.8, -0.5, 0.2]))
    items, raters, rest = both["item"], both["rater"], both["Residual"]
    expected = {
        "icc_a1": items / (items + raters + rest), "icc_c1": items / (items + rest),
        "icc_1": one_way["item"] / (one_way["item"] + one_way["Residual"]),
    }  # fmt: skip
    found = {key: compute(source, key, Options(icc_missing="mixed")).value for key in expected}
    assert found == pytest.approx(expected, abs=1e-6)


def test_on_complete_ratings_the_mixed_model_equals_the_analysis_of_variance():
    table = _scores(30, 4, 0.0)
    source = _source(table)
    patterns, scale = source.patterns(), source.facts().scale
    found = fit_components(patterns.codes, patterns.multiplicity, scale)
    whole = found.items + found.raters + found.residual
    assert found.items / whole == pytest.approx(compute(source, "icc_a1").value, abs=1e-5)
    one = fit_components(patterns.codes, patterns.multiplicity, scale, one_way=True)
    assert one.items / (one.items + one.residual) == pytest.approx(compute(source, "icc_1").value, abs=1e-5)


@pytest.mark.parametrize("key", FORMS)
def test_all_three_rules_for_missing_ratings_are_near_each_other_and_named(key):
    ratings = read(_scores(300, 4, 0.1), level="interval")
    found = {
        rule: agreement(ratings, coefficients=key, icc_missing=rule)[key] for rule in ("listwise", "anova", "mixed")
    }
    assert found["listwise"].items < found["mixed"].items == found["anova"].items == 300
    assert found["mixed"].value == pytest.approx(found["anova"].value, abs=0.02)
    assert found["mixed"].value == pytest.approx(found["listwise"].value, abs=0.06)
    assert found["mixed"].value in found["mixed"].interval
    assert "REML" in found["mixed"].interval.method
    assert any("REML" in words for words in found["mixed"].conventions)
    assert any("irrNA" in words for words in found["anova"].conventions)
    assert "missing:mixed" in found["mixed"].signature


def test_the_interval_of_the_mixed_model_covers_the_truth_nineteen_times_in_twenty():
    truth, hits = 4 / 5, 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = rng.normal(0, 2, (40, 1)) + rng.normal(0, 1, (40, 3))
        table[rng.random(table.shape) < 0.2] = np.nan
        hits += truth in compute(_source(np.round(table, 2)), "icc_c1", Options(icc_missing="mixed")).interval
    assert 34 <= hits <= 40


def test_ratings_without_any_variance_between_items_have_no_interval_but_a_value():
    table = np.array([[1, 2, np.nan], [2, 1, 1], [1, 2, 2], [2, 1, 2.0]])
    found = compute(_source(table), "icc_c1", Options(icc_missing="mixed"))
    assert found.value == pytest.approx(0, abs=1e-6)
    assert found.interval is None
    assert np.isnan(
        compute(_source(np.array([[2, 2], [2, np.nan], [2, 2.0]])), "icc_1", Options(icc_missing="mixed")).value
    )


def test_an_unknown_rule_for_missing_ratings_is_refused_with_the_known_ones():
    with pytest.raises(OptionError, match="listwise, anova, mixed"):
        agreement(read(_scores(5, 2, 0.0), level=Level.INTERVAL), icc_missing="pairwise")


def test_a_small_variance_of_raters_is_found_though_the_search_passes_nought():
    """lme4 in R finds 0.748147 and 0.748702 (rater variance 0.0009) where a search by roots stops at 0."""
    lines = (
        "3-- 232 233 323 232 2-2 4-5 555 323 3-3 -55 --3 3-2 222 322 224 --4 5-5 4-5 3-- 3-- --4 45- 22- 33-"
    )  # fmt: skip
    table = np.array([[np.nan if mark == "-" else float(mark) for mark in line] for line in lines.split()])
    mixed = Options(icc_missing="mixed")
    assert compute(_source(table), "icc_a1", mixed).value == pytest.approx(0.748146874, abs=5e-7)
    assert compute(_source(table), "icc_c1", mixed).value == pytest.approx(0.748702476, abs=5e-7)
