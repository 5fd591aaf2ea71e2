"""Every number of paper 002 that can be computed, to the printed precision."""

import json

import numpy as np
import pytest

import accord
from accord.coefficients.order import order_of_columns
from accord.coefficients.ranks import Gamma
from accord.diagnosis.correlation import agreement_with_correlation, explain, pair_averages, scope_averages
from accord.diagnosis.examination import diagnose
from accord.diagnosis.items import item_entropies
from accord.diagnosis.pairs import pairs_of
from accord.diagnosis.part import parts_of
from accord.diagnosis.survey import SurveyedUse, share, survey
from accord.diagnosis.triangulation import subset_gammas, triangulate
from accord.errors import RatingsError

# Table 3 of the paper: coefficient, papers that used it, average, smallest and largest value.
PRINTED_USES = {
    "Percent agreement": 7, "Cohen's kappa": 4, "Krippendorff's alpha": 5, "Fleiss's kappa": 5, "Pearson's r": 2,
    "Kendall's W": 1, "Weighted kappa": 1, "kappa no better specified": 3,
}  # fmt: skip


def surveyed():
    """24 papers, four of them with two coefficients, as the text says; which ones is not printed."""
    names = [name for name, times in PRINTED_USES.items() for _ in range(times)]
    return [SurveyedUse(paper=f"paper {place % 24}", coefficient=name) for place, name in enumerate(names)]


def test_the_survey_has_28_uses_in_24_papers():
    rows = survey(surveyed())
    assert sum(row.used for row in rows) == 28
    assert {row.coefficient: row.used for row in rows} == PRINTED_USES
    assert rows[0].coefficient == "Percent agreement"


def test_a_quarter_are_uses_not_works():
    percent = survey(surveyed())[0]
    assert percent.share_of_uses == pytest.approx(0.25)
    assert percent.share_of_papers == pytest.approx(7 / 24)


def test_the_survey_averages_the_values_it_is_given():
    row = survey(
        [SurveyedUse(paper="a", coefficient="W", values=(0.47, 0.76)), SurveyedUse(paper="b", coefficient="W")]
    )
    assert (row[0].average, row[0].smallest, row[0].largest) == (pytest.approx(0.615), 0.47, 0.76)
    with pytest.raises(RatingsError, match="empty"):
        survey([])


def test_the_shares_of_section_3_follow_from_the_counts():
    of_all = share({"all": 135, "with agreement": 24}, of="all")
    of_those = share({"all": 24, "2016 to 2018": 16, "unsuitable coefficient": 9, "scale named": 5}, of="all")
    assert round(100 * of_all["with agreement"]) == 18
    assert round(100 * of_those["2016 to 2018"]) == 67
    # Printed as 37% and 20%: cut off, not rounded.
    assert int(100 * of_those["unsuitable coefficient"]) == 37 and round(100 * of_those["unsuitable coefficient"]) == 38
    assert int(100 * of_those["scale named"]) == 20 and round(100 * of_those["scale named"]) == 21


def test_the_mean_over_triples_is_the_mean_over_pairs(honest_table, make_part):
    pairs = pairs_of(make_part(honest_table(1, raters=4)))
    triples = subset_gammas(pairs, 3)
    assert len(triples) == 4
    assert np.mean(list(triples.values())) == pytest.approx(np.mean([pair.gamma for pair in pairs]))
    # So the printed triples .54 .29 .12 .12 give the gap of .73 that the paper prints.
    assert round(1 - np.mean([0.54, 0.29, 0.12, 0.12]), 2) == 0.73


@pytest.fixture(scope="module")
def flickr(real):
    return real("flickr8k_expert")


