"""Influential items, clusters of score patterns, level hints, names of agreement, and pairs taken at once."""

from pathlib import Path

import numpy as np
import pytest

import accord
from accord.diagnosis import pairs
from accord.diagnosis.influence import influential_items
from accord.diagnosis.items import disputed_items, item_entropies
from accord.diagnosis.level_hint import level_hint
from accord.diagnosis.part import parts_of
from accord.diagnosis.score_patterns import score_patterns, task_association
from accord.diagnosis.survey import read_survey, survey
from accord.diagnosis.terminology import TERMS, normalised
from accord.errors import ColumnError, NotEnoughDataError, OptionError, RatingsError
from accord.ratings.build import build_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(scope="module")
def adequacy():
    return accord.read(EXAMPLES / "adequacy.csv", level="ordinal")


def _without(ratings, item):
    return ratings.where(np.array([ratings.item.names[code] != item for code in ratings.item.codes]))


@pytest.mark.parametrize("key", ["krippendorff_alpha", "cohen_kappa", "fleiss_kappa", "gwet_ac1"])
def test_an_influential_item_moves_the_coefficient_as_computed_without_it(adequacy, key):
    found = influential_items(parts_of(adequacy)[0], [key])[key]
    with_all = accord.agreement(adequacy, coefficients=[key], interval="none").groups[0].estimates[0].value
    assert len(found) == 10
    assert [abs(one.change) for one in found] == sorted((abs(one.change) for one in found), reverse=True)
    for one in found[:2]:
        again = accord.agreement(_without(adequacy, one.item), coefficients=[key], interval="none")
        assert one.without == pytest.approx(again.groups[0].estimates[0].value, abs=1e-12)
        assert one.change == pytest.approx(one.without - with_all, abs=1e-12)


def test_no_other_item_moves_the_coefficient_more(adequacy):
    part = parts_of(adequacy)[0]
    every = influential_items(part, ["krippendorff_alpha"], most=adequacy.items)["krippendorff_alpha"]
    top = influential_items(part, ["krippendorff_alpha"], most=1)["krippendorff_alpha"][0]
    assert max(abs(one.change) for one in every) == pytest.approx(abs(top.change))


def test_the_head_of_the_disputed_items_is_the_head_of_the_whole_list(adequacy):
    part = parts_of(adequacy)[0]
    whole = item_entropies(part)
    head = disputed_items(part, most=5, agreed=2)
    assert list(head.most) == whole[:5]
    assert head.items == len(whole)
    assert head.disputed == sum(one.entropy > 0 for one in whole)
    assert all(one.entropy == 0 for one in head.agreed)


def test_pairs_taken_some_at_a_time_are_those_taken_at_once():
    for part in parts_of(accord.read(EXAMPLES / "references.csv")):
        rows = pairs.shared_rows(part)
        whole = pairs._by_table(part, rows)
        assert [repr(pair) for some in rows.in_parts(7) for pair in pairs._by_table(part, some)] == list(
            map(repr, whole)
        )
        assert len(whole) > 7


@pytest.mark.parametrize("name", ["adequacy.csv", "questions.csv", "references.csv"])
def test_pairs_taken_at_once_are_the_pairs_taken_one_by_one(name, monkeypatch):
    monkeypatch.setattr(pairs, "_FEW_CELLS", 0)
    monkeypatch.setattr(pairs, "_MANY_PAIRS", 10**9)
    for part in parts_of(accord.read(EXAMPLES / name)):
        rows = pairs.shared_rows(part)
        for slow, fast in zip(pairs.pairs_of(part), pairs._by_table(part, rows), strict=True):
            for key in pairs.Pair.__slots__:
                one, other = getattr(slow, key), getattr(fast, key)
                assert one == other if isinstance(one, str) else one == pytest.approx(other, abs=1e-9, nan_ok=True)


def test_tau_a_and_tau_c_are_those_of_a_second_program(adequacy):
    from scipy.stats import kendalltau

    part = parts_of(adequacy)[0]
    rows = pairs.shared_rows(part)
    for pair, (_, _, here) in zip(pairs.pairs_of(part), rows, strict=True):
        x, y = part.score[rows.left[here]], part.score[rows.right[here]]
        assert pair.tau_c == pytest.approx(kendalltau(x, y, variant="c").statistic)
        signs = np.sign(np.subtract.outer(x, x)) * np.sign(np.subtract.outer(y, y))
        assert pair.tau_a == pytest.approx(signs[np.triu_indices(len(x), 1)].mean())


