"""Whether systems differ by MQM: tested on shared segments and raters, refused where the data cannot tell."""

import numpy as np
import pytest
from scipy import stats

from accord.scoring.mqm import SegmentMqm
from accord.scoring.mqm_differences import mqm_differences
from accord.scoring.ranking.more_units import more_to_tell

DOCUMENTS, SEGMENTS = 12, 4


def scored(gaps, *, rater=lambda system: "r", item=lambda system, name: name, seed=1):
    """Systems by name with the points each lies behind, on the same segments of twelve documents."""
    rng = np.random.default_rng(seed)
    return [
        SegmentMqm(item(name, f"d{d}:{k}"), rater(name), name, f"d{d}", -gap - float(rng.poisson(3)), 1)
        for name, gap in gaps.items() for d in range(DOCUMENTS) for k in range(SEGMENTS)
    ]  # fmt: skip


def test_the_test_is_the_paired_t_test_of_document_means():
    rows = scored({"A": 0, "B": 1})
    own = {name: np.array([one.score for one in rows if one.system == name]).reshape(DOCUMENTS, -1) for name in "AB"}
    expected = stats.ttest_rel(own["A"].mean(axis=1), own["B"].mean(axis=1))
    pair = mqm_differences(rows).ranking.pairs[0]
    assert pair.p == pytest.approx(expected.pvalue)
    ends = expected.confidence_interval(0.95)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((ends.low, ends.high))


def test_systems_that_were_made_alike_are_told_apart_in_about_one_study_of_twenty():
    found = [mqm_differences(scored({"A": 0, "B": 0, "C": 0}, seed=seed)).ranking for seed in range(200)]
    assert sum(any(pair.winner for pair in ranking.pairs) for ranking in found) <= 20


def test_items_that_carry_the_name_of_their_system_are_not_compared_and_the_reason_is_said():
    found = mqm_differences(scored({"A": 0, "B": 9}, item=lambda system, name: f"{system}:{name}"))
    assert found.ranking is None
    assert "they share no segment" in found.reason


def test_raters_of_one_system_each_cannot_tell_whether_systems_differ():
    found = mqm_differences(scored({"A": 0, "B": 9}, rater=lambda system: f"rater of {system}"))
    assert found.ranking is None
    assert "raters judged different systems" in found.reason


def test_three_documents_show_nothing():
    rows = [one for one in scored({"A": 0, "B": 9}) if one.document in ("d0", "d1", "d2")]
    found = mqm_differences(rows)
    assert found.ranking is None
    assert "share only 3 documents: it takes 4 at least" in found.reason


def test_so_many_more_documents_show_the_difference_in_four_of_five_studies():
    units, effect = 40, 0.25
    p = 2 * stats.t.sf(effect * units**0.5, units - 1)
    needed = units + more_to_tell(p, units, 0.95, 1)
    critical = stats.t.ppf(0.975, needed - 1)
    assert stats.nct.sf(critical, needed - 1, effect * needed**0.5) == pytest.approx(0.8, abs=0.01)
    assert more_to_tell(0.9, units, 0.95, 1) is None, "nobody rates a hundred times as many"