def test_flickr_has_the_printed_size_gamma_and_bars(flickr, data):
    (part,) = parts_of(flickr)
    (side,) = agreement_with_correlation(flickr, scopes=("all",))
    reference = json.loads((data / "reference_numbers.json").read_text())["flickr8k_expert"]
    assert (part.items, len(part.raters)) == (5822, 3)
    assert side.gamma == pytest.approx(0.98875, abs=5e-6)
    assert [round(pair.gamma, 6) for pair in pairs_of(part)] == [0.995534, 0.974699, 0.996017]
    assert side.kappa == pytest.approx(reference["cohen_mean"], abs=5e-7)
    assert side.agreement == pytest.approx(reference["pairwise_agreement"], abs=5e-7)
    bars = [[4120, 1109, 346, 247], [3327, 1666, 518, 311], [2350, 2222, 837, 413]]
    assert part.value_counts.tolist() == bars


def test_flickr_coefficients_that_are_not_printed(flickr):
    keys = {
        "fleiss_kappa": 0.516733, "krippendorff_alpha": 0.69389, "gwet_ac1": 0.64436, "conger_kappa": 0.52592,
        "brennan_prediger": 0.61922, "percent_agreement": 0.71442,
    }  # fmt: skip
    found = accord.agreement(flickr, coefficients=list(keys), interval="none").groups[0].estimates
    assert {one.coefficient: one.value for one in found} == {
        key: pytest.approx(value, abs=5e-6) for key, value in keys.items()
    }
    (part,) = parts_of(flickr)
    zero = [item for item in item_entropies(part) if item.entropy == 0]
    assert len(zero) / part.items == pytest.approx(0.58245, abs=5e-6)


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.51676), ("ordinal", 0.69389), ("interval", 0.78849)])
def test_flickr_alpha_at_every_level(real, level, value):
    found = accord.agreement(real("flickr8k_expert", level=level), coefficients=["krippendorff_alpha"], interval="none")
    assert found.groups[0].estimates[0].value == pytest.approx(value, abs=5e-6)


def test_flickr_is_caught_as_sorted_and_shown_in_random_order(flickr):
    found = {finding.code: finding for finding in diagnose(flickr, seed=4).findings}
    finding = found["sorted_raters"]
    assert finding.severity == "error" and finding.who == ("j1", "j2", "j3")
    assert finding.evidence["rows"] == 5822 and finding.evidence["exceptions"] == 0
    assert finding.evidence["gamma_as_stored"] == pytest.approx(0.98875, abs=5e-6)
    assert finding.evidence["gamma_after_random_order_within_rows"] == pytest.approx(0.8802, abs=0.0004)
    assert "gamma" in finding.invalidates and "krippendorff_alpha" not in finding.invalidates


def test_pure_noise_with_the_same_marginals_looks_very_large_once_sorted(flickr):
    (part,) = parts_of(flickr)
    rng = np.random.default_rng(0)
    pooled = part.value_counts.sum(axis=0) / part.value_counts.sum()
    noise = rng.choice(4, size=(5822, 3), p=pooled).astype(float)

    def mean_gamma(table):
        codes = table.astype(np.int64)
        pairs = (order_of_columns(codes[:, a], codes[:, b]) for a, b in ((0, 1), (0, 2), (1, 2)))
        return np.mean([Gamma().of_order(pair) for pair in pairs])

    assert mean_gamma(noise) == pytest.approx(0, abs=0.03)
    assert mean_gamma(np.sort(noise, axis=1)) == pytest.approx(0.72, abs=0.015)


def test_the_batches_of_table_6_have_the_printed_sizes(qgstec):
    pairs = {pair.title: pair.items for pair in pairs_of(qgstec["Relevance"])}
    printed = {"J1–J2": 80, "J1–J3": 67, "J1–J4": 81, "J1–J5": 7, "J1–J6": 106, "J2–J5": 158, "J3–J5": 125,
               "J4–J5": 142, "J5–J6": 129}  # fmt: skip
    assert pairs == printed and sum(printed.values()) == 895