def _two_kinds(noise: float = 0.1):
    rng = np.random.default_rng(1)
    rows: dict[str, list[object]] = {name: [] for name in ("item", "rater", "value", "criterion", "task")}
    for item in range(24):
        high = item % 2 == 0
        for criterion, level in (("clarity", 5 if high else 2), ("syntax", 4 if high else 1)):
            for rater in ("A", "B"):
                rows["item"].append(f"i{item}")
                rows["rater"].append(rater)
                rows["value"].append(float(level + rng.normal(0, noise)))
                rows["criterion"].append(criterion)
                rows["task"].append("publish" if high else "gist")
    return build_ratings(rows, level="interval")


def test_items_of_two_kinds_fall_into_two_clusters_that_go_with_their_task():
    ratings = _two_kinds()
    found = score_patterns(ratings)
    assert [cluster.size for cluster in found.clusters] == [12, 12]
    assert found.clusters[0].means["clarity"] == pytest.approx(5, abs=0.2)
    assert {found.labels[f"i{item}"] for item in range(0, 24, 2)} == {1}
    task = task_association(ratings, found, "task", np.random.default_rng(0), permutations=500)
    assert task.cramers_v == pytest.approx(1)
    assert task.p < 0.01


def test_cramers_v_is_that_of_a_second_program():
    from scipy.stats.contingency import association

    ratings = accord.read(EXAMPLES / "outputs.csv")
    found = score_patterns(ratings)
    task = task_association(ratings, found, "task", np.random.default_rng(0), permutations=200)
    table = np.array([list(row.values()) for row in task.counts.values()])
    assert task.cramers_v == pytest.approx(association(table, method="cramer"))


def test_clusters_are_refused_in_words_where_there_are_none_to_find():
    ratings = _two_kinds()
    with pytest.raises(OptionError, match="40 clusters of 24 items"):
        score_patterns(ratings, clusters=40)
    with pytest.raises(ColumnError, match="no column 'systm'"):
        score_patterns(ratings, unit="systm")
    with pytest.raises(NotEnoughDataError, match="Only 2 raters"):
        score_patterns(ratings, unit="rater")


def test_few_values_and_skewed_values_ask_for_ranks():
    rng = np.random.default_rng(0)

    def hint(values):
        columns = {"item": list(range(len(values))), "rater": ["A"] * len(values), "value": list(values)}
        return level_hint(parts_of(build_ratings(columns, level="interval"))[0])

    assert hint(rng.integers(1, 6, 100).astype(float)).nonparametric
    assert hint(np.exp(rng.normal(0, 1, 200))).nonparametric
    assert not hint(rng.normal(50, 10, 200)).nonparametric


@pytest.mark.parametrize(
    ("name", "word"),
    [("IAA", "reproducibility"), ("Inter-Coder Reliability", "reproducibility"), ("intra_rater agreement", "stability"),
     ("test-retest", "stability"), ("xRR", "cross-replication reliability")],
)  # fmt: skip
def test_names_that_papers_use_lead_to_one_word(name, word):
    assert normalised(name).word == word


def test_no_name_of_agreement_means_two_things():
    names = [name for term in TERMS for name in term.names]
    assert len(names) == len(set(names))
    assert normalised("fleiss_kappa") is None


def test_a_survey_counts_papers_and_averages_their_values():
    papers = read_survey(EXAMPLES / "survey.csv")
    rows = {row.coefficient: row for row in survey(papers.uses)}
    assert papers.papers == 6
    assert rows["Cohen's κ"].used == 2
    assert rows["Cohen's κ"].average == pytest.approx((0.41 + 0.62 + 0.55) / 3)


def test_papers_that_were_left_out_are_counted_by_reason_and_take_no_part():
    papers = read_survey(EXAMPLES / "survey.csv")
    assert papers.considered == 9
    assert {one.reason: one.papers for one in papers.excluded} == {"no human evaluation": 2, "annotates a corpus": 1}
    assert "paper 8" not in {use.paper for use in papers.uses}


def test_a_paper_cannot_be_left_out_and_surveyed(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("paper,coefficient,value,excluded\nA,Cohen kappa,.5,\nA,Cohen kappa,.6,too short\n")
    with pytest.raises(RatingsError, match=r"'A' do not agree why it was left out \(not at all, too short\)"):
        read_survey(path)