def test_footnote_19_minus_one_rests_on_sixteen_pairs(qgstec, real):
    pair = next(pair for pair in pairs_of(qgstec["QuestionType"]) if pair.title == "J1–J3")
    assert (pair.gamma, pair.concordant, pair.discordant) == (-1, 0, 16)
    assert pair.agreement == pytest.approx(59 / 67) and pair.pi == pytest.approx(-0.056, abs=5e-4)
    assert explain(pair) == "negative: gamma rests on 16 untied item pairs, while 88% of 67 items are rated alike"
    average = next(row for row in pair_averages(real("qgstec_original")) if row.pair == "J1–J3")
    assert average.absolute_gamma == pytest.approx(0.7187, abs=5e-5)


def test_the_mean_gammas_of_the_batches(real):
    averages = {row.pair: row for row in pair_averages(real("qgstec_original"))}
    printed = {"J2–J5": 0.767, "J5–J6": 0.730, "J1–J2": 0.633, "J1–J4": 0.618, "J3–J5": 0.624, "J4–J5": 0.567,
               "J1–J6": 0.487, "J1–J3": 0.319, "J1–J5": 0.856}  # fmt: skip
    assert {pair: round(averages[pair].gamma, 3) for pair in printed} == printed
    assert averages["J1–J5"].undefined == 2


def test_every_scope_is_averaged_over_the_criteria(real):
    ratings = real("qgstec_original")
    sides = agreement_with_correlation(ratings, scopes=("all", "pair"))
    averages = {row.scope: row for row in scope_averages(sides)}
    assert len(averages) == 10
    assert averages["J2–J5"].pi == pytest.approx(0.446, abs=5e-4)
    everybody = [side.gamma for side in sides if side.scope == "all raters"]
    assert averages["all raters"].gamma == pytest.approx(np.mean(everybody))
    assert averages["all raters"].criteria == 5
    assert scope_averages([side for side in sides if side.criterion == "criterion Variety"]) == []


def test_j2_and_j5_are_the_most_reliable_pair(real):
    best = pair_averages(real("qgstec_original"))[0]
    assert best.pair == "J2–J5"
    assert best.pi == pytest.approx(0.446, abs=5e-4) and best.gamma == pytest.approx(0.767, abs=5e-4)


@pytest.mark.parametrize(("criterion", "named"), [("Variety", {"J4", "J6"}), ("Relevance", {"J2"})])
def test_triangulation_names_the_judges_the_paper_names(qgstec, criterion, named):
    assert {row.rater for row in triangulate(pairs_of(qgstec[criterion])) if row.inconsistent} == named


def test_the_pattern_of_variety_and_relevance_is_the_printed_one(qgstec):
    variety = {pair.title: round(pair.gamma, 2) for pair in pairs_of(qgstec["Variety"])}
    expected = {"J1–J4": 0.09, "J1–J6": 0.16, "J1–J2": 0.82, "J2–J5": 0.83, "J3–J5": 0.73, "J4–J5": 0.43, "J5–J6": 0.55}
    assert {pair: variety[pair] for pair in expected} == expected
    relevance = {pair.title: pair.gamma for pair in pairs_of(qgstec["Relevance"])}
    assert relevance["J1–J2"] == pytest.approx(0.419, abs=5e-4) and relevance["J2–J5"] == pytest.approx(0.584, abs=5e-4)


def test_the_stray_three_of_question_type_is_caught(real):
    stray = [finding for finding in diagnose(real("qgstec_original")).findings if finding.code == "stray_value"]
    assert len(stray) == 1 and "QuestionType" in stray[0].message
    assert stray[0].evidence["where"] == "item 155 by J6; item 658 by J3"


def test_the_average_over_triples_of_many_raters_is_refused(make_part, honest_table):
    from accord.errors import NotEnoughDataError

    pairs = pairs_of(make_part(honest_table(1, items=20, raters=40)))
    with pytest.raises(NotEnoughDataError, match="subsets of 3"):
        subset_gammas(pairs, 3)
